import type { Compiled } from '../specs/compile.js';
import type { WrapperSpec } from '../specs/types.js';
import { type Context, type Ruling, readOnly, stricter, unknown } from './context.js';
import { judgeCode } from './judge-code.js';
import { judgeOperands } from './judge-operands.js';
import { unwrap } from './judge-wrapper.js';
import { isUsed, type ReadFlags, readFlags } from './read-flags.js';
import { literalWord, type Word } from './word.js';

/** Judges a call by its flags and operands, and by the code or command that it carries. */
export function judgeFlags(
  spec: Compiled,
  given: readonly Word[],
  start: number,
  subject: string,
  context: Context,
): Ruling {
  if (spec.spec.wrapper !== undefined) return judgeWrapped(spec, spec.spec.wrapper, given, start, subject, context);
  const words = spec.spec.bundled === true ? unbundle(spec, given) : given;
  const posix = spec.spec.style === 'posix';
  const flags = readFlags(spec, words, start, posix);
  return barrier(spec, flags) ?? judgeRest(spec, flags, posix ? words.slice(flags.end) : flags.operands, context);
}

function judgeWrapped(
  spec: Compiled,
  wrapper: WrapperSpec,
  words: readonly Word[],
  start: number,
  subject: string,
  context: Context,
): Ruling {
  const { separator } = wrapper;
  const end = separator === undefined ? words.length : words.findIndex((word) => word.literal === separator);
  if (end < 0) return unknown(`its command does not follow ${separator}`);
  const flags = readFlags(spec, words.slice(0, end), start, separator === undefined);
  if (flags.worst?.effect === 'mutating') return flags.worst;
  if (spec.requires !== undefined && !isUsed(flags, spec.requires)) return missing(spec);
  if (spec.idle !== undefined && isUsed(flags, spec.idle)) return flags.worst ?? readOnly('only looks it up');
  if (separator !== undefined && flags.operands.length !== (wrapper.skip ?? 0)) {
    return unknown(`what stands before ${separator} is not understood`);
  }
  const rest = separator === undefined ? words.slice(flags.end) : [...flags.operands, ...words.slice(end + 1)];
  return stricter(flags.worst, unwrap(spec, wrapper, rest, subject, context));
}

/** What the flags alone decide. */
function barrier(spec: Compiled, flags: ReadFlags): Ruling | undefined {
  if (flags.worst?.effect === 'mutating') return flags.worst;
  if (spec.requires !== undefined && !isUsed(flags, spec.requires)) return missing(spec);
  if (spec.effect === 'mutating' && !(spec.simulate !== undefined && isUsed(flags, spec.simulate))) {
    return { effect: 'mutating', why: 'changes something' };
  }
  return flags.worst;
}

function missing(spec: Compiled): Ruling {
  return { effect: spec.otherwise, why: `reads only with ${spec.spec.requires?.split(' ').join(', ')}` };
}

function judgeRest(spec: Compiled, flags: ReadFlags, rest: readonly Word[], context: Context): Ruling {
  const code = judgeCode(spec, flags, rest, context);
  const unbound = spec.unless !== undefined && isUsed(flags, spec.unless);
  return stricter(unbound ? undefined : judgeOperands(spec, code.operands), code.ruling);
}

/** `tar tf x`: the letters of the first word are flags, their values the next words in order. */
function unbundle(spec: Compiled, words: readonly Word[]): readonly Word[] {
  const letters = words[1]?.literal;
  if (letters === undefined || letters === '' || letters.startsWith('-')) return words;
  const rest = words.slice(2);
  const flags = [...letters].flatMap((letter) => {
    const flag = literalWord(`-${letter}`);
    const value = spec.flags.get(`-${letter}`)?.arity === 'value' ? rest.shift() : undefined;
    return value === undefined ? [flag] : [flag, value];
  });
  return [words[0] ?? literalWord(spec.name), ...flags, ...rest];
}
