import { doubt } from '../roles.js';
import { changes, destructive, judged, reads, runs, server, unseen } from './notation.js';

const ENDS = 'ends a process';
const WRITES = 'writes a file';
const TERMINAL = 'the state of the terminal that gets this is not known';
const LOCAL = { local: true } as const;

/** Its files and processes are those of the machine that it runs on; another host is reached through the text of a command alone. */
const DESKTOP_COMMANDER = server(
  {
    name: 'desktop-commander',
    from: 'npm:@wonderwhy-er/desktop-commander@0.2.52',
    calls: 'desktop-commander',
    shell: 'bash',
    ...LOCAL,
  },
  [
    reads('get_config', 'origin', 'shows its settings'),
    destructive(changes('set_config_value', 'key value:content origin', 'changes what its tools may do')),
    reads('read_file', 'path isUrl offset length sheet range options origin', 'reads a file'),
    reads('read_multiple_files', 'paths:path', 'reads files'),
    destructive(changes('write_file', 'path content mode origin', WRITES)),
    destructive(changes('write_pdf', 'path content outputPath:path options', WRITES)),
    changes('create_directory', 'path', 'makes a directory'),
    reads('list_directory', 'path depth origin', 'lists a directory'),
    destructive(changes('move_file', 'source:path destination:path', 'moves a file')),
    reads(
      'start_search',
      'path pattern searchType filePattern ignoreCase maxResults includeHidden contextLines timeout_ms earlyTermination literalSearch origin',
      'searches files',
    ),
    reads('get_more_search_results', 'sessionId:session offset length', 'shows what a search found'),
    reads('stop_search', 'sessionId:session', 'ends a search'),
    reads('list_searches', '', 'lists searches'),
    reads('get_file_info', 'path', 'shows what is known of a file'),
    destructive(
      changes(
        'edit_block',
        'file_path:path old_string:content new_string:content expected_replacements range content options origin',
        WRITES,
      ),
    ),
    destructive(runs('start_process', 'command timeout_ms shell verbose_timing origin')),
    reads('read_process_output', 'pid:session timeout_ms offset length verbose_timing', 'shows what a process wrote'),
    destructive(
      unseen(
        'interact_with_process',
        'pid:session input:terminal_input timeout_ms wait_for_prompt verbose_timing',
        TERMINAL,
      ),
    ),
    destructive(changes('force_terminate', 'pid:session', ENDS)),
    reads('list_sessions', '', 'lists processes that it started'),
    reads('list_processes', '', 'lists processes'),
    destructive(changes('kill_process', 'pid:session', ENDS)),
    reads('get_usage_stats', '', 'shows how often its tools were called'),
    reads('get_recent_tool_calls', 'maxResults toolName since', 'lists calls'),
    unseen('give_feedback_to_desktop_commander', '', 'it opens a browser'),
    reads('get_prompts', 'action promptId', 'shows a prompt of its own'),
  ],
);

const SERVER_COMMANDS = server(
  {
    name: 'mcp-server-commands',
    from: 'npm:mcp-server-commands@0.5.0',
    calls: 'mcp-server-commands',
    shell: 'bash',
    ...LOCAL,
  },
  [runs('run_command', 'command workdir stdin')],
);

const RUN_COMMANDS = server(
  {
    name: 'agent-infra-commands',
    from: 'npm:@agent-infra/mcp-server-commands@1.2.18',
    calls: 'Run Commands',
    shell: 'bash',
    ...LOCAL,
  },
  [runs('run_command', 'command cwd'), runs('run_script', 'interpreter script cwd', 'runs the script')],
);

/** `command` and `cmd` are synonyms; both are judged. */
const BASH_COMMAND = server(
  { name: 'bash-command', from: 'npm:bash-command-mcp@0.1.5', calls: 'bash-command-mcp', shell: 'bash', ...LOCAL },
  [
    runs('run', 'command cmd:command timeoutSeconds cwd env:unknown'),
    runs('run_background', 'command cmd:command cwd env:unknown'),
    reads('list_background', '', 'lists processes that it started'),
    changes('kill_background', 'pid:session', ENDS),
    reads('tail_background', 'pid:session lines', 'shows what a process wrote'),
    reads('wait_background', 'pid:session timeoutSeconds', 'waits for a process'),
  ],
);

