import type { ServerResponse } from 'node:http';

/** Often enough that neither a reverse proxy nor a client takes a quiet stream for a dead one. */
const COMMENT_MS = 25_000;
/** How soon a client that lost its stream should ask for the rest. */
const RETRY_MS = 1000;
const CR = 0x0d;
const LARGE = 64 * 1024;

/** One open answer of type `text/event-stream`. Every event leaves at once. */
export class EventWriter {
  readonly #response: ServerResponse;
  readonly #comments: NodeJS.Timeout;

  constructor(response: ServerResponse, headers: Readonly<Record<string, string>>) {
    this.#response = response;
    response.writeHead(200, {
      ...headers,
      'content-type': 'text/event-stream',
      'cache-control': 'no-cache, no-transform',
      'x-accel-buffering': 'no',
    });
    response.flushHeaders();
    this.#comments = setInterval(() => this.#write(Buffer.from(':\n\n')), COMMENT_MS);
    this.#comments.unref();
    response.once('close', () => clearInterval(this.#comments));
  }

  get open(): boolean {
    return !this.#response.destroyed && !this.#response.writableEnded;
  }

  /** One message; `id` is what the client names to resume after it. */
  event(line: Uint8Array, id?: string): void {
    const head = Buffer.from(`event: message\n${id === undefined ? '' : `id: ${id}\n`}data: `);
    const data = oneDataLine(line);
    if (line.length < LARGE) {
      this.#write(Buffer.concat([head, data, END]));
      return;
    }
    this.#response.cork();
    this.#write(head);
    this.#write(data);
    this.#write(END);
    this.#response.uncork();
  }

  /** An event without a message: from which id a client may resume before the first one comes, and how soon. */
  prime(id: string): void {
    this.#write(Buffer.from(`id: ${id}\nretry: ${RETRY_MS}\ndata:\n\n`));
  }

  end(): void {
    clearInterval(this.#comments);
    if (this.open) this.#response.end();
  }

  #write(bytes: Uint8Array): void {
    if (this.open) this.#response.write(bytes);
  }
}

const END = Buffer.from('\n\n');

/** A CR ends a line of the stream; in a message it can only stand between tokens or at the end. */
function oneDataLine(line: Uint8Array): Uint8Array {
  return line.includes(CR) ? line.map((byte) => (byte === CR ? 0x20 : byte)) : line;
}
