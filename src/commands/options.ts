import { type ParseArgsConfig, parseArgs } from 'node:util';
import { distance } from 'fastest-levenshtein';
import { quote, visible } from '../domain/text.js';

/** One option of a command, as `util.parseArgs` takes it. `value`: what completion offers; absent where any text will do. */
export interface Option {
  readonly type: 'string' | 'boolean';
  readonly short?: string;
  readonly multiple?: boolean;
  readonly default?: string | boolean | string[];
  readonly value?: 'file' | 'directory' | readonly string[];
}
export type OptionTable = Readonly<Record<string, Option>>;

/** Options that stand before any command, and only there. */
export const BEFORE_COMMAND = ['config', 'log-level'] as const;

type Plain<O extends Option> = O['type'] extends 'boolean' ? boolean : O['multiple'] extends true ? string[] : string;
type ValueOf<O extends Option> = O extends { readonly default: string | boolean | string[] }
  ? Plain<O>
  : Plain<O> | undefined;

/** What was given: the options by name, and the words between them. */
export interface Arguments<T extends OptionTable> {
  readonly values: { readonly [K in keyof T]: ValueOf<T[K]> };
  readonly words: readonly string[];
}

/** The arguments of a command by its table, or why they cannot be read and what to write instead. `words`: whether it takes others than options. */
export function readArguments<const T extends OptionTable>(
  args: readonly string[],
  options: T,
  { words = false }: { readonly words?: boolean } = {},
): Arguments<T> | string {
  const config = {
    args: [...args],
    options: options as NonNullable<ParseArgsConfig['options']>,
    allowPositionals: words,
    strict: true,
    tokens: true,
  } as const;
  try {
    const { values, positionals, tokens } = parseArgs(config);
    const seen = new Set<string>();
    for (const token of tokens) {
      if (token.kind !== 'option' || token.value === undefined || options[token.name]?.multiple === true) continue;
      if (seen.has(token.name)) return `--${token.name} is given twice: give it once`;
      seen.add(token.name);
    }
    return { values: values as Arguments<T>['values'], words: positionals };
  } catch (error) {
    return problemOf(error instanceof Error ? error.message : 'bad arguments', options);
  }
}

/** In our words: those of Node name neither what is near nor what stands before the command. */
function problemOf(message: string, options: OptionTable): string {
  const unknown = /^Unknown option '(-.*?)'(?:\. To |$)/s.exec(message)?.[1];
  if (unknown !== undefined) return unknownOption(unknown, Object.keys(options));
  const [, bare] = /^Option '(?:-\w, )?(--[\w-]+) <value>' argument missing/.exec(message) ?? [];
  if (bare !== undefined) return `${bare} needs a value`;
  const [, dashed] = /^Option '(?:-\w, )?(--[\w-]+)(?: <value>)?' argument is ambiguous/.exec(message) ?? [];
  if (dashed !== undefined) return `${dashed} needs a value; one that begins with a dash is written ${dashed}=-…`;
  const [, flag] = /^Option '(?:-\w, )?(--[\w-]+)' does not take an argument/.exec(message) ?? [];
  if (flag !== undefined) return `${flag} takes no value`;
  const [, word] = /^Unexpected argument '(.*)'\. This /s.exec(message) ?? [];
  if (word !== undefined) return `${quote(word, 80)} is too much: it takes options alone`;
  return visible(message.replaceAll('\n', ' '));
}

function unknownOption(name: string, known: readonly string[]): string {
  const bare = name.replace(/^-+/, '');
  if (BEFORE_COMMAND.some((each) => each === bare))
    return `${name} stands before the command: zerto-rewind-proxy ${name} … COMMAND`;
  return `${quote(name, 80)} is no option of it${didYouMean(bare, known, '--')}`;
}

/** `; did you mean X?` where one of the known names is near, else nothing. */
export function didYouMean(name: string, known: readonly string[], before = ''): string {
  const folded = name.slice(0, 64).toLowerCase();
  const [best] = known
    .map((candidate) => ({ candidate, edits: distance(folded, candidate) }))
    .sort((a, b) => a.edits - b.edits);
  const starts = known.filter((candidate) => folded.length > 1 && candidate.startsWith(folded));
  if (starts.length === 1) return `; did you mean ${before}${starts[0]}?`;
  if (best === undefined || best.edits > Math.min(3, Math.ceil(best.candidate.length / 3))) return '';
  return `; did you mean ${before}${best.candidate}?`;
}
