import type { Shell } from '../domain/call.js';

/** Clients that run commands in a shell of their own and ask a hook first. */
export const HOOK_CLIENTS = ['claude-code', 'codex', 'copilot', 'cursor', 'gemini'] as const;
export type HookClient = (typeof HOOK_CLIENTS)[number];

/** A command that the client is about to run, or has run. `id`: the client's own name of this use of its tool. */
export interface HookCommand {
  readonly kind: 'command';
  readonly client: HookClient;
  readonly session: string;
  readonly tool: string;
  readonly command: string;
  readonly language: Shell;
  readonly cwd?: string | undefined;
  readonly id?: string | undefined;
  /** A person sees what the hook asks. */
  readonly mayAsk: boolean;
  /** After it ran: how the client says it ended. */
  readonly ended?: 'ok' | 'error' | 'unknown' | undefined;
}

/** `other`: a tool that runs no command in the client's shell. `malformed`: what came is none of the client's words. */
export type HookInput = HookCommand | { readonly kind: 'other' } | { readonly kind: 'malformed'; readonly why: string };

type Values = Readonly<Record<string, unknown>>;

/** Their commands are judged; a tool of any other name that has a `command` is taken for one. Those of MCP servers go through the proxy. */
const SHELL_TOOLS: ReadonlySet<string> = new Set([
  'Bash',
  'PowerShell',
  'bash',
  'powershell',
  'run_shell_command',
  'shell',
  'local_shell',
  'exec_command',
]);
/** Tools that type into a shell which is already open, with the field of the text: it is judged as a command, and nothing typed only looks. */
const TYPED: ReadonlyMap<string, string> = new Map([
  ['write_bash', 'input'],
  ['write_powershell', 'input'],
  ['write_stdin', 'chars'],
]);
/** How clients write the names of MCP servers' tools; no client has one of its own that is written so. */
const MCP_TOOLS: Readonly<Partial<Record<HookClient, RegExp>>> = { copilot: /^mcp__|-/, gemini: /^mcp_/ };
/** Modes in which the client puts a question to a person. */
const ASKING: ReadonlySet<unknown> = new Set(['default', 'acceptEdits', 'plan']);

/** Reads what a client writes to its hook. */
export function readHookInput(client: HookClient, text: string, platform: NodeJS.Platform): HookInput {
  const input = parse(text);
  if (input === undefined) return malformed('it is no JSON object');
  if (client === 'cursor') return ofCursor(input, platform);
  return ofTool(client, client === 'copilot' ? fromCopilot(input) : input, platform);
}

function ofCursor(input: Values, platform: NodeJS.Platform): HookInput {
  const { command, conversation_id: session, generation_id: id, cwd, hook_event_name: event } = input;
  if (typeof command !== 'string') return malformed('it has no "command"');
  return {
    kind: 'command',
    client: 'cursor',
    session: nameOf(session),
    tool: 'Shell',
    command,
    language: platform === 'win32' ? 'powershell' : 'bash',
    ...textsOf({ cwd, id }),
    mayAsk: true,
    ...(event === 'afterShellExecution' && { ended: 'unknown' as const }),
  };
}

/** The same in the words of the others. Its arguments may come as a text of JSON. */
function fromCopilot(input: Values): Values {
  const { sessionId, toolName, toolArgs, toolResult } = input;
  const given = typeof toolArgs === 'string' ? parse(toolArgs) : toolArgs;
  return {
    ...input,
    session_id: sessionId,
    tool_name: toolName,
    tool_input: given,
    ...(toolResult !== undefined && { hook_event_name: 'PostToolUse', tool_response: endOfCopilot(toolResult) }),
  };
}

/** Its word `success` is the tool's; how the command ended is the last line of what the model gets. */
function endOfCopilot(result: unknown): Values | undefined {
  const { resultType, textResultForLlm: text } = isValues(result) ? result : {};
  if (resultType !== 'success') return { error: resultType };
  const code =
    typeof text === 'string' ? /<shellId: \S+ completed with exit code (\d+)>\s*$/.exec(text)?.[1] : undefined;
  return code === undefined ? undefined : { exit_code: Number(code) };
}

