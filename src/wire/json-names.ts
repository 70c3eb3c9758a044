const TOP = ['jsonrpc', 'id', 'method', 'params'];
const IN_PARAMS = ['name', 'arguments', '_meta', 'task', 'uri'];
const RESERVED: readonly ReadonlySet<string>[] = [new Set(TOP), new Set(IN_PARAMS)];
const PLAIN = /^[a-z0-9_/.-]+$/;
const UNSEEN = /[\s\p{M}\p{C}\p{Default_Ignorable_Code_Point}]+/gu;

/** Where a member stands: of the message itself, or of its params. */
export type Place = 'message' | 'params';

/**
 * The reserved name that some reader could take `name` for although it is not spelled so. Go compares names without case (also
 * ſ and K), Java takes İ for i, C stops at NUL.
 */
export function reservedLookalike(name: string, place: Place): string | undefined {
  if (PLAIN.test(name)) return undefined;
  const folded = fold(name);
  return RESERVED[place === 'message' ? 0 : 1]?.has(folded) ? folded : undefined;
}

/** True for a method that folds or trims to `tools/call` but is not exactly that. */
export function resemblesToolsCall(method: string): boolean {
  return method !== 'tools/call' && !PLAIN.test(method) && fold(method) === 'tools/call';
}

/** NFKC and case folding, and what a reader may drop: whitespace, marks, control and invisible characters, all after a NUL. */
function fold(name: string): string {
  const [first = ''] = name.split('\0', 1);
  return first.normalize('NFKD').replace(UNSEEN, '').toUpperCase().toLowerCase();
}
