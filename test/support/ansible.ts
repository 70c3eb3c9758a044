import { spawnSync } from 'node:child_process';

/** The python that ansible runs on; undefined where there is no ansible-core. */
export function ansiblePython(): string | undefined {
  const found = spawnSync('ansible', ['--version'], { encoding: 'utf8' });
  if (found.status !== 0) return undefined;
  return /^ *python version = .*\((\/[^)]+)\)$/m.exec(found.stdout)?.[1] ?? 'python3';
}
