import { describe, expect, it } from 'vitest';
import { endSessionQuestion, recoveryQuestion } from '../../src/approvals/questions.js';
import { fc } from '../support/property.js';

const checkpoint = { checkpointIdentifier: '786', timestamp: '2026-11-30T00:46:07Z', tag: 'ai:x | y' };

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
          recoveryQuestion({
            agent: text,
            vm: text,
            vpg: text,
            path: text,
            checkpoint: { ...checkpoint, tag: text },
            minutesLost: 0,
          }).message,
          endSessionQuestion({ agent: text, session: text, vm: text, runningTasks: 0, mountTime: text }).message,
        ];
        expect(messages.map((message) => message.split('\n').length)).toEqual([6, 3]);
        for (const message of messages) expect(message.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\u2028]/u);
      }),
    );
  });
});
