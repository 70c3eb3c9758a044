import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { BIN } from './proxy-process.js';

/** Where util-linux or BSD `script` gives a program a terminal. */
export const HAS_TERMINAL = process.platform !== 'win32' && existsSync('/usr/bin/script');

export interface Ran {
  readonly status: number | null;
  /** What stood on the terminal, with LF line ends. */
  readonly screen: string;
}

/** Runs the program at a terminal, with what a person types; each text waits until what stands before it was shown. */
export function atTerminal(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  typed: readonly (readonly [shown: RegExp, text: string])[] = [],
): Promise<Ran> {
  const command = [process.execPath, BIN, ...args];
  const line = command.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
  const words = process.platform === 'linux' ? ['-qec', line, '/dev/null'] : ['-q', '/dev/null', ...command];
  const child = spawn('/usr/bin/script', words, { env: { ...process.env, ...env }, stdio: ['pipe', 'pipe', 'ignore'] });
  let screen = '';
  let from = 0;
  const left = [...typed];
  child.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString().replaceAll('\r\n', '\n');
    for (let next = left[0]; next?.[0].test(screen.slice(from)); next = left[0]) {
      left.shift();
      from = screen.length;
      child.stdin.write(`${next[1]}\r`);
    }
  });
  return new Promise((resolve) => child.once('close', (status) => resolve({ status, screen })));
}
