import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { ProxyError } from '../domain/errors.js';
import { visible } from '../domain/text.js';
import type { Io } from './context.js';

/** Asks a person at a terminal. Every method rejects when the terminal is closed: nothing is done then. */
export interface Prompter {
  ask(question: string, byDefault?: string): Promise<string>;
  /** What is typed is not shown. */
  secret(question: string): Promise<string>;
  yes(question: string, byDefault: boolean): Promise<boolean>;
  close(): void;
}

/** A prompter for this terminal; undefined where there is none. */
export function createPrompter({ stdin, stdout }: Pick<Io, 'stdin' | 'stdout'>): Prompter | undefined {
  if (stdin.isTTY !== true || stdout.isTTY !== true) return undefined;
  let isMuted = false;
  const output = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      if (!isMuted) stdout.write(chunk);
      done();
    },
  });
  const lines = createInterface({ input: stdin, output, terminal: true, historySize: 0 });
  const closed = new Promise<never>((_, reject) => {
    lines.once('close', () => reject(new ProxyError('CALL_CANCELLED', 'Stopped. Nothing was written.')));
  });
  closed.catch(() => undefined);
  const question = (text: string): Promise<string> => Promise.race([lines.question(text), closed]);
  return {
    ask: async (text, byDefault) => {
      const hint = byDefault === undefined ? '' : ` [${visible(byDefault)}]`;
      for (;;) {
        const answer = (await question(`${text}${hint}: `)).trim() || (byDefault ?? '');
        if (answer !== '') return answer;
      }
    },
    secret: async (text) => {
      stdout.write(`${text}: `);
      isMuted = true;
      try {
        return await question('');
      } finally {
        isMuted = false;
        stdout.write('\n');
      }
    },
    yes: async (text, byDefault) => {
      const answer = (await question(`${text} [${byDefault ? 'Y/n' : 'y/N'}] `)).trim().toLowerCase();
      return answer === '' ? byDefault : answer === 'y' || answer === 'yes';
    },
    close: () => lines.close(),
  };
}
