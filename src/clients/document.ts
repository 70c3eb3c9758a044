/** A text of a config file as it is written there: its value, its own spelling, and where it stands. */
export interface Literal {
  readonly value: string;
  readonly raw: string;
  readonly start: number;
  readonly end: number;
}

/** A list as it is written. `items`: undefined where it holds anything but texts. `whole`: what to cut out so that the list and its key are gone, where that leaves the rest as it is. */
export interface LiteralList {
  readonly start: number;
  readonly end: number;
  readonly items: readonly Literal[] | undefined;
  readonly whole?: { readonly start: number; readonly end: number } | undefined;
}

/** Where `args` would go in an entry that has none: `before` leads to the list. */
export interface Gap {
  readonly offset: number;
  readonly before: string;
}

/** How a client starts a server. `line`: `command` holds the program and the arguments. */
export type Launch =
  | { readonly kind: 'split'; readonly command: Literal; readonly args: LiteralList | undefined; readonly gap: Gap }
  | { readonly kind: 'line'; readonly words: LiteralList }
  | { readonly kind: 'url' }
  | { readonly kind: 'odd'; readonly why: string };

/** One server of a config file. `path` leads to it from the file's root. */
export interface Entry {
  readonly path: readonly string[];
  readonly name: string;
  /** The directory that it is for, in a file that holds several projects. */
  readonly project?: string | undefined;
  readonly launch: Launch;
  /** Names of tools that the entry allows or forbids. */
  readonly tools: readonly string[];
}

/** What keeps a file from being used. Line and column count from 1. No value of the file is in it. */
export interface Problem {
  readonly message: string;
  readonly line?: number | undefined;
  readonly column?: number | undefined;
}

/** A config file that was read: its servers, and its whole value with objects as maps. */
export type Document =
  | { readonly kind: 'read'; readonly entries: readonly Entry[]; readonly value: unknown }
  | { readonly kind: 'malformed'; readonly problem: Problem };

/** A replacement in a text. */
export interface Edit {
  readonly offset: number;
  readonly length: number;
  readonly content: string;
}

/** Line and column of an offset, from 1. */
export function placeOf(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split(/\r\n|\r|\n/);
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** A text as both JSON and TOML write it. */
export function literal(value: string): string {
  return JSON.stringify(value).replaceAll('\u007f', '\\u007f');
}

const TOOL_LISTS = [
  'includeTools',
  'excludeTools',
  'enabled_tools',
  'disabled_tools',
  'enabledTools',
  'disabledTools',
  'autoApprove',
  'alwaysAllow',
  'tools',
];
const URLS = ['url', 'serverUrl', 'httpUrl', 'uri'];

/** Names of tools in an entry's own settings. */
export function toolsIn(entry: ReadonlyMap<unknown, unknown>): readonly string[] {
  return TOOL_LISTS.flatMap((key) => {
    const value = entry.get(key);
    const names = value instanceof Map ? [...value.keys()] : Array.isArray(value) ? value : [];
    return names.filter((name): name is string => typeof name === 'string');
  });
}

/** Whether an entry is a server that is reached, not started. */
export function hasUrl(entry: ReadonlyMap<unknown, unknown>): boolean {
  return URLS.some((key) => typeof entry.get(key) === 'string');
}
