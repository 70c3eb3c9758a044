interface Kept {
  readonly channel: number;
  readonly seq: number;
  readonly line: Uint8Array;
}

const MAX_EVENTS = 1000;
const MAX_BYTES = 4 << 20;

/** The last events of a session, for a client that lost a stream. Bounded: the oldest go first. */
export class Replay {
  #events: Kept[] = [];
  #bytes = 0;
  #seq = 0;

  /** An id for an event of that channel, without a message. */
  mark(channel: number): string {
    this.#seq += 1;
    return `${channel}-${this.#seq}`;
  }

  /** Keeps a message; returns the id of its event. */
  keep(channel: number, line: Uint8Array): string {
    const id = this.mark(channel);
    this.#events.push({ channel, seq: this.#seq, line });
    this.#bytes += line.length;
    while (this.#events.length > MAX_EVENTS || this.#bytes > MAX_BYTES) {
      this.#bytes -= this.#events.shift()?.line.length ?? 0;
    }
    return id;
  }

  /** The messages that this channel sent after that event, as far as they are kept. */
  after(channel: number, seq: number): readonly { readonly id: string; readonly line: Uint8Array }[] {
    return this.#events
      .filter((event) => event.channel === channel && event.seq > seq)
      .map((event) => ({ id: `${channel}-${event.seq}`, line: event.line }));
  }
}

/** The parts of an event id that `Replay` made; undefined for any other text. */
export function readEventId(id: string): { readonly channel: number; readonly seq: number } | undefined {
  const [, channel, seq] = /^(\d{1,15})-(\d{1,15})$/.exec(id) ?? [];
  return channel === undefined || seq === undefined ? undefined : { channel: Number(channel), seq: Number(seq) };
}
