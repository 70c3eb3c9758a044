import type { Receipt } from './receipt.js';

/** The server under which the proxy's own tools and commands are recorded. */
export const OWN_SERVER = 'zerto-rewind';

/** What an argument of a tool is taken for. The list is fixed: users name these in `classifier.tools`. */
export const ROLES = [
  'command',
  'script',
  'stdin',
  'terminal_input',
  'args',
  'host',
  'host_list',
  'connection',
  'session',
  'inventory',
  'playbook',
  'module',
  'module_args',
  'limit',
  'path',
  'local_path',
  'content',
  'secret',
  'option',
  'unknown',
] as const;
export type Role = (typeof ROLES)[number];

export const SHELLS = ['bash', 'powershell', 'cmd'] as const;
/** The language a command is written in. */
export type Shell = (typeof SHELLS)[number];

export const FAMILIES = ['ssh', 'ansible', 'winrm', 'powershell', 'smb', 'shell'] as const;
export type Family = (typeof FAMILIES)[number];

/** A downstream server as the config and its own answers describe it. `target` is the VM of a server that serves exactly one. */
export interface Server {
  readonly name: string;
  readonly family?: Family | undefined;
  readonly shell?: Shell | undefined;
  readonly target?: string | undefined;
  readonly info?: { readonly name: string; readonly version: string } | undefined;
}

/** What a `tools/list` result says of one tool, as far as judging needs it. Hints may raise an effect, never lower it. */
export interface ToolDescription {
  readonly name: string;
  readonly inputSchema: unknown;
  readonly annotations?: { readonly destructiveHint?: boolean } | undefined;
}

/** The trace that a caller is in (W3C Trace Context), as its `_meta` says it. */
export interface TraceContext {
  readonly parent: string;
  readonly state?: string | undefined;
}

/** One tools/call: the envelope that was read, and the bytes that will be forwarded. Never edited on its way downstream. */
export interface ToolCall {
  /** Unique in the audit log; not the JSON-RPC id. */
  readonly id: string;
  readonly session: string;
  readonly agent: string;
  readonly server: Server;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
  /** A keyed SHA-256 (hex) over session, server, tool and canonical arguments: what an approval and a repeat are bound to. */
  readonly digest: string;
  readonly raw: Uint8Array;
  /** The client gave a progress token: it is told that the call waits, and does not give up. */
  readonly progress?: boolean | undefined;
  readonly trace?: TraceContext | undefined;
  /** Absent where no `tools/list` result named the tool. */
  readonly description?: ToolDescription | undefined;
}

/**
 * Something a call will do: text in a language that the classifier reads, an ansible module with its arguments (text or object), a playbook's
 * text, or an effect that the tool has by itself. `check`: ansible gets `--check`.
 */
export type Operation =
  | { readonly kind: 'command'; readonly language: Shell; readonly source: string }
  | { readonly kind: 'ansible_module'; readonly module: string; readonly args: unknown; readonly check: boolean }
  | { readonly kind: 'ansible_playbook'; readonly source: string; readonly check: boolean }
  | {
      readonly kind: 'fixed';
      readonly effect: 'read_only' | 'unknown' | 'mutating';
      readonly subject: string;
      readonly why: string;
    };

/**
 * A host as the caller wrote it, and the argument it stands in. `role`: the value's own, where it stands inside an argument of another role.
 * `client`: it stands in the text of a command, which reaches out to it from where it runs, by ssh(1) or by another program.
 */
export interface HostName {
  readonly value: string;
  readonly argument: string;
  readonly role?: Role | undefined;
  readonly client?: 'ssh' | 'other' | undefined;
  /** Where the call gives one beside the host: behind one address several machines may listen. */
  readonly port?: number | undefined;
}

/** Stands for the host of a call that names none; told by its identity. */
export const NO_HOST: HostName = { value: '', argument: '' };

/** A playbook by its text, or by a path on the machine that its server runs on. */
export type Playbook = { readonly text: string } | { readonly path: string };

/**
 * A run of ansible, as far as the hosts that it reaches depend on it: which ones those are, its inventory decides. A run has a `pattern` or
 * `playbooks`.
 */
export interface AnsibleRun {
  /** What goes to `-i`, in order. None: ansible's own default. */
  readonly inventories: readonly string[];
  readonly pattern?: string | undefined;
  readonly playbooks?: readonly Playbook[] | undefined;
  readonly limit?: string | undefined;
  /** What goes to `--connection`. */
  readonly connection?: string | undefined;
  /** What goes to `--extra-vars`, as the caller wrote it. */
  readonly extraVars?: readonly unknown[] | undefined;
  /** The directory that it is started in, where the call names one. */
  readonly cwd?: string | undefined;
  /** The argument that names its hosts. */
  readonly argument: string;
  /** Why it cannot be told what ansible is really given. */
  readonly unclear?: string | undefined;
}

/** What an interceptor read in a call. No hosts: the call names none, and the server's own target applies. */
export interface Reading {
  readonly interceptor: string;
  /** One role for each argument present, also `unknown`; redaction goes by it. */
  readonly roles: Readonly<Record<string, Role>>;
  readonly operations: readonly Operation[];
  readonly hosts: readonly HostName[];
  /** Its commands run on the machine that the server itself runs on. */
  readonly local?: true | undefined;
  /** Names of what earlier calls opened (sessions, processes). They are no hosts: only the session that saw them opened knows where they are. */
  readonly handles?: readonly HostName[] | undefined;
  /** The runs of ansible that the call asks for; their hosts are those of the call. */
  readonly ansible?: readonly AnsibleRun[] | undefined;
}

/** What goes back to the agent: the downstream's own bytes (a whole message without its line end), or a refusal that the proxy words. */
export type Answer =
  | {
      readonly kind: 'downstream';
      readonly raw: Uint8Array;
      readonly isError: boolean;
      readonly receipt?: Receipt | undefined;
    }
  | { readonly kind: 'refusal'; readonly text: string };
