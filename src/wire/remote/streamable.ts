import type { NotificationMessage, RequestMessage, ResponseMessage } from '../message.js';
import { record } from '../relay-peers.js';
import { versionOf } from '../stateless-request.js';
import { discard, kindOf, readAll, refusalIn } from './answers.js';
import { type Cursor, lastEventId, readEvents } from './events.js';
import { isHeaderSafe } from './header-values.js';
import type { HttpAnswer, HttpHeaders, Post } from './http.js';
import type { Link } from './link.js';
import { ACCEPTED_MS, Listener, openStream, retryAfter, takeMessage } from './listener.js';
import { ParamHeaders } from './param-headers.js';
import type { InFlight } from './requests.js';
import { statelessHeaders } from './stateless.js';
import { statusText } from './status-text.js';
import type { Outgoing, Transport } from './transport.js';

/** A lost stream is taken up again this many times in a row without success. */
const RESUME_ATTEMPTS = 5;
const GOODBYE_MS = 700;
/** A server that does not acknowledge initialized must not hold up the session for ever. */
const INITIALIZED_MS = 10_000;
const ACCEPT = 'application/json, text/event-stream';
/** By these a server that knows only the older transport turns down the first request. */
const NOT_HERE: readonly number[] = [400, 404, 405];

export interface StreamableOptions {
  readonly server: string;
  /** Tries the older transport with this request; false where the server does not speak it. */
  readonly older?: ((entry: InFlight) => Promise<boolean>) | undefined;
}

/**
 * Streamable HTTP in both its shapes: with a session (revisions up to 2025-11-25) and without (2026-07-28), by what each request
 * says of itself. Each message is a POST of exactly the client's bytes, sent once.
 */
export class Streamable implements Transport {
  readonly #link: Link;
  readonly #options: StreamableOptions;
  readonly #mirrored: ParamHeaders;
  #session: string | undefined;
  #version: string | undefined;
  #statelessVersion: string | undefined;
  #listener: Listener | undefined;
  #spoken = false;

  constructor(link: Link, options: StreamableOptions) {
    this.#link = link;
    this.#options = options;
    this.#mirrored = new ParamHeaders(link.log);
  }

  send(message: Outgoing): Promise<void> {
    switch (message.kind) {
      case 'request':
        return this.#request(message);
      case 'notification':
        return this.#notification(message);
      case 'response':
        return this.#tell(message, this.#ofSession());
    }
  }

  async close(): Promise<void> {
    this.#listener?.close();
    if (this.#session === undefined) return;
    const deleted = this.#link.http.delete(this.#ofSession()).then(({ body }) => discard(body));
    await Promise.race([deleted.catch(() => undefined), pauseOf(GOODBYE_MS)]);
  }

  async #request(request: RequestMessage): Promise<void> {
    const version = versionOf(request);
    const headers = version === undefined ? this.#ofSession() : statelessHeaders(request, version, this.#mirrored);
    const entry = this.#link.requests.add(request, version !== undefined, this.#learner(request, version));
    if (headers === undefined) {
      this.#link.giveUp(entry, 'What the request says of itself cannot stand in a header.', false);
      return;
    }
    if (request.method === 'initialize') this.#forget();
    // A call is never sent twice, so it does not find out which transport the server speaks.
    const probes = !this.#spoken && request.method !== 'tools/call' && this.#options.older !== undefined;
    this.#spoken = true;
    const post = this.#link.http.post(request.raw, { accept: ACCEPT, ...headers }, entry.abort.signal);
    const decided = this.#exchange(entry, post, probes);
    if (request.method === 'initialize') await entry.over;
    else await (probes ? decided : post.left);
  }

