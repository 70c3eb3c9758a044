import { describe, expect, it } from 'vitest';
import { listTools } from '../../interceptors/index.js';
import { catalogs } from '../../src/classify/catalog.js';
import { classify, classifyCommand } from '../../src/classify/index.js';
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

  it('hold ansible modules by full name, those of Windows apart; what runs a command is in neither', () => {
    expect(read_only_tools.linux).toEqual(expect.arrayContaining(['ansible.builtin.ping', 'ansible.builtin.stat']));
    expect(mutating_tools.linux).toEqual(expect.arrayContaining(['ansible.builtin.copy', 'ansible.posix.mount']));
    expect(read_only_tools.windows).toEqual(expect.arrayContaining(['ansible.windows.win_ping']));
    expect(mutating_tools.windows).toEqual(expect.arrayContaining(['ansible.windows.win_reboot', 'microsoft.ad.user']));
    const lists = [...Object.values(mutating_tools), ...Object.values(read_only_tools)].flat();
    for (const name of ['ansible.builtin.shell', 'ansible.builtin.script', 'ansible.windows.win_shell'])
      expect(lists).not.toContain(name);
    const modules = /^(?:ansible|community|microsoft|chocolatey)\.\w+\.\w+$/;
    const effect = (module: string) => classify([{ kind: 'ansible_module', module, args: '', check: false }]).effect;
    const listed = (list: readonly string[]) => list.filter((name) => modules.test(name));
    expect(
      listed([...read_only_tools.linux, ...read_only_tools.windows]).filter((name) => effect(name) === 'mutating'),
    ).toEqual([]);
    expect(
      listed([...mutating_tools.linux, ...mutating_tools.windows]).filter((name) => effect(name) !== 'mutating'),
    ).toEqual([]);
  });

  it('hold the tools of published servers that have one effect', () => {
    const all = catalogs(listTools);
    expect(all.read_only_tools.linux).toEqual(
      expect.arrayContaining(['ssh-mcp/sftp-list', 'mcp-ssh-manager/ssh_tail']),
    );
    expect(all.mutating_tools.linux).toEqual(
      expect.arrayContaining(['ssh-mcp/sftp-upload', '@uarlouski/ssh-mcp-server/ssh_upload_file']),
    );
    expect(all.read_only_tools.windows).toEqual(
      expect.arrayContaining(['win-mcp-server/win_get_disk_space', 'mcp-smbmap/list_shares']),
    );
    expect(all.mutating_tools.windows).toEqual(expect.arrayContaining(['mcp-smbmap/delete_file']));
    const lists = [...Object.values(all.mutating_tools), ...Object.values(all.read_only_tools)].flat();
    expect(lists).not.toContain('ssh-mcp/run-command');
    expect(lists).not.toContain('mcp-ssh-manager/ssh_process_manager');
    for (const name of listTools('mutating').linux) expect(all.read_only_tools.linux).not.toContain(name);
  });
});
