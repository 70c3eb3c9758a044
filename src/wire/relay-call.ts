import type { Answer } from '../domain/call.js';
import { ProxyError } from '../domain/errors.js';
import type { DownstreamAnswer } from '../domain/ports.js';
import type { Receipt } from '../domain/receipt.js';
import { setReceipt } from './edit.js';
import type { RequestMessage } from './message.js';
import { ownResultLine, refusalResult } from './relay-messages.js';

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
  #abort: AbortController | undefined;
  #state: State = 'held';
  #response: DownstreamAnswer | undefined;
  #receipt: Receipt | undefined;
  #awaitsReceipt = true;
  #ended: ProxyError | undefined;
  #settle: { resolve(answer: DownstreamAnswer): void; reject(error: unknown): void } | undefined;
  #line: ((line: Buffer | undefined) => void) | undefined;
  #told: ((progress: string) => void) | undefined;

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

  /** Made when it is asked for; a call that is over by then has an aborted one. */
  get signal(): AbortSignal {
    this.#abort ??= new AbortController();
    if (this.#ended !== undefined) this.#abort.abort(this.#ended);
    return this.#abort.signal;
  }

  /** What the client may be told while the call is held goes there. */
  onTold(told: (progress: string) => void): void {
    this.#told = told;
  }

  tell(progress: string): void {
    this.#told?.(progress);
  }

  /** The receipt under which the answer went out, once `answered` has resolved. */
  get receipt(): Receipt | undefined {
    return this.#receipt;
  }

  /**
   * The call was written just now; with `receipt` its answer gets one. The promise is the downstream's answer; it rejects with
   * OUTCOME_UNKNOWN where none can be waited for.
   */
  sent(receipt: 'receipt' | 'no receipt'): Promise<DownstreamAnswer> {
    this.#state = 'sent';
    this.#awaitsReceipt = receipt === 'receipt';
    return new Promise((resolve, reject) => {
      this.#settle = { resolve, reject };
    });
  }

  /** The downstream's response came. The line for the client, or a promise of it where its receipt is still to be had. */
  answered(raw: Buffer, isError: boolean): Buffer | Promise<Buffer | undefined> {
    const response: DownstreamAnswer = { kind: 'downstream', raw, isError };
    this.#response = response;
    this.#settle?.resolve(response);
    if (!this.#awaitsReceipt) {
      this.#state = 'closed';
      return this.#lineOf(response);
    }
    this.#state = 'answered';
    return new Promise((resolve) => {
      this.#line = resolve;
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
    this.#end(
      held
        ? new ProxyError('CALL_CANCELLED', 'The call was cancelled before it was sent: the command did not run.')
        : new ProxyError('OUTCOME_UNKNOWN', 'The call was cancelled after it was sent: the command may have run.'),
    );
    return held;
  }

  /**
   * Nothing more comes from downstream; `sent` is false where a call that was written surely never left this machine. Returns the
   * text for the client, or undefined where it needs none.
   */
  abandon(why: string, sent: boolean): string | undefined {
    if (this.#state !== 'held' && this.#state !== 'sent') return undefined;
    const held = this.#state === 'held' || !sent;
    this.#state = 'closed';
    const error = held
      ? new ProxyError('DOWNSTREAM_UNAVAILABLE', `${why} The command was not sent.`)
      : new ProxyError('OUTCOME_UNKNOWN', `${why} ${SENT_UNKNOWN}`);
    this.#end(error);
    return error.message;
  }

  #end(error: ProxyError): void {
    this.#ended = error;
    this.#settle?.reject(error);
    this.#abort?.abort(error);
  }

  #lineOf(answer: Answer): Buffer {
    if (answer.kind === 'refusal') return ownResultLine(this.request, refusalResult(answer.text));
    const { raw } = answer;
    return setReceipt(Buffer.from(raw.buffer, raw.byteOffset, raw.byteLength), answer.receipt);
  }
}

const SENT_UNKNOWN = 'The command was sent and may have run: look at the target before you repeat it.';
