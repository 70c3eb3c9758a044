import type { Decision, Settled } from '../domain/decision.js';
import { ProxyError } from '../domain/errors.js';
import type { Answered, Ask, Elsewhere, Judged, Question, Settle } from '../domain/ports.js';
import type { Target } from '../domain/target.js';
import { Inquiries } from './inquiries.js';
import { denied, offerFor } from './offer.js';

const NOBODY_IN_TIME =
  'A person was asked about this call and did not answer in time. The call was not sent. Send it again to ask anew.';
/** When an agent is told to look again for a human's answer. */
const AGAIN_SECONDS = { client: 15, elsewhere: 60 };

export interface SettleDeps {
  readonly ask: Ask;
  /** Asks a human on the operator's side, where the client can ask none and policy would refuse. */
  readonly elsewhere?: Elsewhere | undefined;
  /** Starts the checkpoint while the human reads; the call then finds it under way or listed. */
  readonly warm: (judged: Judged, targets: readonly Target[]) => void;
  /** Words the question: what a human reads holds no secret. */
  readonly question: (asked: string, choices: Question['choices'], judged: Judged) => Question;
  /** Ends the wait for the human before the client gives the call up; undefined where it does not. */
  readonly patience: (judged: Judged) => AbortSignal | undefined;
  /** A keyed hash: an answer counts for the call and the question that it was made of, and for no other. */
  readonly bind: (parts: readonly string[]) => string;
  /** So long after it was asked an answer counts. */
  readonly openMs: number;
  /** False where one session is that of many clients: what one of them is told holds for no other. */
  readonly remembers: boolean;
  /** Milliseconds, never set back. */
  readonly now: () => number;
}

type Asking = Decision & { readonly kind: 'ask' };
/** A human's choice, or what holds without one. */
type Reply =
  | { readonly kind: 'chosen'; readonly choice: string; readonly answered: Answered }
  | { readonly kind: 'settled'; readonly settled: Settled; readonly answered: Answered };

/**
 * Puts `ask` to the human behind the client, or to one on the operator's side; where nobody can be asked, policy's own answer
 * holds. "Always" is remembered for the session, and only for calls whose VMs can be pinned.
 */
export function createSettle(deps: SettleDeps): Settle {
  const pinAlways = new Set<string>();
  const inquiries = new Inquiries(deps);
  return async (judged, decision, signal) => {
    const { session } = judged.call;
    const offer = offerFor(decision, judged.aim, deps.remembers);
    if (offer.pinned !== undefined && offer.always !== undefined && pinAlways.has(session))
      return { settled: offer.pinned, answered: { by: 'the session' } };
    const question = deps.question(decision.question, offer.choices, judged);
    const key = deps.bind([judged.call.digest, question.message, ...question.choices]);
    const isRepeat = inquiries.isOpen(key) || deps.elsewhere?.isOpen(judged.call.digest, question) === true;
    if (offer.pinned !== undefined && !isRepeat) deps.warm(judged, decision.targets);
    const reply =
      (await askClient(deps, inquiries, key, judged, decision, question, signal)) ??
      (await askElsewhere(deps, judged, decision, question, signal));
    if (reply.kind === 'settled') return reply;
    if (reply.choice === offer.always) pinAlways.add(session);
    return { settled: offer.settle(reply.choice, reply.answered.by), answered: reply.answered };
  };
}

/** Undefined where the client can ask nobody. Rejects with APPROVAL_PENDING where the human takes longer than the call can wait. */
async function askClient(
  deps: SettleDeps,
  inquiries: Inquiries,
  key: string,
  judged: Judged,
  { rule }: Asking,
  question: Question,
  signal: AbortSignal,
): Promise<Reply | undefined> {
  const reply = await inquiries.ask(key, question, signal, deps.patience(judged));
  switch (reply.kind) {
    case 'waiting':
      throw new ProxyError(
        'APPROVAL_PENDING',
        `A person is being asked about this call and has not answered yet. The call was not sent yet. Send the same call again in ${AGAIN_SECONDS.client} s: it then goes on from here.`,
      );
    case 'unavailable':
      return undefined;
    case 'expired':
      return {
        kind: 'settled',
        settled: { kind: 'refuse', rule, code: 'APPROVAL_PENDING', reason: NOBODY_IN_TIME },
        answered: { by: 'policy: nobody answered in time' },
      };
    case 'declined':
      return { kind: 'settled', settled: denied(rule), answered: { by: 'client', afterMs: reply.afterMs } };
    case 'answered':
      return { kind: 'chosen', choice: reply.choice, answered: { by: reply.by, afterMs: reply.afterMs } };
  }
}

/** Only where policy would refuse is it worth a human's time: else the call is pinned and goes on. */
async function askElsewhere(
  { elsewhere }: SettleDeps,
  { call }: Judged,
  { otherwise }: Asking,
  question: Question,
  signal: AbortSignal,
): Promise<Reply> {
  const nobody: Reply = { kind: 'settled', settled: otherwise, answered: { by: 'policy: nobody can be asked' } };
  if (otherwise.kind !== 'refuse' || elsewhere === undefined || signal.aborted) return nobody;
  const { session, agent, digest } = call;
  const reply = await elsewhere.ask({ key: digest, session, agent, question }, signal);
  switch (reply.kind) {
    case 'unavailable':
      return nobody;
    case 'waiting':
      return {
        kind: 'settled',
        settled: stillRefused(otherwise),
        answered: { by: 'policy: nobody has answered out of band yet' },
      };
    case 'answered':
      return { kind: 'chosen', choice: reply.choice, answered: { by: reply.by, afterMs: reply.afterMs } };
  }
}

/** The same refusal, with the way on: a repeat of the call finds the human's answer. */
function stillRefused(otherwise: Settled & { kind: 'refuse' }): Settled {
  const code = otherwise.code === 'APPROVAL_DENIED' ? 'APPROVAL_PENDING' : otherwise.code;
  const reason = `${otherwise.reason} A person has also been asked outside of this client and may allow it: send the same call again in ${AGAIN_SECONDS.elsewhere} s; it goes on once they have.`;
  return { ...otherwise, code, reason };
}
