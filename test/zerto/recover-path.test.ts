import { describe, expect, it } from 'vitest';
import { parseGuestPath } from '../../src/zerto/recover-path.js';
import { fc } from '../support/property.js';

describe('parseGuestPath', () => {
  it.each([
    ['/etc/app.conf', { kind: 'linux', segments: ['etc', 'app.conf'] }],
    ['/etc//./app.conf/', { kind: 'linux', segments: ['etc', 'app.conf'] }],
    ['/', { kind: 'linux', segments: [] }],
    ['/a\\b/c\nd', { kind: 'linux', segments: ['a\\b', 'c\nd'] }],
    ['/a b/c:d/e~1', { kind: 'linux', segments: ['a b', 'c:d', 'e~1'] }],
    ['C:\\dir\\f.txt', { kind: 'windows', drive: 'C', segments: ['dir', 'f.txt'] }],
    ['d:/dir\\f', { kind: 'windows', drive: 'D', segments: ['dir', 'f'] }],
    ['\\\\?\\C:\\dir\\f', { kind: 'windows', drive: 'C', segments: ['dir', 'f'] }],
    ['Volume1-Ext4:/etc/x', { kind: 'volume', volume: 'Volume1-Ext4', segments: ['etc', 'x'] }],
    ['partition#0 Ext3:/etc/x', { kind: 'volume', volume: 'partition#0 Ext3', segments: ['etc', 'x'] }],
  ])('%j', (text, path) => expect(parseGuestPath(text)).toEqual(path));

  it.each([
    '',
    'etc/app.conf',
    './x',
    '~/x',
    '/etc/../shadow',
    '/a\0b',
    '/a\ud800b',
    'C:\\a\nb',
    'C:file',
    'C:\\..\\x',
    'C:\\f.txt:stream',
    'C:\\f::$DATA',
    'C:\\PROGRA~1\\x',
    'C:\\LONGFI~1.TXT',
    'C:\\dir.\\x',
    'C:\\dir \\x',
    'C:\\*.txt',
    '\\dir\\x',
    '\\\\server\\share\\x',
    '\\\\?\\UNC\\server\\share\\x',
    '\\\\.\\PhysicalDrive0',
    '//./C:/x',
    'file:///etc/passwd',
    'https://host/x',
    `/${'a'.repeat(256)}`,
    `/${'a/'.repeat(200)}`,
    `/${'a'.repeat(5000)}`,
  ])('%j is malformed', (text) => expect(parseGuestPath(text).kind).toBe('malformed'));

  it('never gives a name that means another place', () => {
    const piece = fc.constantFrom('..', '.', '/', '\\', 'a', 'C:', ':', '\0', '\\\\?\\', ' ', '~1', '\u202e');
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(piece).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (path) => {
        const parsed = parseGuestPath(path);
        if (parsed.kind === 'malformed') return;
        for (const segment of parsed.segments) {
          expect(['', '.', '..']).not.toContain(segment);
          expect(segment).not.toMatch(parsed.kind === 'windows' ? /[/\\\p{Cc}]/u : /[/\0]/);
        }
      }),
    );
  });
});