const SHELL_SERVER = server(
  {
    name: 'mcp-shell-server',
    from: 'npm:@mako10k/mcp-shell-server@2.7.1',
    calls: 'mcp-shell-server',
    shell: 'bash',
    ...LOCAL,
  },
  [
    judged(
      'shell_execute',
      'command comment execution_mode working_directory environment_variables:unknown input_data:stdin input_output_id:stdin timeout_seconds foreground_timeout_seconds return_partial_on_timeout max_output_size capture_stderr session_id:session create_terminal terminal_shell terminal_dimensions force_user_confirm',
      ({ session_id: session, create_terminal: terminal }) =>
        session === undefined && terminal !== true ? [] : [doubt('session_id', TERMINAL)],
    ),
    reads('process_get_execution', 'execution_id:session', 'shows what a process wrote'),
    unseen('shell_set_default_workdir', 'working_directory', 'changes where later commands run'),
    reads('list_execution_outputs', 'output_type execution_id:session name_pattern limit:option', 'lists outputs'),
    reads('read_execution_output', 'output_id offset size encoding', 'shows an output'),
    unseen('delete_execution_outputs', 'output_ids confirm', 'removes outputs that it kept'),
    reads('get_cleanup_suggestions', 'max_size_mb max_age_hours include_warnings', 'lists outputs'),
    unseen('perform_auto_cleanup', 'max_age_hours dry_run preserve_recent', 'removes outputs that it kept'),
    unseen(
      'terminal_operate',
      'terminal_id:session command:terminal_input session_name shell_type dimensions working_directory environment_variables:unknown input:terminal_input execute control_codes send_to force_input get_output output_delay_ms output_lines include_ansi response_level return_terminal_info',
      TERMINAL,
    ),
    reads('terminal_list', 'session_name_pattern status_filter limit:option', 'lists terminals'),
    reads('terminal_get_info', 'terminal_id:session', 'shows what is known of a terminal'),
    changes('terminal_close', 'terminal_id:session save_history', 'ends what runs in a terminal'),
    reads(
      'command_history_query',
      'page page_size query command_pattern working_directory safety_classification was_executed date_from date_to entry_id analytics_type include_full_details',
      'lists commands that ran before',
    ),
  ],
);

const MCP_CLI = server({ name: 'mcp-cli', from: 'npm:mcp-cli@1.0.5', calls: 'mcp-shell', shell: 'bash', ...LOCAL }, [
  reads('validatePath', 'targetPath:path workingDirectory', 'says whether a path is allowed'),
  runs('executeCommand', 'workingDirectory command args env:unknown'),
  reads('readFile', 'workingDirectory path', 'reads a file'),
  changes('writeFile', 'workingDirectory path content', WRITES),
  changes('copyFile', 'workingDirectory source:path destination:path', WRITES),
  changes('moveFile', 'workingDirectory source:path destination:path', 'moves a file'),
  changes('deleteFile', 'workingDirectory path', 'removes a file'),
  changes('createDirectory', 'workingDirectory path', 'makes a directory'),
  changes('removeDirectory', 'workingDirectory path', 'removes a directory'),
  reads('listDirectory', 'workingDirectory path', 'lists a directory'),
  reads('getSystemInfo', '', 'shows what is known of the machine'),
]);

/** The command is a list of words. */
const TUMF = server(
  {
    name: 'mcp-shell-server-tumf',
    from: 'pypi:mcp-shell-server@b0404b1',
    calls: 'mcp-shell-server',
    shell: 'bash',
    ...LOCAL,
  },
  [runs('shell_execute', 'command stdin directory timeout')],
);

/** A pane may be logged into any host. */
const TMUX = server({ name: 'tmux', from: 'npm:tmux-mcp@0.2.2', calls: 'tmux-mcp', shell: 'bash' }, [
  reads('list-sessions', '', 'lists sessions'),
  reads('find-session', 'name', 'finds a session'),
  reads('list-windows', 'sessionId:session', 'lists windows'),
  reads('list-panes', 'windowId:session', 'lists panes'),
  reads('capture-pane', 'paneId:session lines colors', 'shows what a pane shows'),
  reads('create-session', 'name', 'opens a shell and runs nothing in it'),
  reads('create-window', 'sessionId:session name', 'opens a shell and runs nothing in it'),
  reads('split-pane', 'paneId:session direction size', 'opens a shell and runs nothing in it'),
  reads('get-command-result', 'commandId:session', 'shows what a command wrote'),
  terminalOf('execute-command', 'paneId:session command:terminal_input rawMode noEnter', 'paneId'),
  endOf('kill-session', 'sessionId:session', 'sessionId'),
  endOf('kill-window', 'windowId:session', 'windowId'),
  endOf('kill-pane', 'paneId:session', 'paneId'),
]);

const ITERM = server({ name: 'iterm', from: 'npm:iterm-mcp@1.2.6', calls: 'iterm-mcp', shell: 'bash' }, [
  terminalOf('write_to_terminal', 'command:terminal_input', 'command'),
  reads('read_terminal_output', 'linesOfOutput', 'shows what the terminal shows'),
  terminalOf('send_control_character', 'letter:terminal_input', 'letter'),
]);

/** Where the terminal is logged in is not known. */
function terminalOf(name: string, args: string, argument: string): ReturnType<typeof unseen> {
  const [, known] = unseen(name, args, TERMINAL);
  return [name, { ...known, hosts: () => [{ value: '', argument }] }];
}

function endOf(name: string, args: string, argument: string): ReturnType<typeof changes> {
  const [, known] = changes(name, args, 'ends what runs in it');
  return [name, { ...known, hosts: () => [{ value: '', argument }] }];
}

export const SHELL_CATALOGS = [
  DESKTOP_COMMANDER,
  SERVER_COMMANDS,
  RUN_COMMANDS,
  BASH_COMMAND,
  SHELL_SERVER,
  MCP_CLI,
  TUMF,
  TMUX,
  ITERM,
];
