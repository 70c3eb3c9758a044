import { type Kept, sha256 } from './backups.js';
import type { Entry } from './document.js';
import { type Change, edited } from './edit-file.js';
import { errnoOf, replaceFile } from './files.js';
import { type Choice, type FoundFile, type FoundServer, parse, type Setting, type Source, survey } from './survey.js';
import { unwrap, wordsOf, wrap, wrappingOf } from './wrapping.js';

/** What is to be done with a file. `changes`: the servers that are touched; `next`: the bytes then. `ends`: the proxy is gone from it then. */
export interface Plan {
  readonly file: FoundFile;
  readonly changes: readonly FoundServer[];
  readonly next?: Buffer | undefined;
  readonly ends: boolean;
  /** Why a file that should be changed is left alone. */
  readonly problem?: string | undefined;
}

/** What was done. `backup`: the path of the copy. */
export interface Done {
  readonly plan: Plan;
  readonly backup?: string | undefined;
  readonly problem?: string | undefined;
}

/** Whether a server is meant by `--only`, or, without it, is of a family that is guarded. */
export function isChosen({ entry, recognised }: FoundServer, { only }: Choice): boolean {
  if (only.length === 0) return recognised !== undefined;
  return only.some((each) => each === entry.name || each === recognised?.family);
}

/** Puts the chosen servers of every config behind the proxy. Nothing is written yet. */
export async function planInstall(setting: Setting, choice: Choice): Promise<readonly Plan[]> {
  const files = await survey(setting, choice);
  return files.map((file) => {
    const { source } = file;
    const chosen = file.servers.filter(
      (server) => server.wrapping.kind === 'plain' && server.whyNot === undefined && isChosen(server, choice),
    );
    if (source === undefined || chosen.length === 0) return { file, changes: [], ends: false };
    const { node, program, options } = setting.wrapper;
    const changes = chosen.map(
      ({ entry, words }): Change => ({
        entry,
        edits: wrap(source.text, entry.launch, setting.wrapper),
        words: [node, program, ...options, '--', ...words],
      }),
    );
    return planned(file, source, changes, chosen);
  });
}

function planned(file: FoundFile, source: Source, changes: readonly Change[], servers: readonly FoundServer[]): Plan {
  const next = edited(source, changes, file.places);
  const problem = next === undefined ? 'it cannot be edited without changing something else' : undefined;
  return { file, changes: servers, next, problem, ends: false };
}

/** Takes the proxy out of every config again: the bytes as they were where nobody edited the file since, else the words that were put in. */
export async function planUninstall(setting: Setting, choice: Choice): Promise<readonly Plan[]> {
  const files = await survey(setting, choice);
  return Promise.all(
    files.map((file) =>
      file.source === undefined ? { file, changes: [], ends: false } : takeOut(setting, choice, file, file.source),
    ),
  );
}

async function takeOut(setting: Setting, choice: Choice, file: FoundFile, source: Source): Promise<Plan> {
  const before = await history(setting, file, source);
  const ours = file.servers.filter(
    ({ wrapping, entry }) =>
      wrapping.kind === 'wrapped' && wrapping.inner !== undefined && !before.wrapped.has(key(entry.path)),
  );
  const chosen = choice.only.length === 0 ? ours : ours.filter((server) => isChosen(server, choice));
  if (chosen.length === 0) return { file, changes: [], ends: false };
  const all = chosen.length === ours.length;
  if (all && before.original !== undefined) return { file, changes: chosen, next: before.original, ends: true };
  const changes = chosen.map(({ entry, words, wrapping }): Change => {
    const inner = wrapping.kind === 'wrapped' ? (wrapping.inner ?? 0) : 0;
    const hadArgs = !before.withoutArgs.has(key(entry.path));
    return { entry, edits: unwrap(source.text, entry.launch, inner, hadArgs), words: words.slice(inner) };
  });
  return { ...planned(file, source, changes, chosen), ends: all };
}

interface History {
  /** The file before the first edit, where nobody else edited it since. */
  readonly original: Buffer | undefined;
  /** Servers that were behind the proxy before, by somebody's own hand. */
  readonly wrapped: ReadonlySet<string>;
  readonly withoutArgs: ReadonlySet<string>;
}

async function history(setting: Setting, { places }: FoundFile, { read }: Source): Promise<History> {
  const { backups, wrapper } = setting;
  const kept = await backups.of(read.real);
  const [oldest] = kept;
  const bytes = oldest === undefined ? undefined : await backups.read(oldest);
  const first = bytes === undefined ? undefined : parse({ ...read, bytes }, places);
  if (first === undefined || 'message' in first)
    return { original: undefined, wrapped: new Set(), withoutArgs: new Set() };
  let at = sha256(read.bytes);
  for (const each of kept.toReversed()) if (each.after === at) at = each.before;
  const programs = [wrapper.program, ...(await backups.programs())];
  const { entries } = first.document;
  const isWrapped = ({ launch }: Entry) => wrappingOf(wordsOf(launch) ?? [], programs).kind === 'wrapped';
  const hasNoArgs = ({ launch }: Entry) => launch.kind === 'split' && launch.args === undefined;
  return {
    original: at === oldest?.before ? bytes : undefined,
    wrapped: new Set(entries.filter(isWrapped).map(({ path }) => key(path))),
    withoutArgs: new Set(entries.filter(hasNoArgs).map(({ path }) => key(path))),
  };
}

const key = (path: readonly string[]): string => JSON.stringify(path);

/** Keeps a copy, then writes. A file of which no copy can be kept is left alone. */
export async function carryOut({ backups, wrapper }: Setting, plan: Plan): Promise<Done> {
  const { file, next, ends } = plan;
  const read = file.source?.read;
  if (plan.problem !== undefined || next === undefined || read === undefined) return { plan, problem: plan.problem };
  let kept: Kept;
  try {
    kept = await backups.keep(read.real, read.bytes);
    if (!ends) await kept.settle('edited', next, wrapper.program);
  } catch (error) {
    return { plan, problem: `no copy of it could be kept (${errnoOf(error)})` };
  }
  const problem = await replaceFile(read, next);
  if (problem !== undefined) return { plan, problem };
  // Without this line the next `uninstall` finds its way back by the words alone.
  if (ends) await kept.settle('uninstalled', next, wrapper.program).catch(() => undefined);
  return { plan, backup: kept.path };
}
