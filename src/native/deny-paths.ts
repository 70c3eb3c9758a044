import { DATABASE_RULES } from './database-rules.js';
import { DENY_RULES, type DenyRule } from './deny-rules.js';
import { glob } from './glob.js';
import { type FoldedPath, foldings } from './guest-text.js';

type Path = Extract<FoldedPath, { kind: 'path' }>;

/** Globs of the config. Without a slash they fit the last name, with one at the front the whole path, else its end. */
export interface PathLists {
  readonly denyPaths: readonly string[];
  readonly allowPaths: readonly string[];
}

/** `whole` fits an end of a path; `cut` a path from the root of a volume that is mounted inside one that `whole` fits. */
interface Pattern {
  readonly whole: RegExp;
  readonly cut: readonly RegExp[];
}

type Compiled<R extends DenyRule> = Omit<R, 'match' | 'except'> & {
  readonly match: readonly Pattern[];
  readonly except: readonly RegExp[];
};

const RULES = DENY_RULES.map(compile);
const DATABASES = DATABASE_RULES.map(compile);

function compile<R extends DenyRule>(rule: R): Compiled<R> {
  return {
    ...rule,
    match: rule.match.map((match) => pattern(match, 'with a name')),
    except: (rule.except ?? []).map(glob),
  };
}

/**
 * Why a path is not given to a model, or `undefined`. The operator's `denyPaths` go first, then `allowPaths`, then the rules
 * for secrets; a path that could be read in two ways is denied.
 */
export function denyPaths(lists: PathLists): (path: string) => string | undefined {
  const denied = lists.denyPaths.map((pattern) => listed(pattern, 'any drive'));
  const allowed = lists.allowPaths.map((pattern) => listed(pattern, 'same drive'));
  const judge = (path: FoldedPath): string | undefined => {
    if (path.kind === 'malformed') return path.why;
    if (denied.some((fits) => copies(path).some(fits))) return 'the operator’s denyPaths name it';
    if (allowed.some((fits) => fits(path))) return undefined;
    const rule = RULES.find((candidate) => holds(candidate, path));
    return rule === undefined
      ? undefined
      : `it may hold ${rule.why}, which the guest’s permissions protect and the journal does not`;
  };
  return (text) => {
    for (const path of foldings(text)) {
      const why = judge(path);
      if (why !== undefined) return why;
    }
    return undefined;
  };
}

/** Why a path cannot be looked up in any guest, or `undefined`; `denyPaths` denies it too. */
export function flawIn(text: string): string | undefined {
  return foldings(text).flatMap((path) => (path.kind === 'malformed' ? [path.why] : []))[0];
}

/** Whether the operator allowed a path by name: then its content is not looked at either. */
export function allowedByName(lists: PathLists): (path: string) => boolean {
  const allowed = lists.allowPaths.map((pattern) => listed(pattern, 'same drive'));
  return (text) => foldings(text).every((path) => path.kind === 'path' && allowed.some((fits) => fits(path)));
}

/** What database a file belongs to, of which it is no use alone; `domain`: it is a domain's directory. */
export function databaseOf(text: string): { readonly what: string; readonly domain: boolean } | undefined {
  // A copy under another name (`orders.mdf.bak`) is a backup, whole by itself.
  const rule = DATABASES.find(({ match }) =>
    foldings(text).some(
      (path) =>
        path.kind === 'path' && endings(path.segments).some((ending) => match.some((each) => fits(each, ending, path))),
    ),
  );
  return rule === undefined ? undefined : { what: rule.why, domain: rule.domain === true };
}

function holds(rule: Compiled<DenyRule>, path: Path): boolean {
  if (rule.windows && !path.windows) return false;
  const last = path.segments.at(-1) ?? '';
  if (rule.except.some((free) => free.test(last))) return false;
  return copies(path).some((copy) =>
    endings(copy.segments).some((ending) => rule.match.some((match) => fits(match, ending, copy))),
  );
}

/** Every end of a path at a name's border: `a/b/c`, `b/c`, `c`. */
function endings(segments: readonly string[]): string[] {
  return segments.map((_, from) => segments.slice(from).join('/'));
}

const COPY =
  /(~|-|\.(bak|backup|old|orig|original|save|saved|sav|swp|swo|tmp|temp|copy|disabled|dpkg-\w+|rpm\w+|ucf-\w+|log\d*|gz|xz|bz2|zst|zip|7z|tar|tgz|\d+))$/;

/** The path itself, and what it would be the copy of: `server.key.bak`, `.shadow.swp`, `id_rsa~`. */
function copies(path: Path): Path[] {
  const last = path.segments.at(-1);
  if (last === undefined) return [path];
  const names = new Set([last]);
  for (let name = last; COPY.test(name); ) {
    name = name.replace(COPY, '');
    names.add(name);
    names.add(name.replace(/^[.#]+/, ''));
  }
  // A name of a hundred suffixes must not cost a hundred times as much.
  const kept = names.size > 24 ? [...[...names].slice(0, 12), ...[...names].slice(-12)] : [...names];
  return kept.map((name) => ({ ...path, segments: [...path.segments.slice(0, -1), name] }));
}

function listed(text: string, drives: 'any drive' | 'same drive'): (path: Path) => boolean {
  const folded = text.normalize('NFKC').toLowerCase().replaceAll('\\', '/');
  const [, drive, rest = ''] = /^(?:([a-z]):)?(.*)$/s.exec(folded) ?? [];
  const anchored = rest.startsWith('/');
  const match = pattern(rest.replace(/^\/+/, '').replace(/\/$/, '/**'), 'any');
  const denies = drives === 'any drive';
  return (path) => {
    if (!denies && drive !== undefined && drive !== path.drive) return false;
    const ends = anchored ? [path.segments.join('/')] : endings(path.segments);
    return ends.some((end) => (denies ? fits(match, end, path) : match.whole.test(end)));
  };
}

function fits({ whole, cut }: Pattern, end: string, path: Path): boolean {
  return whole.test(end) || (path.inVolume && cut.some((each) => each.test(path.segments.join('/'))));
}

/** `cut` without its last, all too wide step where that must still have a name in it. */
function pattern(text: string, rest: 'any' | 'with a name'): Pattern {
  const parts = text.match(/(?:\{[^{}]*\}|[^/])+/g) ?? [];
  const cuts = parts.map((_, from) => parts.slice(from)).slice(1);
  const kept = rest === 'any' ? cuts : cuts.filter((cut) => cut.some((each) => /[^*?]/.test(each)));
  return { whole: glob(text), cut: kept.map((cut) => glob(cut.join('/'))) };
}
