import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { readCalls } from '../../src/audit/calls.js';
import type { Transcript } from '../../src/checks/transcript.js';
import { makeCertificate } from '../../src/simulator/certificate.js';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { BIN, sitesOf } from '../support/proxy-process.js';
import { verifies } from './requirements.js';

const TIMINGS = { gapMs: 2_000, completedMs: 50, stampMs: 20, listedMs: 300 };
const RECORDING = join(import.meta.dirname, '..', 'fixtures', 'e2e', 'recording-server.mjs');
let world: World;
let simulator: Simulator;
let disk: string;

beforeAll(async () => {
  disk = mkdtempSync(join(tmpdir(), 'doctor-disk-'));
  mkdirSync(join(disk, 'tmp'));
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: [{ name: 'payroll01', disk }, { name: 'lab01' }],
    vpgs: [{ name: 'payroll', vms: ['payroll01'], timings: TIMINGS }],
  });
  simulator = await startSimulator({ world, knobs: { mountMs: 50, unmountMs: 20 } });
});
afterAll(async () => {
  await simulator.close();
  world.close();
  rmSync(disk, { recursive: true, force: true });
});

interface Report {
  readonly ok: boolean;
  readonly summary: Record<string, number>;
  readonly checks: readonly {
    id: string;
    group: string;
    subject?: string;
    status: string;
    detail: string;
    fix?: string;
  }[];
}

