import { rejected } from './failure.js';

/**
 * One object of the wire with its keys in lower case: the Swagger document prints camelCase, the appliance sends PascalCase,
 * and links are in lower case.
 */
export type Wire = ReadonlyMap<string, unknown>;

/** What is missing or of the wrong kind; becomes ZVM_REJECTED with the endpoint's name in `readAnswer`. */
class BadShape extends Error {}

/** Parses an answer's text and reads it. Rejects with ZVM_REJECTED that names the endpoint and what was not understood. */
export function readAnswer<T>(
  site: string,
  endpoint: string,
  status: number,
  text: string,
  read: (value: unknown) => T,
): T {
  try {
    return read(JSON.parse(text.replace(/^\uFEFF/, '')));
  } catch (error) {
    const why = error instanceof BadShape ? error.message : 'it is not JSON';
    throw rejected(site, endpoint, `answered in a form that is not understood: ${why}`, { status });
  }
}

/** The appliance's own words in an error body: `Message` of the API, `error_description` of the login service. */
export function messageOf(text: string): string | undefined {
  try {
    const wire = asWire(JSON.parse(text.replace(/^\uFEFF/, '')), 'error');
    for (const key of ['message', 'error_description', 'error', 'title', 'faultstring']) {
      const words = wire.get(key);
      if (typeof words === 'string' && words.trim() !== '') return words.trim();
    }
  } catch {
    // An HTML page or an empty body says nothing that belongs into an error.
  }
  return undefined;
}

export function asWire(value: unknown, what: string): Wire {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw new BadShape(`${what} is no object`);
  return new Map(Object.entries(value).map(([key, member]) => [key.toLowerCase(), member]));
}

/** A list of objects; null counts as empty. */
export function asList<T>(value: unknown, what: string, read: (wire: Wire) => T): T[] {
  if (value === null) return [];
  if (!Array.isArray(value)) throw new BadShape(`${what} is no list`);
  return value.map((item) => read(asWire(item, `an entry of ${what}`)));
}

/** Text, or a number as its decimal text (identifiers of checkpoints). Empty text is refused. */
export function asText(value: unknown, what: string): string {
  const text = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== 'string' || text === '') throw new BadShape(`${what} is missing or no text`);
  return text;
}

export function text(wire: Wire, key: string): string {
  return asText(wire.get(key.toLowerCase()), key);
}

/** Absent for null, a missing member and empty text. */
export function optionalText(wire: Wire, key: string): string | undefined {
  const value = wire.get(key.toLowerCase()) ?? '';
  return value === '' ? undefined : asText(value, key);
}

/** A whole number, also written as text; absent for anything else, which callers treat as unknown. */
export function integer(wire: Wire, key: string): number | undefined {
  const value = wire.get(key.toLowerCase());
  const number = typeof value === 'string' && /^-?\d{1,15}$/.test(value.trim()) ? Number(value) : value;
  return typeof number === 'number' && Number.isSafeInteger(number) ? number : undefined;
}

export function flag(wire: Wire, key: string): boolean | undefined {
  const value = wire.get(key.toLowerCase());
  return typeof value === 'boolean' ? value : undefined;
}

/** A member that is an object, or absent. */
export function child(wire: Wire, key: string): Wire | undefined {
  const value = wire.get(key.toLowerCase());
  return value === undefined || value === null ? undefined : asWire(value, key);
}

export function children<T>(wire: Wire | undefined, key: string, read: (wire: Wire) => T): T[] {
  return asList(wire?.get(key.toLowerCase()) ?? null, key, read);
}

export function texts(wire: Wire | undefined, key: string): string[] {
  const value = wire?.get(key.toLowerCase()) ?? [];
  if (!Array.isArray(value)) throw new BadShape(`${key} is no list`);
  return value.filter((item): item is string => typeof item === 'string' && item !== '');
}

/** The first identifier that is there: a top-level member, or one inside a link. */
export function firstText(what: string, ...candidates: readonly (string | undefined)[]): string {
  const found = candidates.find((candidate) => candidate !== undefined && candidate !== '');
  return asText(found, what);
}

/** A link's `identifier`, else the last segment of its `href`. Not for VMs, whose `identifier` carries a query. */
export function linkId(wire: Wire, key: string): string | undefined {
  const link = child(wire, key);
  return link === undefined ? undefined : (optionalText(link, 'identifier') ?? hrefId(link));
}

/** The last path segment of a link's `href`, decoded and without the query. */
export function hrefId(link: Wire): string | undefined {
  const path = optionalText(link, 'href')?.split(/[?#]/)[0] ?? '';
  const segment = path.split('/').at(-1) ?? '';
  try {
    return segment === '' ? undefined : decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** ISO 8601 in UTC, without an empty fraction (`2026-11-30T00:46:07Z`). */
export function date(wire: Wire, key: string): string {
  return asDate(wire.get(key.toLowerCase()), key);
}

export function optionalDate(wire: Wire, key: string): string | undefined {
  const value = wire.get(key.toLowerCase()) ?? '';
  return value === '' ? undefined : asDate(value, key);
}

/** Reads ISO 8601 and `/Date(ms)/`. A time without zone is UTC: local time would move by hours with the reader's machine. */
export function asDate(value: unknown, what: string): string {
  const millis = typeof value === 'string' ? parseDate(value.trim()) : Number.NaN;
  if (!Number.isFinite(millis) || Math.abs(millis) > MAX_DATE) throw new BadShape(`${what} is no date`);
  return new Date(millis).toISOString().replace('.000Z', 'Z');
}

// Years 0000 to 9999: outside, toISOString writes a sign and six digits.
const MAX_DATE = 253_402_300_799_999;
const ISO = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:?\d\d)?$/i;
const MS_DATE = /^\/Date\((-?\d{1,15})([+-]\d{4})?\)\/$/;

function parseDate(text: string): number {
  const millis = MS_DATE.exec(text)?.[1];
  if (millis !== undefined) return Number(millis);
  const iso = ISO.exec(text);
  if (iso === null) return Number.NaN;
  return Date.parse(iso[3] === undefined ? `${text}Z` : text);
}
