import type { IncomingMessage } from 'node:http';
import { latin1, stringEnd } from '../scan.js';
import type { Lease } from './budget.js';

/** `gone`: the client left before its message was whole. `no room`: too much of others is held now. */
export type Body =
  | { readonly kind: 'whole'; readonly bytes: Buffer }
  | { readonly kind: 'too large' }
  | { readonly kind: 'no room' }
  | { readonly kind: 'gone' };

/** Reads a body of at most `limit` bytes. One that says or turns out to be longer is not read on. */
export async function readBody(request: IncomingMessage, limit: number, lease: Lease): Promise<Body> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return { kind: 'too large' };
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      size += chunk.length;
      if (size > limit) return { kind: 'too large' };
      if (!lease.add(chunk.length)) return { kind: 'no room' };
      chunks.push(chunk);
    }
  } catch {
    return { kind: 'gone' };
  }
  const [only] = chunks;
  return { kind: 'whole', bytes: only !== undefined && chunks.length === 1 ? only : Buffer.concat(chunks) };
}

const LF = 0x0a;
const CR = 0x0d;
const SPACE = 0x20;

/**
 * A body as one line: line ends (LF, CR LF) between the tokens become spaces, since a downstream on stdio reads lines. Every
 * other byte stays, also a CR alone and a line end inside a string, for which the message will be refused.
 */
export function asOneLine(body: Buffer): Buffer {
  if (!body.includes(LF)) return body;
  const text = latin1(body);
  const line = Buffer.from(body);
  for (let at = 0; at < text.length; ) {
    const code = text.charCodeAt(at);
    if (code === 0x22) {
      const end = stringEnd(text, at);
      if (end < 0) return body;
      at = end;
      continue;
    }
    if (code === LF) line[at] = SPACE;
    if (code === CR && text.charCodeAt(at + 1) === LF) line[at] = SPACE;
    at += 1;
  }
  return line;
}