function scratch(): string {
  const dir = mkdtempSync(join(tmpdir(), 'doctor-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** Runs the program; the simulated appliance answers in this process meanwhile. */
async function doctor(config: unknown, args: readonly string[] = [], env: Record<string, string> = {}) {
  const dir = scratch();
  const file = join(dir, 'config.json');
  writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config), { mode: 0o600 });
  const child = spawn(process.execPath, [BIN, '--config', file, 'doctor', ...args], {
    env: { ...process.env, XDG_STATE_HOME: dir, ...env },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  child.stdin.end();
  const status = await new Promise((resolve) => child.once('close', resolve));
  return { status, stdout, stderr, dir, file, report: () => JSON.parse(stdout) as Report };
}

const server = { command: process.execPath, args: [RECORDING, '/dev/null'] };
const sites = () => sitesOf(['hq', simulator]);

test('an entry that starts nothing is told, and counts as neither good nor bad', async () => {
  const { status, report } = await doctor({ mcpServers: { ssh: { family: 'ssh' } } }, ['--json']);
  expect(status).toBe(0);
  expect(report().checks.filter(({ id }) => id === 'server.start')).toEqual([
    expect.objectContaining({ subject: 'ssh', status: 'skip', detail: expect.stringContaining('--as ssh -- COMMAND') }),
  ]);
});

test('a set-up in order: exit code 0, and everything that was looked at is told', async () => {
  const { status, report, dir } = await doctor({ zvm: sites(), mcpServers: { ssh: server } }, ['--json', '--live']);
  const { ok, summary, checks } = report();
  expect({ status, ok, fail: summary['fail'] }).toEqual({ status: 0, ok: true, fail: 0 });
  const passed = checks.filter((check) => check.status === 'pass').map(({ id }) => id);
  for (const id of [
    'program.node',
    'config.file',
    'config.secrets',
    'site.reach',
    'site.certificate',
    'site.login',
    'site.version',
    'site.clock',
    'site.vms',
    'site.vpgs',
    'site.mounts',
    'server.start',
    'audit.directory',
    'audit.space',
    'audit.signing',
  ])
    expect(passed).toContain(id);
  expect(
    checks.every(({ status: said, fix }) =>
      said === 'warn' || said === 'fail' ? fix !== undefined && fix !== '' : true,
    ),
  ).toBe(true);
  // Looking leaves nothing behind.
  expect(existsSync(join(dir, 'zerto-rewind-proxy'))).toBe(false);
});

test('what is wrong, each with its fix, and exit code 1', async () => {
  const config = {
    zvm: sitesOf(['hq', { ...simulator, password: 'wrong-pa55word' }]),
    mcpServers: { ssh: { command: 'no-such-program-1' }, far: { url: 'http://127.0.0.1:1/mcp' } },
    mode: 'observe',
  };
  const { status, stdout, stderr } = await doctor(config);
  expect(status).toBe(1);
  for (const line of [
    /FAIL\s+login: user rewind: .*401/,
    /FAIL\s+start ssh: "no-such-program-1"/,
    /FAIL\s+start far: /,
    /warn\s+mode: mode observe/,
    /→ /,
  ])
    expect(stdout).toMatch(line);
  expect(stdout + stderr).not.toContain('wrong-pa55word');
});

test('a config that cannot be read, a secret that is not there', async () => {
  const broken = await doctor('{ "zvn": 1 }', ['--json']);
  expect({ status: broken.status, checks: broken.report().checks.at(-1) }).toMatchObject({
    status: 1,
    checks: { id: 'config.file', status: 'fail', detail: expect.stringContaining('did you mean "zvm"') },
  });
  const auth = { grant: 'password', username: 'u', passwordEnv: 'NOT_SET_HERE' };
  const missing = await doctor({ zvm: { sites: [{ name: 'hq', url: simulator.url, auth }] } }, ['--json']);
  const found = missing.report().checks.filter(({ status }) => status === 'fail');
  expect(found.map(({ id }) => id)).toContain('config.secrets');
  expect(found[0]?.detail).toContain('NOT_SET_HERE');
});

test('without an appliance, and on the embedded one', async () => {
  const none = await doctor({}, ['--json']);
  expect(none.report().checks).toContainEqual(expect.objectContaining({ id: 'site', status: 'warn' }));
  const embedded = await doctor({ zvm: 'simulator' }, ['--json']);
  expect(embedded.report().checks).toContainEqual(
    expect.objectContaining({ id: 'site.simulated', status: 'warn', detail: expect.stringContaining('SIMULATED') }),
  );
});

test('--pin makes one real tag, measures it and records it', async () => {
  const { status, report, dir } = await doctor({ zvm: sites() }, ['--json', '--pin', 'payroll01']);
  const pin = report().checks.find(({ id }) => id === 'pin');
  expect({ status, pin: pin?.status }).toEqual({ status: 0, pin: 'pass' });
  expect(pin?.detail).toMatch(
    /VPG "payroll" \(vsphere\): listed after \d+\.\d s, stamped .* the appliance's clock.*tag "ai:doctor \|/,
  );
  const calls = [];
  for await (const call of readCalls(join(dir, 'zerto-rewind-proxy', 'audit'))) calls.push(call);
  expect(calls).toMatchObject([
    { intent: { tool: 'doctor --pin' }, outcome: { outcome: 'forwarded', receipt: { vms: [{ name: 'payroll01' }] } } },
  ]);
  const unknown = await doctor({ zvm: sites() }, ['--json', '--pin', 'payroll02']);
  expect(unknown.status).toBe(1);
  expect(unknown.report().checks.at(-3)).toBeDefined();
  expect(unknown.stdout).toContain('payroll01');
});

test(`${verifies('A-1')} a pin that fails is recorded with its outcome`, async () => {
  simulator.faults.insert({ kind: 'task_failed', reason: 'No space' }, { vpg: 'payroll', times: 9 });
  try {
    const { status, report, dir } = await doctor({ zvm: sites() }, ['--json', '--pin', 'payroll01']);
    expect({ status, pin: report().checks.find(({ id }) => id === 'pin')?.status }).toEqual({ status: 1, pin: 'fail' });
    const calls = [];
    for await (const call of readCalls(join(dir, 'zerto-rewind-proxy', 'audit'))) calls.push(call);
    expect(calls).toMatchObject([
      { intent: { tool: 'doctor --pin' }, outcome: { outcome: 'not_sent', code: 'CHECKPOINT_NOT_PINNED' } },
    ]);
  } finally {
    simulator.faults.clear();
  }
});

test.runIf(process.platform !== 'win32')(
  '--canary shows that what is written right after is not in the tag',
  async () => {
    const bin = scratch();
    // Stands for ssh: the last word is the command, and the root of the VM's disk is a folder.
    const script = `#!/bin/sh\nfor last; do :; done\ncd '${disk}' && exec sh -c "$(printf %s "$last" | sed "s#'/#'${disk}/#g")"\n`;
    writeFileSync(join(bin, 'ssh'), script);
    chmodSync(join(bin, 'ssh'), 0o755);
    const env = { PATH: `${bin}:${process.env['PATH']}` };
    const { report } = await doctor({ zvm: sites() }, ['--json', '--canary', 'payroll01:/tmp/canary'], env);
    expect(report().checks.filter(({ id }) => id === 'canary')).toMatchObject([
      { subject: 'payroll01', status: 'pass', detail: expect.stringContaining('is not in the tag of VPG "payroll"') },
    ]);
    expect(existsSync(join(disk, 'tmp', 'canary'))).toBe(false);
    writeFileSync(join(disk, 'tmp', 'mine'), 'mine');
    const kept = await doctor({ zvm: sites() }, ['--json', '--canary', 'payroll01:/tmp/mine'], env);
    expect(kept.report().checks.find(({ id }) => id === 'canary')?.status).toBe('fail');
    expect(readFileSync(join(disk, 'tmp', 'mine'), 'utf8')).toBe('mine');
  },
);

test('a transcript names nobody, and answers for the appliance that it was taken from', async () => {
  const file = join(scratch(), 'transcript.json');
  const taken = await doctor({ zvm: sites() }, ['--json', '--live', '--transcript', file]);
  const text = readFileSync(file, 'utf8');
  for (const name of ['payroll', 'lab01', 'site-a', 'hq', simulator.password, world.vm('payroll01').vmIdentifier])
    expect(text).not.toContain(name);
  const replay = await replayed(JSON.parse(text) as Transcript);
  onTestFinished(replay.close);
  const again = await doctor({ zvm: sitesOf(['hq', { ...simulator, ...replay.site }]) }, ['--json', '--live']);
  const shown = ({ checks }: Report) =>
    checks.filter(({ id }) => id.startsWith('site.') && id !== 'site.clock').map(({ id, status }) => `${id} ${status}`);
  expect(shown(again.report())).toEqual(shown(taken.report()));
  expect(shown(taken.report())).toContain('site.vpgs pass');
});

/** An appliance that gives the answers of a transcript: to each path those that were recorded, the last one again and again. */
async function replayed({ exchanges }: Transcript) {
  const { key, certificate, fingerprint256 } = await makeCertificate('replay');
  const answers = new Map<string, { status: number; body: unknown }[]>();
  for (const { method, path, status, body } of exchanges) {
    const name = `${method} ${path.split('?')[0]}`;
    if (status !== undefined) answers.set(name, [...(answers.get(name) ?? []), { status, body }]);
  }
  const https = createServer({ key, cert: certificate }, (request, response) => {
    const known = answers.get(`${request.method} ${request.url?.split('?')[0]}`);
    const answer = known !== undefined && known.length > 1 ? known.shift() : known?.[0];
    request.resume();
    response.writeHead(answer?.status ?? 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(answer?.body ?? {}));
  });
  await new Promise<void>((resolve) => https.listen(0, '127.0.0.1', resolve));
  const url = `https://127.0.0.1:${(https.address() as AddressInfo).port}`;
  return {
    site: { url, fingerprint256 },
    close: () => {
      https.close();
      https.closeAllConnections();
    },
  };
}

test.each([
  [['--frob']],
  [['--pin']],
  [['--canary', 'nohost']],
  [['--canary', '-oProxyCommand=x:/tmp/x']],
  [['extra']],
])('%j is wrong usage', async (args) => {
  const { status, stderr } = await doctor({}, args);
  expect({ status, usage: stderr.includes('usage:') }).toEqual({ status: 2, usage: true });
});
