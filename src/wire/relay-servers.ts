import type { Server, ToolDescription } from '../domain/call.js';
import type { Cancel } from '../domain/ports.js';

/** The server that would run a tool, or why none does: for the agent, with what to do. */
export type Routed =
  | { readonly kind: 'server'; readonly server: Server }
  | { readonly kind: 'none'; readonly code: 'INVALID_ARGUMENTS' | 'DOWNSTREAM_UNAVAILABLE'; readonly why: string };

/** What a call must know of several servers behind one downstream. */
export interface SeveralServers {
  /** Resolves when it is known who has the tool, or cannot be; undefined where it is known now. `meta` is the request's `_meta`. */
  locate(tool: string, meta: unknown, cancel: Cancel): Promise<void> | undefined;
  describe(tool: string): ToolDescription | undefined;
  /** The call with this id goes to that server, whoever lists its tool by then. Throws DOWNSTREAM_UNAVAILABLE where it takes none. */
  assign(idKey: string, server: string): void;
}

/** The servers behind one downstream. */
export interface Servers {
  readonly all: readonly Server[];
  serverOf(tool: string): Routed;
  readonly several?: SeveralServers | undefined;
}

/** One server, which runs every tool that is called. */
export function oneServer(server: Server): Servers {
  return { all: [server], serverOf: () => ({ kind: 'server', server }) };
}
