import type { Compiled } from '../specs/compile.js';
import type { Ruling } from './context.js';
import { freeName } from './judge-assignment.js';
import type { Word } from './word.js';

/** Holds operands against the spec's bounds; undefined where nothing is against them. */
export function judgeOperands(spec: Compiled, operands: readonly Word[]): Ruling | undefined {
  const rule = spec.spec.operands;
  if (rule === undefined) return undefined;
  const beyond = (why: string): Ruling => ({ effect: spec.otherwise, why });
  if (rule.max !== undefined && (operands.length > rule.max || operands.some((word) => word.many || word.splits))) {
    return beyond(rule.max === 0 ? 'reads only without operands' : `reads only with at most ${rule.max} operands`);
  }
  if (rule.min !== undefined && operands.length < rule.min)
    return beyond(`reads only with at least ${rule.min} operands`);
  const strange = operands.find((word) => !fits(spec, word));
  return strange === undefined ? undefined : beyond(`the operand ${strange.text} is not listed as reading`);
}

function fits(spec: Compiled, word: Word): boolean {
  if (spec.spec.operands?.names === true) return word.literal !== undefined && freeName(word.literal);
  if (word.literal !== undefined) return spec.match === undefined || spec.match.test(word.literal);
  if (spec.spec.operands?.literal === true) return false;
  if (spec.start !== undefined)
    return (!word.splits || spec.spec.operands?.start === '') && spec.start.test(word.prefix);
  return spec.match === undefined;
}
