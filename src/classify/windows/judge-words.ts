import { type Effect, strictest } from '../../domain/assessment.js';
import { type Ruling, readOnly, stricter, unknown } from '../posix/context.js';
import type { Word } from '../posix/word.js';
import type { Tool, ToolFlag } from './compile.js';
import { judgeTsql } from './judge-tsql.js';

interface Reading {
  readonly tool: Tool;
  readonly words: readonly Word[];
  readonly operands: Word[];
  readonly used: Map<string, Word | undefined>;
  worst: Ruling | undefined;
  at: number;
}

/** Judges the flags and operands of a call against what is listed. */
export function judgeWords(tool: Tool, words: readonly Word[]): Ruling {
  const reading: Reading = { tool, words, operands: [], used: new Map(), worst: undefined, at: 0 };
  while (reading.at < words.length) readWord(reading);
  const { worst, used } = reading;
  if (worst?.effect === 'mutating') return worst;
  if (tool.requires !== undefined && ![...used.keys()].some((name) => tool.requires?.has(name) === true)) {
    return {
      effect: tool.effect === 'mutating' ? 'mutating' : tool.otherwise,
      why: `reads only with ${tool.spec.requires}`,
    };
  }
  const own: Ruling =
    tool.effect === 'unknown' ? unknown('is not known to only read') : readOnly(tool.spec.why ?? 'reads');
  const rulings = [worst, judgeOperands(tool, reading.operands), judgeSql(tool, used)].filter(
    (one) => one !== undefined,
  );
  return rulings.reduce((strict, ruling) => stricter(strict, ruling), own);
}

function readWord(reading: Reading): void {
  const word = reading.words[reading.at] as Word;
  reading.at += 1;
  const start = word.literal ?? word.prefix;
  if (word.splits || (word.literal === undefined && start === '')) {
    raise(reading, 'unknown', `${word.text} may be an option`);
    reading.operands.push(word);
    return;
  }
  if (start.length > 1 && (start.startsWith('/') || start.startsWith('-'))) readFlag(reading, word, start);
  else reading.operands.push(word);
}

function readFlag(reading: Reading, word: Word, start: string): void {
  const { tool } = reading;
  const body = tool.spec.caseSensitive === true ? start.slice(1) : start.slice(1).toLowerCase();
  const end = body.search(/[:=]/);
  const name = end < 0 ? body : body.slice(0, end);
  const flag = tool.flags.get(name);
  if (flag === undefined || (word.literal === undefined && end < 0)) {
    raise(reading, tool.otherwise, `${start} is not listed as reading`);
    return;
  }
  const value = end < 0 ? nextValue(reading, flag) : attachedValue(word, end + 2);
  if (end >= 0 && flag.takes === 'nothing') raise(reading, tool.otherwise, `${name} takes no value`);
  reading.used.set(name, value);
  judgeFlag(reading, name, flag, value);
}

function attachedValue(word: Word, from: number): Word {
  const prefix = word.prefix.slice(from);
  return { ...word, prefix, literal: word.literal === undefined ? undefined : word.literal.slice(from) };
}

function nextValue(reading: Reading, flag: ToolFlag): Word | undefined {
  if (flag.takes !== 'next') return undefined;
  const value = reading.words[reading.at];
  reading.at += 1;
  if (value === undefined || value.splits) raise(reading, 'unknown', 'a flag lacks its value');
  return value;
}

function judgeFlag(reading: Reading, name: string, flag: ToolFlag, value: Word | undefined): void {
  if (flag.match === undefined) {
    if (flag.effect !== 'read_only') raise(reading, flag.effect, `${name} does more than read`);
    return;
  }
  if (value?.literal !== undefined && flag.match.test(value.literal)) return;
  raise(reading, flag.effect, `${name} with this value is not listed as reading`);
}

function judgeOperands(tool: Tool, operands: readonly Word[]): Ruling | undefined {
  const rule = tool.spec.operands;
  if (rule === undefined) return undefined;
  const beyond = (why: string): Ruling => ({ effect: tool.otherwise, why });
  if (operands.length > (rule.max ?? Number.POSITIVE_INFINITY)) return beyond('has more words than when it only reads');
  if (operands.length < (rule.min ?? 0)) return beyond('has less words than when it only reads');
  const strange = operands.find(
    (word) => tool.match !== undefined && (word.literal === undefined || !tool.match.test(word.literal)),
  );
  return strange === undefined ? undefined : beyond(`${strange.text} is not listed as reading`);
}

function judgeSql(tool: Tool, used: ReadonlyMap<string, Word | undefined>): Ruling | undefined {
  const { sql } = tool.spec;
  if (sql === undefined) return undefined;
  const text = used.get(sql)?.literal;
  return text === undefined ? unknown('its SQL is not in the command') : judgeTsql(text);
}

function raise(reading: Reading, effect: Effect, why: string): void {
  const worst = reading.worst?.effect;
  if (worst === undefined || strictest([worst, effect]) !== worst) reading.worst = { effect, why };
}
