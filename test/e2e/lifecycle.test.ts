import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { sitesOf } from '../support/proxy-process.js';
import { type RawOptions, RawProxy, receiptIn, runBin, scratchDir } from '../support/raw-proxy.js';
import { alive, until } from '../wire/process/harness.js';
import { verifies } from './requirements.js';

const TIMINGS = { gapMs: 2_000, completedMs: 20, stampMs: 10, listedMs: 40 };
const GROUP_MS = 3_000;
const FIXTURES = join(import.meta.dirname, '..', 'fixtures');

let world: World;
let simulator: Simulator;
const scratches: string[] = [];
const open: RawProxy[] = [];

beforeAll(async () => {
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: [{ name: 'app01' }],
    vpgs: [{ name: 'app', vms: ['app01'], timings: TIMINGS }],
  });
  world.write('app01', '/etc/app.conf', 'port = 8443\n');
  world.checkpoint('app');
  simulator = await startSimulator({ world });
});
afterEach(async () => {
  simulator.faults.clear();
  for (const proxy of open.splice(0)) {
    proxy.kill('SIGKILL');
    await proxy.exit;
  }
});
afterAll(async () => {
  await simulator.close();
  world.close();
  for (const scratch of scratches) rmSync(scratch, { recursive: true, force: true });
});

function scratch(): string {
  const dir = scratchDir();
  scratches.push(dir);
  return dir;
}

function start(options: RawOptions): RawProxy {
  const proxy = new RawProxy({ scratch: scratch(), ...options });
  open.push(proxy);
  return proxy;
}

const guarded = (more: object = {}) => ({
  zvm: sitesOf(['site-a', simulator]),
  guard: { timeoutSeconds: 20, holdSeconds: 0 },
  ...more,
});

/** The tools of the raw server, as an operator describes them: they only read. */
const HARMLESS = Object.fromEntries(
  ['hang', 'exit', 'kill', 'grandchild', 'env'].map((tool) => {
    const roles = { code: 'option', signal: 'option', name: 'option' };
    return [tool, { roles, effect: 'read_only', examples: [{ arguments: {}, effect: 'read_only' }] }];
  }),
);
const harmless = (more: object = {}) => guarded({ classifier: { tools: HARMLESS }, ...more });
const raw = (options: object = {}) => [process.execPath, join(FIXTURES, 'wire', 'server.mjs'), JSON.stringify(options)];

async function probe(proxy: RawProxy, methods: readonly string[]): Promise<void> {
  for (const [index, method] of methods.entries()) {
    proxy.request(index, method, method === 'initialize' ? { protocolVersion: '2025-06-18', capabilities: {} } : {});
    expect((await proxy.answer(index)).result).toBeDefined();
  }
}

describe(`${verifies('T-7')} a client that starts the proxy only to probe it leaves no trace`, () => {
  test.each([
    ['the start alone', []],
    ['initialize', ['initialize']],
    ['initialize and tools/list', ['initialize', 'tools/list']],
    ['server/discover', ['server/discover']],
    ['server/discover and tools/list', ['server/discover', 'tools/list']],
  ])('%s, twice at once', async (_name, methods) => {
    const dir = scratch();
    const asked = simulator.requests.length;
    const probes = [start({ scratch: dir, config: guarded() }), start({ scratch: dir, config: guarded() })];
    for (const proxy of probes) await probe(proxy, methods);
    for (const [index, proxy] of probes.entries()) {
      if (index === 0) proxy.end();
      else proxy.kill('SIGTERM');
      expect(await proxy.exit).toEqual({ code: 0, signal: null });
    }
    expect(readdirSync(dir)).toEqual(['config.json']);
    expect(simulator.requests).toHaveLength(asked);
  });

  test('also where the appliance is the embedded one', async () => {
    const proxy = start({ config: { zvm: 'simulator' } });
    await proxy.initialize();
    proxy.end();
    expect(await proxy.exit).toEqual({ code: 0, signal: null });
    expect(readdirSync(proxy.scratch)).toEqual(['config.json']);
    expect(proxy.stderr).not.toMatch(/SIMULATED/);
  });
});

