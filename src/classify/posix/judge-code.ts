import type { Compiled } from '../specs/compile.js';
import type { CodeSpec } from '../specs/types.js';
import { type Context, type Ruling, stricter, unknown } from './context.js';
import { LANGUAGES } from './languages/index.js';
import { isUsed, type ReadFlags } from './read-flags.js';
import type { Word } from './word.js';

interface JudgedCode {
  readonly ruling: Ruling;
  /** The operands that are no code. */
  readonly operands: readonly Word[];
}

/** Judges the code that a call carries in another language; a program that needs code and gets none is `unknown`. */
export function judgeCode(spec: Compiled, flags: ReadFlags, operands: readonly Word[], context: Context): JudgedCode {
  // A mutating program comes here only where it simulates.
  const own: Ruling = { effect: spec.effect === 'mutating' ? 'read_only' : spec.effect, why: spec.spec.why ?? 'reads' };
  const { code } = spec.spec;
  if (code === undefined) return { ruling: own, operands };
  const texts = flags.used.filter((flag) => spec.codeFlags?.has(flag.name) === true).map((flag) => flag.value);
  const found = texts.length > 0 ? { texts, operands } : inOperands(code, operands);
  if (found === undefined) return { ruling: unknown('which operand is code is not known'), operands };
  if (found.texts.length === 0) {
    const idle = spec.idle !== undefined && isUsed(flags, spec.idle);
    return { ruling: idle ? own : unknown(`its ${code.language} code is not in the command`), operands };
  }
  return { ruling: stricter(judgeTexts(code, found.texts, context), own), operands: found.operands };
}

interface FoundCode {
  readonly texts: readonly (Word | undefined)[];
  readonly operands: readonly Word[];
}

function inOperands(code: CodeSpec, operands: readonly Word[]): FoundCode | undefined {
  if (code.operand === undefined) return { texts: [], operands };
  const before = operands.slice(0, code.operand);
  if (before.some((word) => word.splits || word.many)) return undefined;
  const end = code.rest === true ? operands.length : code.operand + 1;
  return { texts: operands.slice(code.operand, end), operands: [...before, ...operands.slice(end)] };
}

function judgeTexts(code: CodeSpec, texts: readonly (Word | undefined)[], context: Context): Ruling {
  const literals = texts.flatMap((text) => (text?.literal === undefined ? [] : [text.literal]));
  if (literals.length < texts.length) return unknown(`its ${code.language} code is not known before it runs`);
  return LANGUAGES[code.language](literals, code.rest === true, context);
}
