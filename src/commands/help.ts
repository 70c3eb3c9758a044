import { quote } from '../domain/text.js';
import type { Commands, Described } from './complete.js';
import { didYouMean, type OptionTable } from './options.js';

/** What a command's module says of itself. */
interface Speaks {
  readonly USAGE: string;
  readonly OPTIONS: OptionTable;
  readonly WORDS?: readonly string[];
  /** Those of the words that are commands of their own. */
  readonly UNDER?: ReadonlyMap<string, () => Promise<Speaks>>;
}

/** Each is loaded when it is asked for. */
const SPEAKERS: ReadonlyMap<string, () => Promise<Speaks>> = new Map<string, () => Promise<Speaks>>([
  ['approve', () => import('./approve.js')],
  ['audit', () => import('./audit.js')],
  ['breakglass', () => import('./breakglass.js')],
  ['classify', () => import('./classify.js')],
  ['completion', () => import('./completion.js')],
  ['coverage', () => import('./coverage.js')],
  ['demo', () => import('./demo.js')],
  ['doctor', () => import('./doctor.js')],
  ['drill', () => import('./drill.js')],
  ['explain', () => import('./explain.js')],
  ['export', () => import('./export.js')],
  ['hook', () => import('./hook.js')],
  ['install', () => import('./install.js')],
  ['recover', () => import('./recover.js')],
  ['rewind', () => import('./rewind.js')],
  ['serve', () => import('./serve.js')],
  ['setup', () => import('./setup.js')],
  ['simulator', () => import('./simulator.js')],
  ['status', () => import('./status.js')],
  [
    'uninstall',
    async () => {
      const { OPTIONS, UNINSTALL_USAGE } = await import('./install.js');
      return { OPTIONS, USAGE: UNINSTALL_USAGE };
    },
  ],
]);

/** The commands that are there, by name. */
const NAMES: readonly string[] = [...SPEAKERS.keys()];

/** How a command is called; undefined where there is none of this name. `args` may begin with the name of a command below it. */
export async function describedBy(name: string, [word = '']: readonly string[] = []): Promise<Described | undefined> {
  const above = await SPEAKERS.get(name)?.();
  const speaks = (await above?.UNDER?.get(word)?.()) ?? above;
  return speaks && { usage: speaks.USAGE, options: speaks.OPTIONS, words: speaks.WORDS ?? [] };
}

/** What completion goes by. */
export const COMPLETED: Commands = { names: NAMES, describe: describedBy };

/** Whether a command is only asked how it is called. What follows `--` is the command's own. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some((word) => word === '--help' || word === '-h');
}

/** Why there is no command of this name, and which one may be meant. */
export function noCommand(name: string): string {
  const near = didYouMean(name, [...NAMES, 'help']);
  return `there is no command ${quote(name, 80)}${near === '' ? '; a server to wrap stands behind --' : near}`;
}
