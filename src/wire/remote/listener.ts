import { discard, kindOf } from './answers.js';
import { type Cursor, readEvents, type ServerSentEvent } from './events.js';
import type { HttpAnswer, HttpHeaders } from './http.js';
import type { Link } from './link.js';
import type { InFlight } from './requests.js';

/** A server that sends no headers before its first event must not hold up what the client sends. */
const OPEN_MS = 2000;
/** How long what follows a notification waits for the server to have accepted it. */
export const ACCEPTED_MS = 1000;
const RETRY_MS = 1000;
const LEAST_RETRY_MS = 50;
const MOST_RETRY_MS = 30_000;
/** A timer that is set for longer fires at once. */
const MOST_TIMER_MS = 2 ** 31 - 1;

/** Takes the message of an event; events of other kinds and without data are none. `from`: see `Outlet.deliver`. */
export function takeMessage(link: Link, { event, data }: ServerSentEvent, from?: InFlight): Promise<void> | undefined {
  if (data.length === 0 || (event !== undefined && event !== 'message')) return undefined;
  link.outlet.deliver(data, from);
  return link.outlet.room();
}

/** How long to wait before a stream is taken up again: as the server says, else longer with each vain attempt. */
export function retryAfter({ retryMs }: Cursor, vain: number): number {
  const most = Math.min(MOST_TIMER_MS, Math.max(MOST_RETRY_MS, retryMs ?? 0));
  return Math.min(most, Math.max(LEAST_RETRY_MS, retryMs ?? RETRY_MS) * 2 ** Math.min(vain, 10));
}

/** What a GET for a stream led to. `later`: it may be there another time; `none`: the server has none. */
type Stream =
  | { readonly kind: 'open'; readonly body: HttpAnswer['body'] }
  | { readonly kind: 'later' }
  | { readonly kind: 'none'; readonly status: number };

/** Asks for a stream; never rejects. */
export async function openStream(link: Link, headers: HttpHeaders, signal: AbortSignal): Promise<Stream> {
  try {
    const answer = await link.http.get(headers, signal);
    if (kindOf(answer) === 'events') return { kind: 'open', body: answer.body };
    await discard(answer.body);
    link.log.debug({ status: answer.status }, 'the server gives no stream');
    return answer.status >= 500 ? { kind: 'later' } : { kind: 'none', status: answer.status };
  } catch (error) {
    link.log.debug({ error: String(error) }, 'a stream could not be opened');
    return { kind: 'later' };
  }
}

/** The stream on which a server of a session sends what belongs to no request; opened again whenever it ends. */
export class Listener {
  readonly #link: Link;
  readonly #headers: (cursor: Cursor) => HttpHeaders;
  readonly #stop = new AbortController();

  constructor(link: Link, headers: (cursor: Cursor) => HttpHeaders) {
    this.#link = link;
    this.#headers = headers;
  }

  /** Resolves when the server has answered, so that nothing it sends from now on is lost. */
  open(): Promise<void> {
    return Promise.race([
      new Promise<void>((opened) => {
        void this.#run(opened);
      }),
      this.#link.pause(OPEN_MS),
    ]);
  }

  close(): void {
    this.#stop.abort();
  }

  async #run(opened: () => void): Promise<void> {
    const cursor: Cursor = {};
    let vain = 0;
    for (let opens = 0; this.#wanted; ) {
      const stream = await openStream(this.#link, this.#headers(cursor), this.#stop.signal);
      opened();
      if (stream.kind === 'none') {
        if (stream.status === 404 && opens > 0) this.#link.forgotten();
        return;
      }
      if (stream.kind === 'open') {
        opens += 1;
        vain = (await this.#read(stream.body, cursor)) ? 0 : vain;
      }
      await this.#link.pause(retryAfter(cursor, vain));
      vain += 1;
    }
  }

  get #wanted(): boolean {
    return !this.#link.over && !this.#stop.signal.aborted;
  }

  /** True where anything came. */
  async #read(body: HttpAnswer['body'], cursor: Cursor): Promise<boolean> {
    let events = 0;
    try {
      await readEvents(body, cursor, (event) => {
        events += 1;
        return takeMessage(this.#link, event);
      });
    } catch (error) {
      if (this.#wanted) this.#link.log.debug({ error: String(error) }, "the server's stream broke");
    }
    return events > 0;
  }
}
