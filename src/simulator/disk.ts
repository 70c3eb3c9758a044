import {
  type BigIntStats,
  type Dirent,
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { Clock } from './clock.js';
import type { Store } from './content.js';
import { EMPTY, type FileNode, type FolderNode, find, type LinkNode, type Node, place } from './tree.js';

/** A VM's disk. What the guest wrote reaches an image when the guest's cache is written back, or at once after `sync`. */
export interface Disk {
  /** What a checkpoint taken now holds. Unchanged parts are shared with the image before. */
  image(): FolderNode;
  write(path: readonly string[], bytes: Uint8Array): void;
  link(path: readonly string[], target: string): void;
  remove(path: readonly string[]): void;
  sync(): void;
  /** What the guest itself reads: its cache included. */
  read(path: readonly string[]): Buffer | undefined;
}

interface Change {
  readonly at: number;
  readonly path: readonly string[];
  readonly node: Node | undefined;
}

/** A disk in memory, for VMs without a directory. */
export function memoryDisk(store: Store, clock: Clock, writeBackMs: () => number): Disk {
  let written: FolderNode = EMPTY;
  let cache: Change[] = [];

  function flush(until: number): void {
    for (const change of cache.filter(({ at }) => at <= until))
      written = place(written, change.path, change.node, change.at);
    cache = cache.filter(({ at }) => at > until);
  }
  function change(path: readonly string[], node: Node | undefined): void {
    cache.push({ at: clock.now(), path, node });
  }

  return {
    image() {
      flush(clock.now() - writeBackMs());
      return written;
    },
    write(path, bytes) {
      change(path, { kind: 'file', blob: store.add(bytes), modified: clock.now(), mark: '' });
    },
    link: (path, target) => change(path, { kind: 'link', target, modified: clock.now() }),
    remove: (path) => change(path, undefined),
    sync: () => flush(Number.POSITIVE_INFINITY),
    read(path) {
      const seen = cache.reduce((root, { path: at, node }) => place(root, at, node, 0), written);
      const node = find(seen, path);
      return node?.kind === 'file' ? node.blob.read() : undefined;
    },
  };
}

/** Within this time after a change the file's times may not tell a second change of the same size from the first. */
const COARSE_MS = 2_000;

/** A disk that is a directory of the host, read anew for each image. Sockets, devices and unreadable files are left out. */
export function directoryDisk(directory: string, store: Store, writeBackMs: () => number): Disk {
  let last: FolderNode = EMPTY;
  let synced = 0;
  const reader: Reader = { store, visible: (modified) => modified <= Math.max(synced, Date.now() - writeBackMs()) };
  const at = (path: readonly string[]) => join(directory, ...path);
  const prepare = (path: readonly string[]) => mkdirSync(dirname(at(path)), { recursive: true });

  return {
    image() {
      last = readFolder(reader, directory, last) ?? EMPTY;
      return last;
    },
    write(path, bytes) {
      prepare(path);
      writeFileSync(at(path), bytes);
    },
    link(path, target) {
      prepare(path);
      symlinkSync(target, at(path));
    },
    remove: (path) => rmSync(at(path), { recursive: true, force: true }),
    sync() {
      synced = Date.now() + 1;
    },
    read(path) {
      return attempt(() => store.addFile(at(path), lstatSync(at(path)).size).read());
    },
  };
}

interface Reader {
  readonly store: Store;
  readonly visible: (modified: number) => boolean;
}

function readFolder(reader: Reader, path: string, before: Node | undefined): FolderNode | undefined {
  const entries = attempt(() => readdirSync(path, { withFileTypes: true }));
  const stat = attempt(() => lstatSync(path));
  if (entries === undefined || stat === undefined) return undefined;
  const old = before?.kind === 'folder' ? before : undefined;
  const children = new Map<string, Node>();
  for (const entry of entries) {
    const node = readEntry(reader, join(path, entry.name), entry, old?.children.get(entry.name));
    if (node !== undefined) children.set(entry.name, node);
  }
  if (old !== undefined && sameChildren(old.children, children)) return old;
  return { kind: 'folder', modified: Math.floor(stat.mtimeMs), children };
}

function sameChildren(before: ReadonlyMap<string, Node>, after: ReadonlyMap<string, Node>): boolean {
  return before.size === after.size && [...after].every(([name, node]) => before.get(name) === node);
}

function readEntry(reader: Reader, path: string, entry: Dirent, before: Node | undefined): Node | undefined {
  if (entry.isDirectory()) return readFolder(reader, path, before);
  if (entry.isSymbolicLink()) return readLink(path, before);
  if (entry.isFile()) return readFile(reader, path, before);
  return undefined;
}

function readLink(path: string, before: Node | undefined): LinkNode | undefined {
  const target = attempt(() => readlinkSync(path));
  if (target === undefined) return undefined;
  if (before?.kind === 'link' && before.target === target) return before;
  return { kind: 'link', target, modified: Date.now() };
}

function readFile(reader: Reader, path: string, before: Node | undefined): Node | undefined {
  const stat = attempt(() => lstatSync(path, { bigint: true }));
  if (stat === undefined) return undefined;
  const mark = markOf(stat);
  if (before?.kind === 'file' && before.mark === mark && mark !== '') return before;
  const modified = Number(stat.mtimeMs);
  if (!reader.visible(modified)) return before;
  const blob = attempt(() => reader.store.addFile(path, Number(stat.size)));
  if (blob === undefined) return undefined;
  const node: FileNode = { kind: 'file', blob, modified, mark };
  return before?.kind === 'file' && before.blob === blob && before.modified === modified && mark === '' ? before : node;
}

/** Empty for a file that changed a moment ago: it is read again next time, as git does with a racy index. */
function markOf(stat: BigIntStats): string {
  const changed = Math.max(Number(stat.ctimeMs), Number(stat.mtimeMs));
  return Date.now() - changed < COARSE_MS ? '' : `${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}:${stat.ino}`;
}

/** A file may vanish or be closed to us between the listing and the reading: then it is not there. */
function attempt<T>(read: () => T): T | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
