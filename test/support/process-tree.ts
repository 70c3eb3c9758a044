import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

/** The ids of the processes that a process started and that are still there. */
export function childrenOf(pid: number): number[] {
  const listed = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,stat='], { encoding: 'utf8' }).trim().split('\n');
  return listed.flatMap((line) => {
    const [child = '', parent, state = ''] = line.trim().split(/\s+/);
    return Number(parent) === pid && !state.startsWith('Z') ? [Number(child)] : [];
  });
}

/** Resident memory in MiB; undefined where the system does not say. */
export function residentMib(pid: number): number | undefined {
  const file = `/proc/${pid}/status`;
  if (!existsSync(file)) return undefined;
  const kib = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(file, 'utf8'))?.[1];
  return kib === undefined ? undefined : Number(kib) / 1024;
}
