import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A root that can lay a directory of its own over /etc, for its own processes alone. */
export const CAN_LAY =
  process.platform === 'linux' &&
  process.geteuid?.() === 0 &&
  spawnSync('unshare', ['-m', 'mount', '-t', 'overlay', 'overlay', '-o', 'lowerdir=/tmp:/etc', '/etc']).status === 0;

export interface ManagedMachine {
  readonly dir: string;
  /** The command that everything under the system config is started with. */
  readonly inside: readonly [string, ...string[]];
}

/** A machine with this system config in its place, for what is started by `inside`. `mode`: of the file. */
export function managedMachine(system: object | string, mode = 0o644): ManagedMachine {
  const dir = realpathSync(mkdtempSync(join(tmpdir(), 'rewind-managed-')));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  const etc = join(dir, 'etc');
  mkdirSync(join(etc, 'zerto-rewind-proxy'), { recursive: true });
  mkdirSync(join(dir, 'state'));
  const text = typeof system === 'string' ? system : JSON.stringify(system);
  writeFileSync(join(etc, 'zerto-rewind-proxy', 'config.json'), text, { mode });
  // Read-only: several at once must not share what they could write to.
  const lay = `mount -t overlay overlay -o lowerdir='${etc}':/etc /etc`;
  // The state lies in the account's own home, whatever the variables say: here a directory of this test stands in its place.
  const state = join(userInfo().homedir, '.local', 'state');
  const own = `mkdir -p '${state}'; mount --bind '${dir}/state' '${state}'`;
  const inside = ['unshare', '-m', 'sh', '-ec', `${lay}; ${own}; exec "$@"`, 'sh'] as const;
  return { dir, inside: [...inside] };
}
