import { expect, test } from 'vitest';
import { isActionIn, isCutTag, isNameIn, isTagForm, readTag, tagName } from '../../src/domain/tag.js';
import { verifies } from '../e2e/requirements.js';
import { fc } from '../support/property.js';

const at = new Date('2026-01-02T03:04:05.678Z');

test(`${verifies('G-2')} has the form of the contract`, () => {
  const parts = { agent: 'claude-code', action: 'ssh run-command', vm: 'app01', change: 'c_1', at };
  expect(tagName(parts)).toBe('ai:claude-code | ssh run-command | vm=app01 | change=c_1 | 2026-01-02T03:04:05.678Z');
});

test(`${verifies('G-2')} whatever goes in: the safe set, at most 128 characters, change and time whole`, () => {
  const text = fc.oneof(fc.string({ maxLength: 300, unit: 'binary' }), fc.string({ maxLength: 300 }));
  fc.assert(
    fc.property(text, text, text, fc.stringMatching(/^c_[0-9a-z]{1,17}$/), (agent, action, vm, change) => {
      const name = tagName({ agent, action, vm, change, at });
      expect(name).toMatch(/^ai:[A-Za-z0-9._:/@+=, -]+ \| [A-Za-z0-9._:/@+=, -]* \| vm=/);
      expect(name).toMatch(/^[A-Za-z0-9._:/@+=, |-]+$/);
      expect(name.length).toBeLessThanOrEqual(128);
      expect(name.endsWith(` | change=${change} | 2026-01-02T03:04:05.678Z`)).toBe(true);
    }),
  );
});

test(`${verifies('G-2')} the action is cut before agent and VM`, () => {
  const name = tagName({ agent: 'agent', action: 'x'.repeat(200), vm: 'app01.example.org', change: 'c_1', at });
  expect(name).toContain('ai:agent | x');
  expect(name).toContain('vm=app01.example.org');
});

test(`${verifies('G-2')} a field cannot forge another one`, () => {
  const name = tagName({ agent: 'a | vm=evil', action: 'b\n| change=c_9', vm: 'v', change: 'c_1', at });
  expect(name.match(/ \| /g)).toHaveLength(4);
});

test('whatever goes in is read back: fields as far as they were not cut, wherever the tag stands in a text', () => {
  const text = fc.oneof(fc.string({ maxLength: 60, unit: 'binary' }), fc.string({ maxLength: 200 }));
  fc.assert(
    fc.property(text, text, text, fc.stringMatching(/^c_[0-9a-z]{1,17}$/), (agent, action, vm, change) => {
      const name = tagName({ agent, action, vm, change, at });
      const read = readTag(`Insert user defined checkpoint: ${name}. VPG "x".`);
      expect(read).toMatchObject({ name, change, at });
      expect([isNameIn(read?.agent ?? '', agent), isNameIn(read?.vm ?? '', vm)]).toEqual([true, true]);
      expect(isActionIn(read?.action ?? '', action)).toBe(true);
      expect(isTagForm(name.slice(0, 60))).toBe(name.slice(0, 60).includes(' | '));
      expect([isCutTag(name.slice(0, 20), name), isCutTag(name.slice(0, 19), name), isCutTag(name, name)]).toEqual([
        true,
        false,
        false,
      ]);
    }),
  );
});

test('what is no tag is not read as one, and a name is no other that begins with it', () => {
  for (const none of ['', 'before patch day', 'ai: | x | vm=a | change=b | now', `ai:${'|'.repeat(5_000)}`])
    expect([readTag(none), isTagForm(none)]).toEqual([undefined, false]);
  expect([isNameIn('app01', 'app012'), isNameIn('app012', 'app01'), isNameIn('app01.ex', 'app01.example')]).toEqual([
    false,
    false,
    true,
  ]);
  expect([isActionIn('ssh runner', 'ssh run'), isActionIn('ssh run sed', 'ssh run'), isActionIn('', 'ssh')]).toEqual([
    false,
    true,
    true,
  ]);
});
