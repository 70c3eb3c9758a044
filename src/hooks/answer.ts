import type { HookClient } from './read-input.js';

/**
 * What the hook says. `pass`: nothing against it, and the client goes on as without a hook (its own questions stay); `note` is for the agent.
 * `ask`: the client puts it to a person. `deny`: the command is not run.
 */
export type HookVerdict =
  | { readonly kind: 'pass'; readonly note?: string | undefined }
  | { readonly kind: 'ask'; readonly text: string }
  | { readonly kind: 'deny'; readonly text: string };

/** What is written, and the exit code. Code 2 is the one by which every client blocks. */
export interface HookAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly code: 0 | 2;
}

/** In the client's own words. A refusal is said three times: as JSON, on stderr and by the exit code, since a client that reads one may not read another. */
export function answerOf(client: HookClient, verdict: HookVerdict): HookAnswer {
  const value = WORDS[client](verdict);
  const isDenied = verdict.kind === 'deny';
  return {
    stdout: value === undefined ? '' : `${JSON.stringify(value)}\n`,
    stderr: isDenied ? `${verdict.text}\n` : '',
    code: isDenied ? 2 : 0,
  };
}

/** Never `allow`: that would also answer what the client itself asks a person. */
function forClaude(verdict: HookVerdict): object | undefined {
  if (verdict.kind === 'pass') {
    if (verdict.note === undefined) return undefined;
    return { hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: verdict.note } };
  }
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: verdict.kind,
      permissionDecisionReason: verdict.text,
    },
  };
}

function forCopilot(verdict: HookVerdict): object | undefined {
  if (verdict.kind === 'pass') return verdict.note === undefined ? undefined : { additionalContext: verdict.note };
  return { permissionDecision: verdict.kind, permissionDecisionReason: verdict.text };
}

function forGemini(verdict: HookVerdict): object {
  if (verdict.kind === 'pass') return verdict.note === undefined ? {} : { systemMessage: verdict.note };
  return { decision: 'deny', reason: verdict.text };
}

function forCursor(verdict: HookVerdict): object {
  if (verdict.kind === 'pass') return verdict.note === undefined ? {} : { agent_message: verdict.note };
  return { permission: verdict.kind, user_message: verdict.text, agent_message: verdict.text };
}

const WORDS: Readonly<Record<HookClient, (verdict: HookVerdict) => object | undefined>> = {
  'claude-code': forClaude,
  codex: forClaude,
  copilot: forCopilot,
  cursor: forCursor,
  gemini: forGemini,
};
