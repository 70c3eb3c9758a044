import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** A stdio server under its bare lines: no library reads or rewrites a byte in between. */
export interface RawPeer {
  /** Sends one line; resolves to the line that answers its id, as it came. */
  ask(message: { readonly id: number; readonly method: string; readonly params?: object }): Promise<string>;
  tell(message: object): void;
  close(): Promise<void>;
}

export function startRawPeer(
  [command, ...args]: readonly [string, ...string[]],
  env: Readonly<Record<string, string | undefined>>,
): RawPeer {
  const child = spawn(command, args, { env, stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<unknown, (line: string) => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    const { id } = JSON.parse(line) as { id?: unknown };
    waiting.get(id)?.(line);
  });
  const tell = (message: object): void => {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  };
  return {
    tell,
    ask: (message) =>
      new Promise((resolve, reject) => {
        waiting.set(message.id, resolve);
        child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
        tell(message);
      }),
    close: () =>
      new Promise((resolve) => {
        if (child.exitCode !== null || child.signalCode !== null) return resolve();
        child.once('exit', () => resolve());
        child.stdin.end();
        setTimeout(() => child.kill('SIGTERM'), 500).unref();
      }),
  };
}
