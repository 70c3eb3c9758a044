import { append, applySplices, assignment, objectAt, removals, type Splice } from '../json-splice.js';
import type { ResponseMessage } from '../message.js';
import { isRecord, record } from '../relay-peers.js';
import { type Container, lastNamed, latin1, readContainer, utf8 } from '../scan.js';

/** One page of one server's list. */
export interface Page {
  readonly response: ResponseMessage;
  readonly names: readonly string[];
  /** The server's own cursor of its next page. */
  readonly next: string | undefined;
}

/** Undefined where the result holds no such list. Revision 2026-07-28 (`stateless`) counts an empty cursor as one; before, it ends a list. */
export function readPage(
  response: ResponseMessage,
  { items, key }: { readonly items: string; readonly key: string },
  stateless: boolean,
): Page | undefined {
  const result = record(response.result);
  const list = result[items];
  if (!Array.isArray(list)) return undefined;
  const names = list.flatMap((item: unknown) => (isRecord(item) && typeof item[key] === 'string' ? [item[key]] : []));
  const cursor = result['nextCursor'];
  const next = typeof cursor === 'string' && (stateless || cursor !== '') ? cursor : undefined;
  return { response, names, next };
}

/**
 * The first of the pages with the items of the others behind its own, each as it was written, and with this cursor or none. What
 * it says of caching holds for all of them: the shortest time, and private if one is.
 */
export function joinPages(pages: readonly [Page, ...Page[]], items: string, nextCursor: string | undefined): Buffer {
  const [{ response }, ...others] = pages;
  const text = latin1(response.raw);
  const result = objectAt(text, ['result']);
  const list = lastNamed(result, items);
  const array = list && readContainer(text, list.valueStart);
  if (result === undefined || array === undefined) return response.raw;
  const splices = [
    ...append(
      array,
      array.items,
      others.flatMap((page) => itemsOf(page, items)),
    ),
    ...cursorOf(result, nextCursor),
    ...(others.length === 0 ? [] : caching(pages, result)),
  ];
  return applySplices(response.raw, splices);
}

function itemsOf({ response }: Page, items: string): string[] {
  const text = latin1(response.raw);
  const list = lastNamed(objectAt(text, ['result']), items);
  const all = (list && readContainer(text, list.valueStart)?.items) ?? [];
  const [first, last] = [all[0], all.at(-1)];
  return first === undefined || last === undefined ? [] : [utf8(text.slice(first.start, last.end))];
}

function cursorOf(result: Container, nextCursor: string | undefined): Splice[] {
  if (nextCursor !== undefined) return assignment(result, 'nextCursor', JSON.stringify(nextCursor));
  return removals(result.items, (item) => item.name === 'nextCursor');
}

function caching(pages: readonly Page[], result: Container): Splice[] {
  const all = pages.map(({ response }) => record(response.result));
  const times = all.map(({ ttlMs }) => (typeof ttlMs === 'number' ? ttlMs : 0));
  const isShared = all.every(({ cacheScope }) => cacheScope === 'public');
  const splices: Splice[] = [];
  if (lastNamed(result, 'ttlMs')) splices.push(...assignment(result, 'ttlMs', String(Math.min(...times))));
  if (lastNamed(result, 'cacheScope') && !isShared) splices.push(...assignment(result, 'cacheScope', '"private"'));
  return splices;
}
