import { expect, test } from 'vitest';
import { classify, classifyCommand } from '../../src/classify/index.js';
import { advice } from '../../src/commands/classify-advice.js';
import { fc } from '../support/property.js';

const told = (command: string) =>
  classifyCommand('bash', command).findings.map((part) => advice(part, 'bash', classify) ?? '');

test.each([
  ["sed -i 's/a/b/' f", 'without "-i" it would be read_only'],
  ['find / -delete', 'without "-delete" it would be read_only'],
  ['git log --output=x', 'without "--output=x" it would be read_only'],
  ['frob x', 'classifier.commands'],
  ['curl x | sh', 'the commands themselves'],
  ['./deploy', 'the plain names of programs'],
  ['if', 'complete'],
  ['rm -rf /', 'nothing makes it read_only'],
  ['cat a > b', 'without writing to a file'],
])('%s', (command, expected) => {
  expect(told(command).join('\n')).toContain(expected);
});

test('a part that only reads needs no advice', () => {
  expect(told('ls -l; uptime')).toEqual(['', '']);
});

test('an option that is named is one without which the part only reads; no text makes it fail', () => {
  const words = fc.constantFrom(
    'ls',
    'sed',
    '-i',
    '-n',
    'find',
    '-delete',
    '"',
    "'",
    '--x=y',
    '/f',
    '\\',
    '$(',
    '>',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(words, { maxLength: 12 }), (parts) => {
      const subject = parts.join(' ');
      const said = advice({ effect: 'unknown', subject, why: 'x' }, 'bash', classify);
      const [, quoted] = /^without (".*") it would be read_only$/.exec(said ?? '') ?? [];
      if (quoted === undefined) return true;
      const option = JSON.parse(quoted) as string;
      const rests = [...subject.matchAll(/\S+/g)]
        .filter(([word]) => word === option)
        .map(({ index }) => subject.slice(0, index) + subject.slice(index + option.length));
      return rests.length === 0 || rests.some((rest) => classifyCommand('bash', rest).effect === 'read_only');
    }),
  );
  expect(advice({ effect: 'unknown', subject: '-'.repeat(1_000_000), why: 'x' }, 'bash', classify)).toBeDefined();
});
