/** Line ends that one reader of YAML knows and another takes for text, and signs that cannot be seen. */
export const HIDDEN_IN_YAML = /[^\P{Cc}\t\n\r]|[\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Co}]|\r(?!\n)/u;

/**
 * Whether a YAML text is nested deeper than `most`; `lex` cuts it into tokens. Told before parsing, by signs alone: a parser at the end of
 * its stack takes the whole process with it.
 */
export function isNestedDeep(text: string, most: number, lex: (text: string) => Iterable<string>): boolean {
  if (new RegExp(`^[ \\t?:-]{${3 * most}}`, 'm').test(text)) return true;
  let open = 0;
  for (const token of lex(text)) {
    if (token === '[' || token === '{') open += 1;
    if (token === ']' || token === '}') open = Math.max(0, open - 1);
    if (open > most) return true;
  }
  return false;
}
