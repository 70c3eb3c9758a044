import { PassThrough } from 'node:stream';
import type { Server } from './domain/call.js';
import type { Logger } from './domain/ports.js';
import { type CountChild, counted, startCommand } from './downstream-command.js';
import type { DownstreamEnd } from './wire/downstream-end.js';
import { startMany } from './wire/many/many.js';
import { oneServer, type Servers } from './wire/relay-servers.js';
import { startRemote } from './wire/remote/start.js';

/** A downstream before it is started: a command that speaks on stdio, or a server behind HTTP, whose login stands in `headers`. */
export type DownstreamStart = {
  readonly server: Server;
  /** What a command gets; for a URL, where proxy variables stand. */
  readonly env: Readonly<Record<string, string | undefined>>;
} & (
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly args: readonly string[];
      readonly cwd?: string | undefined;
    }
  | {
      readonly kind: 'url';
      readonly url: string;
      readonly transport: 'http' | 'sse';
      readonly headers: Readonly<Record<string, string>>;
    }
);

/** One of several that is not started; `why` is for the client. */
export interface AbsentStart {
  readonly kind: 'absent';
  readonly server: Server;
  readonly env: DownstreamStart['env'];
  readonly why: string;
}

/** What a session is with: one server, or several that look like one. */
export type Downstreams = readonly [DownstreamStart | AbsentStart, ...(DownstreamStart | AbsentStart)[]];

/** A session's downstream, started. `name` is for what is said of its end. */
export interface Started {
  readonly child: DownstreamEnd;
  readonly servers: Servers;
  readonly name: string;
}

interface StartOptions {
  readonly log: Logger;
  /** The proxy's own, which it tells where it answers for several servers. */
  readonly version: string;
  readonly meters?: CountChild | undefined;
  /** The one server, where it was started already. */
  readonly early?: DownstreamEnd | undefined;
}

/** Throws CONFIG_INVALID for a URL or header that cannot be used. */
export function startDownstreams([first, ...others]: Downstreams, options: StartOptions): Started {
  const { log, version, meters, early } = options;
  const { server } = first;
  if (others.length === 0)
    return {
      child: counted(early, meters) ?? startDownstream(first, log, meters),
      servers: oneServer(server),
      name: server.name,
    };
  const members = [first, ...others].map((each) => ({
    server: each.server,
    start: () => startDownstream(each, log, meters),
  }));
  const many = startMany({ members, self: { name: 'zerto-rewind-proxy', version }, log });
  return { child: many, servers: many, name: many.all.map(({ name }) => name).join(', ') };
}

/** The one place where a downstream is started. Throws CONFIG_INVALID for a URL or header that cannot be used. */
function startDownstream(
  start: DownstreamStart | AbsentStart,
  log: Logger,
  meters: CountChild | undefined,
): DownstreamEnd {
  if (start.kind === 'absent') return absent(start.why);
  if (start.kind === 'command') return startCommand(start, log, meters);
  return startRemote({ ...start, server: start.server.name, log });
}

function absent(why: string): DownstreamEnd {
  const exit = Promise.resolve({ code: null, signal: null, spawnError: new Error('not started'), why });
  return { input: new PassThrough().resume(), output: new PassThrough().end(), exit, stop: () => exit };
}
