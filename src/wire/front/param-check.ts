import { quote } from '../../domain/text.js';
import { mirroredArguments, mirroredValue } from '../param-annotations.js';
import { decoded } from './mirrored.js';
import type { Heads } from './pass-book.js';

const PREFIX = 'mcp-param-';
const DECIMAL = /^-?\d{1,16}(?:\.0+)?$/;

/**
 * How the `Mcp-Param-*` headers of a call differ from its arguments (revision 2026-07-28): each argument that the tool's schema marks
 * needs its header, and has no other; a header whose argument is missing says something that the body does not. Undefined: they agree.
 */
export function paramMismatch(heads: Heads, args: unknown, inputSchema: unknown): string | undefined {
  for (const argument of mirroredArguments(inputSchema).usable) {
    const difference = differenceOf(argument.header, heads[argument.header] ?? [], mirroredValue(args, argument));
    if (difference !== undefined) return difference;
  }
  return undefined;
}

function differenceOf(header: string, values: readonly string[], value: string | undefined): string | undefined {
  const given = values.length === 1 ? decoded(values[0]) : undefined;
  const agrees = value === undefined ? values.length === 0 : given !== undefined && isSame(given, value);
  if (agrees) return undefined;
  const says = value === undefined ? 'has no such argument' : `says ${quote(value)}`;
  return `Header mismatch: ${header} is ${given === undefined ? 'missing, unreadable or given twice' : quote(given)}, the body ${says}`;
}

/** The head with those `Mcp-Param-*` headers alone that this schema names: nobody has compared others with anything. */
export function onlyCompared(heads: Heads, inputSchema: unknown): Heads {
  const compared = new Set(mirroredArguments(inputSchema).usable.map(({ header }) => header));
  const entries = Object.entries(heads).filter(([name]) => !name.startsWith(PREFIX) || compared.has(name));
  return Object.fromEntries(entries);
}

export function withoutParams(heads: Heads): Heads {
  return onlyCompared(heads, undefined);
}

/** Numbers may be written in two ways. */
function isSame(given: string, value: string): boolean {
  return given === value || (DECIMAL.test(value) && DECIMAL.test(given) && Number(given) === Number(value));
}
