import { describe, expect, test } from 'vitest';
import { readArguments } from '../../../src/classify/ansible/arguments.js';
import { isPlainExpression } from '../../../src/classify/ansible/expression.js';
import { readYaml } from '../../../src/classify/ansible/read-yaml.js';
import { isVariable } from '../../../src/classify/ansible/text.js';
import { fc } from '../../support/property.js';
import { moduleEffect, play, playbookEffect } from './support.js';

const laughs = (width: number, levels: number): string =>
  Array.from({ length: levels }, (_, level) => {
    const items = Array.from({ length: width }, () => (level === 0 ? 'lol' : `*a${level - 1}`));
    return `- &a${level} [${items.join(', ')}]`;
  }).join('\n');

describe('YAML that is made to hurt', () => {
  test.each([
    ['a bomb of aliases', laughs(10, 9)],
    ['open brackets', '['.repeat(100_000)],
    ['brackets that close', `${'['.repeat(50_000)}${']'.repeat(50_000)}`],
    ['brackets with closing ones in texts', '["]",'.repeat(20_000)],
    ['braces', '{a: '.repeat(50_000)],
    ['lists in lists', `${'- '.repeat(5000)}x`],
    ['keys of keys', `${'? '.repeat(5000)}x`],
    ['deeper and deeper', Array.from({ length: 600 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
    ['more than fits', `- hosts: all # ${'x'.repeat(300_000)}\n`],
    ['an alias of itself', '- &a [*a]\n'],
    ['an alias of nothing', '- *a\n'],
  ])('%s', (_, source) => {
    expect(readYaml(source).kind).toBe('unreadable');
    expect(playbookEffect(source)).toBe('unknown');
  });

  test('a long playbook is read in one go', () => {
    const tasks = Array.from({ length: 3000 }, (_, index) => `- name: n${index}\n  stat: {path: /x}`).join('\n');
    expect(playbookEffect(play(tasks))).toBe('read_only');
    expect(playbookEffect(play(`${tasks}\n- reboot:`))).toBe('mutating');
  });

  test('blocks in blocks are opened to a bound', () => {
    const nested = (depth: number): string => (depth === 0 ? '{ping: }' : `{block: [${nested(depth - 1)}]}`);
    expect(playbookEffect(play(`- ${nested(8)}`))).toBe('read_only');
    expect(playbookEffect(play(`- ${nested(14)}`))).not.toBe('mutating');
    expect(playbookEffect(play(`- ${nested(200)}`))).toBe('unknown');
  });
});

test('no text makes the reader throw', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (text) => {
      playbookEffect(text);
      moduleEffect('shell', text);
      moduleEffect(text, text);
    }),
  );
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      moduleEffect('stat', value);
      moduleEffect('command', value);
      playbookEffect(JSON.stringify([{ hosts: 'all', tasks: value }]));
    }),
  );
});

test('a task that changes something is found wherever it stands', () => {
  const harmless = fc.constantFrom('- ping:', '- stat: path=/x', '- debug: {msg: x}', '- block: [{ping: }]');
  fc.assert(
    fc.property(
      fc.array(harmless),
      fc.array(harmless),
      fc.constantFrom('tasks', 'handlers', 'post_tasks'),
      (a, b, list) => {
        const source = (tasks: readonly string[]) =>
          `- hosts: all\n  ${list}:\n${['- ping:', ...tasks].map((task) => `    ${task}\n`).join('')}`;
        expect(playbookEffect(source([...a, ...b]))).toBe('read_only');
        expect(playbookEffect(source([...a, '- reboot:', ...b]))).toBe('mutating');
      },
    ),
  );
});

test('a template anywhere keeps a playbook from being read_only', () => {
  const plain = play(
    '- stat: {path: PLACE, follow: yes}\n  when: [a == 1]\n  name: PLACE\n  tags: [PLACE]',
    'vars: {x: PLACE}',
  );
  expect(playbookEffect(plain)).toBe('read_only');
  for (let index = plain.indexOf('PLACE'); index >= 0; index = plain.indexOf('PLACE', index + 1)) {
    const source = `${plain.slice(0, index)}"{{ lookup('pipe', 'id') }}"${plain.slice(index + 5)}`;
    expect(playbookEffect(source), source).toBe('unknown');
  }
});

test.each([
  ['a == 1'],
  ["ansible_facts['os_family'] in ['Debian', 'RedHat']"],
  ['x is defined and not y'],
  ['(a or b) and c'],
  ['out.rc != 0 or "x" in out.stdout'],
  ['x | default(0) | int >= 3'],
  ['x | length > 0'],
  ['a[0].b'],
])('%s only compares', (text) => {
  expect(isPlainExpression(text)).toBe(true);
});

test.each([
  ["lookup('pipe', 'id')"],
  ["query ('pipe', 'id')"],
  ['x.y()'],
  ["x['y']()"],
  ['(x)(y)'],
  ['x | map("y")'],
  ['x | default(lookup("pipe", "id"))'],
  ['x | default(0)(1)'],
  ['x | shell'],
  ['x |'],
  ['x.__class__'],
  ['_x'],
  ["'{{ x }}'"],
  ['a # b'],
  ['`id`'],
  ['é'],
  ['x | x | x('],
])('%s may do more', (text) => {
  expect(isPlainExpression(text)).toBe(false);
  expect(isPlainExpression([['a']])).toBe(false);
});

test('a variable is a name and a way into it', () => {
  expect(['a', 'a.b', "a['b-c'].d", 'a[0]'].every(isVariable)).toBe(true);
  expect(['', 'a b', 'a()', "a['b'](c)", 'a[b]', "a['\\'']", 'a.b|c', '1', '_a'].some(isVariable)).toBe(false);
});

test('arguments of every kind are read or unclear, and never taken from a prototype', () => {
  const form = { free: true, json: true };
  expect(readArguments('toString', { ...form, free: false }).kind).toBe('unclear');
  expect(readArguments(JSON.parse('{"__proto__": {"cmd": "x"}}'), form).kind).toBe('unclear');
  expect(readArguments({ constructor: 'x' }, form)).toMatchObject({ kind: 'read' });
  expect(moduleEffect('constructor')).toBe('unknown');
  expect(moduleEffect('stat', { constructor: 'x' })).toBe('unknown');
});
