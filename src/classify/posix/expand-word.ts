import type { BraceExpansionPart, Word as WordNode, WordPart } from 'unbash';
import type { Context } from './context.js';
import { report, unknown } from './context.js';
import { expandParameter, expandSimple, type Piece } from './expand-parameter.js';
import { judgeArithmetic } from './judge-arithmetic.js';
import { NO_DASH, type Word } from './word.js';

/** A word of the syntax tree as the shell would see it. Substitutions in it are judged on the way; what cannot be followed is reported. */
export function expandWord(node: WordNode, context: Context): Word {
  const parts = node.parts;
  const first = node.text.charCodeAt(0);
  if (first === TILDE && (node.value === node.text || parts !== undefined)) return tilde(node, context);
  if (first === EQUALS && node.text.length > 1 && node.text !== '==')
    refuse(node.text, '=word means another thing in zsh', context);
  if (parts === undefined)
    return { text: node.text, literal: node.value, prefix: node.value, splits: false, many: false };
  return join(node.text, parts, context);
}

/** Judges the expansions in a list of parts without a need for their value. */
export function expandParts(text: string, parts: readonly WordPart[], context: Context): Word {
  return join(text, parts, context);
}

const TILDE = 126;
const EQUALS = 61;
const HOME = /^~(?:[a-z_][a-z0-9_-]*)?(?:\/|$)/;

function tilde(node: WordNode, context: Context): Word {
  if (!HOME.test(node.text)) refuse(node.text, 'a tilde form that shells read in different ways', context);
  const rest = node.parts === undefined ? undefined : join(node.text, node.parts, context);
  return { text: node.text, literal: undefined, prefix: '/', splits: rest?.splits ?? false, many: rest?.many ?? false };
}

function join(text: string, parts: readonly WordPart[], context: Context): Word {
  let prefix = '';
  let known = true;
  let splits = false;
  let many = false;
  for (const part of parts) {
    const piece = expandPart(part, context);
    if (known) prefix += piece.known;
    known &&= !piece.open;
    splits ||= piece.splits;
    many ||= piece.many;
  }
  return { text, literal: known ? prefix : undefined, prefix, splits, many };
}

const GLOB: Piece = { known: '', open: true, splits: false, many: true };
const OPAQUE: Piece = { known: '', open: true, splits: true, many: true };

function expandPart(part: WordPart, context: Context): Piece {
  switch (part.type) {
    case 'Literal':
    case 'SingleQuoted':
      return known(part.value);
    case 'AnsiCQuoted':
      if (part.text.includes("\\'"))
        refuse(part.text, "an escaped quote in $'…' ends the string in other shells", context);
      return known(part.value);
    case 'DoubleQuoted':
      return quoted(part.text, part.parts, context);
    case 'Glob':
      if (part.parts !== undefined) join(part.text, part.parts, context);
      return /^\[[A-Za-z0-9_.:/]+\]$/.test(part.text) ? { ...GLOB, known: NO_DASH } : GLOB;
    case 'SimpleExpansion':
      return expandSimple(part, context);
    case 'ParameterExpansion':
      return expandParameter(part, context, (word) => expandWord(word, context));
    case 'CommandExpansion':
      return substitution(part, context);
    case 'ArithmeticExpansion':
      if (part.text.startsWith('$[')) refuse(part.text, '$[ is no arithmetic in other shells', context);
      judgeArithmetic(part.expression, part.text, context);
      return { known: '', open: true, splits: false, many: false };
    case 'ProcessSubstitution':
      if (part.operator === '>') refuse(part.text, 'output into a command', context);
      substitution(part, context);
      return { known: '/dev/fd/', open: true, splits: false, many: false };
    case 'BraceExpansion':
      return braces(part, context);
    default:
      refuse(part.text, `${part.type} is not followed`, context);
      return OPAQUE;
  }
}

function known(value: string): Piece {
  return { known: value, open: false, splits: false, many: false };
}

function quoted(text: string, parts: readonly WordPart[], context: Context): Piece {
  const inner = join(text, parts, context);
  // "$@" is any number of words even in quotes.
  return {
    known: inner.prefix,
    open: inner.literal === undefined,
    splits: text.includes('$@') || text.includes('${@'),
    many: false,
  };
}

function substitution(part: WordPart & { type: 'CommandExpansion' | 'ProcessSubstitution' }, context: Context): Piece {
  if (part.script === undefined) refuse(part.text, 'a substitution that cannot be read', context);
  else context.engine.nested(part.script, context);
  return OPAQUE;
}

const SAFE_ALTERNATIVES = /^\{(?:[A-Za-z0-9_./][^\s{}$`'"\\*?[,]*)(?:,[A-Za-z0-9_./][^\s{}$`'"\\*?[,]*)+\}$/;

function braces(part: BraceExpansionPart, context: Context): Piece {
  if (part.parts !== undefined) join(part.text, part.parts, context);
  // Where no alternative starts like an option, a word that starts with the braces cannot become one.
  if (SAFE_ALTERNATIVES.test(part.text)) return { known: NO_DASH, open: true, splits: false, many: true };
  return part.parts === undefined ? { known: '', open: true, splits: false, many: true } : OPAQUE;
}

function refuse(subject: string, why: string, context: Context): void {
  report(context, subject, unknown(why));
}
