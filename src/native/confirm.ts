import type { Question } from '../domain/ports.js';
import { refuse } from './answer.js';
import type { Caller } from './deps.js';

/** Puts a question to the human and gives back who answered; anything but the first choice stops the call with `otherwise`. */
export async function askHuman(
  question: Question,
  caller: Caller,
  signal: AbortSignal,
  otherwise: string,
): Promise<string> {
  const reply = (await caller.ask?.(question, signal)) ?? { kind: 'unavailable' as const };
  if (reply.kind === 'answered' && reply.choice === question.choices[0]) return reply.by;
  if (reply.kind === 'unavailable') {
    refuse('APPROVAL_DENIED', `A human must confirm this, and this client cannot ask one. ${otherwise}`);
  }
  refuse('APPROVAL_DENIED', `The human did not agree. ${otherwise} Do not try it again unless you are asked to.`);
}
