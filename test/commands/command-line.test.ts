import { expect, test } from 'vitest';
import { parseCommandLine, splitWords } from '../../src/commands/command-line.js';
import { fc } from '../support/property.js';

const options = { config: undefined, logLevel: 'info' };

test('everything after the first -- is the downstream, verbatim', () => {
  const argv = ['--config', 'c.json', '--as=ssh', '--', 'npx', '-y', 'ssh-mcp', '--', '--config', 'x'];
  expect(parseCommandLine(argv)).toEqual({
    kind: 'wrap',
    options: { ...options, config: 'c.json' },
    as: 'ssh',
    downstream: ['npx', '-y', 'ssh-mcp', '--', '--config', 'x'],
  });
});

test('a command keeps what follows it', () => {
  expect(parseCommandLine(['--config', 'c', 'audit', 'list', '--json', '--', 'x'])).toMatchObject({
    kind: 'command',
    name: 'audit',
    args: ['list', '--json', '--', 'x'],
  });
});

test.each([
  [[], { kind: 'named' }],
  [['--server', 'ssh'], { kind: 'named', server: 'ssh' }],
  [['--command', "npx -y 'a b'"], { kind: 'wrap', downstream: ['npx', '-y', 'a b'] }],
  [['--version'], { kind: 'version' }],
  [['-h'], { kind: 'help' }],
] as const)('%j', (argv, expected) => {
  expect(parseCommandLine(argv)).toMatchObject(expected);
});

test.each([
  [['--nonsense']],
  [['--config']],
  [['--config', '--', 'npx']],
  [['--config', 'a', '--config', 'b']],
  [['--log-level', 'loud']],
  [['--']],
  [['--as', 'ssh']],
  [['--as', 'ssh', '--server', 'ssh', '--', 'x']],
  [['--server', 'ssh', '--', 'x']],
  [['--server', 'ssh', 'audit']],
  [['--command', 'npx', '--', 'x']],
  [['--command', 'npx', 'x']],
  [['--command', "npx 'open"]],
  [['--command', '']],
])('%j is a usage error', (argv) => {
  expect(parseCommandLine(argv)).toMatchObject({ kind: 'usage' });
});

test.each([
  ['a b', ['a', 'b']],
  [`a 'b c' "d \\"e\\" \\x" f\\ g`, ['a', 'b c', 'd "e" \\x', 'f g']],
  [`''`, ['']],
  [`a''b`, ['ab']],
  ['$HOME `id` *', ['$HOME', '`id`', '*']],
  [`"open`, undefined],
])('splits %s', (line, words) => {
  expect(splitWords(line)).toEqual(words);
});

test('whatever stands in single quotes comes back as it was', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
      const line = words.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ');
      expect(splitWords(line)).toEqual(words);
    }),
  );
});
