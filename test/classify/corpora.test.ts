import { existsSync, readFileSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { classifyCommand, preparePowerShell } from '../../src/classify/index.js';
import type { Shell } from '../../src/domain/call.js';

const DIRECTORY = new URL('../../../shared/corpora/', import.meta.url);
const FILES = ['bypass', 'gtfobins', 'lolbas', 'ops-linux', 'ops-windows', 'tldr'];
const present = FILES.every((name) => existsSync(new URL(`${name}.jsonl`, DIRECTORY)));
if (!present) console.error('test/classify/corpora.test.ts: skipped, ../shared/corpora is not there');

interface Line {
  readonly shell: Shell;
  readonly command: string;
  readonly label: string;
  readonly tier?: string;
}

function lines(name: string): Line[] {
  const text = readFileSync(new URL(`${name}.jsonl`, DIRECTORY), 'utf8');
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
}

beforeAll(preparePowerShell);

describe.skipIf(!present)('labelled command lines', () => {
  it.each(FILES)('%s: nothing that changes or hides is read_only', (name) => {
    const unsafe = lines(name).filter(
      (line) => line.label !== 'read_only' && classifyCommand(line.shell, line.command).effect === 'read_only',
    );
    expect(unsafe.map((line) => line.command)).toEqual([]);
  });

  it('everyday diagnosis is recognised', () => {
    const reading = FILES.flatMap((name) =>
      lines(name)
        .filter((line) => line.label === 'read_only')
        .map((line) => ({
          key: `${line.tier === undefined ? name : `${name} ${line.tier}`} ${line.shell}`,
          shell: line.shell,
          command: line.command,
        })),
    );
    const share = (key: string): number => {
      const own = reading.filter((line) => line.key === key);
      const recognised = own.filter(
        ({ shell, command }) => classifyCommand(shell, command).effect === 'read_only',
      ).length;
      console.error(`${key}: ${recognised} of ${own.length} recognised as read_only`);
      return recognised / own.length;
    };
    expect(share('ops-linux bash')).toBeGreaterThan(0.95);
    expect(share('ops-windows powershell')).toBeGreaterThan(0.96);
    expect(share('tldr core bash')).toBeGreaterThan(0.9);
    expect(share('tldr core powershell')).toBeGreaterThan(0.9);
    expect(share('tldr core cmd')).toBeGreaterThan(0.75);
    expect(share('gtfobins bash') + share('tldr other bash')).toBeGreaterThan(1);
  });
});
