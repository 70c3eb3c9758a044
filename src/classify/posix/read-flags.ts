import { type Effect, strictest } from '../../domain/assessment.js';
import type { Compiled, Flag } from '../specs/compile.js';
import type { Ruling } from './context.js';
import { literalWord, type Word } from './word.js';

/** A flag as it was used. */
export interface UsedFlag {
  readonly name: string;
  readonly value: Word | undefined;
  /** Switched off by its value, as in `--dry-run=no`. */
  readonly off: boolean;
}

/** The words of a call, told apart. `worst`: the first flag of the highest effect that is not read_only. `end`: where the operands begin (posix style). */
export interface ReadFlags {
  readonly used: UsedFlag[];
  readonly operands: Word[];
  worst: Ruling | undefined;
  end: number;
}

interface Cursor extends ReadFlags {
  readonly spec: Compiled;
  readonly words: readonly Word[];
  at: number;
}

const NUMERIC = /^-[0-9]+$/;

/** One of the flags is there, and none of them is switched off: the last one may decide. */
export function isUsed(flags: ReadFlags, names: ReadonlySet<string>): boolean {
  const named = flags.used.filter((flag) => names.has(flag.name));
  return named.length > 0 && !named.some((flag) => flag.off);
}

/** A switch takes only `=true` for on: Go programs know six words for off, apt five. */
function isOff(flag: Flag, value: Word | undefined): boolean {
  return value !== undefined && (flag.arity === 'none' ? value.literal !== 'true' : value.literal === 'false');
}

/** Splits words into flags and operands by getopt's rules. A word that might be an option and is not known is refused. */
export function readFlags(spec: Compiled, words: readonly Word[], start: number, stopAtOperand: boolean): ReadFlags {
  const cursor: Cursor = { spec, words, at: start, used: [], operands: [], worst: undefined, end: words.length };
  while (cursor.at < words.length) {
    const word = words[cursor.at] as Word;
    const dash = word.prefix.charCodeAt(0) === DASH;
    if (word.literal === '--') {
      cursor.at += 1;
      break;
    }
    if (dash && word.literal !== '-') readFlag(cursor, word);
    else if (stopAtOperand && !unclear(cursor, word)) break;
    else readOperand(cursor, word);
  }
  cursor.end = cursor.at;
  // After `--` nothing is an option.
  if (!stopAtOperand) cursor.operands.push(...words.slice(cursor.at));
  return cursor;
}

const DASH = 45;

/** A word that may turn into an option, unless the spec says that none has an effect. */
function unclear(cursor: Cursor, word: Word): boolean {
  return (word.prefix === '' && word.literal === undefined) || (word.splits && cursor.spec.spec.dynamic !== 'any');
}

function readOperand(cursor: Cursor, word: Word): void {
  cursor.at += 1;
  if (unclear(cursor, word) && cursor.spec.spec.dynamic !== 'any') {
    raise(cursor, 'unknown', `${word.text} may turn into an option`);
  }
  cursor.operands.push(word);
}

function readFlag(cursor: Cursor, word: Word): void {
  cursor.at += 1;
  const text = word.literal ?? word.prefix;
  if (word.splits && cursor.spec.spec.dynamic !== 'any') {
    raise(cursor, 'unknown', `${word.text} may turn into other options`);
    return;
  }
  if (cursor.spec.spec.numeric === true && word.literal !== undefined && NUMERIC.test(text)) return;
  if (cursor.spec.spec.style === 'words') readWordFlag(cursor, word, text);
  else if (text.startsWith('--')) readLong(cursor, word, text);
  else readCluster(cursor, word, text.slice(1));
}

function readWordFlag(cursor: Cursor, word: Word, text: string): void {
  const body = text.startsWith('--') && !cursor.spec.flags.has(text) ? text.slice(1) : text;
  const equals = body.indexOf('=');
  const name = equals < 0 ? body : body.slice(0, equals);
  const flag = cursor.spec.flags.get(name);
  if (flag === undefined || (word.literal === undefined && equals < 0)) unlisted(cursor, name);
  else if (equals >= 0) use(cursor, name, flag, attached(word, text.indexOf('=') + 1));
  else useLast(cursor, name, flag);
}

