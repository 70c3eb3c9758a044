import type { Answer } from '../domain/call.js';
import { ProxyError } from '../domain/errors.js';
import type { DownstreamAnswer } from '../domain/ports.js';
import type { Receipt } from '../domain/receipt.js';
import { setReceipt } from './edit.js';
import type { RequestMessage } from './message.js';
import { refusalResult, resultLine } from './relay-messages.js';

/**
 * held: not written yet. sent: written, no answer yet. answered: the downstream answered, the outcome is being recorded.
 * closed: the client has its answer. cancelled: the client wants none. suspended: it was asked to send the call again.
 */
type State = 'held' | 'suspended' | 'sent' | 'answered' | 'closed' | 'cancelled';

/** One tools/call between the client's request and the client's answer: what may still happen to it, and who words the answer. */
export class GuardedCall {
  readonly kind = 'call';
  #request: RequestMessage;
  #wire: Buffer;
  readonly #abort = new AbortController();
  #state: State = 'held';
  #response: DownstreamAnswer | undefined;
  #receipt: Receipt | undefined;
  #settle: { resolve(answer: DownstreamAnswer): void; reject(error: unknown): void } | undefined;
  #line: ((line: Buffer | undefined) => void) | undefined;

  constructor(request: RequestMessage) {
    this.#request = request;
    this.#wire = request.raw;
  }

  /** The request that the client waits for. */
  get request(): RequestMessage {
    return this.#request;
  }

  /** The bytes that go downstream. */
  get wire(): Buffer {
    return this.#wire;
  }

  get waiting(): boolean {
    return this.#state === 'held';
  }

  /** The client was given an answer that asks it to send the call again. */
  suspend(): void {
    this.#state = 'suspended';
  }

  /** The client sent it again; `wire` is that request without what the proxy had it add. */
  resume(request: RequestMessage, wire: Buffer): void {
    this.#request = request;
    this.#wire = wire;
    this.#state = 'held';
  }

  get state(): State {
    return this.#state;
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** The receipt under which the answer went out, once `answered` has resolved. */
  get receipt(): Receipt | undefined {
    return this.#receipt;
  }

  /** The call was written just now. The promise is the downstream's answer; it rejects with OUTCOME_UNKNOWN where none can be waited for. */
  sent(signal: AbortSignal): Promise<DownstreamAnswer> {
    this.#state = 'sent';
    return new Promise((resolve, reject) => {
      signal.addEventListener('abort', () => reject(unknownOutcome(signal.reason)), { once: true });
      this.#settle = { resolve, reject };
    });
  }

  /** The downstream's response came. Resolves to the line for the client once the outcome was recorded. */
  answered(raw: Buffer, isError: boolean): Promise<Buffer | undefined> {
    this.#state = 'answered';
    this.#response = { kind: 'downstream', raw, isError };
    return new Promise((resolve) => {
      this.#line = resolve;
      this.#settle?.resolve({ kind: 'downstream', raw, isError });
    });
  }

  /** The handler's answer, or undefined where it failed. Returns what to write at once; a line that has its place in order goes there. */
  finish(answer: Answer): Buffer | undefined {
    if (this.#state === 'answered') {
      if (answer.kind === 'downstream') this.#receipt = answer.receipt;
      this.#state = 'closed';
      this.#line?.(this.#lineOf(answer));
      return undefined;
    }
    const wanted = this.#state === 'held' || this.#state === 'sent';
    if (wanted) this.#state = 'closed';
    return wanted ? this.#lineOf(answer) : undefined;
  }

  /** What the agent gets where the handler threw: the downstream's answer if there is one, it is never withheld. */
  failed(error: unknown): Answer {
    if (this.#response !== undefined) return this.#response;
    if (error instanceof ProxyError) return { kind: 'refusal', text: `${error.code}: ${error.message}` };
    const where =
      this.#state === 'sent' ? 'after the command was sent: it may have run' : 'before the command was sent';
    return { kind: 'refusal', text: `The proxy failed ${where}. Its log on stderr says why.` };
  }

  /** True where the call was still held, so that nothing of it reaches the downstream. */
  cancel(): boolean {
    const held = this.#state === 'held';
    if (!held && this.#state !== 'sent') return false;
    this.#state = 'cancelled';
    this.#abort.abort(
      held
        ? new ProxyError('CALL_CANCELLED', 'The call was cancelled before it was sent: the command did not run.')
        : new ProxyError('OUTCOME_UNKNOWN', 'The call was cancelled after it was sent: the command may have run.'),
    );
    return held;
  }

  /** Nothing more comes from downstream. Returns the text for the client, or undefined where it needs none. */
  abandon(why: string): string | undefined {
    if (this.#state !== 'held' && this.#state !== 'sent') return undefined;
    const held = this.#state === 'held';
    this.#state = 'closed';
    const error = held
      ? new ProxyError('DOWNSTREAM_UNAVAILABLE', `${why} The command was not sent.`)
      : new ProxyError('OUTCOME_UNKNOWN', `${why} ${SENT_UNKNOWN}`);
    this.#settle?.reject(error);
    this.#abort.abort(error);
    return error.message;
  }

  #lineOf(answer: Answer): Buffer {
    if (answer.kind === 'refusal') return resultLine(this.request.idText, refusalResult(answer.text));
    const { raw } = answer;
    return setReceipt(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), answer.receipt);
  }
}

const SENT_UNKNOWN = 'The command was sent and may have run: look at the target before you repeat it.';

function unknownOutcome(reason: unknown): ProxyError {
  if (reason instanceof ProxyError && reason.code === 'OUTCOME_UNKNOWN') return reason;
  return new ProxyError('OUTCOME_UNKNOWN', `The wait for the answer was given up. ${SENT_UNKNOWN}`, { cause: reason });
}