function ofTool(client: HookClient, input: Values, platform: NodeJS.Platform): HookInput {
  const {
    tool_name: tool,
    tool_input: given,
    session_id: session,
    cwd,
    tool_use_id: id,
    permission_mode: mode,
  } = input;
  if (typeof tool !== 'string' || tool === '') return malformed('it has no "tool_name"');
  if ((MCP_TOOLS[client] ?? /^mcp__/).test(tool)) return { kind: 'other' };
  const command = commandIn(client, tool, given);
  if (typeof command !== 'string') return command;
  const { directory, workdir } = isValues(given) ? given : {};
  return {
    kind: 'command',
    client,
    session: nameOf(session),
    tool,
    command,
    language: languageOf(client, tool, platform),
    ...textsOf({ cwd: directory ?? workdir ?? cwd, id }),
    mayAsk: client === 'claude-code' && ASKING.has(mode),
    ...endOf(input),
  };
}

/** The command in a tool's arguments, or what the input is without one. */
function commandIn(client: HookClient, tool: string, given: unknown): string | Exclude<HookInput, HookCommand> {
  const field = TYPED.get(tool);
  const without = (why: string) =>
    SHELL_TOOLS.has(tool) || field !== undefined ? malformed(why) : ({ kind: 'other' } as const);
  if (!isValues(given)) return without('it has no "tool_input"');
  if (field === undefined) return commandOf(given) ?? without('its "tool_input" has no "command"');
  const typed = given[field] ?? commandOf(given) ?? '';
  if (typeof typed !== 'string') return without(`its "${field}" is no text`);
  if (typed === '') return { kind: 'other' };
  // Copilot CLI has a word for the key that ends a line.
  return client === 'copilot' ? typed.replaceAll(/\{enter\}/gi, '\n') : typed;
}

/** A text, or the words of one. */
function commandOf(given: Values): string | undefined {
  const command = given['command'] ?? given['cmd'];
  if (typeof command === 'string') return command;
  if (!Array.isArray(command) || !command.every((word) => typeof word === 'string')) return undefined;
  const [shell = '', flag = '', script, ...more] = command as readonly string[];
  if (/(?:^|\/)(?:ba|z|da)?sh$/.test(shell) && /^-l?c$/.test(flag) && script !== undefined && more.length === 0)
    return script;
  return command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
}

function languageOf(client: HookClient, tool: string, platform: NodeJS.Platform): Shell {
  if (/powershell|pwsh/i.test(tool)) return 'powershell';
  return client === 'gemini' && platform === 'win32' ? 'powershell' : 'bash';
}

/** How it ended, of an event that comes after. A client that says nothing of it is not believed to have succeeded. */
function endOf(input: Values): { readonly ended?: 'ok' | 'error' | 'unknown' } {
  const { hook_event_name: event, tool_response: response, error } = input;
  if (event === 'PostToolUseFailure') return { ended: 'error' };
  if (event !== 'PostToolUse' && event !== 'AfterTool') return {};
  if (!isValues(response)) return { ended: error === undefined ? 'unknown' : 'error' };
  if (response['interrupted'] === true) return { ended: 'unknown' };
  const code = response['exit_code'] ?? response['exitCode'];
  const isError = (response['error'] ?? error) !== undefined || (typeof code === 'number' && code !== 0);
  return { ended: isError ? 'error' : 'ok' };
}

/** Names from outside stand in records: short, and without anything that could be taken for more. */
function nameOf(value: unknown): string {
  return typeof value === 'string' && /^[\w.:-]{1,100}$/.test(value) ? value : 'unnamed';
}

function textsOf({ cwd, id }: { readonly cwd: unknown; readonly id: unknown }): Pick<HookCommand, 'cwd' | 'id'> {
  return {
    ...(typeof cwd === 'string' && cwd !== '' && { cwd }),
    ...(typeof id === 'string' && { id: nameOf(id) }),
  };
}

function parse(text: string): Values | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isValues(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function isValues(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function malformed(why: string): { readonly kind: 'malformed'; readonly why: string } {
  return { kind: 'malformed', why };
}
