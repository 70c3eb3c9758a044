import { basename, delimiter, isAbsolute, join } from 'node:path';
import type { Files } from './files.js';

/** How a server is started, as far as it tells on which machine it runs. */
export interface Started {
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
}

const INTERPRETER = /^(?:node|nodejs|bun|deno|tsx|ts-node|python[0-9.]*|pypy[0-9.]*|ruby|perl)$/;
const LAUNCHER = /^(?:npx|npm|pnpm|pnpx|yarn|bunx|uv|uvx|pipx|poetry|pdm|hatch)$/;

/**
 * Whether a server surely runs on this machine, and sees its files: an interpreter or a launcher of packages starts it, or it is a script for
 * one. A container, another machine's shell or a program that is not known may have files of its own.
 */
export async function startsHere(start: Started, cwd: string, files: Files): Promise<boolean> {
  if (process.platform === 'win32') return false;
  const name = basename(start.command);
  if (INTERPRETER.test(name) || LAUNCHER.test(name)) return true;
  for (const path of candidates(start, cwd)) {
    const text = await files.start(path);
    if (text !== '') return isScript(text);
  }
  return false;
}

function candidates({ command, env }: Started, cwd: string): readonly string[] {
  if (command.includes('/')) return [isAbsolute(command) ? command : join(cwd, command)];
  return (env['PATH'] ?? '').split(delimiter).map((directory) => join(directory, command));
}

function isScript(text: string): boolean {
  const [, interpreter = '', word = ''] = /^#! *(\S+)(?: +(?:-S +)?(\S+))?/.exec(text) ?? [];
  return INTERPRETER.test(basename(interpreter === '/usr/bin/env' ? word : interpreter));
}
