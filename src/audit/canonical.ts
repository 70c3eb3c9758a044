/**
 * Canonical JSON (RFC 8785) for the records that are written, several times as fast as a general implementation. `verify`
 * reads with the general one: neither can hide a fault of the other.
 */

/** The members of a plain object whose names pass, in canonical order and form: `"name":value,"other":value`. */
export function canonicalMembers(object: object, passes: (name: string) => boolean = () => true): string {
  const members = object as Readonly<Record<string, unknown>>;
  let out = '';
  for (const name of Object.keys(object).filter(passes).sort()) {
    const value = members[name];
    if (value !== undefined) out += `${out === '' ? '' : ','}${textOf(name)}:${textOf(value)}`;
  }
  return out;
}

/** Throws on what JSON cannot carry. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return quoted(value);
  if (Array.isArray(value)) return `[${value.map(textOf).join(',')}]`;
  if (typeof value === 'object' && value !== null) return `{${canonicalMembers(value)}}`;
  if (value === null || typeof value === 'boolean' || Number.isFinite(value)) return JSON.stringify(value);
  throw new TypeError('not a JSON value');
}

function quoted(text: string): string {
  if (/[\ud800-\udfff]/.test(text) && /\p{Surrogate}/u.test(text)) throw new TypeError('a lone surrogate');
  return JSON.stringify(text);
}
