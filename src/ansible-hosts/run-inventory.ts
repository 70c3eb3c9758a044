import { spawn } from 'node:child_process';
import { cannotTell } from './cannot-tell.js';

const MOST_BYTES = 50_000_000;
const MOST_MS = 20_000;

/** Runs `ansible-inventory --list` with these sources, which runs what they are; only where the operator allows that. Rejects with CannotTell. */
export function runInventory(
  sources: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string | undefined>> },
  signal: AbortSignal,
): Promise<string> {
  return new Promise<string>((resolve, reject) => {
    const args = ['--list', ...sources.flatMap((source) => ['-i', source])];
    // A group of its own: what the inventory starts ends with it.
    const child = spawn('ansible-inventory', args, { cwd, env, stdio: ['ignore', 'pipe', 'ignore'], detached: true });
    const chunks: Buffer[] = [];
    let size = 0;
    const end = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        child.kill('SIGKILL');
      }
    };
    const timer = setTimeout(end, MOST_MS);
    signal.addEventListener('abort', end, { once: true });
    child.stdout.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > MOST_BYTES) end();
      else chunks.push(chunk);
    });
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      signal.removeEventListener('abort', end);
      if (code === 0) resolve(Buffer.concat(chunks).toString('utf8'));
      else reject(new Error('ansible-inventory failed'));
    });
  }).catch(() => cannotTell('ansible-inventory, which the operator allows to be run, did not list the hosts'));
}
