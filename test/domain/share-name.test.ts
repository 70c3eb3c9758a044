import { expect, test } from 'vitest';
import { readShareName } from '../../src/domain/share-name.js';
import { fc } from '../support/property.js';

test.each<[string, string, string, number?]>([
  [String.raw`\\app01\data\x`, 'app01', 'data'],
  ['//app01/data/x', 'app01', 'data'],
  [String.raw`\/app01/data`, 'app01', 'data'],
  [String.raw`  \\app01\data`, 'app01', 'data'],
  [String.raw`\\app01`, 'app01', ''],
  [String.raw`\\app01.corp.example\C$\Windows`, 'app01.corp.example', 'C$'],
  [String.raw`\\10.0.0.5\data`, '10.0.0.5', 'data'],
  [String.raw`\\2001-db8--5.ipv6-literal.net\data`, '2001:db8::5', 'data'],
  [String.raw`\\app01@SSL\DavWWWRoot\x`, 'app01', 'DavWWWRoot'],
  [String.raw`\\app01@SSL@443\x`, 'app01', 'x', 443],
  [String.raw`\\app01@8080\x`, 'app01', 'x', 8080],
  [String.raw`\\?\UNC\app01\data\x`, 'app01', 'data'],
  [String.raw`\\.\unc\app01\data`, 'app01', 'data'],
  ['//?/UNC/app01/data', 'app01', 'data'],
  [String.raw`\??\UNC\app01\data`, 'app01', 'data'],
  [String.raw`\\app01\pipe\svcctl`, 'app01', 'pipe'],
  ['smb://app01/data', 'app01', 'data'],
  ['smb://corp;me:p@ss@app01:445/data', 'app01', 'data', 445],
  ['smb://[2001:db8::5]:445/data', '2001:db8::5', 'data', 445],
  ['file://app01/data/x', 'app01', 'data'],
  ['file:////app01/data/x', 'app01', 'data'],
  [String.raw`Microsoft.PowerShell.Core\FileSystem::\\app01\data`, 'app01', 'data'],
])('%s is a share of %s', (text, host, share, port) => {
  expect(readShareName(text)).toEqual({ kind: 'share', host, share, ...(port !== undefined && { port }) });
});

test.each([
  [String.raw`\\?\C:\x`, 'device'],
  [String.raw`\\.\c:`, 'device'],
  [String.raw`\\.\pipe\x`, 'device'],
  [String.raw`\\.\PhysicalDrive0`, 'device'],
  [String.raw`\\?\Volume{01234567-89ab-cdef-0123-456789abcdef}\x`, 'device'],
  [String.raw`\\?\GLOBALROOT\Device\Mup\app01\data`, 'unclear'],
  [String.raw`\\?\UNC\\app01\data`, 'unclear'],
  [String.raw`\\?\\UNC\app01\data`, 'unclear'],
  [String.raw`\\\\app01\\data`, 'unclear'],
  ['///app01/data', 'unclear'],
  [String.raw`\\`, 'unclear'],
  [String.raw`\\evil@app01\data`, 'unclear'],
  ['//me@app01/data', 'unclear'],
  [String.raw`\\@SSL\data`, 'unclear'],
  [String.raw`"\\app01\data"`, 'unclear'],
  ['smb:app01/data', 'unclear'],
  ['smb:///app01/data', 'unclear'],
  ['smb://app01?@db01/data', 'unclear'],
  ['file:///C:/x', 'none'],
  ['C:\\x', 'none'],
  ['C:\\\\x', 'none'],
  ['/etc/x', 'none'],
  ['\\x', 'none'],
  ['data', 'none'],
  ['https://app01/data', 'none'],
  ['', 'none'],
])('%s is %s', (text, kind) => {
  expect(readShareName(text)).toEqual({ kind });
});

const separator = fc.constantFrom('\\', '/');
const label = fc.string({ unit: fc.constantFrom('a', 'b', '0', '-', '.'), minLength: 1, maxLength: 12 });

test('a host and a share are found whichever separators they stand between, also behind the namespace of devices', () => {
  fc.assert(
    fc.property(
      label.filter((host) => host !== '.'),
      label,
      fc.array(separator, { minLength: 5, maxLength: 5 }),
      fc.boolean(),
      (host, share, [a = '', b = '', c = '', d = '', e = ''], long) => {
        const prefix = long ? `${a}${b}?${c}UNC${d}` : `${a}${b}`;
        expect(readShareName(`${prefix}${host}${e}${share}${e}x`)).toEqual({ kind: 'share', host, share });
      },
    ),
  );
});

test('whatever begins with two separators names a machine, is a device, or is unclear; nothing throws', () => {
  const piece = fc.constantFrom(
    '\\',
    '/',
    '?',
    '.',
    '@',
    ':',
    'UNC',
    'pipe',
    'C:',
    'app01',
    'SSL',
    '443',
    '"',
    ' ',
    '\0',
    '\n',
    'é',
  );
  fc.assert(
    fc.property(separator, separator, fc.array(piece, { maxLength: 12 }), (one, two, rest) => {
      const found = readShareName(`${one}${two}${rest.join('')}`);
      expect(found.kind).not.toBe('none');
      if (found.kind === 'share') expect(found.host).not.toMatch(/[\\/@]|^\s*$/);
    }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      readShareName(text);
    }),
  );
});

test('a long text is read in time that grows with its length alone', () => {
  for (const text of [
    '\\\\'.repeat(100_000),
    `\\\\${'@SSL'.repeat(50_000)}`,
    `smb://${'@:'.repeat(100_000)}`,
    `\\\\${'a'.repeat(200_000)}@`,
  ])
    expect(['unclear', 'share']).toContain(readShareName(text).kind);
});
