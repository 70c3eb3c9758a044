import type { Effect } from '../../domain/assessment.js';
import { named, type Ruling, readOnly, stricter, unknown } from '../posix/context.js';
import type { Word } from '../posix/word.js';
import { CHECKS } from './checks.js';
import { type Tool, verbOf } from './compile.js';
import type { WindowsContext } from './context.js';
import { judgeWords } from './judge-words.js';

const HELP = new Set(['/?', '-?', '--help']);

/** Judges a call of a Windows program by the words behind its name. Commands inside it report for themselves. */
export function judgeTool(tool: Tool, words: readonly Word[], context: WindowsContext): Ruling {
  if (words.length === 1 && HELP.has(words[0]?.literal ?? '')) return readOnly(`${tool.name}: shows its help`);
  if (tool.spec.style === 'any') return settled(tool);
  if (tool.spec.check !== undefined) return named(tool.name, CHECKS[tool.spec.check](words, context));
  if (tool.verbs !== undefined) return judgeVerbs(tool, words, context);
  if (tool.effect === 'mutating' && tool.requires === undefined) return settled(tool);
  return named(tool.name, judgeWords(tool, words));
}

const MEANING: Record<Effect, string> = {
  read_only: 'reads',
  unknown: 'is not known to only read',
  mutating: 'changes something',
};

function settled(tool: Tool): Ruling {
  return named(tool.name, { effect: tool.effect, why: tool.spec.why ?? MEANING[tool.effect] });
}

function judgeVerbs(tool: Tool, given: readonly Word[], context: WindowsContext): Ruling {
  const words = behindLeading(tool, given);
  if (words.length === 0) {
    const effect = tool.spec.bare ?? tool.otherwise;
    return named(tool.name, { effect, why: effect === 'read_only' ? 'shows' : 'what it shall do is missing' });
  }
  const at = words.flatMap((word, index) => (verbKey(tool, word) === undefined ? [] : [index]));
  const first = at[0];
  if (first === undefined || (first > 0 && tool.spec.verbAnywhere !== true)) {
    return named(tool.name, { effect: tool.otherwise, why: `${words[0]?.text} is not listed as reading` });
  }
  const verbs = tool.spec.verbAnywhere === true ? at : [first];
  const rest = words.filter((_, index) => !verbs.includes(index));
  const rulings = verbs.map((index) => judgeVerb(tool, words[index], rest, context));
  return rulings.reduce((worst, ruling) => stricter(worst, ruling));
}

function judgeVerb(tool: Tool, word: Word | undefined, rest: readonly Word[], context: WindowsContext): Ruling {
  const key = word === undefined ? undefined : verbKey(tool, word);
  const verb = key === undefined ? undefined : verbOf(tool, key);
  return verb === undefined ? unknown(`${tool.name}: not listed`) : judgeTool(verb, rest, context);
}

/** The listed verb that a word is: `/query` also where it is written `-query`; `/x:y` is looked up as `/x:` where that is listed. */
function verbKey(tool: Tool, word: Word): string | undefined {
  if (word.literal === undefined || word.literal === '') return undefined;
  const text = tool.spec.caseSensitive === true ? word.literal : word.literal.toLowerCase();
  const key = text.startsWith('-') ? `/${text.slice(1)}` : text;
  if (tool.verbs?.has(key) === true) return key;
  const attached = `${key.slice(0, key.indexOf(':'))}:`;
  return tool.verbs?.has(attached) === true && key.includes(':') ? attached : undefined;
}

function behindLeading(tool: Tool, words: readonly Word[]): readonly Word[] {
  if (tool.leading === undefined) return words;
  const end = words.findIndex((word) => word.literal === undefined || tool.leading?.test(word.literal) !== true);
  return end < 0 ? [] : words.slice(end);
}
