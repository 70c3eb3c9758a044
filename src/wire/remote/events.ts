import { createParser } from 'eventsource-parser';

/** One event of a stream; `data` holds the bytes of its data lines, joined by LF. */
export interface ServerSentEvent {
  readonly event: string | undefined;
  readonly id: string | undefined;
  readonly data: Buffer;
}

/** Where a stream may be taken up again. */
export interface Cursor {
  id?: string;
  retryMs?: number;
}

/** From where a stream goes on; an event with an empty id takes the one before it back. */
export function lastEventId({ id }: Cursor): string | undefined {
  return id === '' ? undefined : id;
}

const BOM = '\u00ef\u00bb\u00bf';

/**
 * Cuts the bytes of one stream into events, wherever the chunks end. An event counts with the blank line that ends it, and its id also
 * where it has no data; what the stream cuts off is none. Text is latin1 inside, so that every byte comes out as it came in.
 */
export class EventReader {
  readonly #cursor: Cursor;
  readonly #parser = createParser({
    onEvent: ({ event, id, data }) => {
      if (id !== undefined) this.#cursor.id = id;
      if (this.#block.data) this.#events.push({ event, id, data: Buffer.from(data, 'latin1') });
    },
    onRetry: (ms) => {
      this.#cursor.retryMs = ms;
    },
  });
  #events: ServerSentEvent[] = [];
  /** The line that is not complete yet, in the pieces in which it came. */
  #line: string[] = [];
  /** Which fields the event has had so far. */
  #block = { id: false, data: false };
  /** The first bytes, until it is known whether they are a byte order mark. */
  #head: string | undefined = '';
  #afterCr = false;

  constructor(cursor: Cursor = {}) {
    this.#cursor = cursor;
  }

  /** The events that this chunk completes. */
  push(chunk: Buffer): readonly ServerSentEvent[] {
    const [first = '', ...others] = this.#withLf(this.#withoutBom(chunk.toString('latin1'))).split('\n');
    this.#line.push(first);
    for (const next of others) {
      this.#take(this.#line.join(''));
      this.#line = [next];
    }
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #take(line: string): void {
    if (isField(line, 'id')) this.#block.id = true;
    if (isField(line, 'data')) this.#block.data = true;
    const { id, data } = this.#block;
    // The parser forgets the id of an event without data, from which a stream is taken up again all the same.
    if (line === '' && id && !data) this.#parser.feed('data\n');
    this.#parser.feed(`${line}\n`);
    if (line === '') this.#block = { id: false, data: false };
  }

  #withoutBom(text: string): string {
    if (this.#head === undefined) return text;
    const head = this.#head + text;
    if (head.length < BOM.length && BOM.startsWith(head)) {
      this.#head = head;
      return '';
    }
    this.#head = undefined;
    return head.startsWith(BOM) ? head.slice(BOM.length) : head;
  }

  /** CR and CRLF end a line as LF does, at once: the LF that may follow in the next chunk is left out then. */
  #withLf(text: string): string {
    const rest = this.#afterCr && text.startsWith('\n') ? text.slice(1) : text;
    if (text !== '') this.#afterCr = text.endsWith('\r');
    return rest.includes('\r') ? rest.replace(/\r\n?/g, '\n') : rest;
  }
}

function isField(line: string, field: string): boolean {
  return line.startsWith(field) && (line.length === field.length || line[field.length] === ':');
}

/** Hands over the events of a stream, each when the one before was taken. Rejects where the stream breaks. */
export async function readEvents(
  body: AsyncIterable<Buffer>,
  cursor: Cursor,
  take: (event: ServerSentEvent) => Promise<void> | undefined,
): Promise<void> {
  const reader = new EventReader(cursor);
  for await (const chunk of body) {
    for (const event of reader.push(chunk)) {
      const wait = take(event);
      if (wait !== undefined) await wait;
    }
  }
}