describe(`${verifies('T-7')} the wrapped server ends first`, () => {
  test('by a code: what was sent and what was held are told apart, and the proxy ends with that code', async () => {
    const proxy = start({ config: harmless({ targets: { it: 'app01' } }), downstream: raw() });
    await proxy.initialize();
    simulator.faults.insert({ kind: 'never_listed' });
    proxy.call('held', 'echo', { host: 'app01', command: 'touch /srv/held' });
    proxy.call('sent', 'hang', {});
    await until(() => simulator.requests.some(({ method, path }) => method === 'POST' && /checkpoints/.test(path)));
    proxy.call('exit', 'exit', { code: 7 });
    expect(await proxy.text('held')).toMatch(/^error -32000: .*not sent/);
    expect(await proxy.text('sent')).toMatch(/^error -32000: .*may have run/);
    expect(await proxy.text('exit')).toMatch(/exit code 7/);
    expect(await proxy.exit).toEqual({ code: 7, signal: null });
    const { stdout } = await runBin(['audit', 'list', '--json'], { XDG_STATE_HOME: proxy.scratch });
    const outcomes = (JSON.parse(stdout) as { tool: string; outcome: string }[]).map((entry) => [
      entry.tool,
      entry.outcome,
    ]);
    expect(Object.fromEntries(outcomes)).toEqual({
      echo: 'not_sent',
      hang: 'outcome_unknown',
      exit: 'outcome_unknown',
    });
  });

  test.skipIf(process.platform === 'win32').each([
    ['SIGKILL', 137],
    ['SIGTERM', 143],
  ])('by %s: the proxy ends with %i', async (signal, code) => {
    const proxy = start({ config: harmless(), downstream: raw() });
    await proxy.initialize();
    proxy.call('sent', 'hang', {});
    proxy.call('kill', 'kill', { signal });
    expect(await proxy.text('sent')).toMatch(/^error -32000: .*may have run/);
    expect(await proxy.exit).toEqual({ code, signal: null });
  });

  test('before initialize: it is answered, and the proxy ends with the code', async () => {
    const proxy = start({ config: harmless(), downstream: raw({ exitAtOnce: 4 }) });
    proxy.request(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {} });
    expect(await proxy.text(1)).toMatch(/^error -32000: .*exit code 4/);
    expect(await proxy.exit).toEqual({ code: 4, signal: null });
  });

  test('a command that is not there: initialize is answered, the code is 127', async () => {
    const proxy = start({ config: harmless(), downstream: ['no-such-command-anywhere', '--x'] });
    proxy.request(1, 'initialize', { protocolVersion: '2025-06-18', capabilities: {} });
    expect(await proxy.text(1)).toMatch(/^error -32000: .*could not be started/);
    expect(await proxy.exit).toEqual({ code: 127, signal: null });
  });

  test('a client that never asks anything learns of it by the end alone', async () => {
    const proxy = start({ config: harmless(), downstream: raw({ exitAtOnce: 0 }) });
    expect(await proxy.exit).toEqual({ code: 0, signal: null });
    expect(proxy.lines).toEqual([]);
  });
});

