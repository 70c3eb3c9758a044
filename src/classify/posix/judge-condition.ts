import type { TestExpression, Word as WordNode } from 'unbash';
import { type Context, report, unknown } from './context.js';
import { expandWord } from './expand-word.js';
import type { Word } from './word.js';

const UNARY = new Set('-a -b -c -d -e -f -g -h -k -n -p -r -s -t -u -w -x -z -G -L -N -O -S'.split(' '));
const BINARY = new Set(['=', '==', '!=', '=~', '-nt', '-ot', '-ef']);
const NUMERIC = new Set(['-eq', '-ne', '-lt', '-le', '-gt', '-ge']);
const NUMBER = /^-?[0-9]+$/;

/** `[[ … ]]`: operators that only look. Those that evaluate their operands as arithmetic need number literals. */
export function judgeCondition(expression: TestExpression, text: string, context: Context): void {
  // Where [[ is no keyword, what follows || is run as a command: only operands that cannot name one may stand there.
  if (holdsOr(expression) && !onlyUnary(expression))
    report(context, text, unknown('|| in [[ ]] runs a command in other shells'));
  visit(expression, context);
}

function visit(expression: TestExpression, context: Context): void {
  switch (expression.type) {
    case 'TestUnary':
      operand(expression.operand, context);
      if (!UNARY.has(expression.operator)) refuse(expression.operator, context);
      return;
    case 'TestBinary':
      binary(expression.operator, expression.left, expression.right, context);
      return;
    case 'TestLogical':
      for (const operand of expression.operands) visit(operand, context);
      return;
    case 'TestNot':
      visit(expression.operand, context);
      return;
    default:
      visit(expression.expression, context);
  }
}

function binary(operator: string, left: WordNode, right: WordNode, context: Context): void {
  const words = [operand(left, context), operand(right, context)];
  if (BINARY.has(operator)) return;
  if (NUMERIC.has(operator) && words.every((word) => word.literal !== undefined && NUMBER.test(word.literal))) return;
  if (NUMERIC.has(operator) && words.every(numeric)) return;
  refuse(operator, context);
}

const QUOTED = /'[^']*'|"(?:[^"\\]|\\[\s\S])*"|\\[\s\S]/g;
// A parenthesis is an error where [[ is no keyword, so nothing of the text runs there.
const GROUPS = /\([^()]*\)/g;
const PLAIN_PARTS = new Set(['Literal', 'Glob', 'ExtendedGlob']);

/** An operand. Where [[ is no keyword, `<`, `>`, `|`, `&` and `;` in it redirect or end a command. */
function operand(node: WordNode, context: Context): Word {
  const plain = node.parts?.map((part) => (PLAIN_PARTS.has(part.type) ? part.text : '_')).join('') ?? node.text;
  if (/[<>|&;]/.test(plain) && /[<>|&;]/.test(plain.replace(QUOTED, '').replace(GROUPS, '')))
    report(context, node.text, unknown('this operand of [[ ]] means another thing in other shells'));
  return expandWord(node, context);
}

/** A number literal, or `$?`, `$#`, `${#x}`, which are numbers. */
function numeric(word: { readonly literal: string | undefined; readonly text: string }): boolean {
  return word.literal === undefined
    ? /^"?\$(?:[?#]|\{#[A-Za-z_][A-Za-z0-9_]*\})"?$/.test(word.text)
    : NUMBER.test(word.literal);
}

function holdsOr(expression: TestExpression): boolean {
  if (expression.type === 'TestLogical') return expression.operator === '||' || expression.operands.some(holdsOr);
  if (expression.type === 'TestNot') return holdsOr(expression.operand);
  return expression.type === 'TestGroup' && holdsOr(expression.expression);
}

function onlyUnary(expression: TestExpression): boolean {
  if (expression.type === 'TestLogical') return expression.operands.every(onlyUnary);
  // A word alone is an operand of -n that nobody wrote.
  return expression.type === 'TestUnary' && expression.operand.pos > expression.pos;
}

function refuse(operator: string, context: Context): void {
  report(context, operator, unknown('this operator of [[ ]] evaluates its operands or is not known'));
}
