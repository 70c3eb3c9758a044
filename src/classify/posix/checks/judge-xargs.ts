import type { Compiled } from '../../specs/compile.js';
import { type Context, type Ruling, readOnly, unknown } from '../context.js';
import { inside } from '../judge-wrapper.js';
import { readFlags } from '../read-flags.js';
import { dynamicWord, unseenWords, type Word } from '../word.js';

/** xargs(1): its command gets words from standard input, where nobody sees them. */
export function judgeXargs(
  spec: Compiled,
  words: readonly Word[],
  start: number,
  subject: string,
  context: Context,
): Ruling {
  const flags = readFlags(spec, words, start, true);
  if (flags.worst !== undefined) return { effect: flags.worst.effect, why: `xargs: ${flags.worst.why}` };
  const inner = words.slice(flags.end);
  if (inner.length === 0) return readOnly('xargs: echoes');
  const replace = flags.used.find((flag) => flag.name === '-I' || flag.name === '-i' || flag.name === '--replace');
  if (replace === undefined)
    return inside(spec, [...inner, unseenWords('words from standard input')], subject, context);
  const mark = replace.value === undefined ? '{}' : replace.value.literal;
  if (mark === undefined || mark === '') return unknown('xargs: what it replaces is not known');
  return inside(
    spec,
    inner.map((word) => replaced(word, mark)),
    subject,
    context,
  );
}

/** xargs does not split what it fills in, so the word stays one. */
function replaced(word: Word, mark: string): Word {
  const at = word.prefix.indexOf(mark);
  if (at < 0) return word;
  return word.literal === undefined
    ? { ...word, prefix: word.prefix.slice(0, at) }
    : dynamicWord(word.text, word.prefix.slice(0, at));
}
