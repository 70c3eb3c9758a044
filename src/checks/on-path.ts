import { statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { Surroundings } from '../config/paths.js';

/** Where a command is found as a client finds it, and the directories of PATH that were looked in before. */
export interface OnPath {
  readonly file: string | undefined;
  readonly before: readonly string[];
}

/** Looks a command up in PATH; one with a directory stands for itself. On Windows each ending of PATHEXT is tried. */
export function findOnPath(command: string, { env, platform }: Pick<Surroundings, 'env' | 'platform'>): OnPath {
  const path = platform === 'win32' ? win32 : posix;
  const isPlain = !command.includes('/') && !(platform === 'win32' && command.includes('\\'));
  const endings = platform === 'win32' ? ['', ...(variable(env, 'PATHEXT') ?? '.COM;.EXE;.BAT;.CMD').split(';')] : [''];
  const fileAt = (base: string) => endings.map((ending) => `${base}${ending}`).find(isFile);
  if (!isPlain) return { file: fileAt(command), before: [] };
  const before: string[] = [];
  for (const dir of (variable(env, 'PATH') ?? '').split(path.delimiter).filter((each) => each !== '')) {
    const file = fileAt(path.join(dir, command));
    if (file !== undefined) return { file, before };
    before.push(dir);
  }
  return { file: undefined, before };
}

function variable(env: Surroundings['env'], name: string): string | undefined {
  return env[name] ?? Object.entries(env).find(([key]) => key.toUpperCase() === name)?.[1];
}

function isFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() ?? false;
}
