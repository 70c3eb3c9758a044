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
  if (reply.kind === 'unavailable') return askElsewhere(question, caller, signal, otherwise);
  return disagreed(otherwise);
}

/** Asks only in the client; `undefined` where nobody can be asked there. A no stops the call with `otherwise`. */
export async function askInClient(
  question: Question,
  caller: Caller,
  signal: AbortSignal,
  otherwise: string,
): Promise<string | undefined> {
  const reply = (await caller.ask?.(question, signal)) ?? { kind: 'unavailable' as const };
  signal.throwIfAborted();
  if (reply.kind === 'unavailable') return undefined;
  return reply.kind === 'answered' && reply.choice === question.choices[0] ? reply.by : disagreed(otherwise);
}

async function askElsewhere(
  question: Question,
  caller: Caller,
  signal: AbortSignal,
  otherwise: string,
): Promise<string> {
  const cannot = `A human must confirm this, and this client cannot ask one. ${otherwise}`;
  if (signal.aborted) refuse('APPROVAL_DENIED', cannot);
  const reply = (await caller.elsewhere?.(question, signal)) ?? { kind: 'unavailable' as const };
  if (reply.kind === 'unavailable') refuse('APPROVAL_DENIED', cannot);
  if (reply.kind === 'waiting') {
    refuse(
      'APPROVAL_PENDING',
      `${cannot} A person has been asked outside of this client instead: send the same call again in ${AGAIN_SECONDS} s; it goes on once they have agreed.`,
    );
  }
  return reply.choice === question.choices[0] ? reply.by : disagreed(otherwise);
}

const AGAIN_SECONDS = 60;

function disagreed(otherwise: string): never {
  refuse('APPROVAL_DENIED', `The human did not agree. ${otherwise} Do not try it again unless you are asked to.`);
}
