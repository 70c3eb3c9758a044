import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { endSessionQuestion, policyQuestion, recoveryQuestion } from '../../src/approvals/questions.js';

const call = {
  agent: 'claude-code',
  server: 'ssh',
  tool: 'exec',
  fragment: 'frobnicate -x',
  why: 'it is not understood',
};
const checkpoint = { checkpointIdentifier: '786', timestamp: '2026-11-30T00:46:07Z', tag: 'ai:x | y' };

describe('policyQuestion', () => {
  it('shows who, what, where and that the checkpoint is under way', () => {
    const { message, choices } = policyQuestion({ ...call, vms: [{ name: 'app01', vpgs: ['a', 'b'] }] });
    for (const part of [
      '"claude-code"',
      '"ssh"',
      '"exec"',
      '"frobnicate -x"',
      'not understood',
      '"app01"',
      '"a"',
      '"b"',
      'already under way',
    ]) {
      expect(message).toContain(part);
    }
    expect(choices).toEqual(['run after the checkpoint', 'do not run', 'always pin in this session']);
  });

  it('promises no checkpoint where none can be taken', () => {
    const { message, choices } = policyQuestion({ ...call, vms: [] });
    expect(message).toContain('No checkpoint can be taken');
    expect(message).not.toContain('under way');
    expect(choices).toEqual(['run without a checkpoint', 'do not run']);
  });

  it('stays short for many VMs and says how many there are', () => {
    const vms = Array.from({ length: 500 }, (_, n) => ({ name: `web${n}`, vpgs: ['web'] }));
    const { message } = policyQuestion({ ...call, vms });
    expect(message).toContain('480 more VMs (500 in all)');
    expect(message.length).toBeLessThan(3_000);
  });
});

describe('recoveryQuestion', () => {
  it('shows VM, path, checkpoint, its time, what it lacks and where the content goes', () => {
    const { message, choices } = recoveryQuestion({
      agent: 'a',
      vm: 'app01',
      vpg: 'app',
      path: '/etc/x',
      checkpoint,
      minutesLost: 1,
    });
    for (const part of [
      '"app01"',
      '"/etc/x"',
      '786',
      '2026-11-30T00:46:07Z',
      'ai:x | y',
      'last 1 minute.',
      'goes to the model',
    ])
      expect(message).toContain(part);
    expect(choices).toHaveLength(2);
  });
});

describe('every question', () => {
  it('keeps text from outside in quotes, on its line and visible', () => {
    const evil = fc.string({
      unit: fc.constantFrom('\n', '\r', '\u202e', '\u200b', '"', '\\', '\u001b', 'a', '\ufeff', '\u2028'),
      minLength: 1,
      maxLength: 30,
    });
    fc.assert(
      fc.property(evil, (text) => {
        const messages = [
          policyQuestion({
            agent: text,
            server: text,
            tool: text,
            fragment: text,
            why: 'w',
            vms: [{ name: text, vpgs: [text] }],
          }).message,
          recoveryQuestion({
            agent: text,
            vm: text,
            vpg: text,
            path: text,
            checkpoint: { ...checkpoint, tag: text },
            minutesLost: 0,
          }).message,
          endSessionQuestion({ agent: text, session: text, vm: text, mountTime: text }).message,
        ];
        expect(messages.map((message) => message.split('\n').length)).toEqual([5, 6, 3]);
        for (const message of messages) expect(message.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\u2028]/u);
      }),
    );
  });
});
