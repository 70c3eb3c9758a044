import { expect, test } from 'vitest';
import { retryAfter } from '../../../src/wire/remote/listener.js';

test('a server that says never to come back is not asked in a hot loop', () => {
  expect(retryAfter({ retryMs: 1e15 }, 0)).toBe(2 ** 31 - 1);
  expect(retryAfter({ retryMs: 0 }, 0)).toBe(50);
  expect(retryAfter({}, 99)).toBe(30_000);
});
