import type { EventWriter } from './events.js';
import type { Replay } from './replay.js';

/** A sequence of messages that a client reads as one stream, over one connection or, after a break, over the next. */
export class Channel {
  readonly no: number;
  readonly #replay: Replay | undefined;
  #writer: EventWriter | undefined;
  #ended = false;

  /** Without a replay nothing is kept, and events have no ids. */
  constructor(no: number, replay: Replay | undefined) {
    this.no = no;
    this.#replay = replay;
  }

  /** A client reads it now. */
  get attached(): boolean {
    return this.#writer?.open === true;
  }

  /** `primed`: the client knows what an event without a message is. */
  open(writer: EventWriter, primed: boolean): void {
    this.#writer = writer;
    if (primed && this.#replay !== undefined) writer.prime(this.#replay.mark(this.no));
  }

  /** Goes on after an event that the client has seen. The connection that had it before is given up. */
  resume(writer: EventWriter, seq: number): void {
    this.#writer?.end();
    this.#writer = writer;
    for (const { id, line } of this.#replay?.after(this.no, seq) ?? []) writer.event(line, id);
    if (this.#ended) writer.end();
  }

  send(line: Uint8Array): void {
    const id = this.#replay?.keep(this.no, line);
    this.#writer?.event(line, id);
  }

  end(): void {
    this.#ended = true;
    this.#writer?.end();
  }
}
