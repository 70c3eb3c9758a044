import { METHOD_NOT_FOUND } from '../relay-messages.js';
import { record } from '../relay-peers.js';
import { HEADER_MISMATCH } from './mirrored.js';

const MISSING_CAPABILITY = -32021;
const UNSUPPORTED_VERSION = -32022;

/** The code of a JSON-RPC error; undefined where it has none that can be read. */
export function errorCode(raw: Buffer): unknown {
  try {
    return record(record(JSON.parse(raw.toString('utf8')))['error'])['code'];
  } catch {
    return undefined;
  }
}

/** The HTTP status by which revision 2026-07-28 answers with such an error, where nothing was sent before it. */
export function statusOf(code: unknown): number {
  if (code === METHOD_NOT_FOUND) return 404;
  return code === HEADER_MISMATCH || code === MISSING_CAPABILITY || code === UNSUPPORTED_VERSION ? 400 : 200;
}
