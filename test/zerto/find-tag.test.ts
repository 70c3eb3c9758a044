import { describe, expect, it } from 'vitest';
import type { Checkpoint } from '../../src/domain/receipt.js';
import { findTag } from '../../src/zerto/find-tag.js';
import { fc } from '../support/property.js';

const NAME = 'ai:claude-code | ssh run rm | vm=app01 | change=chg_1 | 2026-11-30T00:00:00.000Z';
const at = (checkpointIdentifier: string, timestamp: string, tag?: string): Checkpoint => ({
  checkpointIdentifier,
  timestamp,
  tag,
});
const newest = at('99', '2026-11-30T00:00:00Z');

describe('the tag in a list', () => {
  it('is found by its whole name, among others and with blanks around it', () => {
    const list = [at('100', '2026-11-30T00:00:05Z'), at('101', '2026-11-30T00:00:06Z', ` ${NAME} `)];
    expect(findTag(list, NAME, newest)?.checkpointIdentifier).toBe('101');
  });

  it('is found by a truncated name of at least 20 characters', () => {
    for (const length of [20, 32, 64, NAME.length - 1]) {
      expect(findTag([at('100', '2026-11-30T00:00:05Z', NAME.slice(0, length))], NAME, newest)).toBeDefined();
    }
    expect(findTag([at('100', '2026-11-30T00:00:05Z', NAME.slice(0, 19))], NAME, newest)).toBeUndefined();
    expect(findTag([at('100', '2026-11-30T00:00:05Z', `${NAME}x`)], NAME, newest)).toBeUndefined();
  });

  it('counts only where it is newer than what was listed before', () => {
    for (const tag of [NAME, NAME.slice(0, 40)]) {
      expect(findTag([at('98', '2026-11-30T00:00:05Z', tag)], NAME, newest)).toBeUndefined();
      expect(findTag([at('99', '2026-11-30T00:00:05Z', tag)], NAME, newest)).toBeUndefined();
      expect(findTag([at('100', '2026-11-30T00:00:00Z', tag)], NAME, newest)).toBeDefined();
      expect(findTag([at('1', '2026-11-30T00:00:00Z', tag)], NAME, undefined)).toBeDefined();
    }
  });

  it('compares long identifiers as numbers, and others by their stamps', () => {
    const long = at('9007199254740993', '2026-11-30T00:00:00Z');
    expect(findTag([at('9007199254740992', '2026-11-30T00:00:09Z', NAME)], NAME, long)).toBeUndefined();
    expect(findTag([at('10000000000000000', '2026-11-30T00:00:00Z', NAME)], NAME, long)).toBeDefined();
    const opaque = at('cp-a', '2026-11-30T00:00:00Z');
    expect(findTag([at('cp-b', '2026-11-30T00:00:00Z', NAME)], NAME, opaque)).toBeDefined();
    expect(findTag([at('cp-b', '2026-11-30T00:00:00Z', NAME.slice(0, 40))], NAME, opaque)).toBeUndefined();
    expect(findTag([at('cp-b', '2026-11-30T00:00:01Z', NAME.slice(0, 40))], NAME, opaque)).toBeDefined();
    expect(findTag([at('cp-a', '2026-11-30T00:00:01Z', NAME)], NAME, opaque)).toBeUndefined();
  });

  it('prefers the whole name, and of truncated ones the latest', () => {
    const cut = NAME.slice(0, 40);
    const list = [at('103', '2026-11-30T00:00:03Z', cut), at('102', '2026-11-30T00:00:02Z', cut)];
    expect(findTag(list, NAME, newest)?.checkpointIdentifier).toBe('103');
    const whole = at('101', '2026-11-30T00:00:01Z', NAME);
    expect(findTag([...list, whole], NAME, newest)).toBe(whole);
  });

  it('is never another tag', () => {
    fc.assert(
      fc.property(fc.string(), (tag) => {
        fc.pre(!NAME.startsWith(tag.trim()));
        expect(findTag([at('100', '2026-11-30T00:00:05Z', tag)], NAME, newest)).toBeUndefined();
      }),
    );
  });
});
