import { discard, kindOf, refusalIn } from './answers.js';
import { type Cursor, readEvents, type ServerSentEvent } from './events.js';
import { type HttpAnswer, HttpFailure } from './http.js';
import type { Link } from './link.js';
import { ACCEPTED_MS, takeMessage } from './listener.js';
import type { InFlight } from './requests.js';
import { statusText } from './status-text.js';
import type { Outgoing, Transport } from './transport.js';

/** A server that does not say at once where to post speaks something else. */
const ENDPOINT_MS = 10_000;

/** Where messages go, or why nobody says it. */
type Opened = { readonly kind: 'open'; readonly endpoint: URL } | { readonly kind: 'failed'; readonly error: unknown };

/** The transport of revision 2024-11-05: all messages of the server come on one GET stream, which first says where to post. */
export class HttpSse implements Transport {
  readonly #link: Link;
  readonly #server: string;
  readonly #stop = new AbortController();
  #opening: Promise<Opened> | undefined;

  constructor(link: Link, server: string) {
    this.#link = link;
    this.#server = server;
  }

  /** Opens the stream; once. */
  open(): Promise<Opened> {
    this.#opening ??= this.#open();
    return this.#opening;
  }

  async send(message: Outgoing): Promise<void> {
    const entry = message.kind === 'request' ? this.#link.requests.add(message, false) : undefined;
    await this.resend(message, entry);
  }

  /** Sends a request that is in flight already: another transport was tried with it first, and turned down. */
  async resend(message: Outgoing, entry: InFlight | undefined): Promise<void> {
    const opened = await this.open();
    if (opened.kind === 'failed') {
      if (entry !== undefined) this.#link.failed(entry, opened.error);
      return;
    }
    const cancelled = message.kind === 'notification' && message.method === 'notifications/cancelled';
    const found = cancelled ? this.#link.requests.find(message.params?.['requestId']) : undefined;
    if (found !== undefined) this.#link.requests.takenBack(found);
    const { left, taken } = this.#post(opened.endpoint, message, entry);
    if (message.kind === 'notification') await Promise.race([taken, this.#link.pause(ACCEPTED_MS)]);
    else await (message.kind === 'request' && message.method === 'initialize' ? entry?.over : left);
  }

  async close(): Promise<void> {
    this.#stop.abort();
  }

  #post(
    endpoint: URL,
    message: Outgoing,
    entry: InFlight | undefined,
  ): { readonly left: Promise<void>; readonly taken: Promise<void> } {
    const link = this.#link;
    const { left, answer } = link.http.post(message.raw, { accept: 'application/json' }, undefined, endpoint);
    const taken = answer
      .then((came) => this.#answered(came, entry))
      .catch((error: unknown) => {
        if (entry !== undefined) link.failed(entry, error);
        else link.log.warn({ error: String(error) }, 'a message may not have arrived');
      });
    return { left, taken };
  }

  async #answered(answer: HttpAnswer, entry: InFlight | undefined): Promise<void> {
    const link = this.#link;
    if (kindOf(answer) !== 'refused') return discard(answer.body);
    const error = await refusalIn(answer);
    if (entry === undefined) {
      link.log.warn({ status: answer.status }, 'the server did not take a message');
      return;
    }
    if (error !== undefined && link.outlet.deliver(error, entry) && !entry.open) return;
    const { ownHeaders } = link.http;
    const { turnedDown, text } = statusText(answer, { who: link.who, server: this.#server, ownHeaders });
    if (turnedDown) link.refuse(entry, text);
    else link.giveUp(entry, text, true);
  }

  async #open(): Promise<Opened> {
    const link = this.#link;
    try {
      const answer = await link.http.get({ accept: 'text/event-stream' }, this.#stop.signal);
      link.reached = true;
      if (kindOf(answer) !== 'events') {
        await discard(answer.body);
        return failed(`HTTP ${answer.status}`);
      }
      return await new Promise<Opened>((resolve) => {
        void this.#read(answer.body, resolve);
        void link.pause(ENDPOINT_MS).then(() => resolve(failed('no endpoint event')));
      });
    } catch (error) {
      return { kind: 'failed', error: new HttpFailure(false, error instanceof HttpFailure ? error.cause : error) };
    }
  }

  async #read(body: AsyncIterable<Buffer>, opened: (opened: Opened) => void): Promise<void> {
    const cursor: Cursor = {};
    let said = false;
    const take = (event: ServerSentEvent): Promise<void> | undefined => {
      if (event.event !== 'endpoint') return takeMessage(this.#link, event);
      if (said) return undefined;
      said = true;
      const endpoint = this.#link.http.resolve(event.data.toString('utf8').trim());
      opened(endpoint === undefined ? failed('an endpoint on another host') : { kind: 'open', endpoint });
      return undefined;
    };
    try {
      await readEvents(body, cursor, take);
    } catch (error) {
      this.#link.log.debug({ error: String(error) }, "the server's stream broke");
    }
    opened(failed('the stream ended'));
    // Nothing can be taken up again in this transport, and no answer can come any more.
    if (said && !this.#stop.signal.aborted) this.#link.end(`${this.#link.who} ended the stream of the session.`);
  }
}

function failed(why: string): Opened {
  return { kind: 'failed', error: new HttpFailure(false, { code: why }) };
}
