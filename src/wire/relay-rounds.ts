import { AsyncLocalStorage } from 'node:async_hooks';
import { randomBytes } from 'node:crypto';
import type { Ask } from '../domain/ports.js';
import { removeMember, setMember } from './edit.js';
import { objectAt } from './json-splice.js';
import type { RequestMessage } from './message.js';
import type { LineSink } from './pipe.js';
import { formOf, readAnswer } from './relay-ask.js';
import type { GuardedCall } from './relay-call.js';
import type { IdTable } from './relay-ids.js';
import { resultLine } from './relay-messages.js';
import { record, statelessCanElicit } from './relay-peers.js';
import type { NativeCall, Pending } from './relay-pending.js';
import { lastNamed, latin1 } from './scan.js';

type Answered = Awaited<ReturnType<Ask>>;

const STATE_PREFIX = 'zerto-state-';
/** The one input request of a round. */
const KEY = 'zerto-decision';
/** What a retry carries beside the call itself. */
const ROUND_MEMBERS = ['inputResponses', 'requestState'];

/** A call that can wait without a request of the client, and go on with the next one. */
export type SuspendableCall = GuardedCall | NativeCall;

type Digest = (tool: string, args: Readonly<Record<string, unknown>>) => string;

interface Round {
  readonly call: SuspendableCall;
  readonly what: string;
  readonly wire: Buffer;
  settle(responses: unknown): void;
}

/**
 * Questions to a client of the stateless revision: the call is answered with `input_required`, and the client sends it again
 * with the human's answer. The handler stays suspended in `ask` meanwhile; the state that the client carries is a nonce, valid
 * once, for the same tool and arguments.
 */
export class Rounds {
  readonly #pending: IdTable<Pending>;
  readonly #toClient: LineSink;
  readonly #digest: Digest;
  readonly #openMs: number;
  readonly #context = new AsyncLocalStorage<SuspendableCall>();
  readonly #open = new Map<string, Round>();

  /** `openMs`: after this time a question that nobody comes back to is given up; the call it belongs to is not sent. */
  constructor(pending: IdTable<Pending>, toClient: LineSink, digest: Digest, openMs: number) {
    this.#pending = pending;
    this.#toClient = toClient;
    this.#digest = digest;
    this.#openMs = openMs;
  }

  /** Runs a handler so that its questions find the call they belong to; only where its client could be asked this way. */
  within<T>(call: SuspendableCall, run: () => Promise<T>): Promise<T> {
    return statelessCanElicit(metaOf(call.request)) ? this.#context.run(call, run) : run();
  }

  /** Whether what runs here belongs to a call whose questions suspend it: its client waits for nothing meanwhile. */
  get here(): boolean {
    return this.#context.getStore() !== undefined;
  }

  /** Undefined where there is no such call: the question has to go another way. Resolves to `declined` when nobody comes back. */
  ask(...[question, signal]: Parameters<Ask>): Promise<Answered> | undefined {
    const call = this.#context.getStore();
    if (call === undefined || !call.waiting || signal.aborted) return undefined;
    const state = `${STATE_PREFIX}${randomBytes(24).toString('hex')}`;
    const params = { mode: 'form', ...formOf(question) };
    const inputRequests = { [KEY]: { method: 'elicitation/create', params } };
    return new Promise((resolve) => {
      const end = (answer: Answered) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', withdraw);
        this.#open.delete(state);
        resolve(answer);
      };
      const withdraw = () => end({ kind: 'unavailable' });
      const timer = setTimeout(() => end({ kind: 'declined' }), this.#openMs);
      timer.unref();
      signal.addEventListener('abort', withdraw);
      const settle = (responses: unknown) => end(readAnswer(record(responses)[KEY] ?? {}, question.choices));
      this.#open.set(state, { call, what: this.#digestOf(call.request), wire: call.wire, settle });
      this.#pending.delete(call.request.idKey);
      this.#toClient.write(
        resultLine(
          call.request.idText,
          JSON.stringify({ resultType: 'input_required', inputRequests, requestState: state }),
        ),
      );
      call.suspend();
    });
  }

  /** True where the request is the next round of a suspended call, which goes on with it. */
  resume(request: RequestMessage): boolean {
    const { requestState, inputResponses } = record(request.params);
    const round = typeof requestState === 'string' ? this.#open.get(requestState) : undefined;
    if (round === undefined || round.what !== this.#digestOf(request)) return false;
    round.call.resume(request, withRoundOf(round.wire, request.raw));
    this.#pending.add(request.idKey, round.call);
    round.settle(inputResponses);
    return true;
  }

  /** A call that carries a state of the proxy's own which is no longer open goes on as a new one, without it. */
  fresh(request: RequestMessage): RequestMessage {
    const state = record(request.params)['requestState'];
    if (typeof state !== 'string' || !state.startsWith(STATE_PREFIX)) return request;
    const raw = ROUND_MEMBERS.reduce((text, name) => removeMember(text, ['params'], name), request.raw);
    return { ...request, raw };
  }

  close(): void {
    for (const round of [...this.#open.values()]) round.settle({});
  }

  #digestOf(request: RequestMessage): string {
    const params = record(request.params);
    return this.#digest(String(params['name']), record(params['arguments']));
  }
}

function metaOf(request: RequestMessage): unknown {
  return record(request.params)['_meta'];
}

/** The retry with the round of the downstream's own that the first request carried, if any, in the place of the proxy's. */
function withRoundOf(first: Buffer, retry: Buffer): Buffer {
  const params = objectAt(latin1(first), ['params']);
  return ROUND_MEMBERS.reduce((raw, name) => {
    const own = lastNamed(params, name);
    if (own === undefined) return removeMember(raw, ['params'], name);
    return setMember(raw, ['params'], name, first.toString('utf8', own.valueStart, own.end));
  }, retry);
}
