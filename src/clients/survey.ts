import { TextDecoder } from 'node:util';
import type { Backups } from './backups.js';
import type { Document, Entry, Launch, Problem } from './document.js';
import { placeOf } from './document.js';
import { type PackageOf, type Recognised, recognise } from './family.js';
import { type FileRead, readThrough } from './files.js';
import type { ClientName, Place } from './places.js';
import { readJson } from './read-json.js';
import { readToml } from './read-toml.js';
import { type Wrapper, type Wrapping, wordsOf, wrappingOf } from './wrapping.js';

/** What all of it depends on. `exists`: whether a file is there. */
export interface Setting {
  readonly places: readonly Place[];
  readonly wrapper: Wrapper;
  readonly backups: Backups;
  readonly packageOf: PackageOf;
  readonly exists: (path: string) => boolean;
}

/** Which files and servers are meant; an empty list is all. `only`: names of servers and families. */
export interface Choice {
  readonly clients: readonly ClientName[];
  readonly only: readonly string[];
}

/** A server with what was found out about it. `whyNot`: why it cannot be put behind the proxy. */
export interface FoundServer {
  readonly entry: Entry;
  readonly words: readonly string[];
  readonly wrapping: Wrapping;
  readonly recognised: Recognised | undefined;
  readonly whyNot: string | undefined;
}

/** One file behind all its names, with the places that lead to it. */
export interface FoundFile {
  readonly places: readonly [Place, ...Place[]];
  readonly problem?: Problem | undefined;
  readonly source?: Source | undefined;
  readonly servers: readonly FoundServer[];
}

/** A file's text without the byte order mark, which `bom` says was there. */
export interface Source {
  readonly read: FileRead;
  readonly bom: boolean;
  readonly text: string;
  readonly document: Document & { readonly kind: 'read' };
}

/** Reads every config that is there, each once, however many clients share it. */
export async function survey(setting: Setting, { clients }: Choice): Promise<readonly FoundFile[]> {
  const places = setting.places.filter(({ client }) => clients.length === 0 || clients.includes(client));
  const programs = [setting.wrapper.program, ...(await setting.backups.programs())];
  const files = new Map<string, { places: [Place, ...Place[]]; read: Awaited<ReturnType<typeof readThrough>> }>();
  for (const place of places) {
    const read = await readThrough(place.file);
    const key = read.kind === 'file' ? read.real : place.file;
    const known = files.get(key);
    if (known === undefined) files.set(key, { places: [place], read });
    else if (!known.places.some(({ client, file }) => client === place.client && file === place.file))
      known.places.push(place);
  }
  return [...files.values()].flatMap(({ places: own, read }): readonly FoundFile[] => {
    if (read.kind === 'absent') return [];
    if (read.kind === 'unreadable') return [{ places: own, servers: [], problem: { message: read.why } }];
    return [examine(own, read, setting, programs)];
  });
}

function examine(
  places: readonly [Place, ...Place[]],
  read: FileRead,
  { packageOf }: Setting,
  programs: readonly string[],
): FoundFile {
  const source = parse(read, places);
  if ('message' in source) return { places, servers: [], problem: source };
  const servers = source.document.entries.map((entry) => examineEntry(entry, packageOf, programs));
  return { places, source, servers };
}

/** A file's bytes as its clients read them. */
export function parse(read: FileRead, places: readonly Place[]): Source | Problem {
  const text = decode(read.bytes);
  if (text === undefined) return { message: 'the file is not UTF-8', ...placeOfBadByte(read.bytes) };
  const bom = text.startsWith('\uFEFF');
  const bare = bom ? text.slice(1) : text;
  const document = parseText(bare, places);
  return document.kind === 'malformed' ? document.problem : { read, bom, text: bare, document };
}

/** The same for a text. */
export function parseText(text: string, places: readonly Place[]): Document {
  const layouts = [...new Set(places.map(({ layout }) => layout))];
  return layouts.includes('codex') ? readToml(text) : readJson(text, layouts);
}

/** What is known of one server. */
function examineEntry(entry: Entry, packageOf: PackageOf, programs: readonly string[]): FoundServer {
  const words = wordsOf(entry.launch) ?? [];
  const wrapping = wrappingOf(words, programs);
  const own = wrapping.kind === 'wrapped' ? words.slice(wrapping.inner ?? words.length) : words;
  return {
    entry,
    words,
    wrapping,
    recognised: recognise(entry, own, packageOf),
    whyNot: wrapping.kind === 'wrapped' ? undefined : whyNot(entry.launch, words),
  };
}

function whyNot(launch: Launch, words: readonly string[]): string | undefined {
  if (launch.kind === 'url') return 'it has a URL; --url or --server wraps it by hand';
  if (launch.kind === 'odd') return launch.why;
  const [command = '', ...args] = words;
  if (command.trim() === '')
    return words.length > 0 ? 'its command is empty' : 'its command holds something else than texts';
  // Some clients cut such a text into words, others take it for one program; behind the proxy it would be the latter.
  const isPath = /^(?:[.~]{0,2}[\\/]|[A-Za-z]:[\\/])/.test(command);
  return args.length === 0 && /\s/.test(command) && !isPath
    ? 'its command holds arguments too; write them into args'
    : undefined;
}

function decode(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Where the replacement of what cannot be decoded begins. */
function placeOfBadByte(bytes: Buffer): { readonly line: number; readonly column: number } {
  const text = bytes.toString('utf8');
  let at = text.indexOf('\uFFFD');
  while (
    at >= 0 &&
    bytes
      .subarray(Buffer.byteLength(text.slice(0, at)))
      .toString('utf8')
      .startsWith('\uFFFD') &&
    isWritten(bytes, text, at)
  )
    at = text.indexOf('\uFFFD', at + 1);
  return placeOf(text, Math.max(at, 0));
}

/** Whether U+FFFD stands in the file itself. */
function isWritten(bytes: Buffer, text: string, at: number): boolean {
  const from = Buffer.byteLength(text.slice(0, at));
  return bytes.subarray(from, from + 3).equals(Buffer.from('\uFFFD'));
}
