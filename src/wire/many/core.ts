import { randomBytes } from 'node:crypto';
import type { Logger } from '../../domain/ports.js';
import type { RequestMessage } from '../message.js';
import { refusal } from '../message.js';
import { CONNECTION_CLOSED } from '../relay-messages.js';
import type { Link, Reply } from './link.js';

export const INVALID_PARAMS = -32602;
export const INTERNAL_ERROR = -32603;

/** What all parts of the multiplexer share: the servers in the order of the config, and the way to the client. */
export interface Core {
  readonly links: readonly Link[];
  readonly log: Logger;
  readonly out: (line: Buffer) => void;
}

/** The line for the client where a server gave this reply to its request. */
export function lineOf(request: RequestMessage, reply: Reply): Buffer {
  if (reply.kind === 'response') return reply.response.raw;
  return refusal(request.idText, CONNECTION_CLOSED, goneText(reply));
}

function goneText({ sent, why }: Reply & { kind: 'gone' }): string {
  return `${why} The request was ${sent ? 'sent and has no answer' : 'not sent'}.`;
}

/** Text for an id or a token of the proxy's own that nobody can guess, as JSON. */
export function uniqueJson(): string {
  return `"zerto-${randomBytes(16).toString('hex')}"`;
}
