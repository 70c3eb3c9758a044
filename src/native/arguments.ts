import { distance } from 'fastest-levenshtein';
import type { z } from 'zod';
import { quote, visible } from '../domain/text.js';

/** The arguments of a call as its tool reads them, or what is wrong with them. */
export type Arguments<T> =
  | { readonly kind: 'read'; readonly value: T }
  | { readonly kind: 'wrong'; readonly why: string };

/** Reads arguments strictly: an unknown one is named together with the nearest that exists. */
export function readArguments<T>(
  tool: string,
  schema: z.ZodType<T> & { readonly shape: object },
  raw: unknown,
): Arguments<T> {
  if (typeof raw !== 'object' || raw === null || Array.isArray(raw))
    return { kind: 'wrong', why: `${tool} takes an object of arguments` };
  const names = Object.keys(schema.shape);
  const unknown = Object.keys(raw).find((name) => !names.includes(name));
  if (unknown !== undefined) {
    const near = nearest(unknown, names);
    const hint = near === undefined ? '.' : `; did you mean "${near}"?`;
    return { kind: 'wrong', why: `${tool} has no argument ${quote(unknown, 60)}${hint} It takes: ${names.join(', ')}` };
  }
  const parsed = schema.safeParse(raw);
  if (parsed.success) return { kind: 'read', value: parsed.data };
  const [issue] = parsed.error.issues;
  return {
    kind: 'wrong',
    why: `${tool}: argument ${quote(issue?.path.join('.') ?? '', 60)}: ${visible(issue?.message ?? 'is wrong')}`,
  };
}

/** The known name within three edits, by case-folded distance. */
function nearest(name: string, known: readonly string[]): string | undefined {
  const folded = name.slice(0, 64).toLowerCase();
  const [best] = known
    .map((candidate) => ({ candidate, edits: distance(folded, candidate.toLowerCase()) }))
    .sort((a, b) => a.edits - b.edits);
  return best !== undefined && best.edits <= 3 ? best.candidate : undefined;
}
