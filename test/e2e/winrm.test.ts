import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { startWsman, type WsmanResponder } from '../fixtures/e2e/wsman-responder.mjs';
import { ansiblePython, whyNoAnsibleWinrm } from '../support/ansible.js';
import { skipReason, whyNoLoopback } from '../support/loopback.js';
import { type ProxyProcess, receiptOf, sitesOf, startProxy, textOf } from '../support/proxy-process.js';
import { startServe } from '../support/serve-process.js';
import { verifies } from './requirements.js';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures', 'e2e');
const TIMINGS = { gapMs: 2_000, completedMs: 100, stampMs: 50, listedMs: 250 };
const ADDRESSES = { app01: '127.0.2.1', db01: '127.0.2.2', web01: '127.0.2.3' } as const;
type Name = keyof typeof ADDRESSES;
const NAMES = Object.keys(ADDRESSES) as Name[];

const missing = skipReason('WinRM hosts', await whyNoLoopback(ADDRESSES.app01));
const noAnsible = missing ?? skipReason('WinRM by ansible', whyNoAnsibleWinrm());
const skipped = (why: string | undefined) => (why === undefined ? '' : ` (skipped: ${why})`);

let wsman: WsmanResponder;
let world: World;
let simulator: Simulator;
let scratch: string;
const disk = (name: Name) => join(scratch, name);

beforeAll(async () => {
  if (missing !== undefined) return;
  scratch = mkdtempSync(join(tmpdir(), 'rewind-winrm-'));
  for (const name of NAMES) mkdirSync(disk(name));
  const hosts = NAMES.map((name) => ({ name, address: ADDRESSES[name], disk: disk(name) }));
  wsman = await startWsman(hosts);
  const { user, password, port } = wsman;
  writeFileSync(join(scratch, 'hosts.json'), JSON.stringify({ user, password, port, hosts }), { mode: 0o600 });
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: NAMES.map((name) => ({ name, disk: disk(name) })),
    vpgs: [
      { name: 'vpg-app01', vms: ['app01'], timings: TIMINGS },
      { name: 'vpg-all', vms: ['app01', 'db01'], timings: TIMINGS },
      {
        name: 'vpg-web01',
        vms: ['web01'],
        state: { status: 'MeetingSLA', subStatus: 'ReplicationPausedUserInitiated' },
      },
    ],
  });
  simulator = await startSimulator({ world });
});
afterAll(async () => {
  await simulator?.close();
  world?.close();
  await wsman?.close();
  if (scratch !== undefined) rmSync(scratch, { recursive: true, force: true });
});

const config = (servers: object): object => ({
  zvm: sitesOf(['site-a', simulator]),
  mcpServers: servers,
  targets: { [ADDRESSES.app01]: 'app01', [`${ADDRESSES.db01}:${wsman.port}`]: 'db01' },
  domains: ['corp.example'],
  policy: { unknown: 'pin', unresolved: 'refuse', unprotected: 'refuse' },
  guard: { holdSeconds: 0 },
  classifier: {
    tools: {
      open_session: {
        roles: { computer: 'host' },
        effect: 'read_only',
        opens: { hosts: ['computer'], told: 'sessionId' },
        examples: [{ arguments: { computer: 'app01' }, effect: 'read_only' }],
      },
      run_in_session: {
        roles: { sessionId: 'connection', script: 'script' },
        examples: [{ arguments: { sessionId: '0.5A', script: 'hostname' }, effect: 'read_only' }],
      },
    },
  },
});
const winrm = () => ({
  winrm: {
    family: 'winrm',
    command: process.execPath,
    args: [join(FIXTURES, 'winrm-server.mjs'), join(scratch, 'hosts.json')],
  },
});
const inserts = () => simulator.requests.filter(({ method, path }) => method === 'POST' && /checkpoints$/i.test(path));
const set = (value: string) => `Set-Content -Path C:\\state -Value ${value}`;
const state = (name: Name) => readFileSync(join(disk(name), 'state'), 'utf8').trim();

