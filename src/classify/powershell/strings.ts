import type { Syntax } from './syntax.js';
import { textOf } from './syntax.js';

/** What a string says: all of it, or what it surely starts with. */
export interface StringText {
  readonly literal: string | undefined;
  readonly prefix: string;
}

const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '0': '\0',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  e: '\x1b',
};
const EXPANDS = /\$[A-Za-z0-9_({$^?:]/;

/** Reads a string's own text again, apart from the grammar; undefined where the two may not agree on where it ends or expands. */
export function readString(node: Syntax, source: string): StringText | undefined {
  const text = textOf(node, source);
  if (node.type === 'verbatim_string_characters') {
    const body = text.slice(1, -1);
    if (body.replaceAll("''", '').includes("'")) return undefined;
    const literal = body.replaceAll("''", "'");
    return { literal, prefix: literal };
  }
  if (node.type === 'expandable_string_literal') return readExpandable(node, source);
  return readHere(node, text);
}

const HERE = /^@(['"]) *\n([\s\S]*)\n\1@$/;

/** The lines between `@'` and `'@`. With variables in them only that is known, and what else might expand is not followed. */
function readHere(node: Syntax, text: string): StringText | undefined {
  const [, quote, body] = HERE.exec(text) ?? [];
  if (quote === undefined || body === undefined || new RegExp(`(?:^|\\n)${quote}@`).test(body)) return undefined;
  if (quote === "'") return { literal: body, prefix: body };
  if (node.children.some((child) => child.named)) return { literal: undefined, prefix: '' };
  return /[$`]/.test(body) ? undefined : { literal: body, prefix: body };
}

function readExpandable(node: Syntax, source: string): StringText | undefined {
  const parts = node.children.filter((child) => child.named);
  let at = node.start + 1;
  const pieces: string[] = [];
  for (const part of [...parts, undefined]) {
    const piece = literalOf(source.slice(at, part?.start ?? node.end - 1));
    if (piece === undefined) return undefined;
    pieces.push(piece);
    at = part?.end ?? at;
  }
  return parts.length === 0
    ? { literal: pieces[0] ?? '', prefix: pieces[0] ?? '' }
    : { literal: undefined, prefix: pieces[0] ?? '' };
}

const PIECE = /`(.)|(")"|([^`"]+)/sy;

/** The text of a piece without variables; undefined where a quote or a dollar in it may mean more than itself. */
function literalOf(piece: string): string | undefined {
  if (EXPANDS.test(piece.replaceAll(/`./gs, '  '))) return undefined;
  let result = '';
  PIECE.lastIndex = 0;
  while (PIECE.lastIndex < piece.length) {
    const found = PIECE.exec(piece);
    // The escape u names a character, and no lone quote or backtick may stand here.
    if (found === null || found[1] === 'u') return undefined;
    const escaped = found[1];
    result += escaped === undefined ? (found[2] ?? found[3] ?? '') : (ESCAPES[escaped] ?? escaped);
  }
  return result;
}
