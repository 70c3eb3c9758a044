import type { ServerResponse } from 'node:http';
import { EventWriter } from './events.js';
import { frameOf, isSame } from './frames.js';
import { sendJson } from './reply.js';

type Headers = Readonly<Record<string, string>>;

const MAX_IDS = 1000;

/** A place in a stream: what came there, and what the client gets for it once that is known. */
export interface Slot {
  readonly answer: PassAnswer;
  /** What the relay says of the message that came there; undefined: it dropped it. */
  settle(line: Uint8Array | undefined): void;
}

/**
 * The HTTP answer to one request of a client whose downstream speaks HTTP too: the upstream's own status, head and bytes, but for
 * messages that the relay edits. Only where something has to be said before the upstream was asked does it begin by itself.
 */
export class PassAnswer {
  readonly origin: string;
  readonly #response: ServerResponse;
  /** The newest ids of the upstream's events. */
  readonly #ids = new Set<string>();
  readonly #waiting: { bytes: Uint8Array | undefined }[] = [];
  #state: 'waiting' | 'own stream' | 'passing' | 'over' = 'waiting';
  #writer: EventWriter | undefined;
  #ended = false;

  /** `origin`: the proxy's own, as the client writes it. */
  constructor(response: ServerResponse, origin: string) {
    this.#response = response;
    this.origin = origin;
  }

  get gone(): boolean {
    return this.#response.destroyed;
  }

  /** The upstream gave its events ids: a client that lost the stream can ask for the rest of it. */
  get resumable(): boolean {
    return this.#ids.size > 0;
  }

  /** An event of that id came on this stream. */
  sent(eventId: string): boolean {
    return this.#ids.has(eventId);
  }

  note(eventId: string): void {
    this.#ids.add(eventId);
    const [oldest] = this.#ids;
    if (this.#ids.size > MAX_IDS && oldest !== undefined) this.#ids.delete(oldest);
  }

  /** Nothing was said yet. */
  get silent(): boolean {
    return this.#state === 'waiting';
  }

  /** The answer begins as a stream of the proxy's own. */
  stream(): void {
    if (this.#state !== 'waiting' || this.gone) return;
    this.#state = 'own stream';
    this.#writer = new EventWriter(this.#response, {});
  }

  /** The upstream's stream begins. */
  begin(status: number, headers: Headers): void {
    if (this.#state !== 'waiting' || this.gone) return;
    this.#state = 'passing';
    this.#response.writeHead(status, { ...headers, 'x-accel-buffering': 'no' });
    this.#response.flushHeaders();
  }

  /** Bytes of the stream that carry no message. */
  bytes(raw: Uint8Array): void {
    this.#waiting.push({ bytes: raw });
    this.#flush();
  }

  /** A frame whose message `line` was given to the relay; `rebuild` makes it anew with another one. */
  frame(raw: Buffer, line: Buffer, rebuild: (line: Uint8Array) => Uint8Array): Slot {
    const place: { bytes: Uint8Array | undefined } = { bytes: undefined };
    this.#waiting.push(place);
    const settle = (out: Uint8Array | undefined): void => {
      if (place.bytes !== undefined) return;
      if (out === undefined) place.bytes = Buffer.alloc(0);
      else place.bytes = isSame(out, line) ? raw : rebuild(out);
      this.#flush();
    };
    return { answer: this, settle };
  }

  /** The upstream's stream is over; what still waits for the relay comes first. */
  end(): void {
    this.#ended = true;
    this.#flush();
  }

  /** A message of the proxy's own that comes before the answer. */
  event(line: Uint8Array): void {
    this.stream();
    this.bytes(frameOf(line));
  }

  /** The answer as a whole: the upstream's, or the proxy's own. In a stream that began already it is the last event. */
  whole(status: number, headers: Headers, body: Uint8Array, line: Uint8Array = body): void {
    if (this.#state === 'waiting') {
      this.#state = 'over';
      if (this.gone) return;
      this.#response.writeHead(status, { ...headers, 'content-length': String(body.length) });
      this.#response.end(body);
    } else {
      this.bytes(frameOf(line));
      this.end();
    }
  }

  /** The proxy's own answer. */
  own(line: Uint8Array): void {
    if (this.#state !== 'waiting') {
      this.whole(200, {}, line);
      return;
    }
    this.#state = 'over';
    sendJson(this.#response, 200, line);
  }

  /** Resolves when the client takes more, or is gone; undefined where it does now. */
  room(): Promise<void> | undefined {
    const response = this.#response;
    if (!response.writableNeedDrain || response.destroyed) return undefined;
    return new Promise((resolve) => {
      const done = () => {
        response.off('drain', done);
        response.off('close', done);
        resolve();
      };
      response.on('drain', done);
      response.on('close', done);
    });
  }

  #flush(): void {
    const open = (this.#state === 'passing' || this.#state === 'own stream') && !this.gone;
    for (let [first] = this.#waiting; first?.bytes !== undefined; [first] = this.#waiting) {
      this.#waiting.shift();
      if (open && first.bytes.length > 0) this.#response.write(first.bytes);
    }
    if (!this.#ended || this.#waiting.length > 0 || this.#state === 'over') return;
    this.#state = 'over';
    this.#writer?.end();
    if (!this.#response.writableEnded && !this.gone) this.#response.end();
  }
}

/** The first word counts. */
export function onlyOnce({ answer, settle }: Slot): Slot {
  let open = true;
  return {
    answer,
    settle: (line) => {
      if (open) settle(line);
      open = false;
    },
  };
}
