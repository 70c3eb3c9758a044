import { basename, isAbsolute, join } from 'node:path';
import type { AnsibleRun, Reading, Server } from '../domain/call.js';
import type { MeantHost, ServerNames } from '../domain/ports.js';
import type { Meaning } from '../domain/target.js';
import { CannotTell, cannotTell } from './cannot-tell.js';
import type { Files } from './files.js';
import { besideOf, loadInventory, NeedsRun } from './load-inventory.js';
import { localFiles } from './local-files.js';
import { type Loaded, machinesOfRun, type RunContext } from './run-hosts.js';
import { runInventory } from './run-inventory.js';
import { splitPattern } from './select-hosts.js';
import { absolute, type Place, readSettings } from './settings.js';
import { readSnapshot } from './snapshot.js';
import { type Started, startsHere } from './starts-here.js';

/** A file that `ansible-inventory --list` printed; `maxAgeMinutes`: how long it counts after it was written. */
export interface Snapshot {
  readonly file: string;
  readonly maxAgeMinutes?: number | undefined;
}

export interface AnsibleNamesOptions {
  /** How a server was started; undefined for one that this machine did not start. */
  readonly startOf: (server: Server) => (Started & { readonly cwd?: string | undefined }) | undefined;
  /** Where ssh(1) of this machine connects to for a host, by its own configuration. */
  readonly ssh?: ((host: string) => Promise<Meaning>) | undefined;
  readonly home: string;
  readonly cwd: string;
  readonly now: () => number;
  /** What the operator gives in place of an inventory that nothing here can read. */
  readonly snapshot?: Snapshot | undefined;
  /** The operator allows inventories that are programs to be run. */
  readonly mayRun: boolean;
}

/** The hosts of runs of ansible by its inventory, read at this moment. Nothing is rendered, and nothing run that the operator has not allowed. */
export function createAnsibleNames(options: AnsibleNamesOptions): ServerNames {
  return async (reading, server, signal) => {
    const { ansible } = reading;
    if (ansible === undefined || ansible.length === 0) return undefined;
    const found = await Promise.all(ansible.map((run) => meantBy(run, server, options, signal)));
    return [...found.flat(), ...besideRuns(reading)];
  };
}

/** Hosts of the call that its runs do not stand for: those that commands reach from there, and the machine that a command line changes by itself. */
function besideRuns({ hosts, ansible = [] }: Reading): readonly MeantHost[] {
  const onLine = ansible.every(({ argument }) => argument === '');
  const others = hosts.filter(({ value, argument, client }) => {
    // On a command line, a host that is reached and not known is one of the run.
    if (client !== undefined) return value !== '' || !onLine;
    return onLine && argument === '' && value !== '';
  });
  return others.map((host) => ({ host, meaning: { kind: 'as_written' } }));
}

async function meantBy(
  run: AnsibleRun,
  server: Server,
  options: AnsibleNamesOptions,
  signal: AbortSignal,
): Promise<readonly MeantHost[]> {
  const { argument } = run;
  const context = await told(() => contextOf(run, server, options, signal));
  // Where the inventory alone is not known, a name may be a group's; the operator's own entry for it may stand for it.
  if (context.kind === 'stop') return plainNames(run).map((name) => stop(name, argument, context.why));
  const machines = await told(() => machinesOfRun(run, context.found));
  if (machines.kind === 'stop') return [stop('', argument, machines.why)];
  if (machines.found.length === 0) return [stop('', argument, 'the inventory has no host for it')];
  return machines.found.map((machine) => ({
    host: { value: machine.name, argument },
    meaning: { kind: 'machines', machines: [machine] },
  }));
}

type Told<T> = { readonly kind: 'found'; readonly found: T } | { readonly kind: 'stop'; readonly why: string };

async function told<T>(find: () => Promise<T>): Promise<Told<T>> {
  try {
    return { kind: 'found', found: await find() };
  } catch (error) {
    if (error instanceof CannotTell) return { kind: 'stop', why: error.message };
    throw error;
  }
}

/** The names of a run that names its hosts one by one; else none that could be told apart. */
function plainNames({ pattern, playbooks, extraVars, connection, unclear, limit }: AnsibleRun): readonly string[] {
  const more = unclear ?? connection ?? limit ?? [...(playbooks ?? []), ...(extraVars ?? [])][0];
  const names = more !== undefined || pattern === undefined ? [] : splitPattern(pattern);
  const arePlain = names.length > 0 && names.every((name) => /^[A-Za-z0-9][\w.-]*$/.test(name));
  return arePlain ? names : [''];
}

