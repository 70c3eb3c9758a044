import { expect, test } from 'vitest';
import { ToolBook } from '../../../src/wire/relay-tools.js';

const page = (name: string, nextCursor?: string) => ({ tools: [{ name, inputSchema: {} }], nextCursor });

test('a client that leaves out a page does not make the proxy believe that it knows the whole list', () => {
  const book = new ToolBook();
  book.clientPage(undefined, page('a', 'c2'), 0);
  book.clientPage('c3', page('c'), 0);
  expect(book.current).toBe(false);
  book.clientPage(undefined, page('a', 'c2'), 0);
  book.clientPage('c2', page('b', 'c3'), 0);
  book.clientPage('c3', page('c'), 0);
  expect(book.current).toBe(true);
  expect(['a', 'b', 'c'].map((name) => book.find(name)?.name)).toEqual(['a', 'b', 'c']);
});

test('clients that list at the same time do not take descriptions from each other', () => {
  const book = new ToolBook();
  for (const _client of [1, 2]) book.clientPage(undefined, page('a', 'c2'), 0);
  for (const _client of [1, 2]) book.clientPage('c2', page('b'), 0);
  expect(book.current).toBe(true);
  expect(book.find('b')?.name).toBe('b');
});
