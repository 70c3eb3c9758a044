import { beforeAll, describe, expect, it } from 'vitest';
import { classifyCommand, preparePowerShell } from '../../../src/classify/index.js';
import type { Shell } from '../../../src/domain/call.js';
import { verifies } from '../../e2e/requirements.js';
import { fc } from '../../support/property.js';
import { CMD_CHANGING } from './cmd-changing.js';
import { CMD_READING } from './cmd-reading.js';
import { POWERSHELL_CHANGING } from './powershell-changing.js';
import { POWERSHELL_READING } from './powershell-reading.js';

beforeAll(preparePowerShell);

const effect = (shell: Shell, command: string): string => classifyCommand(shell, command).effect;
const encoded = (text: string): string =>
  `powershell -EncodedCommand ${Buffer.from(text, 'utf16le').toString('base64')}`;

describe(`${verifies('C-3')} a change next to a command that reads is seen`, () => {
  const IN_POWERSHELL: readonly ((command: string) => string)[] = [
    (command) => `${command}; Remove-Item x`,
    (command) => `${command}\nRemove-Item x`,
    (command) => `Remove-Item x; ${command}`,
    (command) => `if ($true) { ${command}\nRemove-Item x }`,
    (command) => `foreach ($i in 1..3) { ${command}\nri x }`,
    (command) => `try { ${command}\n} finally { Remove-Item x }`,
    (command) => `& { ${command}\nRemove-Item x }`,
    (command) => `1..3 | ForEach-Object { ${command}\nRemove-Item x }`,
    (command) => `1..3 | Where-Object { ${command}\nRemove-Item x }`,
    (command) => `1..3 | Select-Object @{ n = 'a'; e = { ${command}\nRemove-Item x } }`,
    (command) => `Write-Output $(${command}\nRemove-Item x)`,
    (command) => `@(${command}\nRemove-Item x)`,
    (command) => `Invoke-Command web1 { ${command}\nRemove-Item x }`,
    (command) => `Measure-Command { ${command}\nRemove-Item x }`,
    (command) => `& { ${command}\n} > x`,
    (command) => `powershell -Command { ${command}\nRemove-Item x }`,
    (command) => encoded(`${command}\nRemove-Item x`),
    (command) => encoded(encoded(`${command}\nRemove-Item x`)),
  ];
  const IN_CMD: readonly ((command: string) => string)[] = [
    (command) => `${command} & del x`,
    (command) => `${command}&del x`,
    (command) => `${command} && del x`,
    (command) => `${command} || del x`,
    (command) => `${command} | del x`,
    (command) => `del x & ${command}`,
    (command) => `${command}\r\ndel x`,
    (command) => `${command} > x`,
    (command) => `${command} >> "x y"`,
    (command) => `${command} 2>x`,
    (command) => `cmd /c "${command} & del x"`,
    (command) => `cmd /d /c "cmd /c del x & ${command}"`,
  ];

  it.each(IN_POWERSHELL.map((add) => [add('LINE'), add] as const))('%j', (_name, add) => {
    expect(effect('powershell', add('Get-Service'))).toBe('mutating');
    fc.assert(
      fc.property(fc.constantFrom(...POWERSHELL_READING.filter((line) => !line.includes('@"'))), (line) => {
        expect([add(line), effect('powershell', add(line))]).not.toEqual([add(line), 'read_only']);
      }),
      { numRuns: 60 },
    );
  });

  it.each(IN_CMD.map((add) => [add('LINE'), add] as const))('%j', (_name, add) => {
    expect(effect('cmd', add('dir C:\\x'))).toBe('mutating');
    fc.assert(
      fc.property(fc.constantFrom(...CMD_READING.filter((line) => !line.includes('"'))), (line) => {
        expect([add(line), effect('cmd', add(line))]).not.toEqual([add(line), 'read_only']);
      }),
      { numRuns: 60 },
    );
  });
});

