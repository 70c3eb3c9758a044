import { describe, expect, it } from 'vitest';
import { catalogs } from '../../src/classify/catalog.js';
import { classifyCommand } from '../../src/classify/index.js';
import { verifies } from '../e2e/requirements.js';

describe(`${verifies('C-8')} the two catalogs`, () => {
  const { mutating_tools, read_only_tools } = catalogs();

  it('name what changes and what reads', () => {
    expect(mutating_tools.linux).toEqual(
      expect.arrayContaining(['rm', 'systemctl restart', 'sed -i', 'apt-get install', 'crontab', 'ip link set']),
    );
    expect(read_only_tools.linux).toEqual(
      expect.arrayContaining(['ls', 'systemctl status', 'crontab -l', 'docker ps', 'ip address show']),
    );
  });

  it('are sorted, without doubles, for both kinds of target', () => {
    for (const list of [...Object.values(mutating_tools), ...Object.values(read_only_tools)])
      expect(list).toEqual([...new Set(list)].sort());
    expect(mutating_tools.windows).toEqual(expect.arrayContaining(['Stop-Service', 'ipconfig /flushdns', 'del']));
    expect(read_only_tools.windows).toEqual(expect.arrayContaining(['Get-Service', 'netsh show helper', 'dir']));
    expect(read_only_tools.windows).not.toContain('Get-WindowsUpdateLog');
  });

  it('hold no tool that is always mutating as read_only', () => {
    for (const name of ['rm', 'systemctl restart', 'dd', 'reboot', 'sed -i'])
      expect(read_only_tools.linux).not.toContain(name);
    for (const name of ['ls', 'ps', 'cat']) expect(mutating_tools.linux).not.toContain(name);
  });

  it('agree with the verdicts: a mutating tool is never read_only as it stands', () => {
    const readable = new Set(read_only_tools.linux);
    const wrong = mutating_tools.linux.filter(
      (name) => !readable.has(name) && classifyCommand('bash', `${name} x y z`).effect === 'read_only',
    );
    expect(wrong).toEqual([]);
  });
});
