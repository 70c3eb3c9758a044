import { parse, TomlError } from 'smol-toml';
import {
  type Document,
  type Entry,
  type Gap,
  hasUrl,
  type Launch,
  type LiteralList,
  placeOf,
  toolsIn,
} from './document.js';
import { type Assigned, scanToml } from './scan-toml.js';

const SECTION = 'mcp_servers';

/** Reads the servers of Codex's TOML, in every way in which TOML can write a table. */
export function readToml(text: string): Document {
  let value: unknown;
  try {
    value = toMap(parse(text, { integersAsBigInt: 'asNeeded' }));
  } catch (error) {
    const place = error instanceof TomlError ? { line: error.line, column: error.column } : placeOf(text, 0);
    // The parser's own words hold lines of the file.
    return { kind: 'malformed', problem: { message: 'the file is not valid TOML', ...place } };
  }
  const servers = value instanceof Map ? value.get(SECTION) : undefined;
  if (servers === undefined) return { kind: 'read', entries: [], value };
  const found = scan(text);
  if (!(servers instanceof Map)) {
    const at = found?.find(({ path }) => path[0] === SECTION)?.key.start ?? 0;
    return { kind: 'malformed', problem: { message: 'the servers are no table', ...placeOf(text, at) } };
  }
  const entries = [...servers].map(([name, entry]) => entryOf(text, String(name), entry, found ?? []));
  return { kind: 'read', entries, value };
}

function scan(text: string): readonly Assigned[] | undefined {
  try {
    return scanToml(text);
  } catch {
    return undefined;
  }
}

/** Objects as maps, so that no name has a meaning of its own. */
function toMap(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toMap);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return new Map(Object.entries(value).map(([name, each]) => [name, toMap(each)]));
}

function entryOf(text: string, name: string, entry: unknown, found: readonly Assigned[]): Entry {
  const path = [SECTION, name];
  const base = { path, name };
  if (!(entry instanceof Map)) return { ...base, tools: [], launch: { kind: 'odd', why: 'its entry is no table' } };
  return { ...base, tools: toolsIn(entry), launch: launchOf(text, path, entry, found) };
}

function launchOf(
  text: string,
  path: readonly string[],
  entry: ReadonlyMap<unknown, unknown>,
  found: readonly Assigned[],
): Launch {
  if (hasUrl(entry)) return { kind: 'url' };
  const command = entry.get('command');
  const args = entry.get('args');
  if (command === undefined) return { kind: 'odd', why: 'it has no command' };
  if (typeof command !== 'string') return { kind: 'odd', why: 'its command is no text' };
  if (args !== undefined && !Array.isArray(args)) return { kind: 'odd', why: 'its args are no list' };
  const commandAt = only(found, [...path, 'command']);
  const argsAt = only(found, [...path, 'args']);
  const list = argsAt === undefined ? undefined : listOf(text, argsAt);
  const isFound = commandAt?.text?.value === command && (args === undefined) === (list === undefined);
  if (!isFound || commandAt.text === undefined)
    return { kind: 'odd', why: 'it is written in a way that cannot be edited' };
  return { kind: 'split', command: commandAt.text, args: list, gap: gapAfter(text, commandAt) };
}

function only(found: readonly Assigned[], path: readonly string[]): Assigned | undefined {
  const same = found.filter(
    (each) => each.path.length === path.length && each.path.every((part, i) => part === path[i]),
  );
  return same.length === 1 ? same[0] : undefined;
}

function listOf(text: string, { list, start, end, inline, key }: Assigned): LiteralList {
  const lead = (inline ? /,\s*$/ : /\r?\n[ \t]*$/).exec(text.slice(0, key.start));
  return { start, end, items: list?.items, whole: lead === null ? undefined : { start: lead.index, end } };
}

/** `args` is written as `command` is: on the next line with the same leading keys, or behind it in an inline table. */
function gapAfter(text: string, { end, inline, key }: Assigned): Gap {
  if (inline) return { offset: end, before: ', args = ' };
  const rest = /[^\r\n]*/y;
  rest.lastIndex = end;
  const lineEnd = end + (rest.exec(text)?.[0].length ?? 0);
  const newline = /\r\n|\n/.exec(text)?.[0] ?? '\n';
  const lineStart = text.lastIndexOf('\n', key.start - 1) + 1;
  const indent = /^[ \t]*/.exec(text.slice(lineStart, key.start))?.[0] ?? '';
  return { offset: lineEnd, before: `${newline}${indent}${text.slice(key.start, key.last)}args = ` };
}