/** What a call did: the commands that reached machines, the VMs with the VPGs that were pinned, and how many tags were asked for. */
async function effectOf(call: () => Promise<CallToolResult>) {
  const [ranBefore, tagsBefore] = [wsman.ran.length, inserts().length];
  const result = await call();
  const vms = receiptOf(result)?.vms ?? [];
  const ran = wsman.ran.slice(ranBefore);
  return {
    result,
    text: textOf(result),
    ran: ran.map(({ host }) => host).sort(),
    scripts: ran.map(({ script }) => script),
    pinned: vms.map(({ name, vpgs }) => `${name}: ${vpgs.map((vpg) => vpg.name).sort()}`),
    tags: inserts().length - tagsBefore,
    // When each machine was told, and when the last of its tags was listed.
    early: ran.filter(({ at }) => vms.some(({ vpgs }) => vpgs.some(({ tag }) => at < listedAt(tag.name)))),
  };
}

function listedAt(tag: string): number {
  const found = world.vpgs.flatMap(({ journal }) => journal).find((each) => each.tag === tag);
  return found?.listedAt ?? Number.POSITIVE_INFINITY;
}

const NOTHING = { ran: [], pinned: [], tags: 0 };
const APP = 'app01: vpg-all,vpg-app01';
const DB = 'db01: vpg-all';

