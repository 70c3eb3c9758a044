import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type CallRecords, readCalls } from '../../src/audit/calls.js';
import type { Coverage } from '../../src/coverage.js';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { BIN, sitesOf } from '../support/proxy-process.js';

let world: World;
let simulator: Simulator;

beforeAll(async () => {
  world = createWorld({
    sites: [{ name: 'site-a' }, { name: 'site-b' }],
    vms: [
      { name: 'app01', site: 'site-a', addresses: ['10.0.0.5'] },
      { name: 'paused01', site: 'site-a' },
      { name: 'far01', site: 'site-a' },
      { name: 'both01', site: 'site-a' },
      { name: 'lab01', site: 'site-a' },
    ],
    vpgs: [
      { name: 'app', vms: ['app01'], recoverySite: 'site-a' },
      {
        name: 'paused',
        vms: ['paused01'],
        recoverySite: 'site-a',
        state: { status: 'MeetingSLA', subStatus: 'ReplicationPausedUserInitiated' },
      },
      { name: 'far', vms: ['far01', 'both01'], recoverySite: 'site-b' },
      { name: 'both', vms: ['both01'], recoverySite: 'site-a' },
    ],
  });
  simulator = await startSimulator({ world, site: 'site-a' });
});
afterAll(async () => {
  await simulator.close();
  world.close();
});

