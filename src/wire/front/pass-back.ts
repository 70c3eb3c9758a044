import { setReceipt } from '../edit.js';
import { LineSplitter } from '../lines.js';
import { type ResponseMessage, readServerMessage, refusal, type ServerMessage } from '../message.js';
import type { Relay } from '../relay.js';
import { IdTable } from '../relay-ids.js';
import { CONNECTION_CLOSED } from '../relay-messages.js';
import { claimsReceipt } from '../relay-server.js';
import type { HttpAnswer } from '../remote/http.js';
import { asOneLine } from './body.js';
import { tokenKey } from './exchange.js';
import { eventIdOf, type Frame, FrameSplitter, isSame, withMessage } from './frames.js';
import { whole } from './http-answer.js';
import { onlyOnce, type PassAnswer, type Slot } from './pass-answer.js';
import type { PassBook, Passing } from './pass-book.js';
import { endStreams, MissedAnswers } from './pass-left.js';
import type { PassUp } from './pass-up.js';
import { asSent, type Named, withOwnId, withOwnToken } from './unique.js';

const LINE_END = Buffer.from('\n');
const NOTHING = Buffer.alloc(0);

/** The way back: what an upstream sends goes through the relay, and then to the very place where it came. */
export class PassBack {
  readonly #book: PassBook;
  readonly #up: PassUp;
  readonly #relay: () => Relay;
  readonly #slots = new WeakMap<Uint8Array, Slot>();
  readonly #slotsById = new IdTable<Slot>();
  readonly #missed = new MissedAnswers();

  constructor(book: PassBook, up: PassUp, relay: () => Relay) {
    this.#book = book;
    this.#up = up;
    this.#relay = relay;
  }

  /** An answer that is no stream. What answers the request goes through the relay; all else is the client's as it came. */
  async message(response: HttpAnswer, passing: Passing): Promise<void> {
    const { answer, named } = passing;
    const { status, headers } = this.#up.head(response, answer.origin);
    const body = await whole(response);
    const line = asSent(asOneLine(body), named);
    const message = readServerMessage(line);
    if (named === undefined) {
      answer.whole(status, headers, body);
      return;
    }
    const answers = message.kind === 'response' && message.idKey === named.sent.idKey;
    // Such as a batch, in which a client may find its answer.
    const forged = !answers && claimsReceipt(body);
    const said = `The MCP server answered with HTTP status ${status}.`;
    // Where the body is no answer to the request, the relay hears that it failed, and the client reads the body itself.
    const given = answers ? line : refusal(named.sent.idText, CONNECTION_CLOSED, said);
    const settle = (out: Uint8Array | undefined): void => {
      this.#book.leave(passing, 'answered', answers ? message : undefined);
      const text = withOwnId(out === undefined || forged ? dropped(named) : Buffer.from(out), named);
      const untouched = (!answers && !forged) || (out !== undefined && isSame(out, line));
      if (untouched) answer.whole(status, headers, body, text);
      else answer.whole(status, headers, text);
    };
    this.#feed(given, { answer, settle });
  }

  /** `of`: the request that the stream answers; `anyone`: no request, and the answers on it could be to anybody's. */
  async events(response: HttpAnswer, answer: PassAnswer, of?: Named | 'anyone'): Promise<void> {
    this.#begin(response, answer);
    const splitter = new FrameSplitter();
    try {
      for await (const chunk of response.body as AsyncIterable<Buffer>) {
        for (const frame of splitter.push(chunk)) this.#frame(frame, answer, of);
        await answer.room();
      }
      for (const frame of splitter.end()) this.#frame(frame, answer, of);
    } finally {
      answer.end();
    }
  }

  /** An answer of messages on lines, which has no end until one side leaves: some servers send subscriptions so. */
  async lines(response: HttpAnswer, answer: PassAnswer, named: Named): Promise<void> {
    this.#begin(response, answer);
    const splitter = new LineSplitter();
    try {
      for await (const chunk of response.body as AsyncIterable<Buffer>) {
        for (const line of splitter.push(chunk)) this.#line(line, LINE_END, answer, named);
        await answer.room();
      }
      const rest = splitter.end();
      if (rest !== undefined) this.#line(rest, NOTHING, answer, named);
    } finally {
      answer.end();
    }
  }

