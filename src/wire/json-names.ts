import { quote } from '../domain/text.js';
import { hasLoneSurrogate } from './json-id.js';

const RESERVED: Readonly<Record<Place, ReadonlySet<string>>> = {
  message: new Set(['jsonrpc', 'id', 'method', 'params']),
  params: new Set(['name', 'arguments', '_meta', 'task', 'uri']),
  deeper: new Set(),
};
const PLAIN = /^[a-z0-9/.-]+$/;
const DROPPED = /[\s\p{M}\p{C}\p{Default_Ignorable_Code_Point}]+/gu;

/** Where a member stands: of the message itself, of its params, or anywhere below. */
type Place = 'message' | 'params' | 'deeper';

/** Why some reader could take the name for another one; undefined for a name that all read alike. */
export function objectionToName(name: string, place: Place): string | undefined {
  if (PLAIN.test(name)) return undefined;
  if (hasLoneSurrogate(name)) return `the name ${quote(name, 40)} is no valid Unicode`;
  if (place === 'deeper' || RESERVED[place].has(name)) return undefined;
  const folded = fold(name);
  if (RESERVED[place].has(folded)) return `the member ${quote(name, 40)} could be read as "${folded}"`;
  // Object.assign and spread turn it into the prototype, whose members then seem to be there.
  return name === '__proto__' ? 'the member "__proto__" could be read as a prototype' : undefined;
}

/** True for a method that folds or trims to `tools/call` but is not exactly that. */
export function resemblesToolsCall(method: string): boolean {
  return method !== 'tools/call' && !PLAIN.test(method) && fold(method) === 'tools/call';
}

/**
 * NFKC and case folding, and what a reader may drop: whitespace, marks, control and invisible characters, all after a NUL.
 * Go compares names without case (also ſ and the Kelvin sign), Java takes İ for i, C stops at NUL.
 */
function fold(name: string): string {
  const [first = ''] = name.split('\0', 1);
  return first.normalize('NFKD').replace(DROPPED, '').toUpperCase().toLowerCase();
}
