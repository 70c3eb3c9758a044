import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { splitWords } from '../src/commands/command-line.js';
import { BIN } from './support/proxy-process.js';

const readme = readFileSync('README.md', 'utf8');
const diagram = /```\n(agent ──[\s\S]*?)\n```/;

test('README and docs/architecture.md show the same path of a call', () => {
  expect(diagram.exec(readme)?.[1]).toBe(diagram.exec(readFileSync('docs/architecture.md', 'utf8'))?.[1]);
});

test('the verdicts in the README are what classify says', () => {
  const shown = [...readme.matchAll(/^\$ zerto-rewind-proxy (classify .*)\n((?:(?!\$|```).*\n)+)/gm)];
  expect(shown.length).toBeGreaterThanOrEqual(3);
  for (const [, command = '', output] of shown) {
    expect(execFileSync(process.execPath, [BIN, ...(splitWords(command) ?? [])], { encoding: 'utf8' })).toBe(output);
  }
});

test.each(['README.md', 'CONTRIBUTING.md', 'docs/architecture.md', 'docs/configuration.md'])(
  'links of %s lead somewhere',
  (file) => {
    const links = [...readFileSync(file, 'utf8').matchAll(/\]\((?!https?:)([^)#]+)/g)].map(([, target = '']) => target);
    expect(links.filter((target) => !existsSync(join(dirname(file), target)))).toEqual([]);
  },
);
