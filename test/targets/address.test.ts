import { expect, test } from 'vitest';
import { bareHost, canonicalAddress, inNetwork, isLoopback } from '../../src/targets/address.js';
import { matchesGlob } from '../../src/targets/exempt.js';
import { fc } from '../support/property.js';

test('addresses have one spelling', () => {
  expect(canonicalAddress('2001:0DB8:0:0:0:0:0:1')).toBe('2001:db8::1');
  expect(canonicalAddress('::ffff:a00:5')).toBe('10.0.0.5');
  for (const text of ['010.0.0.5', '10.0.5', '0xa000005', 'fe80::1%eth0', '10.0.0.5 ', 'host', ''])
    expect(canonicalAddress(text), text).toBeUndefined();
});

test('every spelling of an address is the same one', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const canonical = canonicalAddress(address);
      expect(canonicalAddress(address.toUpperCase())).toBe(canonical);
      expect(canonicalAddress(bareHost(`user@[${address}]:22`))).toBe(canonical);
    }),
  );
});

test('networks hold what lies in them', () => {
  expect(inNetwork('10.9.255.1', '10.9.0.0/16')).toBe(true);
  expect(inNetwork('::ffff:10.9.0.1', '10.9.0.0/16')).toBe(true);
  expect(inNetwork('10.10.0.1', '10.9.0.0/16')).toBe(false);
  for (const rule of ['10.9.0.0', '10.9.0.0/33', '10.9.0.0/-1', '10.9.0.0/16/1', 'x/8', '10.0.0.0/', '/8'])
    expect(inNetwork('10.9.0.1', rule), rule).toBe(false);
});

test('loopback has many names', () => {
  for (const host of [
    'localhost',
    'LOCALHOST',
    'localhost.localdomain',
    'x.localhost',
    '127.9.9.9',
    '::1',
    '0.0.0.0',
    '::',
    '::ffff:127.0.0.1',
  ]) {
    expect(isLoopback(host), host).toBe(true);
  }
  for (const host of ['localhost.example', '128.0.0.1', 'local']) expect(isLoopback(host), host).toBe(false);
});

test('globs match as regular expressions would, in bounded time', () => {
  const piece = fc.constantFrom('a', 'b', '.', '*', '?');
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 1, maxLength: 12 }),
      fc.string({ unit: piece, maxLength: 8 }),
      (text, pattern) => {
        const expected = new RegExp(
          `^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*').replaceAll('?', '.')}$`,
        ).test(text);
        expect(matchesGlob(text, pattern)).toBe(expected);
      },
    ),
  );
  expect(matchesGlob('a'.repeat(5_000), `${'a*'.repeat(200)}b`)).toBe(false);
});

test.each([
  ['http://db01:5985/wsman', 'db01'],
  ['https://u@db01.corp/wsman?x#y', 'db01.corp'],
  ['http://[2001:db8::5]:5985/wsman', '2001:db8::5'],
  ['\\\\db01\\share\\a', 'db01'],
  ['\\\\db01@SSL\\share', 'db01'],
  ['//db01/share', 'db01'],
  ['smb://u:p@db01/share/a@b', 'db01'],
  ['ssh://root@db01:22/', 'db01'],
  ['db01.', 'db01'],
  ['root@db01:22', 'db01'],
  ['db01/', 'db01'],
])('%j is %j', (value, host) => {
  expect(bareHost(value)).toBe(host);
});

test('what readers take for different hosts is none of them', () => {
  for (const value of ['http://a\\\\b@c/', 'a/../b', 'a b', 'a?b', 'a#b', 'https:a']) {
    expect(['a', 'b', 'c'], value).not.toContain(bareHost(value));
  }
});
