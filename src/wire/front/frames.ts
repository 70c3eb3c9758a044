import { asOneLine } from './body.js';

/** One event of a stream as it came: all its bytes with the blank line, and the message that it carries, if it does. */
export interface Frame {
  readonly raw: Buffer;
  readonly line: Buffer | undefined;
}

const LF = 0x0a;
const CR = 0x0d;
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

/** Splits `text/event-stream` bytes into frames, whatever line ends they use. The bytes of all frames together are the stream. */
export class FrameSplitter {
  #parts: Buffer[] = [];
  #lineLength = 0;
  #afterCr = false;

  push(chunk: Buffer): Frame[] {
    const frames: Frame[] = [];
    let start = 0;
    let line = 0;
    for (let at = nextEnd(chunk, 0); at >= 0; at = nextEnd(chunk, line)) {
      const length = this.#lineLength + at - line;
      const secondHalf = chunk[at] === LF && length === 0 && (at > 0 ? chunk[at - 1] === CR : this.#afterCr);
      line = at + 1;
      this.#lineLength = 0;
      if (secondHalf || length > 0) continue;
      // The LF of a CR LF belongs to this frame where it is there already.
      if (chunk[at] === CR && chunk[at + 1] === LF) line += 1;
      frames.push(this.#join(chunk.subarray(start, line)));
      start = line;
    }
    this.#afterCr = chunk.length > 0 && chunk[chunk.length - 1] === CR;
    this.#lineLength += chunk.length - line;
    if (start < chunk.length) this.#parts.push(chunk.subarray(start));
    return frames;
  }

  /** What came after the last blank line, as a frame: some clients take it for an event too. */
  end(): Frame[] {
    return this.#parts.length === 0 ? [] : [this.#join(Buffer.alloc(0))];
  }

  #join(last: Buffer): Frame {
    const raw = this.#parts.length === 0 ? last : Buffer.concat([...this.#parts, last]);
    this.#parts = [];
    return { raw, line: dataOf(raw) };
  }
}

/** The messages of a stream that is read for them alone. */
export async function* messagesOf({ body }: { readonly body: AsyncIterable<Buffer> }): AsyncGenerator<Buffer> {
  const splitter = new FrameSplitter();
  for await (const chunk of body) for (const { line } of splitter.push(chunk)) if (line !== undefined) yield line;
  for (const { line } of splitter.end()) if (line !== undefined) yield line;
}

/** The frame with another message: in the place of its first line of data; every other line stays. */
export function withMessage(raw: Buffer, line: Uint8Array): Buffer {
  const parts: Uint8Array[] = [raw.subarray(0, bomLength(raw))];
  let placed = false;
  for (const { start, end, next } of lines(raw)) {
    if (fieldOf(raw, start, end) !== 'data') {
      parts.push(raw.subarray(start, next));
    } else if (!placed) {
      parts.push(Buffer.from('data: '), line, raw.subarray(end, next));
      placed = true;
    }
  }
  return Buffer.concat(parts);
}

/** The id of an event, by which a client can ask for what follows it. */
export function eventIdOf(raw: Buffer): string | undefined {
  let id: string | undefined;
  for (const { start, end } of lines(raw))
    if (raw.toString('latin1', start, Math.min(end, start + 3)) === 'id:')
      id = fieldValue(raw, start, end, 'id').toString('latin1');
  return id;
}

/** The very same bytes in memory: a message that nobody edited. */
export function isSame(one: Uint8Array, other: Uint8Array): boolean {
  return one.buffer === other.buffer && one.byteOffset === other.byteOffset && one.length === other.length;
}

/** A message as a frame of its own. */
export function frameOf(line: Uint8Array): Buffer {
  return Buffer.concat([Buffer.from('event: message\ndata: '), line, Buffer.from('\n\n')]);
}

/** The data of an event without a name or called `message`, as one line; undefined where there is none. */
function dataOf(raw: Buffer): Buffer | undefined {
  const data: Buffer[] = [];
  let event = '';
  for (const { start, end } of lines(raw)) {
    const field = fieldOf(raw, start, end);
    if (field === 'event') event = fieldValue(raw, start, end, 'event').toString();
    if (field === 'data') data.push(fieldValue(raw, start, end, 'data'));
  }
  const [only] = data;
  // The last name counts, and an empty one is none.
  if (only === undefined || (event !== '' && event !== 'message')) return undefined;
  const joined =
    data.length === 1 ? only : Buffer.concat(data.flatMap((line) => [line, Buffer.from([LF])]).slice(0, -1));
  return joined.length === 0 ? undefined : asOneLine(joined);
}

function* lines(raw: Buffer): Generator<{ readonly start: number; readonly end: number; readonly next: number }> {
  for (let start = bomLength(raw); start < raw.length; ) {
    const end = nextEnd(raw, start);
    if (end < 0) {
      yield { start, end: raw.length, next: raw.length };
      return;
    }
    const next = raw[end] === CR && raw[end + 1] === LF ? end + 2 : end + 1;
    yield { start, end, next };
    start = next;
  }
}

/** A reader skips it at the start of a stream, or, where it decodes in pieces, at the start of each. */
function bomLength(raw: Buffer): number {
  return raw.subarray(0, BOM.length).equals(BOM) ? BOM.length : 0;
}

/** Only the fields that matter here; a field without a colon has an empty value. */
function fieldOf(raw: Buffer, start: number, end: number): 'data' | 'event' | undefined {
  const head = raw.toString('latin1', start, Math.min(end, start + 6));
  if (head === 'data' || head.startsWith('data:')) return 'data';
  return head === 'event:' || (head === 'event' && end === start + 5) ? 'event' : undefined;
}

function fieldValue(raw: Buffer, start: number, end: number, field: string): Buffer {
  const from = Math.min(end, start + field.length + 1);
  return raw.subarray(raw[from] === 0x20 && from < end ? from + 1 : from, end);
}

function nextEnd(bytes: Buffer, from: number): number {
  const lf = bytes.indexOf(LF, from);
  const cr = bytes.subarray(from, lf < 0 ? bytes.length : lf).indexOf(CR);
  return cr < 0 ? lf : from + cr;
}
