import { posix, win32 } from 'node:path';
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

/** A published server: what it calls itself, and the name of its package. */
export interface Published {
  readonly calls: string;
  readonly package: string;
}

/** Programs that run a package's own code on this machine, with the environment that they get. */
const LAUNCHERS = /^(?:node|nodejs|npx|npm|bun|bunx|pnpm|pnpx|yarn)$/;

/** Whether a server is a published one that runs on this machine: by what it calls itself, where it has said so, else by its command line. */
export function isPublished(server: Server, start: ServerStart, { calls, package: name }: Published): boolean {
  if (!runsHere(start, name)) return false;
  return server.info === undefined ? isStarted(start, name) : server.info.name === calls;
}

/** For servers that call themselves alike: the command line names the package, or the tools showed which one it is (`interceptor`). */
export function isOneOf(
  server: Server,
  start: ServerStart,
  { calls, package: name }: Published,
  isRead: boolean,
): boolean {
  if (!runsHere(start, name) || (server.info !== undefined && server.info.name !== calls)) return false;
  return isRead || isStarted(start, name);
}

function isStarted(start: ServerStart, name: string): boolean {
  return isNamed(start.command, name) || packageWord(start, name) >= 0;
}

function runsHere(start: ServerStart, name: string): boolean {
  return isNamed(start.command, name) || LAUNCHERS.test(programOf(start.command)) || isCmd(start);
}

/** The arguments that the server itself gets, behind the launcher's own. */
export function ownArguments(start: ServerStart, name: string): readonly string[] {
  if (isNamed(start.command, name)) return start.args;
  const index = packageWord(start, name);
  if (index >= 0) return start.args.slice(index + 1);
  const script = start.args.findIndex((word) => !word.startsWith('-'));
  return script < 0 ? [] : start.args.slice(script + 1);
}

/** The home directory as Node tells a program: the environment's, else the account's. */
export function nodeHome({ start, platform, home }: Facts): string {
  const own = start.env[platform === 'win32' ? 'USERPROFILE' : 'HOME'];
  return own === undefined || own === '' ? home : own;
}

/** A path as the server resolves it. */
export function resolvePath({ platform, cwd }: Facts, ...parts: readonly string[]): string {
  return (platform === 'win32' ? win32 : posix).resolve(cwd, ...parts);
}

export function packageWord({ args }: ServerStart, name: string): number {
  return args.findIndex((word) => isNamed(word, name));
}

/** `name`, `name@1.2.3`, `…/node_modules/name/build/index.js`, `name.cmd`. */
function isNamed(word: string, name: string): boolean {
  const escaped = name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?:^|[\\\\/])${escaped}(?:@[^\\\\/]*)?(?:$|[\\\\/]|\\.(?:cmd|exe|ps1)$)`, 'i').test(word);
}

function programOf(command: string): string {
  const base = command.slice(Math.max(command.lastIndexOf('/'), command.lastIndexOf('\\')) + 1);
  return base.toLowerCase().replace(/\.(?:exe|cmd)$/, '');
}

function isCmd({ command, args: [first, second = ''] }: ServerStart): boolean {
  return programOf(command) === 'cmd' && first?.toLowerCase() === '/c' && LAUNCHERS.test(programOf(second));
}
