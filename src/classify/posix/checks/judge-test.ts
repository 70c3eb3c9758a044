import type { Compiled } from '../../specs/compile.js';
import { type Context, type Ruling, readOnly, unknown } from '../context.js';
import type { Word } from '../word.js';

const UNARY = new Set('-b -c -d -e -f -g -h -k -n -p -r -s -t -u -w -x -z -G -L -N -O -S'.split(' '));
const BINARY = new Set('= == != -nt -ot -ef'.split(' '));
const NUMERIC = new Set('-eq -ne -lt -le -gt -ge'.split(' '));
const NUMBER = /^-?[0-9]*$/;

/** test(1) and `[`. -v and -R evaluate a subscript; a word that may turn into an operator is refused. */
export function judgeTest(
  spec: Compiled,
  words: readonly Word[],
  start: number,
  _subject: string,
  _context: Context,
): Ruling {
  let operands = words.slice(start);
  if (spec.name === '[') {
    if (operands.at(-1)?.literal !== ']') return unknown('[: the closing ] is missing');
    operands = operands.slice(0, -1);
  }
  const loose = operands.find((word) => word.splits || word.many);
  if (loose !== undefined) return unknown(`${spec.name}: ${loose.text} may turn into an operator`);
  return accepts(operands)
    ? readOnly(`${spec.name}: compares`)
    : unknown(`${spec.name}: an expression that is not followed`);
}

/** Terms joined by -a and -o, with ! and parentheses; anything else is refused. */
function accepts(words: readonly Word[]): boolean {
  let at = 0;
  let expectsTerm = true;
  while (at < words.length) {
    const length: number = expectsTerm ? termOrPrefix(words, at) : joiner(words[at]?.literal);
    if (length === 0) return false;
    const literal = words[at]?.literal;
    const isPrefix: boolean =
      expectsTerm && length === 1 && at + 1 < words.length && (literal === '!' || literal === '(');
    expectsTerm = isPrefix || (!expectsTerm && literal !== ')');
    at += length;
  }
  return true;
}

function termOrPrefix(words: readonly Word[], at: number): number {
  const literal = words[at]?.literal;
  return (literal === '!' || literal === '(') && at + 1 < words.length ? 1 : term(words, at);
}

function joiner(literal: string | undefined): number {
  return literal === '-a' || literal === '-o' || literal === ')' ? 1 : 0;
}

function term(words: readonly Word[], at: number): number {
  const operator = words[at + 1]?.literal;
  if (at + 2 < words.length && operator !== undefined && (BINARY.has(operator) || NUMERIC.has(operator))) {
    if (BINARY.has(operator)) return 3;
    return isNumber(words[at]) && isNumber(words[at + 2]) ? 3 : 0;
  }
  const first = words[at]?.literal;
  if (first !== undefined && UNARY.has(first) && at + 1 < words.length) return 2;
  return 1;
}

// Some shells evaluate these operands: a literal must be a number.
function isNumber(word: Word | undefined): boolean {
  return word !== undefined && (word.literal === undefined || NUMBER.test(word.literal.trim()));
}