  /** What is learned from an answer before the client sees it. */
  #learner(request: RequestMessage, version: string | undefined): ((answer: ResponseMessage) => void) | undefined {
    if (version !== undefined) {
      this.#statelessVersion = version;
      return request.method === 'tools/list' ? ({ result }) => this.#mirrored.learn(result) : undefined;
    }
    if (request.method !== 'initialize') return undefined;
    return ({ result }) => {
      const negotiated = record(result)['protocolVersion'];
      if (typeof negotiated === 'string' && isHeaderSafe(negotiated)) this.#version = negotiated;
    };
  }

  /** Resolves when it is settled which transport is spoken; the answer may come later. */
  #exchange(entry: InFlight, post: Post, probes: boolean): Promise<void> {
    return new Promise((decided) => {
      const run = async (): Promise<void> => {
        const answer = await post.answer;
        this.#link.reached = true;
        if (entry.request.method === 'initialize' && answer.status < 300) this.#session = sessionOf(answer);
        if (!probes || !NOT_HERE.includes(answer.status)) decided();
        await this.#take(entry, answer, probes);
      };
      void run()
        .catch((error: unknown) => this.#link.failed(entry, error))
        .finally(decided);
    });
  }

  async #take(entry: InFlight, answer: HttpAnswer, probes: boolean): Promise<void> {
    const link = this.#link;
    switch (kindOf(answer)) {
      case 'events':
        return this.#events(entry, answer);
      case 'json':
        if (!link.outlet.deliver(await readAll(answer.body), entry)) this.#giveUp(entry, 'with a body that is no JSON');
        else if (entry.open) this.#giveUp(entry, 'with a message that is no answer to the request');
        return;
      case 'none':
      case 'other':
        await discard(answer.body);
        return this.#giveUp(entry, `without a message (HTTP ${answer.status})`);
      case 'refused':
        return this.#refused(entry, answer, probes);
    }
  }

  #giveUp(entry: InFlight, how: string): void {
    this.#link.giveUp(entry, `${this.#link.who} answered ${how}.`, true);
  }

  async #refused(entry: InFlight, answer: HttpAnswer, probes: boolean): Promise<void> {
    const link = this.#link;
    const error = await refusalIn(answer);
    if (answer.status === 404 && this.#session !== undefined && !entry.stateless) return link.forgotten(entry);
    if (error !== undefined && link.outlet.deliver(error, entry) && !entry.open) return;
    const older = probes && NOT_HERE.includes(answer.status) ? this.#options.older : undefined;
    if (older !== undefined && (await older(entry))) return;
    const { server } = this.#options;
    const { turnedDown, text } = statusText(answer, { who: link.who, server, ownHeaders: link.http.ownHeaders });
    if (turnedDown) link.refuse(entry, text);
    else link.giveUp(entry, text, true);
  }

  async #events(entry: InFlight, { body }: HttpAnswer): Promise<void> {
    const cursor: Cursor = {};
    await this.#read(entry, body, cursor);
    if (entry.open && lastEventId(cursor) !== undefined && !entry.stateless) await this.#resume(entry, cursor);
    if (entry.open && !this.#link.over) this.#giveUp(entry, 'by a stream that ended before the answer');
  }

  async #read(entry: InFlight, body: AsyncIterable<Buffer>, cursor: Cursor): Promise<void> {
    try {
      await readEvents(body, cursor, (event) => takeMessage(this.#link, event, entry));
    } catch (error) {
      if (entry.open) this.#link.log.debug({ error: String(error) }, 'the stream of an answer broke');
    }
  }

  /** Takes up a stream where it ended, by what the server still has of it. The request itself is not sent again. */
  async #resume(entry: InFlight, cursor: Cursor): Promise<void> {
    for (let vain = 0; vain < RESUME_ATTEMPTS; vain += 1) {
      await this.#link.pause(retryAfter(cursor, vain));
      if (!entry.open || entry.cancelled || this.#link.over) return;
      const stream = await openStream(this.#link, this.#ofStream(cursor), entry.abort.signal);
      if (stream.kind === 'none') {
        if (stream.status === 404 && this.#session !== undefined) this.#link.forgotten();
        return;
      }
      if (stream.kind === 'open') {
        vain = -1;
        await this.#read(entry, stream.body, cursor);
      }
    }
  }

  async #notification(notification: NotificationMessage): Promise<void> {
    if (notification.method === 'notifications/cancelled' && this.#cancelled(notification)) return;
    const stateless = this.#version === undefined ? this.#statelessVersion : undefined;
    const headers =
      stateless === undefined ? this.#ofSession() : statelessHeaders(notification, stateless, this.#mirrored);
    await this.#tell(notification, headers ?? {});
    if (notification.method !== 'notifications/initialized' || this.#link.over) return;
    this.#listener?.close();
    this.#listener = new Listener(this.#link, (cursor) => this.#ofStream(cursor));
    await this.#listener.open();
  }

  /** True where the end of the response stream says it, and no message does. */
  #cancelled({ params }: NotificationMessage): boolean {
    const entry = this.#link.requests.find(record(params)['requestId']);
    if (entry === undefined) return this.#version === undefined;
    this.#link.requests.takenBack(entry);
    if (!entry.stateless) return false;
    this.#link.requests.drop(entry);
    entry.abort.abort();
    return true;
  }

  /** A message that gets no answer. What follows a notification must not overtake it on another connection; for a response it is enough that it left. */
  async #tell(message: NotificationMessage | ResponseMessage, headers: HttpHeaders): Promise<void> {
    const post = this.#link.http.post(message.raw, { accept: ACCEPT, ...headers });
    const what = message.kind === 'notification' ? message.method : 'response';
    const told = post.answer
      .then((answer) => this.#told(what, answer))
      .catch((error: unknown) => {
        if (!this.#link.over) this.#link.log.warn({ what, error: String(error) }, 'a message may not have arrived');
      });
    if (message.kind === 'response') return post.left;
    const patience = what === 'notifications/initialized' ? INITIALIZED_MS : ACCEPTED_MS;
    await Promise.race([told, this.#link.pause(patience)]);
  }

  async #told(what: string, answer: HttpAnswer): Promise<void> {
    this.#link.reached = true;
    if (kindOf(answer) === 'events') {
      const reading = readEvents(answer.body, {}, (event) => takeMessage(this.#link, event));
      reading.catch((error: unknown) => this.#link.log.debug({ error: String(error) }, 'a stream broke'));
      return;
    }
    await discard(answer.body);
    if (answer.status < 300) return;
    if (answer.status === 404 && this.#session !== undefined) return this.#link.forgotten();
    this.#link.log.warn({ what, status: answer.status }, 'the server did not take a message');
  }

  #ofSession(): HttpHeaders {
    return { 'mcp-session-id': this.#session, 'mcp-protocol-version': this.#version };
  }

  #ofStream(cursor: Cursor): HttpHeaders {
    return { accept: 'text/event-stream', ...this.#ofSession(), 'last-event-id': lastEventId(cursor) };
  }

  /** A new initialize begins a new session. */
  #forget(): void {
    this.#listener?.close();
    this.#session = undefined;
    this.#version = undefined;
  }
}

function sessionOf({ headers }: HttpAnswer): string | undefined {
  const session = headers['mcp-session-id'];
  return typeof session === 'string' && session !== '' ? session : undefined;
}

function pauseOf(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
