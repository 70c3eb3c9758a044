import type { Writable } from 'node:stream';
import type { Logger } from '../../domain/ports.js';
import { setMember } from '../edit.js';
import { readServerMessage, type ServerMessage } from '../message.js';
import { LineWriter } from '../pipe.js';
import { latin1, MAX_TEXT, readContainer, skipSpace } from '../scan.js';
import { oneLine } from './one-line.js';
import type { InFlight, Requests } from './requests.js';

/** Where every message of the server goes, whichever stream it came on: one line each, in the order in which they came. */
export class Outlet {
  readonly #writer: LineWriter;
  readonly #requests: Requests;
  readonly #log: Logger;

  constructor(output: Writable, requests: Requests, log: Logger) {
    this.#writer = new LineWriter(output);
    this.#requests = requests;
    this.#log = log;
  }

  /**
   * One message, as it came; `from` is the request on whose answer it came, whose id an error without one gets. False where the
   * text is no JSON: it is dropped and logged.
   */
  deliver(raw: Buffer, from?: InFlight): boolean {
    const line = oneLine(raw);
    const message = line && readServerMessage(line);
    if (line === undefined || message === undefined || message.kind === 'junk' || message.kind === 'empty') {
      this.#log.warn({ bytes: raw.length }, 'what the server sent is no JSON: dropped');
      return false;
    }
    if (from?.open === true && isErrorWithoutId(message)) {
      return this.deliver(setMember(line, [], 'id', from.request.idText));
    }
    this.#note(message);
    this.#writer.write(line);
    return true;
  }

  /** A line of the proxy's own. */
  write(line: Buffer): void {
    this.#writer.write(line);
  }

  /** Resolves when the reader keeps up; undefined where it does now. */
  room(): Promise<void> | undefined {
    return this.#writer.ready();
  }

  #note(message: ServerMessage): void {
    if (message.kind === 'response') this.#requests.answered(message);
    if (message.kind !== 'other' || message.raw.length > MAX_TEXT) return;
    const text = latin1(message.raw);
    const start = skipSpace(text, 0);
    const batch = text[start] === '[' ? readContainer(text, start)?.items : undefined;
    for (const { valueStart, end } of batch ?? []) {
      const each = readServerMessage(message.raw.subarray(valueStart, end));
      if (each.kind === 'response') this.#requests.answered(each);
    }
  }
}

/** A refusal of what could not be read far enough to know its id, or of the whole HTTP request. */
function isErrorWithoutId(message: ServerMessage): boolean {
  return message.kind === 'response' && message.isError && message.idKey === 'null';
}
