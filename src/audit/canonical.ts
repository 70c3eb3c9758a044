/**
 * Canonical JSON (RFC 8785) for the records that are written, several times as fast as a general implementation. `verify`
 * reads with the general one: neither can hide a fault of the other.
 */

/** The names of an object's members in canonical order: by UTF-16 units. */
export function canonicalNames(object: object): readonly string[] {
  const names = Object.keys(object);
  return names.every((name, index) => index === 0 || (names[index - 1] ?? '') < name) ? names : names.sort();
}

/** These members of a plain object, in this order and canonical form: `"name":value,"other":value`. */
export function canonicalMembers(object: object, names: readonly string[] = canonicalNames(object)): string {
  const members = object as Readonly<Record<string, unknown>>;
  let out = '';
  for (const name of names) {
    const value = members[name];
    if (value === undefined) continue;
    if (out !== '') out += ',';
    out += `${quoted(name)}:${textOf(value)}`;
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

/** Nothing in it needs an escape. */
const PLAIN = /^[\x20\x21\x23-\x5b\x5d-\x7e]*$/;

function quoted(text: string): string {
  if (PLAIN.test(text)) return `"${text}"`;
  if (/[\ud800-\udfff]/.test(text) && /\p{Surrogate}/u.test(text)) throw new TypeError('a lone surrogate');
  return JSON.stringify(text);
}
