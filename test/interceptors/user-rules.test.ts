import { expect, test } from 'vitest';
import { checkToolRules, interceptors, readCall, type ToolRules, userRules } from '../../interceptors/index.js';
import { assess } from '../../src/domain/assessment.js';
import type { Classify } from '../../src/domain/ports.js';
import { floor, sources, ssh } from './support.js';

/** Knows two commands. */
const classify: Classify = (operations) =>
  assess(
    operations.map((operation) =>
      operation.kind === 'command'
        ? { effect: operation.source === 'ls' ? 'read_only' : 'mutating', subject: operation.source, why: 'test' }
        : { effect: operation.kind === 'fixed' ? operation.effect : 'unknown', subject: operation.kind, why: 'test' },
    ),
  );

const rules: ToolRules = {
  frob: {
    roles: { what: 'option' },
    effect: 'read_only',
    why: 'frob only looks',
    examples: [{ arguments: { what: 'x' }, effect: 'read_only' }],
  },
  'ssh/go': { roles: { text: 'command' }, examples: [{ arguments: { text: 'ls' }, effect: 'read_only' }] },
};
const read = (tool: string, args: Record<string, unknown>) =>
  readCall({ server: ssh, tool, arguments: args, description: undefined }, [userRules(rules), ...interceptors]);

test('a rule gives roles and an effect that no name gives', () => {
  expect(read('frob', { what: 'x', host: 'a' })).toMatchObject({
    interceptor: 'user',
    roles: { what: 'option', host: 'host' },
    hosts: [{ value: 'a', argument: 'host' }],
  });
  expect(floor(read('frob', { what: 'x' }).operations)).toBe('read_only');
  expect(sources(read('go', { text: 'reboot' }).operations)).toEqual(['bash: reboot']);
  expect(read('other', { text: 'reboot' }).interceptor).toBe('generic');
  expect(read('constructor', {}).interceptor).toBe('generic');
});

test('a rule excuses no argument that it does not name, no unsafe value and no twin', () => {
  expect(floor(read('frob', { what: 'x', more: 1 }).operations)).toBe('unknown');
  expect(floor(read('frob', { what: 'x;y' }).operations)).toBe('unknown');
  expect(floor(read('frob', { what: 'x', What: 'y' }).operations)).toBe('unknown');
  expect(sources(read('frob', { what: 'x', command: 'reboot' }).operations)).toEqual(['bash: reboot']);
});

test('a rule whose example comes out otherwise is refused', () => {
  expect(() => checkToolRules(rules, classify)).not.toThrow();
  const wrong: ToolRules = {
    frob: { roles: {}, effect: 'read_only', examples: [{ arguments: { what: 'x' }, effect: 'read_only' }] },
  };
  expect(() => checkToolRules(wrong, classify)).toThrow(/examples\[0\]: expected read_only, got unknown/);
});