async function coverage(config: object, args: readonly string[] = ['--json']) {
  const dir = mkdtempSync(join(tmpdir(), 'coverage-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  mkdirSync(join(dir, '.config', 'ssh-mcp'), { recursive: true });
  writeFileSync(
    join(dir, '.config', 'ssh-mcp', 'config.toml'),
    ['app=10.0.0.5', 'app01=10.0.0.5', 'nowhere=10.9.9.9']
      .map((entry) => `[[profiles]]\nname = "${entry.split('=')[0]}"\nhost = "${entry.split('=')[1]}"\nuser = "u"\n`)
      .join('\n'),
  );
  const file = join(dir, 'config.json');
  writeFileSync(file, JSON.stringify({ zvm: sitesOf(['hq', simulator]), ...config }));
  const child = spawn(process.execPath, [BIN, '--log-level', 'error', '--config', file, 'coverage', ...args], {
    env: { ...process.env, XDG_STATE_HOME: dir, HOME: dir, XDG_CONFIG_HOME: join(dir, '.config') },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const status = await new Promise((resolve) => child.once('close', resolve));
  const recorded: CallRecords[] = [];
  for await (const call of readCalls(join(dir, 'zerto-rewind-proxy', 'audit'))) recorded.push(call);
  return { status, stdout, stderr, recorded, found: () => JSON.parse(stdout) as Coverage };
}

test('every host that is named can be rewound: exit code 0, with VPGs, journals and their ages', async () => {
  const { status, found } = await coverage({
    targets: { web: 'app01' },
    mcpServers: { ansible: { family: 'ansible', target: 'both01' } },
  });
  expect(status).toBe(0);
  expect(found()).toMatchObject({
    ok: true,
    open: [],
    targets: [
      {
        host: 'web',
        namedBy: 'targets',
        vm: 'app01',
        rewindable: true,
        why: [],
        vpgs: [
          {
            name: 'app',
            site: 'hq',
            pins: true,
            recoversFiles: true,
            journalMinutes: expect.any(Number),
            newestAgeSeconds: expect.any(Number),
          },
        ],
      },
      { host: 'both01', server: 'ansible', namedBy: 'target', rewindable: true },
    ],
  });
  // One of its two VPGs recovers elsewhere: files come from the other.
  expect(found().targets[1]?.vpgs.map(({ recoversFiles }) => recoversFiles)).toEqual([false, true]);
});

test.each([
  ['paused01', /Paused/],
  ['far01', /no file can be recovered: .*recovery site/],
  ['lab01', /^unprotected: no VPG protects the VM/],
  ['gone01', /^unresolved: no VM has this name/],
])('%s cannot be rewound: exit code 1, and why', async (vm, why) => {
  const { status, found } = await coverage({ targets: { ok: 'app01', bad: vm } });
  expect({ status, ok: found().ok }).toEqual({ status: 1, ok: false });
  expect(found().targets.map(({ rewindable }) => rewindable)).toEqual([true, false]);
  expect(found().targets[1]?.why.join('\n')).toMatch(why);
});

test('--probe mounts, lists and unmounts each VM once; one that cannot be mounted cannot be rewound', async () => {
  const targets = { a: 'app01', b: 'app01', far: 'far01' };
  const { status, found, recorded } = await coverage({ targets }, ['--json', '--probe']);
  expect(status).toBe(1);
  expect(found().targets.map(({ host, rewindable, probe }) => [host, rewindable, probe?.ok])).toEqual([
    ['a', true, true],
    ['b', true, true],
    ['far', false, false],
  ]);
  expect(found().targets[0]?.probe?.volumes?.length).toBeGreaterThan(0);
  expect(world.sessions).toEqual([]);
  const told = recorded.map(({ intent, outcome }) => `${intent.tool} ${intent.arguments['vm']} ${outcome?.outcome}`);
  expect(told.sort()).toEqual(['coverage --probe app01 forwarded', 'coverage --probe far01 forwarded']);
});

test('what a server’s own configuration knows counts; one of which nothing is known is named', async () => {
  const { status, found } = await coverage({
    mcpServers: { ssh: { command: 'npx', args: ['-y', 'ssh-mcp@2.11.0'] }, other: { command: 'some-server' } },
  });
  expect(status).toBe(1);
  expect(found().targets).toMatchObject([
    { host: 'app', server: 'ssh', namedBy: 'server', rewindable: false, reportedBy: 'app01' },
    { host: 'app01', server: 'ssh', namedBy: 'server', vm: 'app01', rewindable: true },
    { host: 'nowhere', server: 'ssh', namedBy: 'server', rewindable: false },
  ]);
  expect(found().open).toEqual(['other']);
});

test('the hosts of ansible’s own inventory count, and one that cannot be read is told', async () => {
  const inventory = join(mkdtempSync(join(tmpdir(), 'coverage-ansible-')), 'hosts');
  onTestFinished(() => rmSync(join(inventory, '..'), { recursive: true, force: true }));
  writeFileSync(inventory, '[web]\napp01\nweb9 ansible_host=10.9.9.9\n');
  const server = {
    command: process.execPath,
    args: ['ansible-server.js'],
    family: 'ansible',
    env: { ANSIBLE_INVENTORY: inventory },
  };
  const { status, found } = await coverage({ mcpServers: { ansible: server } });
  expect(status).toBe(1);
  expect(found().targets.map(({ host, namedBy, rewindable }) => [host, namedBy, rewindable])).toEqual(
    expect.arrayContaining([
      ['app01', 'inventory', true],
      ['web9', 'inventory', false],
    ]),
  );
  rmSync(inventory);
  const gone = await coverage({ mcpServers: { ansible: server } });
  expect(gone.found().targets[0]?.why.join()).toContain('hosts of the ansible run are not known');
});

test('an exempt host is told with its reason, and fails nothing', async () => {
  const { status, stdout } = await coverage(
    { targets: { lab: 'lab01' }, exempt: [{ hosts: ['lab'], reason: 'a\u202elab' }] },
    [],
  );
  expect(status).toBe(0);
  expect(stdout).toMatch(/-\s+"lab" \("targets"\)\n\s+exempt: a\\u202elab/);
});

test('without an appliance nothing can be rewound, and an appliance that is down is an error', async () => {
  const none = await coverage({ zvm: undefined, targets: { web: 'app01' } });
  expect(none.status).toBe(1);
  expect(none.found().targets[0]?.why[0]).toContain('no Zerto appliance');
  const down = await coverage({
    zvm: sitesOf(['hq', { ...simulator, url: 'https://127.0.0.1:1' }]),
    targets: { web: 'app01' },
  });
  expect(down).toMatchObject({ status: 1, stdout: '', stderr: expect.stringContaining('ZVM_UNREACHABLE') });
});

test('nothing is changed, and a wrong option is usage', async () => {
  const before = simulator.requests.length;
  await coverage({ targets: { web: 'app01' } });
  const methods = simulator.requests.slice(before).filter(({ path }) => !path.includes('openid-connect'));
  expect(new Set(methods.map(({ method }) => method))).toEqual(new Set(['GET']));
  expect(await coverage({}, ['--frob'])).toMatchObject({ status: 2, stderr: expect.stringContaining('usage:') });
});
