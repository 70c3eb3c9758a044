import { type HostName, NO_HOST, type Reading, type Server } from '../domain/call.js';
import type { MeantHost, ServerNames } from '../domain/ports.js';
import type { Meaning } from '../domain/target.js';
import { readText } from './read-text.js';
import type { OpenReader, ServerReader } from './reader.js';
import { placesOf, sshMeaning } from './ssh-config/index.js';
import { SSH_FANGJUNJIE } from './ssh-fangjunjie.js';
import { bySsh, SSH_AIONDA } from './ssh-hosts.js';
import { SSH_MANAGER } from './ssh-manager.js';
import { SSH_MCP } from './ssh-mcp.js';
import { SSH_UARLOUSKI } from './ssh-uarlouski.js';
import type { Facts, ServerStart } from './start.js';
import { WIN_CLI } from './win-cli.js';

export type { ServerStart } from './start.js';

const READERS: readonly ServerReader[] = [SSH_MCP, SSH_MANAGER, SSH_AIONDA, SSH_FANGJUNJIE, SSH_UARLOUSKI, WIN_CLI];

/** The machine that servers are started on. `home` is the account's own home directory. */
export interface Surroundings {
  /** The client's environment. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly cwd: string;
}

/** What servers' own configurations say of the names in calls. */
export interface ServerConfigs {
  readonly names: ServerNames;
  /** How a server was started; undefined for one that this machine did not start. */
  startOf(server: Server): ServerStart | undefined;
  /** Where ssh(1) of this machine connects to for a host, started by a program that shares connections by host alone. */
  ssh(host: string): Promise<Meaning>;
  /** To be called before a server is started: some read their configuration at their start alone. */
  starting(server: Server, start: ServerStart): void;
  /** The names that the server's own configuration knows; undefined where nothing is known of it. */
  list(server: Server): Promise<readonly string[] | undefined>;
}

/** Reads servers' own configurations, where this machine starts them; of others nothing is known. */
export function openServerConfigs(surroundings: Surroundings): ServerConfigs {
  const starts = new Map<string, { readonly start: ServerStart; readonly noted: Promise<unknown> }>();
  const opened = new Map<string, Map<ServerReader, OpenReader>>();
  const of = (server: Server, reader: ServerReader): OpenReader => {
    const own = opened.get(server.name) ?? new Map<ServerReader, OpenReader>();
    opened.set(server.name, own);
    const open = own.get(reader) ?? reader.open();
    own.set(reader, open);
    return open;
  };
  const factsOf = (start: ServerStart): Facts => ({
    ...surroundings,
    start,
    cwd: start.cwd ?? surroundings.cwd,
    readText,
  });
  return {
    starting: (server, start) => {
      const noted = READERS.filter((reader) => reader.claims(server, start, '')).map((reader) =>
        of(server, reader).note(factsOf(start)),
      );
      starts.set(server.name, { start, noted: Promise.all(noted) });
    },
    ssh: (host) => {
      const { platform, home, env } = surroundings;
      return sshMeaning(host, placesOf(platform, home, env, readText), { options: ['ControlPath=none'] });
    },
    startOf: ({ name }) => starts.get(name)?.start,
    list: async (server) => {
      const { start } = starts.get(server.name) ?? {};
      const reader = start && READERS.find((each) => each.claims(server, start, ''));
      return start && reader?.list?.(factsOf(start));
    },
    names: async (reading, server) => {
      const { start, noted } = starts.get(server.name) ?? {};
      if (start === undefined) return undefined;
      if (reading.hosts.some(({ client }) => client !== undefined)) return ofCommands(reading, factsOf(start));
      await noted;
      const reader = READERS.find((each) => each.claims(server, start, reading.interceptor));
      if (reader === undefined) return undefined;
      const hosts: readonly HostName[] = reading.hosts.length === 0 ? [NO_HOST] : reading.hosts;
      const meanings = await of(server, reader).means(hosts, factsOf(start));
      return hosts.map((host, index): MeantHost => ({ host, meaning: meanings[index] ?? { kind: 'as_written' } }));
    },
  };
}

/** What ssh(1) makes of the hosts in commands that run on this machine. Other machines have their own configurations, which nobody reads here. */
async function ofCommands({ hosts, local }: Reading, facts: Facts): Promise<readonly MeantHost[]> {
  return Promise.all(
    hosts.map(async (host): Promise<MeantHost> => {
      const isSsh = local === true && host.client === 'ssh' && host.value !== '';
      return { host, meaning: isSsh ? await bySsh(host, facts) : { kind: 'as_written' } };
    }),
  );
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