describe.skipIf(process.platform === 'win32')(`${verifies('T-7')} the client ends first`, () => {
  const stubborn = raw({ stayOpen: true, ignoreTerm: true });

  /** Ends the proxy that way; answers when proxy, server and grandchild, which both ignore TERM, were seen gone. */
  async function endBy(end: (proxy: RawProxy) => void): Promise<void> {
    const proxy = start({ config: harmless(), downstream: stubborn });
    await proxy.initialize();
    proxy.call('grandchild', 'grandchild', {});
    const grandchild = Number(await proxy.text('grandchild'));
    const server = Number(readFileSync(`/proc/${grandchild}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]);
    expect([grandchild, server].map(alive)).toEqual([true, true]);
    const began = Date.now();
    end(proxy);
    expect(await proxy.exit).toEqual({ code: 0, signal: null });
    await until(() => !alive(grandchild) && !alive(server));
    // The contract's bound, not a measure of speed.
    expect(Date.now() - began).toBeLessThan(GROUP_MS);
  }

  test.skipIf(!existsSync('/proc/self/stat')).each(['SIGTERM', 'SIGINT', 'SIGHUP'] as const)(
    '%s ends proxy, server and a grandchild that ignores TERM',
    (signal) => endBy((proxy) => proxy.kill(signal)),
  );

  test.skipIf(!existsSync('/proc/self/stat'))('so does the end of stdin', () => endBy((proxy) => proxy.end()));

  test('a signal while a call waits for its checkpoint: answered as not sent, recorded, never sent', async () => {
    const proxy = start({ config: guarded() });
    await proxy.initialize();
    simulator.faults.insert({ kind: 'never_listed' });
    const asked = simulator.requests.length;
    proxy.call('held', 'ssh_execute', { host: 'app01', command: 'touch /srv/signal' });
    await until(() => simulator.requests.slice(asked).some(({ path }) => /checkpoints/.test(path)));
    const began = Date.now();
    proxy.kill('SIGTERM');
    expect(await proxy.text('held')).toMatch(/not sent/);
    expect(await proxy.exit).toEqual({ code: 0, signal: null });
    expect(Date.now() - began).toBeLessThan(GROUP_MS);
    expect(proxy.received()).toEqual([]);
    const { stdout } = await runBin(['audit', 'list', '--json'], { XDG_STATE_HOME: proxy.scratch });
    expect(JSON.parse(stdout)).toMatchObject([{ outcome: 'not_sent' }]);
    const verified = await runBin(['audit', 'verify', '--json'], { XDG_STATE_HOME: proxy.scratch });
    expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, files: [{ state: 'closed' }] });
  });

  test('the end of stdin right after a call: the call is carried out and answered', async () => {
    const proxy = start({ config: guarded(), delayMs: 100 });
    await proxy.initialize();
    proxy.call(1, 'ssh_execute', { host: 'app01', command: 'uptime' });
    proxy.end();
    expect(await proxy.text(1)).toBe('ran uptime');
    expect((await proxy.exit).code).toBe(0);
  });

  test(`${verifies('N-4')} a signal during recoveries that the appliance does not end: the proxy goes, a later one ends the mounts`, async () => {
    const dir = scratch();
    const life = () => start({ scratch: dir, config: guarded({ recovery: { confirm: 'flag' } }) });
    const first = life();
    await first.initialize();
    first.call('change', 'ssh_execute', { host: 'app01', command: 'touch /srv/recovery' });
    const receipt = receiptIn(await first.answer('change'));
    const recover = { receipt, path: '/etc/app.conf', confirmed: true };
    simulator.faults.unmount({ kind: 'refuse', status: 409, message: 'busy' }, { times: Number.POSITIVE_INFINITY });
    for (const [index, proxy] of [first, life()].entries()) {
      if (index > 0) await proxy.initialize();
      proxy.call('recover', 'zerto_recover_file', recover);
      await until(() => world.sessions.length > index);
      await until(() => simulator.requests.some(({ path, status }) => /unmount|flrs/i.test(path) && status === 409));
      const began = Date.now();
      proxy.kill('SIGTERM');
      await proxy.exit;
      expect(Date.now() - began).toBeLessThan(GROUP_MS);
    }
    simulator.faults.clear();
    const last = life();
    await last.initialize();
    last.call('recover', 'zerto_recover_file', recover);
    expect(await last.text('recover')).toContain('port = 8443');
    last.end();
    await last.exit;
    expect(world.sessions).toEqual([]);
  });
});

test(`${verifies('T-9')} a server that answers later than every time the config knows is still waited for`, async () => {
  const guard = { timeoutSeconds: 3, answerWithinSeconds: 4, holdSeconds: 0 };
  const proxy = start({ config: guarded({ guard }), delayMs: 8_000 });
  await proxy.initialize();
  proxy.call('read', 'ssh_execute', { host: 'app01', command: 'uptime' });
  proxy.call('change', 'ssh_execute', { host: 'app01', command: 'touch /srv/late' });
  expect(await Promise.all([proxy.text('read'), proxy.text('change')])).toEqual(['ran uptime', 'ran touch /srv/late']);
});

test(`${verifies('A-2', 'G-1')} two proxies on one config and one audit directory at the same time`, async () => {
  const dir = scratch();
  const pair = [start({ scratch: dir, config: guarded() }), start({ scratch: dir, config: guarded() })];
  await Promise.all(
    pair.map(async (proxy, index) => {
      await proxy.initialize();
      for (const round of [1, 2]) {
        const command = `touch /srv/pair-${index}-${round}`;
        proxy.call(round, 'ssh_execute', { host: 'app01', command });
        expect(await proxy.text(round)).toBe(`ran ${command}`);
      }
    }),
  );
  for (const proxy of pair) proxy.end();
  for (const proxy of pair) expect((await proxy.exit).code).toBe(0);
  const { code, stdout } = await runBin(['audit', 'verify', '--json'], { XDG_STATE_HOME: dir });
  expect(code).toBe(0);
  expect(JSON.parse(stdout)).toMatchObject({ ok: true, files: [{ state: 'closed' }, { state: 'closed' }] });
  const list = await runBin(['audit', 'list', '--json'], { XDG_STATE_HOME: dir });
  const entries = JSON.parse(list.stdout) as { outcome: string; tags: string[]; session: string }[];
  expect(entries.map(({ outcome }) => outcome)).toEqual(['forwarded', 'forwarded', 'forwarded', 'forwarded']);
  expect(new Set(entries.flatMap(({ tags }) => tags)).size).toBe(4);
  expect(new Set(entries.map(({ session }) => session)).size).toBe(2);
});

describe('the environment', () => {
  test(`${verifies('T-7')} variables that hold the proxy's secrets are withheld, all others pass as they are`, async () => {
    const dir = scratch();
    const seen = join(dir, 'env.json');
    const { sites } = sitesOf(['site-a', simulator]) as { sites: { auth: object }[] };
    const auth = { grant: 'password', username: simulator.user, passwordEnv: 'ZVM_SECRET' };
    const server = join(FIXTURES, 'e2e', 'env-server.mjs');
    const given = {
      ZVM_SECRET: simulator.password,
      GW_TOKEN: 'gw-token-1',
      PLAIN: 'a b\nc="ü"',
      EMPTY: '',
      zvm_secret: 'other',
    };
    const proxy = start({
      scratch: dir,
      config: {
        zvm: { sites: [{ ...sites[0], auth }] },
        guard: { holdSeconds: 0 },
        mcpServers: {
          gw: { url: 'https://gw.example/mcp', headersEnv: { Authorization: 'GW_TOKEN' } },
          ssh: {
            command: process.execPath,
            args: [server, seen, join(dir, 'received.jsonl')],
            env: { ADDED: 'by the config' },
          },
        },
      },
      options: ['--server', 'ssh'],
      named: true,
      env: given,
    });
    await proxy.initialize();
    const child = JSON.parse(readFileSync(seen, 'utf8')) as Record<string, string>;
    const { ZVM_SECRET: _zvm, GW_TOKEN: _gw, ...rest } = given;
    expect(child).toEqual({
      ...process.env,
      XDG_STATE_HOME: dir,
      XDG_CONFIG_HOME: dir,
      ...rest,
      ADDED: 'by the config',
    });
    proxy.call(1, 'ssh_execute', { host: 'app01', command: 'touch /srv/env' });
    expect(await proxy.text(1)).toBe('ran touch /srv/env');
    proxy.end();
    await proxy.exit;
    const audit = readdirSync(proxy.auditDir).map((name) => readFileSync(join(proxy.auditDir, name), 'latin1'));
    expect(audit.join()).not.toContain(simulator.password);
    expect(proxy.stderr).not.toContain(simulator.password);
  });

  const WRONG = Array.from({ length: 32 }, () => 'AB').join(':');
  test.each([
    ['a wrong fingerprint', { fingerprint256: WRONG }],
    ['no trust configured', undefined],
  ])(`${verifies('G-5')} NODE_TLS_REJECT_UNAUTHORIZED=0 weakens nothing: %s is refused`, async (_name, tls) => {
    const { sites } = sitesOf(['site-a', simulator]) as { sites: object[] };
    const proxy = start({
      config: { zvm: { sites: [{ ...sites[0], tls }] } },
      env: { NODE_TLS_REJECT_UNAUTHORIZED: '0' },
    });
    await proxy.initialize();
    const asked = simulator.requests.length;
    proxy.call(1, 'ssh_execute', { host: 'app01', command: 'touch /srv/tls' });
    const { result } = await proxy.answer(1);
    const text = result?.content?.[0]?.text ?? '';
    expect(result?.isError).toBe(true);
    expect(text).toMatch(/^ZVM_UNREACHABLE: .*not sent/);
    expect(text).not.toMatch(/[0-9A-F]{2}(:[0-9A-F]{2}){5}|127\.0\.0\.1|verify/);
    expect(simulator.requests).toHaveLength(asked);
    expect(proxy.received()).toEqual([]);
    proxy.end();
    await proxy.exit;
    expect(proxy.stderr).toContain(simulator.fingerprint256);
  });
});

describe('a config that cannot be used', () => {
  test.each([
    ['an unknown key', '{\n  "polcy": {}\n}', /polcy.*"policy".*line 2, column 3/],
    ['a syntax error', '{\n  "mode": "enforce"\n  "agent": "x"\n}', /line 3, column 3/],
    [
      'a wrong value',
      '{\r\n  // why\r\n  "guard": { "holdSeconds": -1 }\r\n}',
      /guard\.holdSeconds.*line 3, column 14/,
    ],
    ['a key twice', '{\n  "agent": "a",\n  "agent": "b"\n}', /line 3, column 3/],
    ['no JSON', 'zvm: simulator', /line 1, column 1/],
  ])('%s: exit 2 with its place, and nothing is started', async (_name, config, says) => {
    const mark = join(scratch(), 'started');
    const downstream = [process.execPath, '-e', 'require("fs").writeFileSync(process.argv[1], "")', mark];
    const proxy = start({ config, downstream });
    expect(await proxy.exit).toEqual({ code: 2, signal: null });
    expect(proxy.stderr).toMatch(says);
    expect(proxy.stderr).toMatch(/^CONFIG_INVALID: /);
    expect(proxy.lines).toEqual([]);
    expect(existsSync(mark)).toBe(false);
  });

  test('a config file that is named and not there, an option that is not known, a server that is not named', async () => {
    for (const args of [
      ['--config', join(scratch(), 'none.json'), '--', 'x'],
      ['--loglevel', 'debug', '--', 'x'],
      ['--config', configWith({}), '--server', 'ssh'],
      ['--config', configWith({}), '--as', 'ssh', '--', 'x'],
      ['--config', configWith({})],
      ['--'],
      ['no-such-command'],
    ]) {
      const { code, stdout, stderr } = await runBin(args);
      expect([args, code, stdout]).toEqual([args, 2, '']);
      expect(stderr).not.toMatch(/\n\s+at /);
    }
  });
});

function configWith(config: object): string {
  const file = join(scratch(), 'config.json');
  writeFileSync(file, JSON.stringify(config));
  return file;
}
