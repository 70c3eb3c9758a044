import { describe, expect, it } from 'vitest';
import { classifyCommand } from '../../src/classify/index.js';
import { NEVER_READ_ONLY, NEVER_READ_ONLY_LINES, READ_ONLY } from './cases.js';
import { DIAGNOSIS, TRICKS } from './operator-cases.js';

const effect = (command: string): string => classifyCommand('bash', command).effect;

describe('commands that change something or hide what they run', () => {
  it.each([...NEVER_READ_ONLY, ...NEVER_READ_ONLY_LINES, ...TRICKS])('%j is not read_only', (command) => {
    expect(effect(command)).not.toBe('read_only');
  });
});

describe('everyday diagnosis', () => {
  it.each([...READ_ONLY, ...DIAGNOSIS])('%j is read_only', (command) => {
    expect(classifyCommand('bash', command).findings.filter((finding) => finding.effect !== 'read_only')).toEqual([]);
    expect(effect(command)).toBe('read_only');
  });
});

describe('findings', () => {
  it('name every part as it was written, and the rule', () => {
    expect(classifyCommand('bash', 'ls -l /etc | sort -o f; foo').findings).toEqual([
      { effect: 'read_only', subject: 'ls -l /etc', why: 'ls: reads', program: 'ls' },
      {
        effect: 'mutating',
        subject: 'sort -o f',
        why: 'sort: -o with this value changes something',
        program: 'sort',
      },
      { effect: 'unknown', subject: 'foo', why: 'foo is not a program that is listed' },
    ]);
  });

  it('of commands inside others are there too', () => {
    const findings = classifyCommand('bash', 'sudo sh -c "ls; rm x"').findings;
    expect(findings.map((finding) => [finding.subject, finding.effect])).toContainEqual(['rm x', 'mutating']);
  });

  it('point into the right text inside escaped backticks', () => {
    const findings = classifyCommand('bash', 'echo `echo \\`uname -a\\``').findings;
    expect(findings.map((finding) => finding.subject)).toContain('uname -a');
  });

  it('mark what reads secrets', () => {
    const sensitive = (command: string): boolean =>
      classifyCommand('bash', command).findings.some((finding) => finding.sensitive === true);
    expect(sensitive('sudo cat /etc/shadow')).toBe(true);
    expect(sensitive('cat ~/.ssh/id_ed25519')).toBe(true);
    expect(sensitive('kubectl get secret db -o yaml')).toBe(true);
    expect(sensitive('cat /etc/hosts')).toBe(false);
  });

  it('a change beside something unknown is a change', () => {
    expect(effect('foo; rm x')).toBe('mutating');
    expect(effect('git -c a=b push')).toBe('mutating');
  });
});
