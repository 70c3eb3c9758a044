import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ErrorCode } from '../domain/errors.js';
import type { NativeOutcome } from './deps.js';

/** A native tool's result and what the audit log learns of it. */
export interface NativeAnswer {
  readonly result: CallToolResult;
  readonly outcome: NativeOutcome;
}

/** A good result: a text for the agent, and the same as data. `parts` are further texts. */
export function answer(
  text: string,
  data: Record<string, unknown>,
  more: { readonly parts?: readonly string[]; readonly outcome?: Omit<NativeOutcome, 'result'> } = {},
): NativeAnswer {
  const content = [text, ...(more.parts ?? [])].map((part) => ({ type: 'text' as const, text: part }));
  return { result: { content, structuredContent: data }, outcome: { result: 'ok', ...more.outcome } };
}

/** An `isError` result: `reason` says what happened and what to do. */
export function refusal(code: ErrorCode, reason: string, outcome: Partial<NativeOutcome> = {}): NativeAnswer {
  return {
    result: {
      isError: true,
      content: [{ type: 'text', text: `${code}: ${reason}` }],
      structuredContent: { error: { code, reason } },
    },
    outcome: { ...outcome, result: 'error', code, reason },
  };
}

/** Stops a native tool with a refusal; caught in one place. */
export function refuse(code: ErrorCode, reason: string): never {
  throw new NativeRefusal(code, reason);
}

/** An expected stop inside a native tool, on its way to `refusal`. */
export class NativeRefusal extends Error {
  override readonly name = 'NativeRefusal';
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
