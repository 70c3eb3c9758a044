import { expect, test } from 'vitest';
import { fold, words } from '../../interceptors/words.js';

test('names that a lenient server could take for one fold alike', () => {
  for (const name of ['Command', 'COMMAND', 'ｃommand', 'ＣＯＭＭＡＮＤ'])
    expect(fold(name), name).toBe(fold('command'));
  expect(fold('hoſt')).toBe(fold('host'));
  expect(fold('\u212aey')).toBe(fold('key'));
  expect(fold('pıd')).toBe(fold('pid'));
  expect(fold('straße')).toBe(fold('STRASSE'));
  expect(fold('cоmmand')).not.toBe(fold('command'));
});

test('words of a name, and none where a letter proves nothing', () => {
  expect(words('cmdString')).toEqual(['cmd', 'string']);
  expect(words('SSHHost-name_2')).toEqual(['ssh', 'host', 'name', '2']);
  expect(words('cоmmand')).toEqual([]);
  expect(words('a b')).toEqual([]);
  expect(words('')).toEqual([]);
});
