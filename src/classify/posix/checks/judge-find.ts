import type { Compiled } from '../../specs/compile.js';
import { type Context, named, type Ruling, readOnly, stricter, unknown } from '../context.js';
import { inside } from '../judge-wrapper.js';
import { NO_DASH, type Word } from '../word.js';

const OPTION = /^-(?:[HLPEXdsx]+|O[0-3]|D)$/;
const NEWER = /^-newer[aBcmt][aBcmt]$/;
const EXECUTES = new Set(['-exec', '-execdir', '-ok', '-okdir']);
const OPERATORS = new Set(['(', ')', '!', ',']);

/** How many words a part of the expression takes, and what it does. */
interface Step {
  readonly words: number;
  readonly ruling: Ruling;
}

/** find(1): the primaries that are flags of its spec only look; -exec and its kin are judged by their command. */
export function judgeFind(
  spec: Compiled,
  words: readonly Word[],
  start: number,
  subject: string,
  context: Context,
): Ruling {
  let ruling = readOnly('looks for files');
  let at = expression(words, start);
  while (at < words.length) {
    const name = words[at]?.literal ?? '';
    const step = EXECUTES.has(name) ? execute(spec, words, at, subject, context) : primary(spec, words, at);
    ruling = stricter(ruling, step.ruling);
    at += step.words;
  }
  return named(spec.name, ruling);
}

/** Where the expression begins, behind options and starting points. */
function expression(words: readonly Word[], start: number): number {
  let at = start;
  while (OPTION.test(words[at]?.literal ?? '')) at += words[at]?.literal === '-D' ? 2 : 1;
  while (at < words.length && isStartingPoint(words[at])) at += 1;
  return at;
}

function isStartingPoint(word: Word | undefined): boolean {
  if (word === undefined || word.splits || word.prefix.startsWith('-')) return false;
  return word.literal === undefined ? word.prefix !== '' : !OPERATORS.has(word.literal);
}

function primary(spec: Compiled, words: readonly Word[], at: number): Step {
  const word = words[at];
  const name = word?.literal;
  if (name === undefined) return refused(`${word?.text} may turn into an action`);
  if (OPERATORS.has(name)) return { words: 1, ruling: readOnly('looks for files') };
  const flag = spec.flags.get(NEWER.test(name) ? '-newer' : name);
  if (flag === undefined) return refused(`${name} is not listed as reading`);
  const ruling: Ruling = {
    effect: flag.effect,
    why: flag.effect === 'read_only' ? 'looks' : `${name} changes something`,
  };
  if (flag.arity === 'none') return { words: 1, ruling };
  const value = words[at + 1];
  if (value === undefined || value.splits || value.many)
    return refused(`the value of ${name} may be more than one word`);
  return { words: 2, ruling };
}

function refused(why: string): Step {
  return { words: 1, ruling: unknown(why) };
}

function execute(spec: Compiled, words: readonly Word[], at: number, subject: string, context: Context): Step {
  const end = endOfCommand(words, at + 1);
  if (end < 0) return { words: words.length, ruling: unknown('a command without end') };
  const inner = words.slice(at + 1, end).map((word) => found(word, words[end]?.literal === '+'));
  return { words: end + 1 - at, ruling: inside(spec, inner, subject, context) };
}

function endOfCommand(words: readonly Word[], from: number): number {
  for (let at = from; at < words.length; at += 1) {
    const literal = words[at]?.literal;
    if (literal === ';' || (literal === '+' && words[at - 1]?.literal === '{}')) return at;
  }
  return -1;
}

/** `{}` becomes a path, which starts like a starting point and so never with a dash. */
function found(word: Word, many: boolean): Word {
  const at = word.prefix.indexOf('{}');
  if (at < 0) return word;
  const prefix = at === 0 ? NO_DASH : word.prefix.slice(0, at);
  return { text: word.text, literal: undefined, prefix, splits: word.splits, many: many || word.many };
}
