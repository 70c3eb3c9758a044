import type { Role } from '../src/domain/call.js';
import { hostRole } from './name-hosts.js';
import { names, words } from './words.js';

/** The JSON type of a value, or what a schema says of it; `any` where neither is known. */
export type ValueType = 'string' | 'number' | 'boolean' | 'array' | 'object' | 'null' | 'any';

/** What the tool around an argument is about: some names mean something else to ansible. */
export interface NameContext {
  readonly ansible: boolean;
  /** No other argument names a host: one that is a database's or a broker's is then the host of the call. */
  readonly lone?: boolean;
}

// Names seen in the schemas of published ssh, ansible, winrm, smb and shell servers, as words joined by `_`.
const EXACT: ReadonlyArray<readonly [Role, ReadonlySet<string>]> = [
  [
    'command',
    names(
      `command_line commandline cmd_line cmdline cmd_string command_string command_text argv exec bash command_list program executable exe binary
      entrypoint cmdlet oneliner one_liner instruction`,
    ),
  ],
  [
    'script',
    names(
      `script code pipeline script_content script_text script_block scriptblock script_body script_source script_code script_string source_code
      expression ps_code code_block snippet sql statement query`,
    ),
  ],
  ['stdin', names('stdin std_in stdin_data stdin_text input_data standard_input')],
  [
    'terminal_input',
    names(
      'input inputs keys key input_text keystrokes letter chars characters send_keys send send_text raw_input user_input terminal_input',
    ),
  ],
  [
    'args',
    names(
      'args arguments command_args cmd_args program_args exec_args script_args process_args argument_list arg_list',
    ),
  ],
  [
    'host',
    names(`host hostname host_name host_alias server server_name server_id system system_name computer computer_name machine machine_name
      target target_host remote_host node node_name vm vm_name vm_id vmid vm_ip ip ip_address address ssh_host fqdn device guest remote
      destination_host share_name share unc destination_server win_host winrm_host jump_host bastion endpoint minion tgt dc box hypervisor ip_addr`),
  ],
  [
    'host_list',
    names(`hosts host_list hostnames host_names servers server_names systems computers computer_names machines targets nodes vms
      host_pattern host_patterns connection_ids connection_names connections profiles name_of_hosts group groups host_group host_groups
      server_group target_hosts ips addresses minions endpoints`),
  ],
  [
    'connection',
    names(
      `connection connection_id connection_name connection_profile connection_config connection_string connection_uri connection_url
      connection_key conn conn_id conn_name profile profile_name profile_id alias ssh_alias dsn database_url db_url jdbc_url`,
    ),
  ],
  [
    'session',
    names(`session session_id session_name sid pane pane_id terminal_id tab_id window_id pty_id shell_id process_id pid job_id
      command_id execution_id exec_id run_id task_id channel_id console_id pty tty_id handle`),
  ],
  [
    'inventory',
    names('inventory inventory_path inventory_file inventory_id inventories inventory_source inventory_content'),
  ],
  [
    'playbook',
    names('playbook playbook_path playbook_file playbooks playbook_content playbook_yaml playbook_text playbook_name'),
  ],
  ['module', names('module module_name ansible_module')],
  ['module_args', names('module_args module_arguments module_params module_options')],
  ['local_path', names('local_path local_file local_dir local_directory local_file_path local')],
  [
    'path',
    names(`path paths file files file_path file_paths filename file_name remote_path remote_file remote_dir target_path dest destination
      dest_path destination_path dst source src source_path folder folder_path unc_path output_path output_file input_file log_path log_paths`),
  ],
  [
    'content',
    names(
      'content contents text data body file_content content_text content_base64 old_string new_string old_str new_str old_text new_text diff unified_diff payload value',
    ),
  ],
  ['secret', names('pwd pass pw auth credentials pem identity identity_file passcode')],
];

const SECRET = names('password passwords passwd passphrase secret secrets token credential credentials apikey');
const SECRET_PAIRS = /(^|_)(private|api|access|ssh)_key(_|$)|^key_(file|filename|path|data)$|_(pass|pwd|pem)$/;

const CWD = names(
  'cwd working_directory workdir work_dir working_dir directory dir workspace working_folder initial_directory',
);
const WORDY = names('description comment comments reason explanation purpose title note notes justification summary');
const TEXT_OPTIONS = names(
  'user username user_name login login_name remote_user ssh_user ssh_username run_as run_as_user become_user sudo_user encoding charset output_format format response_level execution_mode origin lines',
);
/** Arguments that choose the language of a command. */
const SELECTORS = names('shell shell_type shell_kind terminal_shell interpreter script_type executor language');

