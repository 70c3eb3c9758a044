import { beforeAll, describe, expect, it } from 'vitest';
import { classifyCommand, preparePowerShell } from '../../../src/classify/index.js';
import { fc } from '../../support/property.js';

beforeAll(preparePowerShell);

const FRAGMENTS = [
  ...[
    'Remove-Item x',
    'Get-Service',
    'Get-Item ',
    'del x',
    'dir ',
    'cmd /c ',
    'powershell -c ',
    '$(',
    '@(',
    '@{',
    '${',
    '{',
    '}',
    ')',
    '(',
  ],
  ...[
    '"',
    "'",
    '`',
    '\n',
    '\r\n',
    ';',
    '|',
    '||',
    '&',
    '&&',
    '. ',
    '$x',
    '$_',
    '$x = ',
    '[math]::',
    '[',
    ']',
    '-Name ',
    '-',
    '--%',
  ],
  ...[
    '@"\n',
    '\n"@',
    "@'\n",
    "\n'@",
    '#',
    '<#',
    '#>',
    '>',
    '2>&1',
    '>nul',
    '<',
    '^',
    '%',
    '%PATH%',
    '!',
    '/',
    '\\',
    ',',
    '=',
    '..',
    '::',
  ],
  ...[
    'if ',
    'else ',
    'foreach ($i in ',
    'switch ',
    'function f ',
    'param(',
    'try ',
    'catch ',
    '-replace ',
    '-f ',
    '1',
    '.Kill()',
    '\u0000',
    '\u200b',
    '\ud800',
    '\uff02',
    '\u201c',
  ],
];

describe.each(['powershell', 'cmd'] as const)('hostile text in %s', (shell) => {
  it('never throws, and always says why', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.array(fc.constantFrom(...FRAGMENTS), { maxLength: 40 }).map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(text, (source) => {
        const { effect, findings } = classifyCommand(shell, source);
        expect(['read_only', 'unknown', 'mutating']).toContain(effect);
        expect(findings.length).toBeGreaterThan(0);
        for (const finding of findings) expect(finding.why).not.toMatch(/could not be judged/);
      }),
      { numRuns: 3000 },
    );
  });

  it('that is empty or blank is unknown', () => {
    for (const source of ['', ' ', '\n\n', '\t']) expect(classifyCommand(shell, source).effect).toBe('unknown');
  });

  it('of more than 10,000 characters is unknown', () => {
    expect(classifyCommand(shell, `echo ${'a'.repeat(9_990)}`).effect).toBe('read_only');
    expect(classifyCommand(shell, `echo ${'a'.repeat(10_000)}`).effect).toBe('unknown');
  });

  it.each([
    '(',
    '$(',
    '@(',
    '{',
    '@{',
    '[',
    '"',
    "'",
    '`',
    '"$(',
    '|',
    '&',
    'a|',
    ';',
    '<',
    '>',
    '^',
    '%',
    '!',
    '\\',
    'cmd /c ',
    '- ',
    'if(1){',
  ])('of nothing but %j is judged and not read_only', (piece) => {
    const longest = piece.repeat(Math.floor(9_989 / piece.length));
    expect(classifyCommand(shell, longest).effect).not.toBe('read_only');
    expect(classifyCommand(shell, `${longest}; Remove-Item x & del x`).effect).not.toBe('read_only');
  });

  it('with signs that only look like ASCII is unknown', () => {
    for (const sign of ['\u2013', '\u201c', '\u2018', '\uff02', '\uff0f', '\u00a0', '\u200b', '\u202e'])
      expect(classifyCommand(shell, `echo a${sign}b`).effect).toBe('unknown');
  });
});

describe('commands inside commands', () => {
  it('are followed five deep', () => {
    const nested = (depth: number): string => 'cmd /c '.repeat(depth);
    expect(classifyCommand('cmd', `${nested(5)}dir`).effect).toBe('read_only');
    expect(classifyCommand('cmd', `${nested(5)}del x`).effect).toBe('mutating');
    expect(classifyCommand('cmd', `${nested(6)}dir`).effect).toBe('unknown');
  });
});
