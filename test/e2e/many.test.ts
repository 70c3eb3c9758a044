import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { type ProxyProcess, receiptOf, sitesOf, startProxy, textOf } from '../support/proxy-process.js';
import { type Start, sshManager, sshMcp, sshSecured } from '../support/real-servers.js';
import { type SshVms, startSshVms, whyNoSshd } from '../support/sshd.js';
import { verifies } from './requirements.js';

const missing = await whyNoSshd();
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`;
const RAW = fileURLToPath(new URL('../fixtures/wire/server.mjs', import.meta.url));
const TIMINGS = { gapMs: 2_000, completedMs: 100, stampMs: 50, listedMs: 250 };

const entryOf = ({ command: [command, ...args], env }: Start) => ({ command, args, env });

/** A raw server whose tools are NAME_echo and so on. */
function raw(name: string): object {
  const tools = ['echo', 'exit', 'calls'].map((tool) => ({ name: `${name}_${tool}`, inputSchema: { type: 'object' } }));
  const initialize = { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name, version: '1' } };
  const options = { initialize: JSON.stringify(initialize), pages: [JSON.stringify({ tools })], prefix: `${name}_` };
  return { command: process.execPath, args: [RAW, JSON.stringify(options)] };
}

describe.skipIf(missing !== undefined)(`published servers as one${skipped}`, () => {
  let ssh: SshVms;
  let world: World;
  let simulator: Simulator;
  let scratch: string;
  let proxy: ProxyProcess;

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'rewind-many-'));
    ssh = await startSshVms(['app01', 'db01']);
    for (const { disk } of ssh.vms) {
      mkdirSync(join(disk, 'etc'), { recursive: true });
      writeFileSync(join(disk, 'etc', 'many.conf'), 'listen = 8080\n');
    }
    world = createWorld({
      sites: [{ name: 'site-a' }],
      vms: ssh.vms.map(({ name, disk }) => ({ name, disk })),
      vpgs: ssh.vms.map(({ name }) => ({ name: `vpg-${name}`, vms: [name], timings: TIMINGS })),
    });
    simulator = await startSimulator({ world });
    proxy = await startProxy({
      config: {
        ...base(),
        mcpServers: {
          mcp: entryOf(sshMcp(ssh, join(scratch, 'a'))),
          manager: entryOf(sshManager(ssh, join(scratch, 'b'))),
        },
      },
      downstream: 'config',
    });
  });
  afterAll(async () => {
    await proxy?.close();
    await simulator?.close();
    world?.close();
    await ssh?.close();
    rmSync(scratch, { recursive: true, force: true });
  });

  function base(): object {
    return {
      zvm: sitesOf(['site-a', simulator]),
      targets: Object.fromEntries(ssh.vms.map(({ name, host }) => [host, name])),
      policy: { unknown: 'refuse', unresolved: 'refuse', unprotected: 'refuse' },
    };
  }

  test(`${verifies('T-4', 'T-5')} one list holds the tools of both and the proxy's own, each once`, async () => {
    const { tools } = await proxy.client.listTools();
    const names = tools.map(({ name }) => name);
    expect(names).toEqual(expect.arrayContaining(['run-command', 'ssh_execute', 'zerto_check_tool']));
    expect(new Set(names).size).toBe(names.length);
  });

  test(`${verifies('G-1', 'R-1')} each server's calls reach its VM, pinned and recorded under that server`, async () => {
    const [app, db] = ssh.vms;
    if (app === undefined || db === undefined) throw new Error('two VMs are needed');
    const path = (disk: string) => join(disk, 'etc', 'many.conf');
    const read = await proxy.call('ssh_execute', { server: db.name, command: `cat ${path(db.disk)}` });
    expect(textOf(read)).toContain('listen = 8080');
    const first = await proxy.call('run-command', { profile: app.name, command: `echo one > ${path(app.disk)}` });
    const second = await proxy.call('ssh_execute', { server: db.name, command: `echo two > ${path(db.disk)}` });
    expect(receiptOf(first)).toMatchObject({ server: 'mcp', tool: 'run-command', vms: [{ name: app.name }] });
    expect(receiptOf(second)).toMatchObject({ server: 'manager', tool: 'ssh_execute', vms: [{ name: db.name }] });
    expect([readFileSync(path(app.disk), 'utf8'), readFileSync(path(db.disk), 'utf8')]).toEqual(['one\n', 'two\n']);
    const records = (await proxy.audit()).map(({ intent }) => JSON.stringify(intent));
    expect(records.filter((record) => record.includes('"mcp"') && record.includes('run-command'))).toHaveLength(1);
    expect(records.filter((record) => record.includes('"manager"') && record.includes('ssh_execute'))).toHaveLength(2);
  });

  test('a tool that two of them have is an error that names both and the fix', async () => {
    const clash = await startProxy({
      config: {
        ...base(),
        mcpServers: {
          manager: entryOf(sshManager(ssh, join(scratch, 'c'))),
          secured: entryOf(sshSecured(ssh, join(scratch, 'd'))),
        },
      },
      downstream: 'config',
    });
    try {
      await expect(clash.client.listTools()).rejects.toThrow(
        /"manager" and "secured" both have a tool .*--server NAME/,
      );
      const refused = await clash.call('ssh_execute', { server: 'app01', command: 'uptime' });
      expect(refused.isError).toBe(true);
      expect(textOf(refused)).toMatch(/both have a tool "ssh_execute".*not sent/);
    } finally {
      await clash.close();
    }
  });
});

