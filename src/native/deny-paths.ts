import { DENY_RULES } from './deny-rules.js';
import { glob } from './glob.js';
import { type FoldedPath, foldPath } from './guest-text.js';

type Path = Extract<FoldedPath, { kind: 'path' }>;

/** Globs of the config. Without a slash they fit the last name, with one at the front the whole path, else its end. */
export interface PathLists {
  readonly denyPaths: readonly string[];
  readonly allowPaths: readonly string[];
}

const RULES = DENY_RULES.map((rule) => ({
  ...rule,
  match: rule.match.map(glob),
  except: (rule.except ?? []).map(glob),
}));

/**
 * Why a path is not given to a model, or `undefined`. The operator's `denyPaths` go first, then `allowPaths`, then the rules
 * for secrets; a path that could be read in two ways is denied.
 */
export function denyPaths(lists: PathLists): (path: string) => string | undefined {
  const denied = lists.denyPaths.map((pattern) => listed(pattern, 'any drive'));
  const allowed = lists.allowPaths.map((pattern) => listed(pattern, 'same drive'));
  return (text) => {
    const path = foldPath(text);
    if (path.kind === 'malformed') return path.why;
    if (denied.some((fits) => copies(path).some(fits))) return 'the operator’s denyPaths name it';
    if (allowed.some((fits) => fits(path))) return undefined;
    const rule = RULES.find((candidate) => holds(candidate, path));
    return rule === undefined
      ? undefined
      : `it may hold ${rule.why}, which the guest’s permissions protect and the journal does not`;
  };
}

/** Whether the operator allowed a path by name: then its content is not looked at either. */
export function allowedByName(lists: PathLists): (path: string) => boolean {
  const allowed = lists.allowPaths.map((pattern) => listed(pattern, 'same drive'));
  return (text) => {
    const path = foldPath(text);
    return path.kind === 'path' && allowed.some((fits) => fits(path));
  };
}

function holds(rule: (typeof RULES)[number], path: Path): boolean {
  if (rule.windows && !path.windows) return false;
  const last = path.segments.at(-1) ?? '';
  if (rule.except.some((free) => free.test(last))) return false;
  return copies(path).some((copy) =>
    endings(copy.segments).some((ending) => rule.match.some((match) => match.test(ending))),
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
  return [...names].map((name) => ({ ...path, segments: [...path.segments.slice(0, -1), name] }));
}

function listed(pattern: string, drives: 'any drive' | 'same drive'): (path: Path) => boolean {
  const folded = pattern.normalize('NFKC').toLowerCase().replaceAll('\\', '/');
  const [, drive, rest = ''] = /^(?:([a-z]):)?(.*)$/s.exec(folded) ?? [];
  const anchored = rest.startsWith('/');
  const match = glob(rest.replace(/^\/+/, '').replace(/\/$/, '/**'));
  return (path) => {
    if (drives === 'same drive' && drive !== undefined && drive !== path.drive) return false;
    return anchored ? match.test(path.segments.join('/')) : endings(path.segments).some((ending) => match.test(ending));
  };
}
