import type { Readable, Writable } from 'node:stream';
import { LineSplitter } from './lines.js';

const NEWLINE = Buffer.from('\n');

/**
 * Hands over the lines of a stream without their ends, each in the turn of the event loop in which it came; where `take` returns a
 * promise, the next one waits for it and reading pauses. Resolves when the stream is over; a broken one ends like a closed one.
 */
export function takeLines(stream: Readable, take: (line: Buffer) => Promise<void> | undefined): Promise<void> {
  const splitter = new LineSplitter();
  let held: Promise<void> | undefined;
  const pass = (lines: readonly Buffer[], from: number): void => {
    for (const [index, line] of lines.entries()) {
      const wait = index < from ? undefined : take(line);
      if (wait === undefined) continue;
      stream.pause();
      held = wait.then(() => {
        held = undefined;
        pass(lines, index + 1);
      });
      return;
    }
    if (stream.isPaused()) stream.resume();
  };
  return new Promise((resolve) => {
    const over = async (rest?: Buffer): Promise<void> => {
      while (held !== undefined) await held;
      if (rest !== undefined) await take(rest);
      resolve();
    };
    stream.on('data', (chunk: Buffer) => pass(splitter.push(chunk), 0));
    stream.once('end', () => void over(splitter.end()));
    // Cut off in the middle: what was whole has been delivered, the rest is no message.
    stream.once('error', () => void over());
    stream.once('close', () => void over());
  });
}

/** Where whole messages go, one at a time: a stream of lines, or the streams of an HTTP session. */
export interface LineSink {
  /** False where a message would reach nobody. */
  readonly open: boolean;
  /** Resolves when nothing can be written any more. */
  readonly gone: Promise<void>;
  /** One message without its line end; false when the sink asks to wait for `ready`. */
  write(line: Uint8Array): boolean;
  /** Resolves when the sink takes more, or is gone; undefined where it takes more now. */
  ready(): Promise<void> | undefined;
  /** Resolves when everything written has left this process, or the sink is gone. */
  flushed(): Promise<void>;
}

/** Whole lines onto a stream. Writing to a stream that broke or ended does nothing: the reader at the other end is gone. */
export class LineWriter implements LineSink {
  readonly #stream: Writable;
  readonly gone: Promise<void>;
  #open = true;
  #drained: Promise<void> | undefined;

  constructor(stream: Writable) {
    this.#stream = stream;
    this.gone = new Promise((resolve) => {
      const close = () => {
        this.#open = false;
        resolve();
      };
      stream.on('error', close);
      stream.once('close', close);
    });
  }

  get open(): boolean {
    return this.#open && !this.#stream.writableEnded && !this.#stream.destroyed;
  }

  write(line: Uint8Array): boolean {
    if (!this.open) return true;
    // One write costs half of what a vectored one does; a large line is not copied for it.
    if (line.length < SMALL) return this.#stream.write(withLineEnd(line));
    this.#stream.cork();
    this.#stream.write(line);
    const more = this.#stream.write(NEWLINE);
    this.#stream.uncork();
    return more;
  }

  ready(): Promise<void> | undefined {
    if (!this.#open || !this.#stream.writableNeedDrain) return undefined;
    this.#drained ??= this.#drain();
    return this.#drained;
  }

  async flushed(): Promise<void> {
    while (this.#open && this.#stream.writableLength > 0) {
      await Promise.race([this.gone, new Promise((resolve) => setTimeout(resolve, 10))]);
    }
  }

  async #drain(): Promise<void> {
    await Promise.race([this.gone, new Promise((resolve) => this.#stream.once('drain', resolve))]);
    this.#drained = undefined;
  }
}

const SMALL = 64 * 1024;

function withLineEnd(line: Uint8Array): Buffer {
  const whole = Buffer.allocUnsafe(line.length + 1);
  whole.set(line);
  whole[line.length] = 0x0a;
  return whole;
}

/** A line that is known already, or will be once its answer was recorded; undefined: nothing is sent in its place. */
type Slot = Uint8Array | Promise<Uint8Array | undefined>;

/** Keeps lines in the order of their slots, though some become known late; takes no more than a bounded number ahead. */
export class OrderedLines {
  readonly #writer: LineSink;
  #tail: Promise<void> = Promise.resolve();
  #waiting = 0;
  #bytes = 0;

  constructor(writer: LineSink) {
    this.#writer = writer;
  }

  push(slot: Slot): void {
    if (this.#waiting === 0 && slot instanceof Uint8Array) {
      this.#writer.write(slot);
      return;
    }
    const bytes = slot instanceof Uint8Array ? slot.length : 0;
    this.#waiting += 1;
    this.#bytes += bytes;
    this.#tail = this.#send(this.#tail, slot, bytes);
  }

  /** Resolves when the reader behind the writer keeps up and few lines wait for their turn; undefined where that is so now. */
  room(): Promise<void> | undefined {
    if (this.#waiting > MAX_WAITING || this.#bytes > MAX_BYTES) return this.#tail.then(() => this.#writer.ready());
    return this.#writer.ready();
  }

  /** Resolves when every slot was sent. */
  async settled(): Promise<void> {
    while (this.#waiting > 0) await this.#tail;
  }

  async #send(before: Promise<void>, slot: Slot, bytes: number): Promise<void> {
    await before;
    const line = await slot;
    if (line !== undefined) this.#writer.write(line);
    await this.#writer.ready();
    this.#waiting -= 1;
    this.#bytes -= bytes;
  }
}

const MAX_WAITING = 64;
const MAX_BYTES = 1 << 20;
