import { quote } from '../domain/text.js';

/** Each is loaded when it is asked for. */
const USAGES: ReadonlyMap<string, () => Promise<string>> = new Map([
  ['approve', async () => (await import('./approve.js')).USAGE],
  ['audit', async () => (await import('./audit.js')).USAGE],
  ['breakglass', async () => (await import('./breakglass.js')).USAGE],
  ['classify', async () => (await import('./classify.js')).USAGE],
  ['coverage', async () => (await import('./coverage.js')).USAGE],
  ['demo', async () => (await import('./demo.js')).USAGE],
  ['doctor', async () => (await import('./doctor.js')).USAGE],
  ['drill', async () => (await import('./drill.js')).USAGE],
  ['explain', async () => (await import('./explain.js')).USAGE],
  ['install', async () => (await import('./install.js')).USAGE],
  ['recover', async () => (await import('./recover.js')).USAGE],
  ['rewind', async () => (await import('./rewind.js')).USAGE],
  ['serve', async () => (await import('./serve.js')).USAGE],
  ['setup', async () => (await import('./setup.js')).USAGE],
  ['simulator', async () => (await import('./simulator.js')).USAGE],
  ['status', async () => (await import('./status.js')).USAGE],
  ['uninstall', async () => (await import('./install.js')).UNINSTALL_USAGE],
]);

/** Commands that are promised and not there yet. */
const PLANNED: ReadonlySet<string> = new Set('export'.split(' '));

/** The usage of one command; undefined where it has none of its own. */
export async function usageOf(name: string): Promise<string | undefined> {
  return await USAGES.get(name)?.();
}

/** Whether a command is only asked how it is called. What follows `--` is the command's own. */
export function asksForHelp(args: readonly string[]): boolean {
  const end = args.indexOf('--');
  return args.slice(0, end < 0 ? args.length : end).some((word) => word === '--help' || word === '-h');
}

/** Why there is no command of this name. */
export function noCommand(name: string): string {
  return PLANNED.has(name) ? `${name} is not built yet` : `there is no command ${quote(name, 80)}`;
}
