import type { Compiled } from '../specs/compile.js';
import type { ElsewhereSpec } from '../specs/types.js';
import { type ReadFlags, readFlags } from './read-flags.js';
import type { Word } from './word.js';

// This machine by its names, and sockets of it.
const HERE = /^(?:|default|localhost(?:\.localdomain)?|127(?:\.[0-9]+){3}|\[?::1\]?|\.|\/[\s\S]*)$/i;
const URL = /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/:?]*|\[[^\]]*\])(?:[:/?][\s\S]*)?$/i;

/** Whether the words of a call show that it acts on another machine or a control plane. A host that only the target knows counts as another. */
export function actsElsewhere(spec: Compiled, words: readonly Word[]): boolean {
  const rule = spec.spec.elsewhere;
  if (rule === undefined) return false;
  const stops = spec.subcommands !== undefined || spec.spec.style === 'posix';
  const flags = readFlags(spec, words, 1, stops);
  const operands = stops ? words.slice(flags.end) : flags.operands;
  if (spec.here?.test(operands.map((word) => word.literal ?? word.prefix).join(' ')) === true) return false;
  return rule.always === true || hosts(spec, rule, flags, operands).some((host) => !isHere(host));
}

function hosts(spec: Compiled, rule: ElsewhereSpec, flags: ReadFlags, operands: readonly Word[]): readonly Word[] {
  const named = flags.used.flatMap((flag) =>
    spec.remote?.has(flag.name) === true && flag.value !== undefined ? [flag.value] : [],
  );
  const host = rule.operand === undefined ? undefined : operands[rule.operand];
  const urls = operands.filter((word) => URL.test(word.literal ?? ''));
  return [...named, ...urls, ...(host === undefined ? [] : [host])];
}

function isHere(word: Word): boolean {
  if (word.literal === undefined) return false;
  const host = URL.exec(word.literal)?.[1] ?? word.literal.slice(word.literal.lastIndexOf('@') + 1);
  return HERE.test(host);
}
