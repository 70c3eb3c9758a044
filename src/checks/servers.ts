import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { redactText } from '../audit/redact/text.js';
import type { Surroundings } from '../config/paths.js';
import { ProxyError } from '../domain/errors.js';
import type { Logger } from '../domain/ports.js';
import { quote, visible } from '../domain/text.js';
import type { DownstreamStart } from '../downstream.js';
import { startChild } from '../wire/child.js';
import { startRemote } from '../wire/remote/start.js';
import { about, type Check } from './check.js';
import { type Greeted, handshake } from './handshake.js';
import { findOnPath } from './on-path.js';

/** A server of the config and how it is started, or why it cannot be. */
export interface Startable {
  readonly name: string;
  readonly start: DownstreamStart | ProxyError;
}

export interface ServersOptions {
  readonly version: string;
  readonly surroundings: Surroundings;
  readonly log: Logger;
  readonly timeoutMs?: number | undefined;
}

/** A first start may fetch a package. */
const TIMEOUT_MS = 60_000;

/** Starts each server as the proxy would, greets it, reads its tools, and ends it again. */
export async function serverChecks(servers: readonly Startable[], options: ServersOptions): Promise<readonly Check[]> {
  const looked = await Promise.all(
    servers.map(async (server) => ({ server, ...(await serverCheck(server, options)) })),
  );
  const owners = new Map<string, string[]>();
  for (const { server, greeted } of looked)
    for (const tool of new Set(greeted?.tools)) owners.set(tool, [...(owners.get(tool) ?? []), server.name]);
  const clashes = [...owners].filter(([, names]) => names.length > 1);
  return [...looked.map(({ check }) => check), ...clashes.slice(0, 10).map(([tool, names]) => clashCheck(tool, names))];
}

function clashCheck(tool: string, servers: readonly string[]): Check {
  return about('server.clash').warn(
    `${servers.map((name) => quote(name)).join(' and ')} both have a tool ${quote(tool, 100)}: fronted as one server, neither can be called`,
    'Start the proxy for each of them with --server NAME, or rename the tool where the server allows it.',
  );
}

async function serverCheck(
  { name, start }: Startable,
  options: ServersOptions,
): Promise<{ readonly check: Check; readonly greeted?: Greeted }> {
  const check = about('server.start', name);
  if (start instanceof ProxyError)
    return { check: check.fail(visible(start.message), 'Correct its entry in the config.') };
  const self = { name: 'zerto-rewind-proxy', version: options.version };
  const { end, lastWords, clear } = open(start, options.log);
  try {
    const met = await handshake(end, self, options.timeoutMs ?? TIMEOUT_MS);
    if (met.kind === 'failed') {
      const said = lastWords();
      const detail = `${quote(visibleStart(start), 200)}: ${visible(redactText(met.why)).slice(0, 300)}${said === undefined ? '' : `; its stderr ends with ${quote(said, 300)}`}`;
      return { check: check.fail(detail, fixOf(start, options.surroundings)) };
    }
    const { by } = met;
    const told = `${quote(by.name, 80)} ${visible(by.version).slice(0, 40)}, ${by.tools.length} tools, MCP ${visible(by.revision)}`;
    if (by.tools.length === 0)
      return { check: check.warn(told, 'It lists no tool: check its own settings.'), greeted: by };
    return { check: check.pass(told), greeted: by };
  } finally {
    clear();
  }
}

/** Its stderr goes to a file, for the last words of one that fails. */
function open(start: DownstreamStart, log: Logger) {
  if (start.kind === 'url')
    return {
      end: startRemote({ ...start, server: start.server.name, log }),
      lastWords: () => undefined,
      clear: () => undefined,
    };
  const dir = mkdtempSync(join(tmpdir(), 'rewind-doctor-'));
  const file = join(dir, 'stderr');
  const stderr = openSync(file, 'wx', 0o600);
  return {
    end: startChild({ ...start, log, stderr }),
    lastWords: () => {
      const lines = readFileSync(file, 'utf8')
        .split(/\r?\n/)
        .map((line) => line.trim());
      // npm ends with where its own log lies.
      const told = lines.filter((line) => line !== '' && !line.includes('A complete log of this run'));
      return told.length === 0 ? undefined : redactText(told.slice(-2).join(' / '));
    },
    clear: () => {
      closeSync(stderr);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function visibleStart(start: DownstreamStart): string {
  return start.kind === 'command' ? start.command : start.url;
}

function fixOf(start: DownstreamStart, surroundings: Surroundings): string {
  if (start.kind === 'url') return 'Check that its URL answers from this machine, and its headers.';
  if (findOnPath(start.command, { ...surroundings, env: start.env }).file === undefined)
    return 'Install the program, or give its full path: a client may have another PATH than this shell.';
  return 'Start it by hand as the config says, and correct its arguments or its own settings.';
}
