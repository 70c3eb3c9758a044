/** What is known of the object that an expression gives. */
export type Kind = 'text' | 'data' | 'block' | 'table' | Own | 'other';
/** An object that the text made itself, by what its methods are. */
export type Own = 'list' | 'queue' | 'builder' | 'watch' | 'object' | 'socket';

/**
 * The value of an expression. `literals`: all its strings, where they are known. `prefix`: what a single string surely starts with.
 * `plain`: there is no code in it but what was judged. `one`: it is a single word for a program.
 */
export interface Value {
  readonly text: string;
  readonly literals: readonly string[] | undefined;
  readonly prefix: string;
  readonly plain: boolean;
  readonly kind: Kind;
  readonly one: boolean;
  /** The literal entries of a hash table, its keys in lower case. */
  readonly entries?: ReadonlyMap<string, Value> | undefined;
}

export function literalValue(text: string, literal: string): Value {
  return { text, literals: [literal], prefix: literal, plain: true, kind: 'text', one: true };
}

/** Text that only the target knows, after `prefix`. */
export function textValue(text: string, prefix = ''): Value {
  return { text, literals: undefined, prefix, plain: true, kind: 'text', one: true };
}

/** Objects that hold no code: numbers, truth values, and collections of them. */
export function dataValue(text: string): Value {
  return { text, literals: undefined, prefix: '', plain: true, kind: 'data', one: false };
}

export function otherValue(text: string): Value {
  return { text, literals: undefined, prefix: '', plain: false, kind: 'other', one: false };
}

export function blockValue(text: string): Value {
  return { text, literals: undefined, prefix: '', plain: true, kind: 'block', one: true };
}

/** An object that this text made itself, so that changing it changes nothing else. */
export function ownValue(text: string, kind: Own): Value {
  return { text, literals: undefined, prefix: '', plain: false, kind, one: false };
}

/** Several values as one list. */
export function listValue(text: string, items: readonly Value[]): Value {
  const literals = items.flatMap((item) => item.literals ?? []);
  const known = items.every((item) => item.literals !== undefined);
  const plain = items.every((item) => item.plain);
  const kind: Kind = plain ? 'data' : 'other';
  return { text, literals: known ? literals : undefined, prefix: '', plain, kind, one: false };
}
