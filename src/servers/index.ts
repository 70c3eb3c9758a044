import type { Reading, Server } from '../domain/call.js';
import type { MeantHost, ServerNames } from '../domain/ports.js';
import { readText } from './read-text.js';
import type { Facts, ServerStart, StartOf } from './start.js';

export type { ServerStart, StartOf } from './start.js';

/** What is known of one published server's configuration. */
export interface ServerReader {
  /** Whether it is this server, by how it was started and what it calls itself. */
  claims(server: Server, start: ServerStart, reading: Reading): boolean;
  /** Never rejects: what cannot be read or judged is a `stop` for the names that depend on it. */
  read(reading: Reading, facts: Facts): Promise<readonly MeantHost[] | undefined>;
}

const READERS: readonly ServerReader[] = [];

/** Reads servers' own configurations, where this machine started them. */
export function createServerNames(
  startOf: StartOf,
  surroundings: { readonly platform: NodeJS.Platform; readonly home: string; readonly cwd: string },
  readers: readonly ServerReader[] = READERS,
): ServerNames {
  return async (reading, server) => {
    const start = startOf(server);
    if (start === undefined) return undefined;
    const reader = readers.find((each) => each.claims(server, start, reading));
    const cwd = start.cwd ?? surroundings.cwd;
    return reader?.read(reading, { ...surroundings, start, cwd, readText });
  };
}

/** The first that knows anything of a call's names. */
export function firstOf(...names: readonly ServerNames[]): ServerNames {
  return async (reading, server, signal) => {
    for (const each of names) {
      const meant = await each(reading, server, signal);
      if (meant !== undefined) return meant;
    }
    return undefined;
  };
}
