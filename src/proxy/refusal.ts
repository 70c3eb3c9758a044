import type { ToolCall } from '../domain/call.js';
import { type ErrorCode, MAY_HAVE_RUN, ProxyError } from '../domain/errors.js';
import type { Profile, Target } from '../domain/target.js';

/** A signal that ends the wait for a pin before the client gives up; none for a client that is told of progress. */
export type Patience = (call: ToolCall, targets: readonly Target[]) => AbortSignal | undefined;

/** When tags were seen to be listed, in seconds after their insert; with a margin. */
const LISTED_AFTER: Readonly<Record<Profile, number>> = { vsphere: 6, azure: 40, aws: 135 };

/** What a client reads whose call is answered while its tag is still being taken, and when it should come back. */
export function notSentYet(targets: readonly Target[], waitedSeconds: number): ProxyError {
  const longest = Math.max(6, ...targets.flatMap(({ vm }) => vm.vpgs.map((vpg) => LISTED_AFTER[vpg.profile])));
  const seconds = Math.max(5, Math.ceil(longest - waitedSeconds));
  return new ProxyError(
    'CHECKPOINT_NOT_PINNED',
    `The checkpoint before this call is still being taken. The call was not sent yet. Send the same call again in ${seconds} s: it then goes on from here.`,
    { details: { againInSeconds: seconds } },
  );
}

/** The code and the agent's text of whatever stopped a call; a fault of no known kind shows nothing of itself to the agent. */
export function reasonOf(error: unknown, sent: boolean): { readonly code: ErrorCode; readonly reason: string } {
  if (error instanceof ProxyError) return { code: error.code, reason: error.message };
  if (sent)
    return { code: 'OUTCOME_UNKNOWN', reason: 'The call was sent, and its answer did not arrive. It may have run.' };
  if (isAbort(error)) return { code: 'CALL_CANCELLED', reason: 'The client cancelled the call while it waited.' };
  return { code: 'PROXY_FAULT', reason: 'The proxy failed on its own; its operator finds the cause in its log.' };
}

/** Says in one paragraph what happened and whether the command was sent. */
export function refusalText(code: ErrorCode, reason: string): string {
  const mayHaveRun: readonly ErrorCode[] = MAY_HAVE_RUN;
  const sent = mayHaveRun.includes(code) || /\bnot sent\b/.test(reason) ? '' : ' The call was not sent.';
  return `${code}: ${reason}${sent}`;
}

function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
}