describe.skipIf(missing !== undefined)(`a WinRM server${skipped(missing)}`, () => {
  let proxy: ProxyProcess;
  beforeAll(async () => {
    proxy = await startProxy({ config: config(winrm()), downstream: 'config', options: ['--server', 'winrm'] });
  });
  afterAll(() => proxy?.close());
  const run = (where: object, script: string) => effectOf(() => proxy.call('run_powershell', { ...where, script }));

  test(`${verifies('C-2', 'R-1')} what only reads runs without a tag, by PowerShell, by cmd and in encoded form, on any computer`, async () => {
    writeFileSync(join(disk('app01'), 'state'), 'before');
    const encoded = Buffer.from('Get-Content -Path C:\\state', 'utf16le').toString('base64');
    const reads = [
      await run({ computer: 'app01' }, 'Get-Content -Path C:\\state'),
      await run({ computers: ['http://APP01:5985/wsman'] }, 'Get-Service W32Time | Select-Object Status'),
      await effectOf(() => proxy.call('run_cmd', { computer: 'app01', command: 'ipconfig /all' })),
      await effectOf(() =>
        proxy.call('run_cmd', { computer: 'app01', command: `powershell -EncodedCommand ${encoded}` }),
      ),
    ];
    for (const read of reads) expect(read, read.text).toMatchObject({ ran: ['app01'], pinned: [], tags: 0 });
    expect(reads[3]?.text).toContain('before');
    expect(reads[0]?.scripts).toEqual(['Get-Content -Path C:\\state']);
  });

  test.each<[computer: string, pinned: string, name: Name]>([
    ['APP01.corp.example', APP, 'app01'],
    ['http://app01:5985/wsman', APP, 'app01'],
    [`${ADDRESSES.app01}:PORT`, APP, 'app01'],
    [`http://${ADDRESSES.db01}:PORT/wsman`, DB, 'db01'],
    ['db01.', DB, 'db01'],
  ])(
    `${verifies('R-1', 'G-1')} a change on %s waits for the tags of that one VM, on each of its VPGs`,
    async (computer, pinned, name) => {
      const value = `value-${wsman.ran.length}`;
      const done = await run({ computer: computer.replace('PORT', String(wsman.port)) }, set(value));
      expect(done, done.text).toMatchObject({ ran: [name], pinned: [pinned], early: [], scripts: [set(value)] });
      expect(state(name)).toBe(value);
    },
  );

  test(`${verifies('R-1')} what is not exactly one VM reaches no machine, and no tag is taken`, async () => {
    const stops: readonly (readonly [object, RegExp])[] = [
      [{ computer: 'nowhere' }, /"nowhere".*no VM has this name/s],
      [{ computer: 'localhost' }, /whatever machine looks it up/],
      [{ computer: '.' }, /whatever machine looks it up/],
      [{ computer: 'CORP\\app01' }, /not sent/],
      [{ computer: ADDRESSES.db01 }, /whatever machine|address alone/],
      [{ computer: 'http://app01\\@db01:5985/wsman' }, /not sent/],
      [{ computer: 'app01.partner.example' }, /not sent/],
      [{ computers: ['app01', 'nowhere'] }, /"nowhere"/],
      [{ computer: 'app01', computers: ['http://nowhere/wsman'] }, /nowhere/],
      [{ computers: [] }, /not sent/],
      [{}, /not sent/],
    ];
    for (const [where, expected] of stops) {
      const stopped = await run(where, set('never'));
      expect(stopped, JSON.stringify(where)).toMatchObject({ ...NOTHING, result: { isError: true } });
      expect(stopped.text, JSON.stringify(where)).toMatch(/^TARGET_UNRESOLVED.*not sent/s);
      expect(stopped.text, JSON.stringify(where)).toMatch(expected);
    }
  });

  test(`${verifies('R-1', 'R-3')} a list of computers has all its VMs pinned, or is not forwarded at all`, async () => {
    const both = await run({ computers: ['http://db01:5985/wsman', 'app01'] }, set('both'));
    expect(both, both.text).toMatchObject({ ran: ['app01', 'db01'], early: [] });
    expect([...both.pinned].sort()).toEqual([APP, DB]);
    const blocked = await run({ computers: ['app01', 'web01'] }, set('never'));
    expect(blocked, blocked.text).toMatchObject(NOTHING);
    expect(blocked.text).toMatch(/not sent.*"web01"/s);
    expect([state('app01'), state('db01')]).toEqual(['both', 'both']);
  });

  test(`${verifies('R-1', 'R-3')} a script that goes on to other machines, or to their shares, has their VMs pinned too`, async () => {
    for (const script of [
      'Invoke-Command -ComputerName db01 -ScriptBlock { Stop-Service W32Time }',
      'Copy-Item C:\\state \\\\?\\UNC\\db01\\data\\state',
      'Copy-Item C:\\state \\\\db01.corp.example\\data\\state',
    ]) {
      const done = await run({ computer: 'app01' }, script);
      expect(done, done.text).toMatchObject({ ran: ['app01'], early: [] });
      expect([...done.pinned].sort(), script).toEqual([APP, DB]);
    }
    const stopped = await run({ computer: 'app01' }, 'Copy-Item C:\\state \\\\nowhere\\data\\state');
    expect(stopped).toMatchObject(NOTHING);
    expect(stopped.text).toMatch(/"nowhere".*not sent/s);
  });

  test(`${verifies('R-2', 'G-1')} a session is the computer that it was opened to by its own call, whatever id the server told for it`, async () => {
    const opened = await effectOf(() => proxy.call('open_session', { computer: 'http://db01:5985/wsman' }));
    expect(opened).toMatchObject(NOTHING);
    const sessionId = sessionIn(opened.result);
    const within = (script: string, id = sessionId) =>
      effectOf(() => proxy.call('run_in_session', { sessionId: id, script }));
    const read = await within('Get-Content -Path C:\\state');
    expect(read, read.text).toMatchObject({ ran: ['db01'], pinned: [], tags: 0 });
    const written = await within(set('in-a-session'));
    expect(written, written.text).toMatchObject({ ran: ['db01'], pinned: [DB], early: [] });
    expect(state('db01')).toBe('in-a-session');
    // The id of a session that is open on another computer, as an agent could have read it anywhere.
    const elsewhere = sessionId.replace(/^1\./, '0.');
    for (const id of [elsewhere, 'db01', 'app01', '']) {
      const stopped = await within(set('never'), id);
      expect(stopped, `${id}: ${stopped.text}`).toMatchObject(NOTHING);
      expect(stopped.text).toMatch(/^TARGET_UNRESOLVED.*not sent/s);
    }
  });
});

function sessionIn({ structuredContent }: CallToolResult): string {
  return String((structuredContent as { sessionId?: unknown } | undefined)?.sessionId);
}

