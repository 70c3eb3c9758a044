import type { Blob } from './content.js';

/** What a disk holds at one moment. Never changed in place: a new image shares what stayed the same. */
export type Node = FileNode | FolderNode | LinkNode;

export interface FileNode {
  readonly kind: 'file';
  readonly blob: Blob;
  readonly modified: number;
  /** Tells a changed file from an unchanged one without reading it. */
  readonly mark: string;
}

export interface FolderNode {
  readonly kind: 'folder';
  readonly modified: number;
  readonly children: ReadonlyMap<string, Node>;
}

export interface LinkNode {
  readonly kind: 'link';
  readonly target: string;
  readonly modified: number;
}

export const EMPTY: FolderNode = { kind: 'folder', modified: 0, children: new Map() };

/** The node at a path of segments; links are not followed. */
export function find(root: Node, segments: readonly string[]): Node | undefined {
  let node: Node | undefined = root;
  for (const segment of segments) {
    node = node?.kind === 'folder' ? node.children.get(segment) : undefined;
  }
  return node;
}

/** A tree with `node` at the path, or with nothing there; missing folders are made, what stands in their way is replaced. */
export function place(root: FolderNode, segments: readonly string[], node: Node | undefined, now: number): FolderNode {
  const [head, ...rest] = segments;
  if (head === undefined) return node?.kind === 'folder' ? node : root;
  const children = new Map(root.children);
  const child = children.get(head);
  const placed = rest.length === 0 ? node : place(child?.kind === 'folder' ? child : EMPTY, rest, node, now);
  if (placed === undefined) children.delete(head);
  else children.set(head, placed);
  return { kind: 'folder', modified: now, children };
}

/** How many bytes of `next` are not in `previous`: what a journal has to hold for the step. */
export function changedBytes(previous: Node | undefined, next: Node): number {
  if (previous === next || next.kind === 'link') return 0;
  if (next.kind === 'file') return previous?.kind === 'file' && previous.blob === next.blob ? 0 : next.blob.size;
  const before = previous?.kind === 'folder' ? previous.children : undefined;
  let sum = 0;
  for (const [name, child] of next.children) sum += changedBytes(before?.get(name), child);
  return sum;
}

/**
 * A guest's path as segments from the disk's root: `/etc/hosts`, `C:\Windows\win.ini`.
 * Throws on `..`, on an empty path and on NUL.
 */
export function guestPath(path: string, windows: boolean): string[] {
  const plain = windows ? path.replace(/^[A-Za-z]:/, '').replaceAll('\\', '/') : path;
  const segments = plain.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.length === 0 || segments.includes('..') || plain.includes('\0')) {
    throw new Error(`not a path inside the guest: ${JSON.stringify(path)}`);
  }
  return segments;
}
