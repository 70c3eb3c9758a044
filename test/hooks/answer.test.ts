import { expect, test } from 'vitest';
import { answerOf } from '../../src/hooks/answer.js';
import { HOOK_CLIENTS } from '../../src/hooks/read-input.js';

test('a refusal is exit code 2 with its text on stderr, for every client, and JSON in its words', () => {
  const deny = { kind: 'deny', text: 'CODE: why' } as const;
  for (const client of HOOK_CLIENTS) expect(answerOf(client, deny)).toMatchObject({ code: 2, stderr: 'CODE: why\n' });
  const json = (client: (typeof HOOK_CLIENTS)[number]) => JSON.parse(answerOf(client, deny).stdout) as unknown;
  const claude = {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: 'CODE: why',
    },
  };
  expect(json('claude-code')).toEqual(claude);
  expect(json('codex')).toEqual(claude);
  expect(json('copilot')).toEqual({ permissionDecision: 'deny', permissionDecisionReason: 'CODE: why' });
  expect(json('gemini')).toEqual({ decision: 'deny', reason: 'CODE: why' });
  expect(json('cursor')).toEqual({ permission: 'deny', user_message: 'CODE: why', agent_message: 'CODE: why' });
});

test('a pass says nothing that would answer the client’s own question to a person', () => {
  for (const client of HOOK_CLIENTS) {
    for (const note of [undefined, 'receipt r_1']) {
      const { stdout, code } = answerOf(client, { kind: 'pass', note });
      expect(code).toBe(0);
      expect(stdout).not.toMatch(/allow/);
      if (stdout !== '') expect(stdout.includes('r_1')).toBe(note !== undefined);
    }
  }
});

test('a question goes to a person where the client knows the word', () => {
  expect(answerOf('claude-code', { kind: 'ask', text: 'q' }).stdout).toContain('"permissionDecision":"ask"');
  expect(answerOf('cursor', { kind: 'ask', text: 'q' }).stdout).toContain('"permission":"ask"');
  expect(answerOf('gemini', { kind: 'ask', text: 'q' }).stdout).toContain('"decision":"deny"');
});
