import { join } from 'node:path';
import type { App } from '../app.js';
import { stateDir } from '../config/paths.js';
import { ProxyError } from '../domain/errors.js';
import { servedMetrics } from '../measuring.js';
import type { ServeOptions } from '../serve.js';
import { readToken } from '../wire/front/token-file.js';
import type { Context } from './context.js';
import { readArguments } from './options.js';
import { measuringOptions, needsFile, startsOf, withApp } from './wrap.js';

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy [--config FILE] serve --listen HOST:PORT

Serves the servers of the config as one over Streamable HTTP at http://HOST:PORT/mcp, to clients that show the bearer token.

  --listen HOST:PORT    where; an IPv6 address in brackets; port 0 takes a free one
  --server NAME         only this server of the config
  --token-file FILE     where the token stands (0600; made where it is missing). Default: serve.token in the state directory
  --no-token            let everyone in who reaches the port
  --metrics-token-file FILE  a token of its own for /metrics (made where it is missing). Default: the one for /mcp
  --host NAME           a further name of this server, as clients write it in Host or Origin: NAME or NAME:PORT; repeatable
  --max-sessions N      at most so many clients with a session, each with processes of its own (100)
  --idle SECONDS        end a session in which nothing happens, is pending or listened to for so long (1800)
  --drain SECONDS       how long running calls may go on after SIGTERM (10)
  --max-body BYTES      longest message of a client (67108864)
  --max-buffer BYTES    messages of all clients that wait or run at the same time (268435456); beyond that 503
`;

/** Its options. */
export const OPTIONS = {
  listen: { type: 'string' },
  server: { type: 'string' },
  'token-file': { type: 'string', value: 'file' },
  'no-token': { type: 'boolean', default: false },
  'metrics-token-file': { type: 'string', value: 'file' },
  host: { type: 'string', multiple: true },
  'max-sessions': { type: 'string', default: '100' },
  idle: { type: 'string', default: '1800' },
  drain: { type: 'string', default: '10' },
  'max-body': { type: 'string', default: String(64 << 20) },
  'max-buffer': { type: 'string', default: String(256 << 20) },
} as const;

const MAX_SECONDS = 7 * 86_400;

/** `serve --listen HOST:PORT`. Exit codes: 0 after a signal, 1 where the address cannot be listened on, 2 usage or config error. */
export async function serveCommand(args: readonly string[], context: Context): Promise<number> {
  const { io, surroundings, signal } = context;
  const given = read(args);
  const { host, port } = address(given.listen);
  if (given['no-token'] && given['token-file'] !== undefined)
    throw usage('--no-token and --token-file exclude each other: give one');
  const options = {
    host,
    port,
    names: (given.host ?? []).map(hostName),
    maxSessions: number('--max-sessions', given['max-sessions'], 1, 10_000),
    idleMs: 1000 * number('--idle', given.idle, 0.1, MAX_SECONDS),
    drainMs: 1000 * number('--drain', given.drain, 0, MAX_SECONDS),
    maxBody: number('--max-body', given['max-body'], 1024, 256 << 20),
    maxBuffer: number('--max-buffer', given['max-buffer'], 1024, 16 * 2 ** 30),
  };
  const config = await context.config();
  needsFile(context, config);
  const starts = await startsOf(context, config, given.server);
  const path = given['token-file'] ?? join(stateDir(surroundings), 'serve.token');
  const token = given['no-token'] ? undefined : readToken(path);
  const metricsPath = given['metrics-token-file'];
  const metricsToken = metricsPath === undefined ? token : readToken(metricsPath);
  const listening = (actual: number) => {
    const shown = token === undefined ? 'no token is asked for' : `the bearer token is in ${path}`;
    io.stderr.write(`listening on http://${host.includes(':') ? `[${host}]` : host}:${actual}/mcp; ${shown}\n`);
  };
  const { metrics, page } = await servedMetrics(await measuringOptions(context, config));
  const all: ServeOptions = { ...options, token, metricsToken, metricsText: page.text, listening };
  const use = (app: App) =>
    app.serve(starts, all, signal).catch((error: NodeJS.ErrnoException) => {
      if (error.syscall !== 'listen' && error.syscall !== 'getaddrinfo') throw error;
      io.stderr.write(
        `Cannot listen on ${host}:${port} (${error.code}). Nothing was started. Choose another --listen.\n`,
      );
      return 1;
    });
  return withApp(context, config, use, { metrics, transport: 'tcp' });
}

function read(args: readonly string[]) {
  const given = readArguments(args, OPTIONS);
  if (typeof given === 'string') throw usage(given);
  return given.values;
}

function address(listen: string | undefined): { readonly host: string; readonly port: number } {
  const [, literal, name, port] = /^(?:\[([0-9a-fA-F:.]+)\]|([^:[\]/\s]+)):(\d{1,5})$/.exec(listen ?? '') ?? [];
  const host = literal ?? name;
  if (host === undefined || Number(port) > 65_535) throw usage('--listen HOST:PORT says where, e.g. 127.0.0.1:8931');
  return { host, port: Number(port) };
}

function hostName(name: string): string {
  if (/^(?:\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::\d{1,5})?$/.test(name)) return name;
  throw usage('--host is NAME or NAME:PORT, as in a Host header');
}

function number(option: string, text: string, min: number, max: number): number {
  const value = /^\d+(?:\.\d+)?$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw usage(`${option} is a number from ${min} to ${max}`);
}

function usage(message: string): ProxyError {
  return new ProxyError('CONFIG_INVALID', `${message}. Nothing was started. See serve --help.`);
}
