import { type Container, type Item, lastNamed, readContainer, skipSpace } from './scan.js';

/** Replaces the bytes from `start` to `end` by `text`; equal offsets insert. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** The same buffer where there is nothing to do. Splices must not overlap; at one offset an insertion comes before a removal. */
export function applySplices(raw: Buffer, splices: readonly Splice[]): Buffer {
  if (splices.length === 0) return raw;
  const parts: Buffer[] = [];
  let at = 0;
  for (const splice of [...splices].sort((a, b) => a.start - b.start || a.end - b.end)) {
    parts.push(raw.subarray(at, splice.start), Buffer.from(splice.text));
    at = splice.end;
  }
  return Buffer.concat([...parts, raw.subarray(at)]);
}

/** Takes items out together with their commas; what stands between the others stays. */
export function removals(items: readonly Item[], gone: (item: Item, index: number) => boolean): Splice[] {
  const splices: Splice[] = [];
  const firstKept = items.findIndex((item, index) => !gone(item, index));
  const head = firstKept === -1 ? items.length : firstKept;
  const [first] = items;
  if (head > 0 && first !== undefined) {
    const end = items[head]?.start ?? items[head - 1]?.end ?? first.end;
    splices.push({ start: first.start, end, text: '' });
  }
  for (let i = head + 1; i < items.length; i += 1) {
    const item = items[i];
    const before = items[i - 1];
    if (item && before && gone(item, i)) splices.push({ start: before.end, end: item.end, text: '' });
  }
  return splices;
}

/** Adds entries after the last of those items that stay, or as the first where none does. */
export function append(container: Container, kept: readonly Item[], entries: readonly string[]): Splice[] {
  if (entries.length === 0) return [];
  const joined = entries.join(',');
  const last = kept.at(-1);
  if (last !== undefined) return [{ start: last.end, end: last.end, text: `,${joined}` }];
  const at = container.items[0]?.start ?? container.end - 1;
  return [{ start: at, end: at, text: joined }];
}

/** Gives the member a value: in the place of the one that JavaScript reads, else as a new last member. */
export function assignment(container: Container, name: string, json: string): Splice[] {
  const present = lastNamed(container, name);
  if (present !== undefined) return [{ start: present.valueStart, end: present.end, text: json }];
  return append(container, container.items, [`${JSON.stringify(name)}:${json}`]);
}

/** The object at the end of a path of member names from the top, the last of equal names at each step; undefined where there is none. */
export function objectAt(text: string, path: readonly string[]): Container | undefined {
  let at = skipSpace(text, 0);
  for (const name of path) {
    const member = lastNamed(objectFrom(text, at), name);
    if (member === undefined) return undefined;
    at = member.valueStart;
  }
  return objectFrom(text, at);
}

/** The object at that offset, else undefined. */
export function objectFrom(text: string, at: number): Container | undefined {
  return text[at] === '{' ? readContainer(text, at) : undefined;
}