  #begin(response: HttpAnswer, answer: PassAnswer): void {
    const { status, headers } = this.#up.head(response, answer.origin);
    answer.begin(status, headers);
  }

  #line(line: Buffer, end: Buffer, answer: PassAnswer, named: Named): void {
    const raw = Buffer.concat([line, end]);
    const empty = line.toString('latin1').trim() === '';
    this.#frame({ raw, line: empty ? undefined : line }, answer, named, (_raw, out) => Buffer.concat([out, end]));
  }

  #frame({ raw, line }: Frame, answer: PassAnswer, of?: Named | 'anyone', rebuild = withMessage): void {
    const id = eventIdOf(raw);
    if (id !== undefined) answer.note(id);
    if (line === undefined) {
      answer.bytes(raw);
      return;
    }
    const message = readServerMessage(line);
    if (of === 'anyone' && message.kind !== 'request' && message.kind !== 'notification') {
      answer.frame(raw, line, (out) => rebuild(raw, out)).settle(unrelated(message, line));
      return;
    }
    this.#given({ raw, line }, message, answer, of === 'anyone' ? undefined : of, rebuild);
  }

  #given(
    { raw, line }: { readonly raw: Buffer; readonly line: Buffer },
    message: ServerMessage,
    answer: PassAnswer,
    named: Named | undefined,
    rebuild: typeof withMessage,
  ): void {
    const answers = named !== undefined && message.kind === 'response' && message.idKey === named.own.idKey;
    const given = answers ? asSent(line, named) : line;
    const slot = answer.frame(raw, given, (out) => rebuild(raw, answers ? withOwnId(Buffer.from(out), named) : out));
    const idKey = answers ? named.sent.idKey : message.kind === 'response' ? message.idKey : undefined;
    // A resumed stream brings the answers of others.
    const passing = idKey === undefined ? undefined : this.#book.find(idKey);
    const isLate = passing === undefined && idKey !== undefined && named === undefined;
    const missed = isLate ? this.#missed.of(line) : undefined;
    if (missed !== undefined) {
      slot.settle(missed);
      return;
    }
    const settle = (out: Uint8Array | undefined): void => {
      if (passing !== undefined) this.#book.leave(passing, 'answered', message);
      if (passing !== undefined && answer.gone) this.#unread(passing, { line, given }, out);
      slot.settle(out);
    };
    this.#feed(given, { answer, settle });
  }

  /** The answer came after its client had gone: it is recorded, and kept for a client that comes back. */
  #unread(
    passing: Passing,
    came: { readonly line: Buffer; readonly given: Buffer },
    out: Uint8Array | undefined,
  ): void {
    if (out !== undefined && !isSame(out, came.given))
      this.#missed.keep(came.line, passing.named === undefined ? out : withOwnId(Buffer.from(out), passing.named));
    endStreams(passing);
  }

  /** Gives a message to the relay; where that says nothing in its place, nothing is what the client gets. */
  #feed(line: Buffer, slot: Slot): void {
    const message = readServerMessage(line);
    const idKey = message.kind === 'response' ? message.idKey : undefined;
    const once = onlyOnce(slot);
    this.#slots.set(line, once);
    if (idKey !== undefined) this.#slotsById.add(idKey, once);
    void this.#relay().fromServer(line);
    void this.#relay()
      .delivered()
      .then(() => {
        if (idKey !== undefined && this.#slotsById.match(idKey)?.entry === once) this.#slotsById.delete(idKey);
        once.settle(undefined);
      });
  }

  /** What the relay says to the client: in the place where it came, or in the answer that waits for it. */
  toClient(line: Buffer): void {
    const here = this.#slots.get(line);
    if (here !== undefined) {
      here.settle(line);
      return;
    }
    const message = readServerMessage(line);
    if (message.kind === 'response') this.#answer(line, message);
    else this.#said(line, message);
  }

  #answer(line: Buffer, message: ResponseMessage): void {
    const slot = this.#slotsById.match(message.idKey);
    if (slot !== undefined) {
      this.#slotsById.delete(slot.idKey);
      slot.entry.settle(line);
      return;
    }
    const passing = this.#book.find(message.idKey);
    if (passing?.named === undefined) return;
    this.#book.leave(passing, 'answered', message);
    passing.answer.own(withOwnId(message.raw, passing.named));
  }

  /** A message of the proxy's own: about a held call, or a question for which one is held. */
  #said(line: Buffer, message: ServerMessage): void {
    const token = message.kind === 'notification' ? tokenKey(message.params?.['progressToken']) : undefined;
    const told = token === undefined ? undefined : this.#book.byToken(token);
    if (told?.named !== undefined) told.answer.event(withOwnToken(line, told.named));
    else this.#book.newestHeld()?.answer.event(line);
  }
}

/** What passes of a message that belongs to no request known here: all but a receipt that the server made up. */
function unrelated(message: ServerMessage, line: Buffer): Buffer | undefined {
  if (message.kind === 'response') return setReceipt(line, undefined);
  return claimsReceipt(line) ? undefined : line;
}

function dropped({ sent }: Named): Buffer {
  return refusal(
    sent.idText,
    CONNECTION_CLOSED,
    'The answer of the MCP server was dropped: the log of the proxy says why.',
  );
}
