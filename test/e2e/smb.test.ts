import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { type ProxyProcess, receiptOf, sitesOf, startProxy, textOf } from '../support/proxy-process.js';
import { type SmbVms, startSmbVms, whyNoSmbd } from '../support/smbd.js';
import { verifies } from './requirements.js';

const missing = await whyNoSmbd();
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`;
const SERVER = join(import.meta.dirname, '..', 'fixtures', 'e2e', 'smb-server.mjs');
const TIMINGS = { gapMs: 2_000, completedMs: 100, stampMs: 50, listedMs: 250 };
const reads = (path: string) => ({
  roles: { [path]: path === 'host' ? 'host' : 'path' },
  effect: 'read_only',
  examples: [{ arguments: { [path]: path === 'host' ? 'app01' : '\\\\app01\\data\\x' }, effect: 'read_only' }],
});

describe.skipIf(missing !== undefined)(`a server of SMB shares, over a real smbd${skipped}`, () => {
  let smb: SmbVms;
  let world: World;
  let simulator: Simulator;
  let scratch: string;
  let proxy: ProxyProcess;
  const vm = (name: string) => {
    const found = smb.vms.find((each) => each.name === name);
    if (found === undefined) throw new Error(`no VM ${name}`);
    return found;
  };

  beforeAll(async () => {
    scratch = mkdtempSync(join(tmpdir(), 'rewind-smb-'));
    smb = await startSmbVms(['app01', 'db01', 'lab01']);
    const hosts = smb.vms.map(({ name, host }) => ({ name, host }));
    writeFileSync(join(scratch, 'hosts.json'), JSON.stringify({ config: smb.config, port: smb.port, hosts }));
    world = createWorld({
      sites: [{ name: 'site-a' }],
      vms: smb.vms.map(({ name, disk }) => ({ name, disk })),
      vpgs: [
        { name: 'vpg-app01', vms: ['app01'], timings: TIMINGS },
        { name: 'vpg-all', vms: ['app01', 'db01'], timings: TIMINGS },
      ],
    });
    simulator = await startSimulator({ world });
    proxy = await startProxy({
      config: {
        zvm: sitesOf(['site-a', simulator]),
        mcpServers: { smb: { family: 'smb', command: process.execPath, args: [SERVER, join(scratch, 'hosts.json')] } },
        targets: { [vm('app01').host]: 'app01', '\\\\files.corp.example\\data': 'db01' },
        domains: ['corp.example'],
        policy: { unknown: 'pin', unresolved: 'refuse', unprotected: 'refuse' },
        guard: { holdSeconds: 0 },
        classifier: {
          tools: {
            list_network_shares: reads('host'),
            list_network_files: reads('path'),
            read_network_file: reads('path'),
          },
        },
      },
      downstream: 'config',
      options: ['--server', 'smb'],
    });
  });
  afterAll(async () => {
    await proxy?.close();
    await simulator?.close();
    world?.close();
    await smb?.close();
    if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });
  });

  const inserts = () =>
    simulator.requests.filter(({ method, path }) => method === 'POST' && /checkpoints$/i.test(path)).length;
  /** What a call did: the shares that were connected to, the VMs with the VPGs that were pinned, and how many tags were asked for. */
  async function effectOf(tool: string, args: Record<string, unknown>) {
    const before = smb.vms.map((each) => each.connected().length);
    const tags = inserts();
    const result: CallToolResult = await proxy.call(tool, args);
    const vms = receiptOf(result)?.vms ?? [];
    return {
      text: textOf(result),
      reached: smb.vms.flatMap((each, index) =>
        each
          .connected()
          .slice(before[index])
          .map((share) => `${each.name} ${share}`),
      ),
      pinned: vms.map(({ name, vpgs }) => `${name}: ${vpgs.map((vpg) => vpg.name).sort()}`).sort(),
      tags: inserts() - tags,
      listed: Math.max(...vms.flatMap(({ vpgs }) => vpgs.map(({ tag }) => listedAt(tag.name)))),
    };
  }
  const listedAt = (tag: string) =>
    world.vpgs.flatMap(({ journal }) => journal).find((each) => each.tag === tag)?.listedAt ?? Number.POSITIVE_INFINITY;
  const write = (path: string, content: string) => effectOf('write_network_file', { path, content });
  const onDisk = (name: string, file: string) => join(vm(name).disk, file);
  const NOTHING = { reached: [], pinned: [], tags: 0 };
  const APP = 'app01: vpg-all,vpg-app01';
  const DB = 'db01: vpg-all';

  test(`${verifies('R-1', 'C-7')} what only reads goes through without a tag, also of an unprotected host`, async () => {
    writeFileSync(onDisk('app01', 'read.txt'), 'content of app01');
    const shares = await effectOf('list_network_shares', { host: 'app01' });
    expect(shares, shares.text).toMatchObject(NOTHING);
    expect(shares.text).toMatch(/\bdata\s+Disk/);
    const listed = await effectOf('list_network_files', { path: '\\\\lab01\\data' });
    expect(listed, listed.text).toMatchObject({ reached: ['lab01 data'], pinned: [], tags: 0 });
    const read = await effectOf('read_network_file', { path: '//app01/data/read.txt' });
    expect(read, read.text).toMatchObject({ reached: ['app01 data'], pinned: [], tags: 0 });
    expect(read.text).toContain('content of app01');
  });

  test.each<[path: string, name: string, pinned: string]>([
    ['\\\\app01\\data\\', 'app01', APP],
    ['//APP01.corp.example/data/', 'app01', APP],
    ['\\\\127.0.3.1\\data\\', 'app01', APP],
    ['\\\\?\\UNC\\db01\\data\\', 'db01', DB],
    ['smb://guest:none@db01/data/', 'db01', DB],
  ])(
    `${verifies('R-1', 'G-1')} a write below %s waits for the tags of that one VM, on each of its VPGs`,
    async (path, name, pinned) => {
      const file = `written-${inserts()}.txt`;
      const written = await write(path + file, 'new');
      expect(written, written.text).toMatchObject({ reached: [`${name} data`], pinned: [pinned] });
      expect(readFileSync(onDisk(name, file), 'utf8')).toBe('new');
      expect(written.listed).toBeLessThanOrEqual(Date.now());
      const deleted = await effectOf('delete_network_file', { path: path + file });
      expect(deleted, deleted.text).toMatchObject({ reached: [`${name} data`], pinned: [pinned] });
      expect(existsSync(onDisk(name, file))).toBe(false);
    },
  );

  test(`${verifies('R-1')} what is not exactly one protected VM is written to no share, and no tag is taken`, async () => {
    const stops: readonly (readonly [string, RegExp])[] = [
      ['\\\\lab01\\data\\', /^TARGET_UNPROTECTED.*lab01/],
      ['\\\\nowhere\\data\\', /nowhere.*DFS/s],
      ['\\\\corp.example\\data\\', /DFS/],
      ['\\\\files.corp.example\\other\\', /files\.corp\.example/],
      ['\\\\app01\\SYSVOL\\', /domain/],
      ['\\\\lab01@app01\\data\\', /readers differ/],
      ['\\\\\\\\app01\\\\data\\\\', /readers differ/],
      ['\\\\localhost\\data\\', /whatever machine looks it up/],
      ['\\\\.\\pipe\\', /names no host/],
      [`\\\\${vm('db01').host}\\data\\`, /not sent/],
    ];
    for (const [path, expected] of stops) {
      const stopped = await write(`${path}never.txt`, 'never');
      expect(stopped, `${path} ${stopped.text}`).toMatchObject(NOTHING);
      expect(stopped.text, path).toMatch(/^TARGET_UN(?:RESOLVED|PROTECTED).*not sent/s);
      expect(stopped.text, path).toMatch(expected);
    }
    for (const { name } of smb.vms) expect(existsSync(onDisk(name, 'never.txt'))).toBe(false);
  });

  test(`${verifies('R-1', 'R-3')} a list of computers has all its VMs pinned, or is not forwarded at all`, async () => {
    const to = (computers: readonly string[], content: string) =>
      effectOf('write_to_computers', { computers, share: 'data', file: 'many.txt', content });
    const both = await to(['app01', 'db01.corp.example'], 'both');
    expect(both, both.text).toMatchObject({ pinned: [APP, DB] });
    expect([...both.reached].sort()).toEqual(['app01 data', 'db01 data']);
    for (const computers of [['app01', 'lab01'], ['app01', 'nowhere'], ['app01', '.'], []]) {
      const stopped = await to(computers, 'never');
      expect(stopped, `${computers} ${stopped.text}`).toMatchObject(NOTHING);
    }
    expect(['app01', 'db01'].map((name) => readFileSync(onDisk(name, 'many.txt'), 'utf8'))).toEqual(['both', 'both']);
    expect(existsSync(onDisk('lab01', 'many.txt'))).toBe(false);
  });
});
