import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { readDotenv } from '../../src/servers/dotenv.js';
import { fc } from '../support/property.js';
import { programOf } from '../support/real-servers.js';

/** The reader that mcp-ssh-manager itself uses. */
const { parse } = createRequire(programOf('mcp-ssh-manager'))('dotenv') as {
  parse(source: string): Record<string, string>;
};

test.each([
  'A=1\nB=2',
  'A=1\r\nexport B = 2 # note\r\n',
  'A="a#b" # note\nB=\'x\'\nC=`y`',
  'A=a#b\nA=again\n',
  '# A=1\n  A: x\nB:y\nnothing\n=\n'.replace('=\n', ''),
  'A=\nB=2\n\nC=  \n',
  'A="one\\ntwo"\nB=\'one\\ntwo\'',
  '\ufeffA=1',
  'SSH_SERVER_A_PASSWORD="p@ss#w0rd"\nSSH_SERVER_A_HOST=10.0.0.5',
  'B=a"b"c',
])('%j is read as the server reads it', (source) => {
  expect(Object.fromEntries(readDotenv(source) ?? [])).toEqual(parse(source));
});

test.each(['A="one\ntwo"', 'A="\nB=2"', 'A=\n"x"', 'A\n=1', 'A:\nB=2', 'A="a\\"b"', "A='a'b'", 'A="x', 'A="x" y'])(
  '%j is not clear',
  (source) => {
    expect(readDotenv(source)).toBeUndefined();
  },
);

test('whatever the text: the same variables, or none', () => {
  const piece = fc.constantFrom(
    'A',
    'B',
    'SSH_SERVER_X_HOST',
    '=',
    ': ',
    ':',
    '"',
    "'",
    '`',
    '#',
    '\\',
    ' ',
    '\n',
    '\r\n',
    '\t',
    'export ',
    '1.2',
    '\\n',
    '\u2028',
    '\ufeff',
    '.',
    '-',
  );
  let read = 0;
  fc.assert(
    fc.property(
      fc.array(piece, { maxLength: 24 }).map((all) => all.join('')),
      (source) => {
        const values = readDotenv(source);
        if (values === undefined) return;
        read += 1;
        expect(Object.fromEntries(values)).toEqual({ ...parse(source) });
      },
    ),
    { numRuns: 5000 },
  );
  expect(read).toBeGreaterThan(1000);
});
