const SINGLE = "'[^']*(?:'|$)";
const DOUBLE = String.raw`"(?:\\[\s\S]|[^"\\])*(?:"|$)`;
const ANSI_C = String.raw`\$'(?:\\[\s\S]|[^'\\])*(?:'|$)`;
// A backslash and a quote in front of a separator close an outer string: \"PASSWORD=x\"; rm y
const BARE = String.raw`(?:\\(?!["'])[\s\S]|\\["'](?![\s;|&)\]}]|$)|[^\s'"\\;|&<>()])`;

// After a closing quote these go on with JSON or XML, not with the word.
const TAIL = String.raw`(?:(?![,:}\]]|/>)${BARE}+)?`;

/**
 * One word of a shell as far as a secret may reach: quoted pieces, or a bare run. A quote inside a bare run closes an outer
 * string unless its piece holds no separator. Sticky: set `lastIndex`.
 */
const WORD = new RegExp(
  [
    String.raw`(?:${ANSI_C}|${SINGLE})(?:(?:\\'|"'")?'[^']*')*${TAIL}`,
    String.raw`(?:${DOUBLE})(?:"(?:\\[\s\S]|[^"\\])*")*${TAIL}`,
    String.raw`\\+"[^"]*(?:"|$)`,
    String.raw`\\+'[^']*(?:'|$)`,
    String.raw`${BARE}(?:${BARE}|'[^'\s;|&]*'|"[^"\s;|&]*")*`,
  ].join('|'),
  'y',
);

/** The word that starts at `index`, or nothing where none does. */
export function wordAt(text: string, index: number): string | undefined {
  WORD.lastIndex = index;
  return WORD.exec(text)?.[0];
}

/** Splits a word into its opening quote, what it holds, and its closing quote. */
export function unquote(word: string): { readonly open: string; readonly inner: string; readonly close: string } {
  const open = /^(?:\$?'|\\*["'])/.exec(word)?.[0] ?? '';
  const quote = open.replace('$', '');
  if (open === '') return { open, inner: word, close: '' };
  const closed = word.length >= open.length + quote.length && word.endsWith(quote);
  const close = closed ? quote : '';
  return { open, inner: word.slice(open.length, word.length - close.length), close };
}

export interface Segment {
  readonly text: string;
  /** What ended it: `|`, `;`, `&`, a line end, or nothing. */
  readonly end: string;
}

const SPLIT = /(?:'[^']*'|"(?:\\[\s\S]|[^"\\])*"|\\[\s\S]|[^'"\\;|&\n]+|['"\\])+|[;|&\n]+/g;

/** Pieces of a command line between unquoted separators; joined again they are the text. */
export function segments(text: string): readonly Segment[] {
  const result: Segment[] = [];
  for (const [piece] of text.matchAll(SPLIT)) {
    const last = result.at(-1);
    if (!/^[;|&\n]+$/.test(piece)) result.push({ text: piece, end: '' });
    else if (last === undefined || last.end !== '') result.push({ text: '', end: piece });
    else result[result.length - 1] = { text: last.text, end: piece };
  }
  return result;
}
