import { GLOBAL_OPTIONS } from './command-line.js';
import type { Option, OptionTable } from './options.js';

/** What may stand in place of the last word: these words, a file or a directory of the machine, or the command line of another program. */
export interface Completion {
  readonly kind: 'words' | 'file' | 'directory' | 'command';
  readonly words: readonly string[];
}

/** The commands that there are, and how each is called. */
export interface Commands {
  readonly names: readonly string[];
  /** `args`: what follows the name; its first word may be a command of its own. */
  readonly describe: (name: string, args?: readonly string[]) => Promise<Described | undefined>;
}

/** How a command is called: its usage, its options, and the words that may stand first. */
export interface Described {
  readonly usage: string;
  readonly options: OptionTable;
  readonly words: readonly string[];
}

const NOTHING: Completion = { kind: 'words', words: [] };

/** Completes the last of the words that follow the program's name, by the tables that its commands read their options with. Quotes around nothing are nothing. */
export async function complete(words: readonly string[], { names, describe }: Commands): Promise<Completion> {
  const before = words.slice(0, -1);
  const last = (words.at(-1) ?? '').replace(/^(?:""|'')$/, '');
  const { command, at } = commandIn(before);
  if (command === '--') return { kind: 'command', words: [] };
  if (command === undefined) return inOptions(before, last, GLOBAL_OPTIONS, [...names, 'help', '--']);
  const given = before.slice(at + 1);
  const described = command === 'help' ? { usage: '', options: {}, words: names } : await describe(command, given);
  if (described === undefined || given.includes('--')) return NOTHING;
  const options = { ...described.options, help: GLOBAL_OPTIONS.help };
  return inOptions(given, last, options, wordsLeft(given, described));
}

/** Where the command stands: the first word that is neither an option nor an option's value. */
function commandIn(words: readonly string[]): { readonly command: string | undefined; readonly at: number } {
  let at = 0;
  while (at < words.length) {
    const word = words[at] ?? '';
    if (word === '--' || !word.startsWith('-')) return { command: word, at };
    at += takesNext(word, GLOBAL_OPTIONS) ? 2 : 1;
  }
  return { command: undefined, at };
}

/** The words that may stand first, where none of them stands yet. */
function wordsLeft(given: readonly string[], { words, options }: Described): readonly string[] {
  const first = given.find((word, index) => !word.startsWith('-') && !takesNext(given[index - 1] ?? '', options));
  return first === undefined ? words : [];
}

function inOptions(
  before: readonly string[],
  last: string,
  options: OptionTable,
  words: readonly string[],
): Completion {
  const [name = '', inline] = cut(last);
  if (inline !== undefined) return offersOf(optionOf(name, options), inline, `${name}=`);
  const previous = before.at(-1) ?? '';
  if (takesNext(previous, options)) return offersOf(optionOf(previous, options), last, '');
  const given = new Set(before.map((word) => cut(word)[0]));
  const left = Object.entries(options)
    .filter(([key, option]) => option.multiple === true || !given.has(`--${key}`))
    .map(([key]) => `--${key}`);
  const offered = last.startsWith('-') ? [...left, ...words] : words.length > 0 ? words : left;
  return { kind: 'words', words: offered.filter((word) => word.startsWith(last)) };
}

function offersOf(option: Option | undefined, start: string, before: string): Completion {
  const value = option?.value;
  if (value === 'file' || value === 'directory') return { kind: value, words: [] };
  return { kind: 'words', words: (value ?? []).filter((each) => each.startsWith(start)).map((each) => before + each) };
}

function takesNext(word: string, options: OptionTable): boolean {
  return !word.includes('=') && optionOf(word, options)?.type === 'string';
}

function optionOf(word: string, options: OptionTable): Option | undefined {
  const name = word.slice(2);
  return word.startsWith('--') && Object.hasOwn(options, name) ? options[name] : undefined;
}

function cut(word: string): readonly [string, string | undefined] {
  const equals = word.startsWith('--') ? word.indexOf('=') : -1;
  return equals < 0 ? [word, undefined] : [word.slice(0, equals), word.slice(equals + 1)];
}
