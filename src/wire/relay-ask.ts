import { randomBytes } from 'node:crypto';
import type { Ask, Question } from '../domain/ports.js';
import type { LineSink } from './pipe.js';
import { notificationLine, requestLine } from './relay-messages.js';
import { type Peers, record } from './relay-peers.js';

type Answered = Awaited<ReturnType<Ask>>;

/** Puts questions to the client by `elicitation/create`; its ids cannot be guessed, so they never meet the downstream's. */
export class Asker {
  readonly #peers: Peers;
  readonly #toClient: LineSink;
  readonly #prefix = ownPrefix();
  readonly #open = new Map<string, (result: unknown) => void>();
  #count = 0;

  constructor(peers: Peers, toClient: LineSink) {
    this.#peers = peers;
    this.#toClient = toClient;
  }

  /** `unavailable` also where the signal ends the wait or the client answers with an error: nobody answered. */
  readonly ask: Ask = (question, signal) => {
    if (!this.#peers.canElicit || signal.aborted) return Promise.resolve({ kind: 'unavailable' });
    this.#count += 1;
    const id = `${this.#prefix}${this.#count}`;
    return new Promise<Answered>((resolve) => {
      const withdraw = () => {
        this.#open.delete(id);
        this.#toClient.write(
          notificationLine('notifications/cancelled', { requestId: id, reason: 'no longer needed' }),
        );
        resolve({ kind: 'unavailable' });
      };
      this.#open.set(id, (result) => {
        this.#open.delete(id);
        signal.removeEventListener('abort', withdraw);
        resolve(readAnswer(result, question.choices));
      });
      signal.addEventListener('abort', withdraw, { once: true });
      this.#toClient.write(requestLine(id, 'elicitation/create', formOf(question)));
    });
  };

  /** Takes a client's response if it answers a question; `result` is undefined for an error. */
  answer(idKey: string, result: unknown): boolean {
    const settle = idKey.startsWith('s:') ? this.#open.get(idKey.slice(2)) : undefined;
    settle?.(result);
    return settle !== undefined;
  }

  /** The client is gone: every open question stays unanswered. */
  close(): void {
    for (const settle of [...this.#open.values()]) settle(undefined);
  }
}

/** The beginning of the ids of the proxy's own requests: 96 random bits. */
export function ownPrefix(): string {
  return `zerto-${randomBytes(12).toString('hex')}-`;
}

/** The params of an elicitation in form mode: one choice. */
export function formOf({ message, choices }: Question): object {
  const choice = { type: 'string', title: 'Decision', enum: choices };
  return { message, requestedSchema: { type: 'object', properties: { choice }, required: ['choice'] } };
}

/** An ElicitResult as an answer; undefined stands for an error. What was not offered counts as a no. */
export function readAnswer(result: unknown, choices: readonly string[]): Answered {
  if (result === undefined) return { kind: 'unavailable' };
  const { action, content } = record(result);
  const choice = record(content)['choice'];
  if (action === 'cancel') return { kind: 'declined', dismissed: true };
  if (action !== 'accept' || typeof choice !== 'string' || !choices.includes(choice)) return { kind: 'declined' };
  return { kind: 'answered', choice, by: 'client' };
}
