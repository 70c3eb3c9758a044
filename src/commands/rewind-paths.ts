const LINUX = /(?<![\w.:/\\~-])\/[^\s'"`;|&<>()$*?{}[\]\\,]+/g;
const WINDOWS = /(?<!\w)[A-Za-z]:[\\/][^\s'"`;|&<>()*?$,]+/g;
const QUOTED = /"((?:[A-Za-z]:[\\/]|\/)[^"$`*?\n]+)"|'((?:[A-Za-z]:[\\/]|\/)[^'*?\n]+)'/g;
const NO_FILES = /^\/(dev|proc|sys|run|bin|sbin|usr\/(local\/)?s?bin)(\/|$)|^\/+$/;
/** What begins an argument of redacted text. */
const REDACTED = /\[redacted/i;

const MOST = 50;

/**
 * Absolute paths that stand in a call's arguments, in their order: what the call names, not what it changed. Programs, devices
 * and patterns are left out.
 */
export function pathsIn(value: unknown): readonly string[] {
  const found = new Set<string>();
  for (const text of textsIn(value)) for (const path of pathsOf(text)) found.add(path);
  return [...found].slice(0, MOST);
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.values(value).flatMap(textsIn);
}

function pathsOf(text: string): readonly string[] {
  const quoted = [...text.matchAll(QUOTED)].map((match) => match[1] ?? match[2] ?? '');
  const bare = text.replace(QUOTED, '""');
  const plain = [...bare.matchAll(WINDOWS), ...bare.replace(WINDOWS, ' ').matchAll(LINUX)].map(([path]) => path);
  return [...quoted, ...plain]
    .map((path) => path.replace(/[.:,]+$/, ''))
    .filter((path) => path.length > 1 && !NO_FILES.test(path) && !REDACTED.test(path) && !path.includes('..'));
}