describe('raw servers as one', () => {
  const open: ProxyProcess[] = [];
  afterEach(async () => {
    await Promise.all(open.splice(0).map((proxy) => proxy.close()));
  });
  const start = async (mcpServers: object): Promise<ProxyProcess> => {
    const proxy = await startProxy({ config: { mcpServers, mode: 'observe' }, downstream: 'config' });
    open.push(proxy);
    return proxy;
  };

  test(`${verifies('T-7', 'G-1')} a call to a server that dies is recorded as of unknown outcome; the server comes back`, async () => {
    const proxy = await start({ a: raw('a'), b: raw('b') });
    await proxy.call('a_calls', {});
    await expect(proxy.call('a_exit', { code: 3 })).rejects.toThrow(/"a" ended \(exit code 3\).*may have run/);
    expect(textOf(await proxy.call('b_calls', {}))).toBe('1');
    for (let tries = 0; ; tries += 1) {
      const text = textOf(await proxy.call('a_calls', {}));
      if (text === '1') break;
      expect(text).toMatch(/not sent/);
      expect(tries).toBeLessThan(100);
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    const lost = (await proxy.audit()).filter(({ intent }) => JSON.stringify(intent).includes('a_exit'));
    expect(lost).toHaveLength(1);
    expect(JSON.stringify(lost[0])).toContain('outcome_unknown');
  });

  test('one that lacks a secret is reported, and the others go on; alone, or where all lack one, that is an error', async () => {
    const far = { url: 'http://127.0.0.1:9/mcp', headersEnv: { Authorization: 'NO_SUCH_VARIABLE' } };
    const proxy = await start({ far, a: raw('a'), b: raw('b') });
    expect(textOf(await proxy.call('b_calls', {}))).toBe('1');
    expect(textOf(await proxy.call('far_calls', {}))).toMatch(/Not available now: "far"/);
    expect(proxy.stderr()).toMatch(/"server":"far".*NO_SUCH_VARIABLE/);
    for (const mcpServers of [{ far }, { far, again: far }]) {
      const failed = startProxy({ config: { mcpServers, mode: 'observe' }, downstream: 'config' });
      await expect(failed).rejects.toThrow();
    }
  });

  test('one server of the config is wrapped as it is, and an entry without command is no server to start', async () => {
    const proxy = await start({ a: raw('a'), described: { family: 'ssh' } });
    expect(proxy.client.getServerVersion()?.name).toBe('a');
    expect(textOf(await proxy.call('a_calls', {}))).toBe('1');
  });
});
