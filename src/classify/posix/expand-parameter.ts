import type { ParameterExpansionPart, ParameterOperation, SimpleExpansionPart, Word as WordNode } from 'unbash';
import { type Context, report, unknown } from './context.js';
import { led } from './judge-setting.js';
import type { Word } from './word.js';

/** What one part adds to a word: `known` characters, then, where `open`, something that only the target knows. */
export interface Piece {
  readonly known: string;
  readonly open: boolean;
  readonly splits: boolean;
  readonly many: boolean;
}

const NUMBER: Piece = { known: '0', open: true, splits: false, many: false };
const OPEN: Piece = { known: '', open: true, splits: true, many: true };
const NAME = /^(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!-])$/;

/** `$x`. A loop variable with only literal values is one word that starts like they do. */
export function expandSimple(part: SimpleExpansionPart, context: Context): Piece {
  return variable(part.text.slice(1), part.text, context);
}

/** `${x…}`. Forms that assign, evaluate text or reach through another name are reported. */
export function expandParameter(
  part: ParameterExpansionPart,
  context: Context,
  expandWord: (word: WordNode) => Word,
): Piece {
  const why = refusal(part);
  if (why !== undefined) report(led(part.parameter, undefined, context), part.text, unknown(why));
  if (part.index !== undefined) expandWord(part.index);
  for (const operand of operands(part.operation)) expandWord(operand);
  if (part.prefix === '#') return NUMBER;
  return part.operation === undefined ? variable(part.parameter, part.text, context) : OPEN;
}

function variable(name: string, text: string, context: Context): Piece {
  if (!NAME.test(name)) {
    report(context, text, unknown('a parameter form that is not followed'));
    return OPEN;
  }
  if (name === '?' || name === '#' || name === '$') return NUMBER;
  const start = context.plain.get(name);
  return start === undefined ? OPEN : { known: start, open: true, splits: false, many: false };
}

const DIGITS = /^[0-9]+$/;

function refusal(part: ParameterExpansionPart): string | undefined {
  if (part.prefix === '!') return 'an indirect expansion';
  if (part.index !== undefined) return 'a subscript, which is evaluated';
  if (!NAME.test(part.parameter)) return 'a parameter form that is not followed';
  const operation = part.operation;
  if (operation === undefined) return undefined;
  switch (operation.type) {
    case 'Default':
      return operation.operator.endsWith('=') ? 'an expansion that assigns' : undefined;
    case 'Slice':
      return DIGITS.test(operation.offset.value.trim()) && DIGITS.test(operation.length?.value ?? '0')
        ? undefined
        : 'a slice whose bounds are evaluated';
    case 'Remove':
    case 'Replace':
    case 'CaseModification':
      return undefined;
    default:
      return 'an expansion that evaluates text';
  }
}

function operands(operation: ParameterOperation | undefined): WordNode[] {
  if (operation === undefined) return [];
  switch (operation.type) {
    case 'Default':
    case 'Remove':
    case 'Transform':
      return [operation.operand];
    case 'Replace':
      return [operation.pattern, operation.replacement];
    case 'Slice':
      return operation.length === undefined ? [operation.offset] : [operation.offset, operation.length];
    case 'CaseModification':
      return operation.operand === undefined ? [] : [operation.operand];
    default:
      return [];
  }
}
