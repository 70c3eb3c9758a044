import type { Edit, Launch, LiteralList } from './document.js';
import { literal } from './document.js';
import { isLauncher, programName } from './program-words.js';

/** How the proxy is started: absolute paths of node and of the program, and the options that stand before `--`. */
export interface Wrapper {
  readonly node: string;
  readonly program: string;
  readonly options: readonly string[];
}

/** Whether a command line is the proxy's. `inner`: the index of the wrapped server's first word; undefined where it stands elsewhere, as with `--server`. `paths`: node and the program, as far as they are paths. */
export type Wrapping =
  | { readonly kind: 'plain' }
  | { readonly kind: 'wrapped'; readonly inner: number | undefined; readonly paths: readonly string[] };

const VALUED = ['--config', '--log-level', '--as'];
const ELSEWHERE = ['--server', '--url', '--command'];
const PACKAGE = /^zerto-rewind-proxy(?:@[^\\/]*)?$/;
const PROGRAM = /(?:^|[\\/])zerto-rewind-proxy[^\\/]*[\\/]dist[\\/]src[\\/]main\.js$/;

/** Recognises the proxy by the shape of the words, also where node or the program lay elsewhere when it was wrapped. `programs`: where the program lies, or lay. */
export function wrappingOf(words: readonly string[], programs: readonly string[]): Wrapping {
  const isProgram = (word: string) => programs.includes(word) || PROGRAM.test(word) || PACKAGE.test(programName(word));
  const own = words.findIndex(isProgram);
  const before = words.slice(0, own);
  const isStarted = before.every((word, index) => isStarter(word, index));
  if (own < 0 || !isStarted) return { kind: 'plain' };
  const paths = words.slice(0, own + 1).filter((word) => /[\\/]/.test(word));
  const inner = innerOf(words, own + 1);
  return inner === 'none' ? { kind: 'plain' } : { kind: 'wrapped', inner, paths };
}

/** `node`, `npx -y`, `cmd /c npx`: nothing but launchers and their options. */
function isStarter(word: string, index: number): boolean {
  return isLauncher(word) || (index > 0 && (/^-|^\/[a-z]$/i.test(word) || ['exec', 'dlx', 'x'].includes(word)));
}

/** `none`: a command of the program's own (`audit list`), which is no server. */
function innerOf(words: readonly string[], from: number): number | undefined | 'none' {
  let at = from;
  for (let word = words[at]; word !== undefined; word = words[at]) {
    const [name = ''] = word.split('=');
    if (word === '--') return at + 1 < words.length ? at + 1 : undefined;
    if (ELSEWHERE.includes(name)) return undefined;
    if (!VALUED.includes(name)) return 'none';
    at += word === name ? 2 : 1;
  }
  return undefined;
}

/** The words of a command line; undefined where it is none. */
export function wordsOf(launch: Launch): readonly string[] | undefined {
  if (launch.kind === 'line') return launch.words.items?.map(({ value }) => value);
  if (launch.kind !== 'split') return undefined;
  if (launch.args === undefined) return [launch.command.value];
  const args = launch.args.items?.map(({ value }) => value);
  return args === undefined ? undefined : [launch.command.value, ...args];
}

/** What to write so that the proxy starts the server. Everything of the original stays as it is written, comments too. */
export function wrap(text: string, launch: Launch, { node, program, options }: Wrapper): readonly Edit[] {
  const own = [program, ...options, '--'].map(literal);
  if (launch.kind === 'line') return [insertion(text, launch.words, [literal(node), ...own])];
  if (launch.kind !== 'split') return [];
  const { command, args, gap } = launch;
  const words = [...own, command.raw];
  const added =
    args === undefined
      ? { offset: gap.offset, length: 0, content: `${gap.before}[${words.join(', ')}]` }
      : insertion(text, args, words);
  return [{ offset: command.start, length: command.end - command.start, content: literal(node) }, added];
}

/** In front of the first item, with the space that stands before it; so that taking the words out gives the text back. */
function insertion(text: string, { start, items = [] }: LiteralList, words: readonly string[]): Edit {
  const [first, second] = items;
  if (first === undefined) return { offset: start + 1, length: 0, content: words.join(', ') };
  const line = /\r?\n[ \t]*$/.exec(text.slice(start + 1, first.start))?.[0];
  const next = second === undefined ? undefined : /^,([ \t]*)$/.exec(text.slice(first.end, second.start))?.[1];
  const space = line ?? next ?? ' ';
  return { offset: first.start, length: 0, content: words.map((word) => `${word},${space}`).join('') };
}

/** What to write so that the server is started by itself again; the words before `inner` go. `hadArgs` false: the list goes too where nothing is left of it. */
export function unwrap(text: string, launch: Launch, inner: number, hadArgs: boolean): readonly Edit[] {
  if (launch.kind === 'line') return [removal(text, launch.words, inner)];
  if (launch.kind !== 'split' || launch.args?.items === undefined) return [];
  const { command, args } = launch;
  const original = args.items?.[inner - 1];
  if (original === undefined) return [];
  const isLast = args.items?.length === inner;
  const { whole } = args;
  const gone =
    isLast && !hadArgs && whole !== undefined
      ? { offset: whole.start, length: whole.end - whole.start, content: '' }
      : removal(text, args, inner);
  return [{ offset: command.start, length: command.end - command.start, content: original.raw }, gone];
}

/** The first `count` items, and the comma behind them where they are all. */
function removal(text: string, { items = [] }: LiteralList, count: number): Edit {
  const [first] = items;
  const last = items[count - 1];
  const next = items[count];
  if (first === undefined || last === undefined) return { offset: 0, length: 0, content: '' };
  const comma = /^\s*,/.exec(text.slice(last.end))?.[0].length ?? 0;
  const end = next?.start ?? last.end + comma;
  return { offset: first.start, length: end - first.start, content: '' };
}
