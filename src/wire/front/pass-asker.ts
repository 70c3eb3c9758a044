import type { Logger } from '../../domain/ports.js';
import { readClientMessage, readServerMessage } from '../message.js';
import type { Relay } from '../relay.js';
import { record } from '../relay-peers.js';
import { type HttpAnswer, HttpFailure } from '../remote/http.js';
import { asOneLine } from './body.js';
import { messagesOf } from './frames.js';
import { isEvents, whole } from './http-answer.js';
import type { Heads } from './pass-book.js';
import type { PassUp } from './pass-up.js';

/** Headers that say something of one request alone. */
const OF_ONE_REQUEST = /^(?:mcp-name|mcp-param-.*|last-event-id|trace.*)$/;

export interface PassAskerDeps {
  readonly log: Logger;
  readonly up: PassUp;
  readonly relay: () => Relay;
  readonly heard: (answer: HttpAnswer) => void;
}

/** The proxy's own requests to an upstream: for its tools, with the head of the client's request that needs them. */
export class PassAsker {
  readonly #deps: PassAskerDeps;
  #newest: Heads = {};
  #listing: Heads = {};

  constructor(deps: PassAskerDeps) {
    this.#deps = deps;
  }

  /** A client's request came; what the relay asks in the same turn of the event loop it asks for that one. */
  cameWith(heads: Heads): void {
    this.#newest = heads;
  }

  async ask(line: Buffer): Promise<void> {
    const { up, heard, log, relay } = this.#deps;
    const message = readClientMessage(line);
    if (message.kind !== 'request') return;
    // The pages of a list belong together: none is read under another client's login.
    if (record(message.params)['cursor'] === undefined) this.#listing = this.#newest;
    const heads = Object.fromEntries(Object.entries(this.#listing).filter(([name]) => !OF_ONE_REQUEST.test(name)));
    const method = heads['mcp-method'] === undefined ? {} : { 'mcp-method': ['tools/list'] };
    const take = (text: Buffer): void => {
      const kind = readServerMessage(text);
      if (kind.kind === 'response' && kind.idKey === message.idKey) void relay().fromServer(text);
    };
    try {
      const response = await up.post(line, { ...heads, ...method });
      heard(response);
      if (isEvents(response)) for await (const text of messagesOf(response)) take(text);
      else take(asOneLine(await whole(response)));
    } catch (error) {
      log.warn(
        { error: error instanceof HttpFailure ? error.message : 'connection lost' },
        'the tools of the downstream could not be listed',
      );
    }
    relay().unanswered({ idKey: message.idKey, why: 'The list was not answered.', sent: true });
  }
}
