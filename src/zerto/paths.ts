import { ProxyError } from '../domain/errors.js';
import type { DateRange } from './shapes.js';

/** Where a request goes: the path below the base URL, and the same with `{id}` for identifiers, as errors name it. */
export interface Route {
  readonly path: string;
  readonly endpoint: string;
}

/** A route with each identifier as one segment. `..` would climb even when encoded, since URLs are normalised. */
export function route(words: TemplateStringsArray, ...identifiers: readonly string[]): Route {
  return { path: String.raw({ raw: words }, ...identifiers.map(segment)), endpoint: `/${words.join('{id}')}` };
}

/** The query of a range, always with milliseconds and Z: without Z the appliance takes its local time. */
export function dates(range: DateRange): Record<string, string | undefined> {
  return { startDate: range.since?.toISOString(), endDate: range.until?.toISOString() };
}

function segment(identifier: string): string {
  if (/^[.\s]*$/.test(identifier) || identifier.length > 512 || /[\p{Cc}\p{Cs}]/u.test(identifier)) {
    throw new ProxyError('ZVM_REJECTED', 'This is no identifier that a ZVM could know; nothing was sent to it.');
  }
  return encodeURIComponent(identifier);
}
