import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../src/classify/index.js';

const DIRECTORY = new URL('../../../shared/corpora/', import.meta.url);
const FILES = ['bypass', 'gtfobins', 'ops-linux', 'tldr'];
const present = FILES.every((name) => existsSync(new URL(`${name}.jsonl`, DIRECTORY)));
if (!present) console.error('test/classify/corpora.test.ts: skipped, ../shared/corpora is not there');

interface Line {
  readonly shell: string;
  readonly command: string;
  readonly label: string;
  readonly tier?: string;
}

function lines(name: string): Line[] {
  const text = readFileSync(new URL(`${name}.jsonl`, DIRECTORY), 'utf8');
  const all = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line);
  return all.filter((line) => line.shell === 'bash');
}

describe.skipIf(!present)('labelled command lines', () => {
  it.each(FILES)('%s: nothing that changes or hides is read_only', (name) => {
    const unsafe = lines(name).filter(
      (line) => line.label !== 'read_only' && classifyCommand('bash', line.command).effect === 'read_only',
    );
    expect(unsafe.map((line) => line.command)).toEqual([]);
  });

  it('everyday diagnosis is recognised', () => {
    const reading = FILES.flatMap((name) =>
      lines(name)
        .filter((line) => line.label === 'read_only')
        .map((line) => ({ key: line.tier === undefined ? name : `${name} ${line.tier}`, command: line.command })),
    );
    const share = (key: string): number => {
      const own = reading.filter((line) => line.key === key);
      const recognised = own.filter((line) => classifyCommand('bash', line.command).effect === 'read_only').length;
      console.error(`${key}: ${recognised} of ${own.length} recognised as read_only`);
      return recognised / own.length;
    };
    expect(share('ops-linux')).toBeGreaterThan(0.95);
    expect(share('tldr core')).toBeGreaterThan(0.9);
    expect(share('gtfobins') + share('tldr other')).toBeGreaterThan(1);
  });
});