test.skipIf(missing !== undefined)(
  `${verifies('R-2')} a session’s id is remembered for the client that opened it and for no other${skipped(missing)}`,
  async () => {
    const serve = await startServe({ config: config(winrm()), options: ['--server', 'winrm'] });
    try {
      const [one, two] = [await serve.client('one'), await serve.client('two')];
      const call = async (client: Client, name: string, args: Record<string, unknown>) =>
        (await client.callTool({ name, arguments: args })) as CallToolResult;
      const sessionId = sessionIn(await call(one, 'open_session', { computer: 'app01' }));
      const within = (client: Client, value: string) =>
        effectOf(() => call(client, 'run_in_session', { sessionId, script: set(value) }));
      const stranger = await within(two, 'stranger');
      expect(stranger, stranger.text).toMatchObject(NOTHING);
      expect(stranger.text).toMatch(/no call of this session is known to have opened it/);
      const own = await within(one, 'own');
      expect(own, own.text).toMatchObject({ ran: ['app01'], pinned: [APP], early: [] });
      // A session of its own does not open the other one to it.
      const opened = sessionIn(await call(two, 'open_session', { computer: 'db01' }));
      expect(opened).not.toBe(sessionId);
      expect((await within(two, 'stranger')).text).toMatch(/^TARGET_UNRESOLVED/);
      await Promise.all([one.close(), two.close()]);
    } finally {
      await serve.close();
    }
  },
);

describe.skipIf(noAnsible !== undefined)(`ansible over WinRM${skipped(noAnsible)}`, () => {
  let proxy: ProxyProcess;
  beforeAll(async () => {
    const project = join(scratch, 'ansible');
    mkdirSync(project);
    const line = (name: Name) => `${name} ansible_host=${ADDRESSES[name]}`;
    writeFileSync(
      join(project, 'hosts'),
      `[windows]\n${line('app01')}\n${line('db01')}\n[windows:vars]\nansible_connection=winrm\nansible_port=${wsman.port}\nansible_winrm_scheme=http\nansible_winrm_transport=basic\n`,
    );
    mkdirSync(join(project, 'group_vars'));
    writeFileSync(
      join(project, 'group_vars', 'windows.yml'),
      `ansible_user: ${wsman.user}\nansible_password: ${wsman.password}\n`,
    );
    writeFileSync(join(project, 'ansible.cfg'), '[defaults]\ninventory = hosts\n');
    proxy = await startProxy({
      config: config({
        ansible: {
          family: 'ansible',
          command: process.execPath,
          args: [join(FIXTURES, 'ansible-server.mjs'), project],
          cwd: project,
        },
      }),
      downstream: 'config',
      options: ['--server', 'ansible'],
      env: {
        HOME: project,
        ANSIBLE_PYTHON_INTERPRETER: ansiblePython() ?? '',
        ANSIBLE_LOCAL_TEMP: join(project, 'local-tmp'),
      },
    });
  });
  afterAll(() => proxy?.close());
  const raw = (pattern: string, args: string, more: object = {}) =>
    effectOf(() => proxy.call('run_ad_hoc', { pattern, module: 'ansible.builtin.raw', args, ...more }));

  test(`${verifies('R-1', 'R-3')} a group of the inventory has all its VMs pinned before any is told anything; a limit narrows both`, async () => {
    const both = await raw('windows', set('by-ansible'));
    expect(both, both.text).toMatchObject({ ran: ['app01', 'db01'], early: [] });
    expect([...both.pinned].sort()).toEqual([APP, DB]);
    expect(new Set(both.scripts)).toEqual(new Set([set('by-ansible')]));
    const one = await raw('windows', set('limited'), { limit: 'db*' });
    expect(one, one.text).toMatchObject({ ran: ['db01'], pinned: [DB], early: [] });
    expect([state('app01'), state('db01')]).toEqual(['by-ansible', 'limited']);
  });

  test(`${verifies('R-1')} what only reads runs without a tag; a host that leads to another VM stops`, async () => {
    const read = await raw('app01', 'hostname');
    expect(read, read.text).toMatchObject({ ran: ['app01'], pinned: [], tags: 0 });
    writeFileSync(
      join(scratch, 'ansible', 'wrong'),
      `app01 ansible_host=${ADDRESSES.db01} ansible_port=${wsman.port} ansible_connection=winrm\n`,
    );
    const stopped = await raw('app01', set('never'), { inventory: 'wrong' });
    expect(stopped, stopped.text).toMatchObject(NOTHING);
    expect(stopped.text).toMatch(/^TARGET_UNRESOLVED.*app01.*not sent/s);
  });
});