function stop(value: string, argument: string, why: string): MeantHost {
  const meaning = { kind: 'stop', why: `the hosts of the ansible run are not known: ${why}`, found: [] } as const;
  return { host: { value, argument }, meaning };
}

async function contextOf(
  run: AnsibleRun,
  server: Server,
  options: AnsibleNamesOptions,
  signal: AbortSignal,
): Promise<RunContext> {
  if (run.unclear !== undefined) cannotTell(run.unclear);
  const files = localFiles();
  const start = options.startOf(server);
  const startCwd = start?.cwd ?? options.cwd;
  const own = run.inventories.length === 0;
  if (start === undefined || !(await startsHere(start, startCwd, files))) {
    const reason = 'the server may run on another machine, whose inventory is not seen';
    if (!own || run.playbooks?.some((each) => 'path' in each) || run.limit?.includes('@')) cannotTell(reason);
    const place = { cwd: startCwd, home: options.home, env: {} };
    return { place, files, settings: { inventories: [], ssh: {} }, loaded: await fromSnapshot(options, reason) };
  }
  const home = start.env['HOME'] ?? options.home;
  const cwd = run.cwd === undefined ? startCwd : absolute(run.cwd, startCwd, { home });
  const place: Place = { cwd, home, env: start.env };
  const settings = await readSettings(place, files);
  const { ssh } = options;
  if (own && choosesItsOwn(start)) return { place, files, settings, ssh, loaded: await fromSnapshot(options, CHOOSES) };
  const sources = own ? settings.inventories : await namedSources(run.inventories, place, files);
  const loaded = await load(sources, own, place, files, options, signal);
  return { place, files, settings, ssh, loaded };
}

const CHOOSES = 'the server may choose an inventory of its own';

/** Something in how it is started speaks of an inventory, and it is not ansible's own variable. */
function choosesItsOwn({ args, env }: Started): boolean {
  const variables = Object.keys(env).filter((name) => !name.startsWith('ANSIBLE_') && env[name] !== undefined);
  if (variables.some((name) => /inventor/i.test(name))) return true;
  return args.some(
    (word) => word === '-i' || /inventor|^hosts$|\.ini$/i.test(word.startsWith('-') ? word : basename(word)),
  );
}

async function load(
  sources: readonly string[],
  own: boolean,
  place: Place,
  files: Files,
  options: AnsibleNamesOptions,
  signal: AbortSignal,
): Promise<Loaded> {
  try {
    return { inventory: await loadInventory(sources, files), beside: await besideOf(sources, files) };
  } catch (error) {
    if (!(error instanceof CannotTell)) throw error;
    if (error instanceof NeedsRun && options.mayRun) return readSnapshot(await runInventory(sources, place, signal));
    if (own) return fromSnapshot(options, error.message);
    throw error;
  }
}

/** `-i` takes a path, or a list of hosts with a comma in it. */
async function namedSources(inventories: readonly string[], place: Place, files: Files): Promise<readonly string[]> {
  const sources: string[] = [];
  for (const inventory of inventories) {
    if (/[\r\n]/.test(inventory)) cannotTell('the inventory stands in the call as a text');
    if (inventory.trim() !== inventory || inventory === '') cannotTell('the inventory cannot be read');
    if (inventory.includes(',')) await refuseFiles(inventory, place, files);
    sources.push(inventory.includes(',') ? inventory : absolute(inventory, place.cwd, place));
  }
  return sources;
}

/** A server may take the parts of a list for several inventories. */
async function refuseFiles(list: string, { cwd }: Place, files: Files): Promise<void> {
  const parts = [list, ...list.split(',').map((part) => part.trim())].filter((part) => part !== '');
  for (const path of parts.map((part) => (isAbsolute(part) ? part : join(cwd, part))))
    if ((await files.entry(path)).kind !== 'none')
      cannotTell('a list of hosts for an inventory holds the name of a file');
}

async function fromSnapshot({ snapshot, now }: AnsibleNamesOptions, reason: string): Promise<Loaded> {
  if (snapshot === undefined) return cannotTell(reason);
  const files = localFiles(50_000_000);
  const { kind, modified } = await files.entry(snapshot.file);
  if (kind !== 'file') return cannotTell(`${reason}; and the operator's snapshot of the inventory is not there`);
  const minutes = (now() - modified) / 60_000;
  if (snapshot.maxAgeMinutes !== undefined && minutes > snapshot.maxAgeMinutes)
    return cannotTell(
      `the operator's snapshot of the inventory is older than ${snapshot.maxAgeMinutes} min; whoever runs ansible makes a new one with "ansible-inventory --list > FILE"`,
    );
  return readSnapshot(await files.read(snapshot.file));
}
