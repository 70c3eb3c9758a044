import type { Meters } from '../domain/meters.js';
import { type End, timed } from './front/timing.js';
import {
  type NotificationMessage,
  type RequestMessage,
  readBatch,
  readServerMessage,
  type ServerMessage,
} from './message.js';
import type { LineSink } from './pipe.js';
import { IdTable, idKeyOf } from './relay-ids.js';

/** Requests that are timed at the same moment; a server need not answer. */
const MOST = 10_000;

/**
 * Times the requests of a client that speaks over two streams. It reads each message by itself, beside what passes it on, so that
 * nothing is paid where nobody counts.
 */
export class StdioTimer {
  readonly #meters: Pick<Meters, 'operation' | 'session'>;
  readonly #waiting = new IdTable<{ readonly method: string; readonly end: End }>(MOST);
  readonly #begun = performance.now();
  #established = false;

  constructor(meters: Pick<Meters, 'operation' | 'session'>) {
    this.#meters = meters;
  }

  /** Requests that wait for an answer. */
  get pending(): number {
    return this.#waiting.size;
  }

  /** Both ends agreed on a session. */
  get established(): boolean {
    return this.#established;
  }

  /** A line of the client. */
  fromClient(line: Buffer): void {
    for (const message of messagesIn(line)) {
      if (message.kind === 'request') this.#asked(message);
      else if (message.kind === 'notification') this.#told(message);
    }
  }

  /** The same sink; what is written to it is looked at. */
  watching(sink: LineSink): LineSink {
    return {
      get open() {
        return sink.open;
      },
      gone: sink.gone,
      write: (line) => {
        this.#toClient(Buffer.from(line.buffer, line.byteOffset, line.byteLength));
        return sink.write(line);
      },
      ready: () => sink.ready(),
      flushed: () => sink.flushed(),
    };
  }

  /** Nothing more is answered. */
  sessionOver(): void {
    for (const [, { end }] of this.#waiting.entries()) end('no_answer');
    if (this.#established) this.#meters.session((performance.now() - this.#begun) / 1000);
  }

  #asked(message: RequestMessage): void {
    this.#waiting.add(message.idKey, { method: message.method, end: timed(this.#meters, message) });
  }

  #told({ method, params }: NotificationMessage): void {
    const idKey = method === 'notifications/cancelled' ? idKeyOf(params?.['requestId']) : undefined;
    const found = idKey === undefined ? undefined : this.#waiting.match(idKey);
    if (found === undefined) return;
    this.#waiting.delete(found.idKey);
    found.entry.end('cancelled');
  }

  #toClient(line: Buffer): void {
    for (const message of messagesIn(line)) {
      const found = message.kind === 'response' ? this.#waiting.match(message.idKey) : undefined;
      if (message.kind !== 'response' || found === undefined) continue;
      const { idKey, entry } = found;
      this.#waiting.delete(idKey);
      entry.end(message);
      if (entry.method === 'initialize' && !message.isError) this.#established = true;
    }
  }
}

function messagesIn(line: Buffer): readonly ServerMessage[] {
  const message = readServerMessage(line);
  return message.kind === 'other' ? readBatch(line) : [message];
}