describe(`${verifies('C-3')} wrapping never makes a command read_only`, () => {
  const single = (lines: readonly string[]): string[] => lines.filter((line) => /^[\x20-\x7e]+$/.test(line));
  const POWERSHELL: readonly ((command: string) => string)[] = [
    (command) => `& { ${command} }`,
    (command) => `$(${command})`,
    (command) => `$x = ${command}`,
    (command) => `1 | % { ${command} }`,
    (command) => `Invoke-Command web1 { ${command} }`,
    (command) => `if ($true) { ${command} }`,
    encoded,
  ];
  const CMD: readonly ((command: string) => string)[] = [
    (command) => `cmd /c "${command}"`,
    (command) => `cmd /s /c "${command}"`,
    (command) => `@${command}`,
    (command) => `${command} >nul 2>&1`,
  ];

  it('in PowerShell', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...POWERSHELL), { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...single(POWERSHELL_CHANGING)),
        (wraps, line) => {
          const wrapped = wraps.reduce((inner, wrap) => wrap(inner), line);
          expect([wrapped, effect('powershell', wrapped)]).not.toEqual([wrapped, 'read_only']);
        },
      ),
      { numRuns: 500 },
    );
  });

  it('in cmd', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...CMD), { minLength: 1, maxLength: 3 }),
        fc.constantFrom(...single(CMD_CHANGING)),
        (wraps, line) => {
          const wrapped = wraps.reduce((inner, wrap) => wrap(inner), line);
          expect([wrapped, effect('cmd', wrapped)]).not.toEqual([wrapped, 'read_only']);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('the same command written otherwise has the same verdict', () => {
  const flip = (text: string, at: number): string =>
    [...text].map((sign, index) => ((at >> (index % 30)) & 1 ? sign.toUpperCase() : sign.toLowerCase())).join('');
  const plain = (lines: readonly string[], pattern: RegExp): string[] => lines.filter((line) => pattern.test(line));
  const powershell = plain([...POWERSHELL_READING, ...POWERSHELL_CHANGING], /^[A-Za-z]+-[A-Za-z0-9 :.,|\\*=-]+$/);
  const cmd = plain(
    [...CMD_READING, ...CMD_CHANGING],
    /^(?!nbtstat|sqlcmd|curl|git|docker|kubectl|powershell)[a-z0-9]+ [A-Za-z0-9 :./\\*=-]+$/,
  );
  const same = (shell: Shell, line: string, other: string): void => {
    expect([other, effect(shell, other)]).toEqual([other, effect(shell, line)]);
  };

  it('in any letter case', () => {
    expect([powershell.length, cmd.length].every((length) => length > 80)).toBe(true);
    fc.assert(
      fc.property(fc.constantFrom(...powershell), fc.nat(), (line, at) => same('powershell', line, flip(line, at))),
    );
    fc.assert(fc.property(fc.constantFrom(...cmd), fc.nat(), (line, at) => same('cmd', line, flip(line, at))));
  });

  it('with other spaces', () => {
    const spaces = fc.constantFrom('  ', '   ', '\t');
    fc.assert(
      fc.property(fc.constantFrom(...powershell), spaces, (line, space) => {
        same('powershell', line, ` ${line.replaceAll(' ', space)} `);
        same('powershell', line, line.replaceAll(' | ', ' |\r\n  '));
      }),
    );
    fc.assert(
      fc.property(fc.constantFrom(...cmd), spaces, (line, space) => same('cmd', line, line.replaceAll(' ', space))),
    );
  });

  it('with its values in quotes', () => {
    fc.assert(
      fc.property(fc.constantFrom(...powershell), fc.constantFrom("'", '"'), (line, quote) => {
        const quoted = line.replaceAll(
          /(?<= -(?:Name|Id|Filter|LogName|Path|ComputerName) )([A-Za-z0-9.*:\\]+)(?=[ |]|$)/g,
          (value) => `${quote}${value}${quote}`,
        );
        same('powershell', line, quoted);
      }),
      { numRuns: 300 },
    );
  });

  it.each([
    ['Get-Service -Name x', 'Get-Service -Na x'],
    ['Get-ChildItem C:\\x -Recurse -File', 'gci C:\\x -rec -file'],
    ['Select-Object -InputObject 1 -ExpandProperty x', 'select -inp 1 -exp x'],
    ['Get-Process -ErrorAction SilentlyContinue', 'Get-Process -ea 0'],
    ['Invoke-WebRequest http://h -OutFile x', 'iwr http://h -OutF x'],
    ['Invoke-WebRequest http://h -Method Post', 'iwr http://h -meth post'],
    ['Test-ComputerSecureChannel -Repair', 'Test-ComputerSecureChannel -rep'],
    ['Get-WindowsUpdate -Install', 'Get-WindowsUpdate -inst'],
    ['Get-Service -Name:x', 'Get-Service -Name: x'],
  ])('%j and %j', (full, short) => same('powershell', full, short));
});