function readLong(cursor: Cursor, word: Word, text: string): void {
  const equals = text.indexOf('=');
  const given = equals < 0 ? text : text.slice(0, equals);
  const name = cursor.spec.flags.has(given) ? given : completed(cursor.spec, given);
  const flag = name === undefined ? undefined : cursor.spec.flags.get(name);
  if (name === undefined || flag === undefined || (word.literal === undefined && equals < 0)) unlisted(cursor, given);
  else if (equals >= 0) useAttached(cursor, name, flag, attached(word, equals + 1));
  else useLast(cursor, name, flag);
}

function useAttached(cursor: Cursor, name: string, flag: Flag, value: Word): void {
  // `--flag=true` is how Go programs spell a switch; getopt refuses a value there.
  if (flag.arity === 'pair' || (flag.arity === 'none' && value.literal === undefined)) unlisted(cursor, name);
  else use(cursor, name, flag, value);
}

/** The one listed long flag that starts like this. Only programs that use getopt_long shorten flags, and no subcommands' flags. */
function completed(spec: Compiled, given: string): string | undefined {
  if (!spec.abbreviates) return undefined;
  let found: string | undefined;
  for (const name of spec.flags.keys()) {
    if (!name.startsWith(given) || !name.startsWith('--')) continue;
    if (found !== undefined) return undefined;
    found = name;
  }
  return found;
}

function readCluster(cursor: Cursor, word: Word, letters: string): void {
  for (let index = 0; index < letters.length; index += 1) {
    const name = `-${letters.charAt(index)}`;
    const flag = cursor.spec.flags.get(name);
    if (flag === undefined) {
      unlisted(cursor, name);
      return;
    }
    if (flag.arity === 'none') {
      use(cursor, name, flag, undefined);
      continue;
    }
    const isAttached = index < letters.length - 1 || word.literal === undefined;
    if (isAttached) use(cursor, name, flag, attached(word, index + 2));
    else useLast(cursor, name, flag);
    return;
  }
  if (word.literal === undefined) raise(cursor, 'unknown', `${word.text} may hold other options`);
}

function useLast(cursor: Cursor, name: string, flag: Flag): void {
  const value = flag.arity === 'value' || flag.arity === 'pair' ? next(cursor, name) : undefined;
  if (flag.arity === 'pair') next(cursor, name);
  use(cursor, name, flag, value);
}

function attached(word: Word, from: number): Word {
  const prefix = word.prefix.slice(from);
  return word.literal === undefined ? { ...word, prefix } : literalWord(prefix);
}

function next(cursor: Cursor, name: string): Word | undefined {
  const value = cursor.words[cursor.at];
  cursor.at += 1;
  if (value === undefined) raise(cursor, 'unknown', `${name} lacks its value`);
  else if ((value.splits || value.many) && cursor.spec.spec.dynamic !== 'any') {
    raise(cursor, 'unknown', `${value.text} may be more than the value of ${name}`);
  }
  return value;
}

function use(cursor: Cursor, name: string, flag: Flag, value: Word | undefined): void {
  cursor.used.push({ name, value, off: isOff(flag, value) });
  if (flag.only === undefined && flag.match === undefined) {
    if (flag.effect !== 'read_only') raise(cursor, flag.effect, `${name} ${MEANING[flag.effect]}`);
    return;
  }
  const text = value?.literal;
  if (text !== undefined && (flag.only?.has(text) === true || flag.match?.test(text) === true)) return;
  raise(cursor, flag.effect, `${name} with this value ${MEANING[flag.effect]}`);
}

const MEANING: Record<Effect, string> = {
  read_only: 'reads',
  unknown: 'may run or change something',
  mutating: 'changes something',
};

function unlisted(cursor: Cursor, name: string): void {
  raise(cursor, cursor.spec.otherwise, `the flag ${name} is not listed as reading`);
}

function raise(cursor: Cursor, effect: Effect, why: string): void {
  if (cursor.worst === undefined || strictest([cursor.worst.effect, effect]) !== cursor.worst.effect) {
    cursor.worst = { effect, why };
  }
}
