import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { ansiblePython } from '../support/ansible.js';
import { type ProxyProcess, receiptOf, sitesOf, startProxy, textOf } from '../support/proxy-process.js';
import { type SshVms, startSshVms, whyNoSshd } from '../support/sshd.js';
import { verifies } from './requirements.js';

const python = ansiblePython();
const missing = (await whyNoSshd()) ?? (python === undefined ? 'ansible is not installed' : undefined);
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`;
const FIXTURE = join(import.meta.dirname, '..', 'fixtures', 'e2e', 'ansible-server.mjs');
const TIMINGS = { gapMs: 2_000, completedMs: 100, stampMs: 50, listedMs: 250 };

describe.skipIf(missing !== undefined)(`a server over the real ansible${skipped}`, () => {
  let ssh: SshVms;
  let world: World;
  let simulator: Simulator;
  let project: string;
  let proxy: ProxyProcess;
  let env: Record<string, string>;

  beforeAll(async () => {
    ssh = await startSshVms(['web1', 'web2', 'db1']);
    world = createWorld({
      sites: [{ name: 'site-a' }],
      vms: ssh.vms.map(({ name, disk }) => ({ name, disk })),
      vpgs: ssh.vms.map(({ name }) => ({ name: `vpg-${name}`, vms: [name], timings: TIMINGS })),
    });
    simulator = await startSimulator({ world });
    project = mkdtempSync(join(tmpdir(), 'rewind-ansible-'));
    const hostLine = (name: string): string => {
      const vm = ssh.vms.find((each) => each.name === name);
      return `${name} ansible_host=${vm?.host} ansible_port=${vm?.port}`;
    };
    writeFileSync(
      join(project, 'hosts'),
      `[web]\n${hostLine('web1')}\n${hostLine('web2')}\n[db]\n${hostLine('db1')}\n`,
    );
    writeFileSync(join(project, 'ansible.cfg'), '[defaults]\ninventory = hosts\n');
    mkdirSync(join(project, 'group_vars'));
    writeFileSync(
      join(project, 'group_vars', 'all.yml'),
      `ansible_user: ${ssh.user}\nansible_ssh_private_key_file: ${ssh.key}\n`,
    );
    writeFileSync(
      join(project, 'site.yml'),
      `- hosts: web\n  gather_facts: false\n  tasks:\n    - ansible.builtin.command: touch ${project}/play-{{ inventory_hostname }}\n    - ansible.builtin.command: touch ${project}/delegated\n      run_once: true\n      delegate_to: db1\n`,
    );
    writeFileSync(
      join(project, 'templated.yml'),
      `- hosts: "{{ lookup('pipe', 'touch ${project}/rendered; echo web1') }}"\n  tasks: []\n`,
    );
    writeFileSync(join(project, 'program'), `#!/bin/sh\ntouch ${project}/inventory-ran\necho '{}'\n`, { mode: 0o755 });
    env = {
      HOME: project,
      ANSIBLE_HOST_KEY_CHECKING: 'False',
      ANSIBLE_PYTHON_INTERPRETER: python ?? '',
      ANSIBLE_REMOTE_TMP: join(project, 'remote-tmp'),
      ANSIBLE_LOCAL_TEMP: join(project, 'local-tmp'),
    };
    proxy = await startProxy({
      config: {
        zvm: sitesOf(['site-a', simulator]),
        mcpServers: {
          ansible: { family: 'ansible', command: process.execPath, args: [FIXTURE, project], cwd: project },
        },
        targets: Object.fromEntries(ssh.vms.map(({ name, host, port }) => [`${host}:${port}`, name])),
        policy: { unknown: 'pin', unresolved: 'refuse', unprotected: 'refuse' },
      },
      downstream: 'config',
      options: ['--server', 'ansible'],
      env,
    });
  }, 60_000);
  afterAll(async () => {
    await proxy?.close();
    await simulator?.close();
    world?.close();
    await ssh?.close();
    if (project !== undefined) rmSync(project, { recursive: true, force: true });
  });

  const inserts = (): number =>
    simulator.requests.filter(({ method, path }) => method === 'POST' && /checkpoints$/i.test(path)).length;
  /** What ansible itself says, started like the server. */
  const listed = (program: string, args: readonly string[]): readonly string[] =>
    [
      ...execFileSync(program, [...args, '--list-hosts'], {
        cwd: project,
        env: { ...process.env, ...env },
        encoding: 'utf8',
      }).matchAll(/^ {4,}(\w+\d)$/gm),
    ]
      .map(([, name = '']) => name)
      .sort();

  test.each([
    { pattern: 'all:!web2' },
    { pattern: 'web[0],~web[12]', inventory: 'hosts' },
    { pattern: 'all', limit: 'db:web1' },
  ])(
    `${verifies('R-1', 'R-3')} $pattern pins exactly the VMs that ansible names, and then runs there`,
    { timeout: 60_000 },
    async (where) => {
      const file = join(project, `ran-${Math.random()}`);
      const result = await proxy.call('run_ad_hoc', {
        ...where,
        module: 'ansible.builtin.shell',
        args: `touch ${file}-$VMNAME`,
      });
      const expected = listed('ansible', [
        where.pattern,
        ...(where.limit === undefined ? [] : ['--limit', where.limit]),
      ]);
      expect(
        receiptOf(result)
          ?.vms.map(({ name }) => name)
          .sort(),
        textOf(result),
      ).toEqual(expected);
      expect(
        readdirSync(project)
          .flatMap((name) =>
            /^ran-.*-(\w+\d)$/.exec(join(name))?.[1] && name.startsWith(file.slice(project.length + 1))
              ? [name.slice(name.lastIndexOf('-') + 1)]
              : [],
          )
          .sort(),
      ).toEqual(expected);
    },
  );

  test('a run that only reads pins nothing', { timeout: 60_000 }, async () => {
    const before = inserts();
    const result = await proxy.call('run_ad_hoc', { pattern: 'all', module: 'ansible.builtin.ping' });
    expect(textOf(result)).toMatch(/web1 \| SUCCESS/);
    expect([receiptOf(result), inserts()]).toEqual([undefined, before]);
  });

  test('a playbook pins the hosts of its plays and those that its tasks go on to', { timeout: 60_000 }, async () => {
    const result = await proxy.call('run_playbook', { playbook: 'site.yml', limit: 'web1' });
    expect(listed('ansible-playbook', ['site.yml', '--limit', 'web1'])).toEqual(['web1']);
    expect(
      receiptOf(result)
        ?.vms.map(({ name }) => name)
        .sort(),
      textOf(result),
    ).toEqual(['db1', 'web1']);
    expect([
      existsSync(join(project, 'play-web1')),
      existsSync(join(project, 'play-web2')),
      existsSync(join(project, 'delegated')),
    ]).toEqual([true, false, true]);
  });

  test(`${verifies('R-4')} a program for an inventory and a template in a playbook are refused, and neither was run`, async () => {
    const before = inserts();
    const program = await proxy.call('run_ad_hoc', {
      pattern: 'all',
      module: 'ansible.builtin.command',
      args: 'id',
      inventory: 'program',
    });
    const templated = await proxy.call('run_playbook', { playbook: 'templated.yml' });
    expect(textOf(program)).toMatch(/TARGET_UNRESOLVED.*program.*not sent/s);
    expect(textOf(templated)).toMatch(/TARGET_UNRESOLVED.*template.*not sent/s);
    expect([inserts(), existsSync(join(project, 'inventory-ran')), existsSync(join(project, 'rendered'))]).toEqual([
      before,
      false,
      false,
    ]);
  });

  test('an inventory that changes between two calls changes their VMs', { timeout: 60_000 }, async () => {
    const call = () =>
      proxy.call('run_ad_hoc', {
        pattern: 'moving',
        module: 'ansible.builtin.command',
        args: 'id -un',
        inventory: 'moving',
      });
    const db1 = ssh.vms.find(({ name }) => name === 'db1');
    writeFileSync(
      join(project, 'moving'),
      `moving ansible_host=${db1?.host} ansible_port=${db1?.port} ansible_user=${ssh.user} ansible_ssh_private_key_file=${ssh.key}\n`,
    );
    expect(await call()).toMatchObject({ content: [{ text: expect.stringContaining('moving') }] });
    writeFileSync(join(project, 'moving'), 'moving ansible_host=192.0.2.9\n');
    const result = await proxy.call('run_ad_hoc', {
      pattern: 'moving',
      module: 'ansible.builtin.command',
      args: 'touch x',
      inventory: 'moving',
    });
    expect(textOf(result)).toMatch(/TARGET_UNRESOLVED.*192\.0\.2\.9/s);
  });
});
