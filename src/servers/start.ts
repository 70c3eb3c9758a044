import type { Server } from '../domain/call.js';
import type { ReadText } from './read-text.js';

/** How a server was started, as far as what its names mean depends on it: its command line and the whole environment that it gets. */
export interface ServerStart {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string | undefined;
}

/** What a reader of a server's configuration goes by. `home` is the home directory of the account, whatever the environment says. */
export interface Facts {
  readonly start: ServerStart;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly cwd: string;
  readonly readText: ReadText;
}

/** Undefined for a server that this machine did not start: its configuration lies elsewhere. */
export type StartOf = (server: Server) => ServerStart | undefined;
