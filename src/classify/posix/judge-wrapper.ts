import type { Compiled } from '../specs/compile.js';
import type { WrapperSpec } from '../specs/types.js';
import { type Context, deeper, type Ruling, report, stricter, unknown } from './context.js';
import { judgeEnvironment } from './judge-assignment.js';
import { led } from './judge-setting.js';
import type { Word } from './word.js';

const ASSIGNMENT = /^([A-Za-z_][A-Za-z0-9_]*)=/;

/** Judges the command behind a wrapper's own words. The answer is the wrapper's own effect; the command reports for itself. */
export function unwrap(
  spec: Compiled,
  wrapper: WrapperSpec,
  rest: readonly Word[],
  subject: string,
  context: Context,
): Ruling {
  const skip = wrapper.skip ?? 0;
  const skipped = rest.slice(0, skip);
  if (skipped.length < skip || skipped.some((word) => word.splits || word.many)) {
    return unknown('where its command begins is not known');
  }
  const assignments = wrapper.assignments === true ? leadingAssignments(rest.slice(skip)) : [];
  const inner = rest.slice(skip + assignments.length);
  const settings = assignments.map((word) => ({ word, ruling: judgeSetting(word) }));
  for (const { word, ruling } of settings)
    if (ruling !== undefined) report(led(nameIn(word), valueIn(word), context), word.text, ruling);
  const why = settings.find(({ ruling }) => ruling !== undefined)?.ruling;
  if (inner.length === 0) return stricter(why, { effect: wrapper.bare ?? 'unknown', why: 'runs no command' });
  return stricter(why, inside(spec, inner, subject, context));
}

/** Judges a command inside this one. */
export function inside(spec: Compiled, words: readonly Word[], subject: string, context: Context): Ruling {
  const inner = deeper(context, context.source);
  if (inner === undefined) return unknown('commands are nested too deep');
  context.engine.call(words, subject, inner);
  return { effect: spec.effect, why: spec.spec.why ?? 'runs the command behind it' };
}

function leadingAssignments(words: readonly Word[]): readonly Word[] {
  const end = words.findIndex((word) => !ASSIGNMENT.test(word.prefix));
  return end < 0 ? words : words.slice(0, end);
}

function nameIn(word: Word): string {
  return ASSIGNMENT.exec(word.prefix)?.[1] ?? '';
}

function valueIn(word: Word): string | undefined {
  return word.literal?.slice(nameIn(word).length + 1);
}

function judgeSetting(word: Word): Ruling | undefined {
  const name = nameIn(word);
  if (word.splits) return unknown(`${word.text} may be more than one word`);
  return judgeEnvironment(name, valueIn(word));
}
