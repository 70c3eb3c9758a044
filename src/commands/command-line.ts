import { quote } from '../domain/text.js';
import { LEVELS, type Level } from './log.js';
import { didYouMean } from './options.js';

export interface GlobalOptions {
  readonly config?: string | undefined;
  readonly logLevel: Level;
}

/** How the proxy was asked to run. `wrap`: the downstream stands on the command line; `url`: it is reached by HTTP; `named`: it stands in the config. */
export type CommandLine =
  | {
      readonly kind: 'wrap';
      readonly options: GlobalOptions;
      readonly as?: string | undefined;
      readonly downstream: readonly [string, ...string[]];
    }
  | {
      readonly kind: 'url';
      readonly options: GlobalOptions;
      readonly as?: string | undefined;
      readonly url: string;
    }
  | { readonly kind: 'named'; readonly options: GlobalOptions; readonly server?: string | undefined }
  | {
      readonly kind: 'command';
      readonly options: GlobalOptions;
      readonly name: string;
      readonly args: readonly string[];
    }
  | { readonly kind: 'help' }
  | { readonly kind: 'version' }
  | { readonly kind: 'usage'; readonly why: string };

/** The options that stand before a command or a server. */
export const GLOBAL_OPTIONS = {
  config: { type: 'string', value: 'file' },
  'log-level': { type: 'string', value: LEVELS },
  as: { type: 'string' },
  server: { type: 'string' },
  command: { type: 'string' },
  url: { type: 'string' },
  version: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const;

const TELLS: ReadonlyMap<string, 'help' | 'version'> = new Map([
  ['--help', 'help'],
  ['-h', 'help'],
  ['--version', 'version'],
]);

/**
 * Everything after the first `--` is the downstream, verbatim; options stand only before it. The first word that is no option
 * is a command, and what follows is the command's own.
 */
export function parseCommandLine(argv: readonly string[]): CommandLine {
  const given = new Map<string, string>();
  let rest = argv;
  for (let word = rest[0]; word !== undefined && word !== '--' && word.startsWith('-'); word = rest[0]) {
    const told = TELLS.get(word);
    if (told !== undefined) return { kind: told };
    const [name, inline] = splitOption(word);
    const value = inline ?? rest[1];
    const why = optionProblem(name, value, given);
    if (why !== undefined) return { kind: 'usage', why };
    given.set(name, value ?? '');
    rest = rest.slice(inline === undefined ? 2 : 1);
  }
  return assemble(given, rest);
}

function optionProblem(
  name: string,
  value: string | undefined,
  given: ReadonlyMap<string, string>,
): string | undefined {
  const option: { readonly type?: string } =
    Object.entries(GLOBAL_OPTIONS).find(([key]) => `--${key}` === name)?.[1] ?? {};
  if (option.type === undefined)
    return `there is no option ${quote(name, 80)}${didYouMean(name.replace(/^-+/, ''), Object.keys(GLOBAL_OPTIONS), '--')}`;
  if (option.type === 'boolean') return `${name} takes no value`;
  if (value === undefined || value === '--') return `${name} needs a value`;
  return given.has(name) ? `${name} is given twice: give it once` : undefined;
}

function splitOption(word: string): [string, string | undefined] {
  const equals = word.indexOf('=');
  const name = equals < 0 ? word : word.slice(0, equals);
  return [name, equals < 0 ? undefined : word.slice(equals + 1)];
}

function assemble(given: ReadonlyMap<string, string>, rest: readonly string[]): CommandLine {
  // What a hook writes to stderr, its client hands to the agent.
  const usual = rest[0] === 'hook' ? 'silent' : 'info';
  const logLevel = LEVELS.find((level) => level === (given.get('--log-level') ?? usual));
  if (logLevel === undefined) return { kind: 'usage', why: `--log-level is one of ${LEVELS.join(', ')}` };
  const options = { config: given.get('--config'), logLevel };
  const [first, ...more] = rest;
  const server = given.get('--server');
  const wraps = first === '--' || given.has('--command');
  const why = contradiction(given, rest.length > 0 || wraps);
  if (why !== undefined) return { kind: 'usage', why };
  const url = given.get('--url');
  if (url !== undefined) return { kind: 'url', options, as: given.get('--as'), url };
  if (wraps) return wrap(given, options, first === '--' ? more : [], first !== undefined && first !== '--');
  if (given.has('--as')) return { kind: 'usage', why: '--as needs the downstream: -- COMMAND [ARG…], or --url URL' };
  if (first === undefined) return { kind: 'named', options, server };
  return { kind: 'command', options, name: first, args: more };
}

/** Why the options cannot stand together; `more` is whatever names a command. */
function contradiction(given: ReadonlyMap<string, string>, more: boolean): string | undefined {
  if (given.has('--url') && (more || given.has('--server')))
    return '--url is the whole downstream; it takes neither --server nor a command';
  if (given.has('--server') && (more || given.has('--as')))
    return '--server names a server of the config; it takes neither --as nor a command';
  return undefined;
}

function wrap(
  given: ReadonlyMap<string, string>,
  options: GlobalOptions,
  words: readonly string[],
  stray: boolean,
): CommandLine {
  const line = given.get('--command');
  if (line !== undefined && (words.length > 0 || stray)) {
    return { kind: 'usage', why: '--command is the whole downstream; nothing may follow it' };
  }
  const split = line === undefined ? words : splitWords(line);
  if (split === undefined) return { kind: 'usage', why: 'the value of --command has an open quote' };
  const [command, ...args] = split;
  if (command === undefined) return { kind: 'usage', why: 'the downstream is empty: -- COMMAND [ARG…]' };
  return { kind: 'wrap', options, as: given.get('--as'), downstream: [command, ...args] };
}

/** POSIX quoting without any expansion: '…' as it is, "…" with \" and \\, \x elsewhere. Undefined where a quote stays open. */
export function splitWords(line: string): readonly string[] | undefined {
  const words: string[] = [];
  const token = /\s+|'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)|([\s\S])/g;
  let word: string | undefined;
  for (const [all, single, double, escaped, bare, open] of line.matchAll(token)) {
    if (open !== undefined) return undefined;
    if (single === undefined && double === undefined && escaped === undefined && bare === undefined) {
      if (word !== undefined) words.push(word);
      word = undefined;
      continue;
    }
    const text = single ?? double?.replace(/\\(["\\$`])/g, '$1').replace(/\\\n/g, '') ?? escaped ?? bare ?? all;
    word = (word ?? '') + text;
  }
  if (word !== undefined) words.push(word);
  return words;
}
