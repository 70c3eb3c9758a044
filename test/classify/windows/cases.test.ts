import { beforeAll, describe, expect, it } from 'vitest';
import { classifyCommand, preparePowerShell } from '../../../src/classify/index.js';
import { CMD_CHANGING } from './cmd-changing.js';
import { CMD_READING } from './cmd-reading.js';
import { POWERSHELL_CHANGING } from './powershell-changing.js';
import { POWERSHELL_READING } from './powershell-reading.js';

beforeAll(preparePowerShell);

describe.each([
  ['powershell', POWERSHELL_CHANGING],
  ['cmd', CMD_CHANGING],
] as const)('%s that changes something or hides what it runs', (shell, lines) => {
  it.each(lines)('%j is not read_only', (command) => {
    expect(classifyCommand(shell, command).effect).not.toBe('read_only');
  });
});

describe.each([
  ['powershell', POWERSHELL_READING],
  ['cmd', CMD_READING],
] as const)('everyday diagnosis in %s', (shell, lines) => {
  it.each(lines)('%j is read_only', (command) => {
    const { effect, findings } = classifyCommand(shell, command);
    expect(findings.filter((finding) => finding.effect !== 'read_only')).toEqual([]);
    expect(effect).toBe('read_only');
  });
});

describe('findings', () => {
  it('name every part as it was written, and the rule', () => {
    expect(classifyCommand('powershell', 'gsv x | spsv; Get-Foo').findings).toEqual([
      { effect: 'read_only', subject: 'gsv x', why: 'Get-Service: reads', program: 'get-service' },
      { effect: 'mutating', subject: 'spsv', why: 'Stop-Service: changes something', program: 'stop-service' },
      { effect: 'unknown', subject: 'Get-Foo', why: 'get-foo is not a program that is listed' },
    ]);
    expect(classifyCommand('cmd', 'dir C:\\x | more & del /q x > y').findings).toEqual([
      { effect: 'read_only', subject: 'dir C:\\x', why: 'dir: reads', program: 'dir' },
      { effect: 'read_only', subject: 'more', why: 'more: reads', program: 'more' },
      { effect: 'mutating', subject: 'del /q x', why: 'a redirection that writes' },
      { effect: 'mutating', subject: 'del /q x', why: 'del: changes something', program: 'del' },
    ]);
  });

  it('of commands inside others are there too', () => {
    const encoded = Buffer.from('Get-Service | Stop-Service', 'utf16le').toString('base64');
    const { findings } = classifyCommand('cmd', `cmd /c "powershell -enc ${encoded}"`);
    expect(findings.map(({ subject, effect }) => [subject, effect])).toContainEqual(['Stop-Service', 'mutating']);
  });

  it('mark what reads secrets', () => {
    const sensitive = (command: string): boolean =>
      classifyCommand('powershell', command).findings.some((finding) => finding.sensitive === true);
    expect(sensitive('Get-Content C:\\Users\\bob\\.ssh\\id_rsa')).toBe(true);
    expect(sensitive('Get-LapsADPassword web01 -AsPlainText')).toBe(true);
    expect(sensitive('Get-Content C:\\logs\\app.log')).toBe(false);
  });
});