// A number or a flag is an option only where every word of its name is one of these.
const QUANTITY =
  names(`timeout ttl limit limits lines line offset length page size delay interval duration retries retry attempts
  count ms s sec secs second seconds minutes depth rows cols columns width height port bytes byte kb mb chars tail head tty pty verbose debug
  quiet stream streaming trim strip color colors ansi json pretty detailed background async sudo become elevated privileged stderr stdout
  wait keepalive dry timing`);
const GLUE = names(
  'max min maximum minimum include show capture return partial on get use in is for command execution foreground output run connect connection request mode',
);

/** The role that a name stands for, judged by the name and the type of its value alone. */
export function roleOfName(name: string, type: ValueType, context: NameContext): Role {
  const parts = words(name);
  const snake = parts.join('_');
  if (parts.length === 0) return 'unknown';
  return (
    secretRole(parts, snake) ??
    ansibleRole(snake, type, context) ??
    exactRole(snake) ??
    commandRole(parts, type) ??
    hostRole(parts, type, context.lone === true) ??
    pathRole(parts, type) ??
    optionRole(parts, snake, type) ??
    'unknown'
  );
}

/** Free text for humans: it may hold quotes and brackets. */
export function isProse(name: string): boolean {
  return WORDY.has(words(name).join('_'));
}

/** Whether the argument chooses the language of a command. */
export function isSelector(name: string): boolean {
  return SELECTORS.has(words(name).join('_'));
}

function secretRole(parts: readonly string[], snake: string): Role | undefined {
  if (parts.some((part) => SECRET.has(part)) && !parts.includes('tokens')) return 'secret';
  return SECRET_PAIRS.test(snake) ? 'secret' : undefined;
}

function ansibleRole(snake: string, type: ValueType, context: NameContext): Role | undefined {
  if (/^(limit_hosts|host_limit|limit_pattern|limit_to)$/.test(snake) && type !== 'number') return 'limit';
  if (snake === 'limit' && type !== 'number' && (context.ansible || type === 'string')) return 'limit';
  if (!context.ansible) return undefined;
  if (snake === 'args' || snake === 'arguments') return 'module_args';
  if (snake === 'connection') return 'unknown';
  if (snake === 'subset') return 'limit';
  return snake === 'pattern' ? 'host_list' : undefined;
}

function exactRole(snake: string): Role | undefined {
  return EXACT.find(([, set]) => set.has(snake))?.[0];
}

function commandRole(parts: readonly string[], type: ValueType): Role | undefined {
  if (type === 'number' || type === 'boolean') return undefined;
  const snake = parts.join('_');
  if (/(^|_)(commands?|cmds?)(_(line|string|str|text|list|body|array|to_run|to_execute|to_exec))?$/.test(snake))
    return 'command';
  if (/^(run|execute)(_(this|now|remote))?$/.test(snake)) return 'command';
  if (parts.includes('stdin')) return 'stdin';
  if (
    /(^|_)(scripts?|powershell)$|(^|_)(bash|shell|sh|powershell|ps|inline|source)_code$|(^|_)script_(file_content|content|text|block|body|source|code|string|lines)$/.test(
      snake,
    )
  )
    return 'script';
  return isForeign(snake) ? 'script' : undefined;
}

/** A text in a language of its own: it is no shell's, whatever the server's commands are in. */
export function isForeign(name: string): boolean {
  const snake = words(name).join('_');
  return /(^|_)(sql|query|queries|statements?)(_(text|string|body))?$|(^|_)(python3?|js|javascript|node|ruby|perl|lua|groovy)_(code|script)$/.test(
    snake,
  );
}

function pathRole(parts: readonly string[], type: ValueType): Role | undefined {
  if (type === 'number' || type === 'boolean' || parts.length < 2) return undefined;
  if (!/^(paths?|files?|filenames?|filepaths?|folders?|dirs?|director(y|ies))$/.test(parts.at(-1) ?? ''))
    return undefined;
  if (CWD.has(parts.join('_'))) return undefined;
  return parts[0] === 'local' ? 'local_path' : 'path';
}

function optionRole(parts: readonly string[], snake: string, type: ValueType): Role | undefined {
  if (CWD.has(snake) || WORDY.has(snake) || TEXT_OPTIONS.has(snake) || SELECTORS.has(snake)) return 'option';
  const counted =
    type === 'number' || type === 'boolean' || type === 'any' || type === 'null' || snake.startsWith('timeout');
  const counts =
    parts.some((part) => QUANTITY.has(part)) && parts.every((part) => QUANTITY.has(part) || GLUE.has(part));
  // A time to wait changes nothing of what runs, whatever it is the time of.
  const waits = counted && parts.includes('timeout') && type !== 'any';
  return (counted && counts) || waits ? 'option' : undefined;
}
