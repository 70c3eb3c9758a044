import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { makeCertificate } from '../../src/simulator/certificate.js';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { type Arrived, metricValue, type OtlpReceiver, startOtlpReceiver } from '../support/otlp-receiver.js';
import { parseMetrics, total } from '../support/prometheus.js';
import { sitesOf } from '../support/proxy-process.js';
import { RawProxy, runBin, scratchDir } from '../support/raw-proxy.js';
import { type Rsyslog, startRsyslog, whyNoRsyslog } from '../support/rsyslog.js';
import { startServe } from '../support/serve-process.js';
import { startSyslogReceiver } from '../support/syslog-receiver.js';
import { verifies } from './requirements.js';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';

/** Waits until it holds; the tests run at the same time, so that none has the `poll` of its own. */
const eventually = (holds: () => void) => vi.waitFor(holds, { timeout: 40_000, interval: 20 });

const noRsyslog = whyNoRsyslog();
let world: World;
let simulator: Simulator;
let rsyslog: Rsyslog | undefined;

beforeAll(async () => {
  const timings = { gapMs: 2_000, completedMs: 20, stampMs: 10, listedMs: 50 };
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: [{ name: 'app01' }],
    vpgs: [{ name: 'vpg-app01', vms: ['app01'], timings }],
  });
  simulator = await startSimulator({ world });
  if (noRsyslog === undefined) rsyslog = await startRsyslog();
});
afterAll(async () => {
  await rsyslog?.close();
  await simulator.close();
  world.close();
});

/** What the end of a test closes: the tests run at the same time. */
type Finish = (close: () => Promise<void> | void) => void;

async function collector(finish: Finish, options: Parameters<typeof startOtlpReceiver>[0] = {}): Promise<OtlpReceiver> {
  const receiver = await startOtlpReceiver(options);
  finish(() => receiver.close());
  return receiver;
}

/** The proxies of one machine: one config, one state directory. */
interface Machine {
  readonly scratch: string;
  readonly auditDir: string;
  start(): Promise<RawProxy>;
  run(...args: readonly string[]): ReturnType<typeof runBin>;
}

function machine(finish: Finish, exported: object): Machine {
  const scratch = scratchDir();
  finish(() => rmSync(scratch, { recursive: true, force: true, maxRetries: 5 }));
  const config = {
    zvm: sitesOf(['site-a', simulator]),
    policy: { unknown: 'refuse' },
    guard: { holdSeconds: 0 },
    export: exported,
  };
  writeFileSync(join(scratch, 'config.json'), JSON.stringify(config));
  return {
    scratch,
    auditDir: join(scratch, 'zerto-rewind-proxy', 'audit'),
    start: async () => {
      const proxy = new RawProxy({ scratch, config });
      finish(() => proxy.kill('SIGKILL'));
      await proxy.initialize();
      return proxy;
    },
    run: (...args) => {
      const env = { XDG_STATE_HOME: scratch, XDG_CONFIG_HOME: scratch, HOME: scratch };
      return runBin(['--config', join(scratch, 'config.json'), ...args], env);
    },
  };
}

/** The lines of the audit log, file by file. */
function written({ auditDir }: Pick<Machine, 'auditDir'>): readonly string[] {
  if (!existsSync(auditDir)) return [];
  const files = readdirSync(auditDir).filter((name) => name.endsWith('.jsonl'));
  return files.flatMap((name) => readFileSync(join(auditDir, name), 'utf8').split('\n').slice(0, -1));
}

const uidOf = ({ attributes }: Arrived): string => String(attributes['log.record.uid']);
const bodyOf = ({ body }: Arrived): string => (body as { readonly stringValue: string }).stringValue;
const bodies = ({ logs }: OtlpReceiver): ReadonlySet<string> => new Set(logs.map(bodyOf));
function grouped<T>(all: Iterable<T>, by: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) groups.set(by(one), [...(groups.get(by(one)) ?? []), one]);
  return groups;
}

/** Until a destination has every line that is written; what it has beside them fails. */
async function arrive(all: Pick<Machine, 'auditDir'>, got: () => ReadonlySet<string>): Promise<void> {
  await eventually(() => expect(written(all).filter((line) => !got().has(line)).length).toBe(0));
  const lines = new Set(written(all));
  expect([...got()].filter((line) => !lines.has(line))).toEqual([]);
}

function toRsyslog(): object {
  return rsyslog === undefined ? {} : { syslog: { host: '127.0.0.1', port: rsyslog.port, tls: rsyslog.tls } };
}

async function arriveInRsyslog(local: Machine): Promise<void> {
  if (rsyslog === undefined) return;
  await eventually(() => expect(new Set(rsyslogTexts(local))).toEqual(new Set(written(local).map(asciiOf))));
}

/** What rsyslog has of this machine; the tests share it. */
function rsyslogTexts(local: Machine): readonly string[] {
  const chains = new Set(written(local).map((line) => JSON.parse(line).chain));
  const texts = rsyslog?.messages().map((message) => message.slice(message.indexOf('{'))) ?? [];
  return texts.filter((text) => chains.has(JSON.parse(text).chain));
}

/** As syslog carries a line. */
function asciiOf(line: string): string {
  return line.replace(/[^\x20-\x7e]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** What came more than once is the same each time, under the same id. */
function mayRepeat(logs: readonly Arrived[]): { readonly records: number; readonly repeated: number } {
  const byId = grouped(logs, uidOf);
  for (const same of byId.values()) for (const each of same) expect(each).toEqual(same[0]);
  expect(new Set(logs.map(bodyOf)).size).toBe(byId.size);
  return { records: byId.size, repeated: logs.length - byId.size };
}

const call = (proxy: RawProxy, id: string, command: string, meta?: object): Promise<string> => {
  const params = { name: 'ssh_execute', arguments: { host: 'app01', command } };
  proxy.request(id, 'tools/call', { ...params, ...(meta !== undefined && { _meta: meta }) });
  return proxy.text(id);
};

test.concurrent(`${verifies('A-5')} every record comes to a collector, a real rsyslog${noRsyslog === undefined ? '' : ` (left out: ${noRsyslog})`} and OCSF files; the chain verifies from what came, the spans hang below the caller’s`, async ({
  onTestFinished,
}) => {
  const receiver = await collector(onTestFinished);
  const { fingerprint256 } = receiver.certificate;
  const local = machine(onTestFinished, {
    otlp: { url: receiver.url, tls: { fingerprint256 }, metrics: true, metricsEverySeconds: 1 },
    ocsf: { dir: 'ocsf' },
    ...toRsyslog(),
  });
  const proxy = await local.start();
  const meta = { traceparent: `00-${TRACE}-${PARENT}-01`, tracestate: 'vendor=1' };
  const changed = await call(proxy, 'change', 'touch /srv/naïve', meta);
  await call(proxy, 'refused', './unknown-program');
  await Promise.all(
    Array.from({ length: 20 }, (_, index) => call(proxy, `r${index}`, `cat /etc/${'x'.repeat(500 * index)}`)),
  );
  expect(changed).toContain('ran touch');
  await arrive(local, () => bodies(receiver));

  if (rsyslog !== undefined) {
    await arriveInRsyslog(local);
    const { messages } = rsyslog;
    expect(messages().map((message) => message.slice(0, message.indexOf('{')))).toEqual(
      Array.from(messages(), () =>
        expect.stringMatching(/^<1(?:10|09|08)>1 \S+Z \S+ zerto-rewind-proxy \d+ \w+ \[meta sequenceId="\d+"\] $/),
      ),
    );
  }
  const events = () =>
    readdirSync(join(local.scratch, 'ocsf')).flatMap((name) =>
      readFileSync(join(local.scratch, 'ocsf', name), 'utf8')
        .split('\n')
        .slice(0, -1),
    );
  await eventually(() => expect(events().length).toBe(written(local).length));

  const spans = receiver.spans.filter(({ traceId }) => traceId === TRACE);
  const server = spans.find(({ kind }) => kind === 2);
  expect(server).toMatchObject({ name: 'tools/call ssh_execute', parentSpanId: PARENT, traceState: 'vendor=1' });
  const below = spans.filter(({ parentSpanId }) => parentSpanId === server?.['spanId']);
  expect(below.map(({ name }) => String(name)).sort()).toEqual(['tools/call ssh_execute', 'zerto.guard']);

  const toolCalls = { 'mcp.method.name': 'tools/call', 'network.transport': 'pipe' };
  const counted = () => [
    metricValue(receiver, 'mcp.server.operation.duration', toolCalls),
    metricValue(receiver, 'mcp.server.operation.duration', { ...toolCalls, 'error.type': 'tool_error' }),
    metricValue(receiver, 'zerto_rewind.calls'),
    metricValue(receiver, 'zerto_rewind.tag.duration'),
    metricValue(receiver, 'zerto_rewind.children'),
    metricValue(receiver, 'zerto_rewind.sessions'),
  ];
  await eventually(() => expect(counted()).toEqual([22, 1, 22, 1, 1, 1]));

  proxy.end();
  expect((await proxy.exit).code).toBe(0);
  const again = await local.run('audit', 'export', '--to', 'otlp', '--send');
  expect(again).toMatchObject({ code: 0, stderr: '' });
  await arrive(local, () => bodies(receiver));
  const { repeated } = mayRepeat(receiver.logs);
  expect(repeated).toBeGreaterThan(40);

  const copy = join(local.scratch, 'copy');
  mkdirSync(join(copy, 'zerto-rewind-proxy', 'audit'), { recursive: true });
  for (const [chain, records] of grouped(bodies(receiver), (line) => String(JSON.parse(line).chain)))
    writeFileSync(
      join(copy, 'zerto-rewind-proxy', 'audit', `${chain}.jsonl`),
      records.map((line) => `${line}\n`).join(''),
    );
  const verified = await runBin(['audit', 'verify', '--json'], { XDG_STATE_HOME: copy, XDG_CONFIG_HOME: copy });
  expect(JSON.parse(verified.stdout)).toMatchObject({ ok: true, files: [{ state: 'closed' }] });

  const tried = await local.run('audit', 'export', '--test-event');
  expect({ code: tried.code, lines: tried.stdout.match(/^ok .*$/gm)?.length }).toEqual({
    code: 0,
    lines: rsyslog === undefined ? 4 : 5,
  });
  expect(receiver.logs.at(-1)).toMatchObject({ eventName: 'zerto_rewind.audit.test' });
  expect(receiver.spans.at(-1)).toMatchObject({ name: 'zerto_rewind.test' });
  expect(receiver.metrics.at(-1)).toMatchObject({ name: 'zerto_rewind.test' });
});

/** Whoever sends is killed so many times. */
const DEATHS = process.env['REWIND_LONG'] === undefined ? 1 : 20;

test.concurrent(
  `${verifies('A-5')} of two proxies one sends; killed between sending and the acknowledgement, the other goes on: nothing is lost, what came twice is the same record`,
  async ({ onTestFinished, annotate }) => {
    const receiver = await collector(onTestFinished);
    const local = machine(onTestFinished, {
      otlp: { url: receiver.url, tls: { fingerprint256: receiver.certificate.fingerprint256 } },
      ...toRsyslog(),
    });
    let first = await local.start();
    await call(first, 'a', 'uptime');
    await arrive(local, () => bodies(receiver));
    for (let death = 0; death < DEATHS; death += 1) {
      const second = await local.start();
      await call(second, 'a', 'uptime');
      await arrive(local, () => bodies(receiver));
      expect(sender(local)).toBe(first.pid);

      receiver.answer(() => 'silent');
      const before = receiver.logs.length;
      for (const id of ['b', 'c', 'd', 'e']) expect(await call(first, id, `touch /srv/${id}`)).toContain('ran');
      await eventually(() => expect(receiver.logs.length).toBeGreaterThan(before));
      first.kill('SIGKILL');
      await first.exit;
      receiver.answer(undefined);
      await call(second, 'f', 'touch /srv/f');
      await arrive(local, () => bodies(receiver));
      expect(sender(local)).toBe(second.pid);
      first = second;
    }
    const { records, repeated } = mayRepeat(receiver.logs);
    expect(records).toBe(written(local).length);
    expect(repeated).toBeGreaterThanOrEqual(DEATHS);
    await arriveInRsyslog(local);
    const figures = { deaths: DEATHS, records, repeated, rsyslog: rsyslogTexts(local).length };
    if (DEATHS > 1) await annotate(JSON.stringify(figures));
  },
  DEATHS * 60_000,
);

/** The process that sends log records. */
function sender(local: Machine): number {
  return exportFile(local, 'otlp-logs.lease').pid;
}

/** What the proxies know of a destination. */
function stateOf(local: Machine, name: string): { readonly trouble?: { readonly why: string } } | undefined {
  return exportFile(local, `${name}.json`);
}

function exportFile({ scratch }: Machine, name: string) {
  const dir = join(scratch, 'zerto-rewind-proxy', 'export');
  const [log = ''] = existsSync(dir) ? readdirSync(dir) : [];
  const file = join(dir, log, name);
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

test.concurrent(`${verifies('A-5')} no receiver, then one with another certificate, then the right one: calls go on, nothing goes to the wrong one, nothing is lost, and status and doctor say why`, async ({
  onTestFinished,
}) => {
  const [own, other] = await Promise.all([makeCertificate('own'), makeCertificate('other')]);
  const [gone, goneSyslog] = [await startOtlpReceiver(), await startSyslogReceiver()];
  const [port, syslogPort] = [Number(new URL(gone.url).port), goneSyslog.port];
  await Promise.all([gone.close(), goneSyslog.close()]);
  const tls = { fingerprint256: own.fingerprint256 };
  const local = machine(onTestFinished, {
    otlp: { url: gone.url, tls, traces: false },
    syslog: { host: '127.0.0.1', port: syslogPort, tls },
  });
  const proxy = await local.start();
  const troubles = () => ['otlp-logs', 'syslog'].map((name) => stateOf(local, name)?.trouble?.why);
  for (const id of ['a', 'b', 'c']) expect(await call(proxy, id, `touch /srv/${id}`)).toContain('ran');
  const refused = expect.stringContaining('ECONNREFUSED');
  await eventually(() => expect(troubles()).toEqual([refused, refused]));

  const wrong = await startOtlpReceiver({ certificate: other, port });
  const wrongSyslog = await startSyslogReceiver({ certificate: other, port: syslogPort });
  onTestFinished(async () => void (await Promise.all([wrong.close(), wrongSyslog.close()]).catch(() => undefined)));
  const mistaken = expect.stringContaining(`is not the pinned one: it is ${other.fingerprint256}`);
  await eventually(() => expect(troubles()).toEqual([mistaken, mistaken]));
  const [status, doctor, tried, ran] = await Promise.all([
    local.run('status'),
    local.run('doctor', '--json'),
    local.run('audit', 'export', '--test-event'),
    call(proxy, 'd', 'touch /srv/d'),
  ]);
  expect(status.stdout).toMatch(/^Export otlp-logs: .* has still to take \d+ records .*is not the pinned one/m);
  expect(status.stdout).toMatch(/^Export syslog: .* has still to take \d+ records .*is not the pinned one/m);
  expect(doctor.stdout.match(/is not the pinned one/g)?.length).toBeGreaterThanOrEqual(2);
  expect(tried).toMatchObject({ code: 1, stdout: expect.stringMatching(/^FAIL {2}otlp-logs .*not the pinned one/) });
  expect(ran).toContain('ran');
  expect([wrong.requests, wrongSyslog.messages]).toEqual([[], []]);
  await Promise.all([wrong.close(), wrongSyslog.close()]);

  const right = await collector(onTestFinished, { certificate: own, port });
  const rightSyslog = await startSyslogReceiver({ certificate: own, port: syslogPort });
  onTestFinished(() => rightSyslog.close());
  await arrive(local, () => bodies(right));
  await arrive(local, () => new Set(rightSyslog.messages.map((message) => message.slice(message.indexOf('{')))));
  expect(mayRepeat(right.logs).repeated).toBe(0);
  await eventually(() => expect(troubles()).toEqual([undefined, undefined]));
});

test.concurrent(`${verifies('A-5')} serve sends from its start on: records, spans, and the numbers that its page shows`, async ({
  onTestFinished,
}) => {
  const receiver = await collector(onTestFinished);
  const server = join(import.meta.dirname, '..', 'fixtures', 'e2e', 'http-session-server.mjs');
  const serve = await startServe({
    config: (scratch) => ({
      zvm: sitesOf(['site-a', simulator]),
      guard: { holdSeconds: 0 },
      mcpServers: { ssh: { command: process.execPath, args: [server, join(scratch, 'received.log')], family: 'ssh' } },
      export: {
        otlp: {
          url: receiver.url,
          tls: { fingerprint256: receiver.certificate.fingerprint256 },
          headersEnv: { authorization: 'COLLECTOR_LOGIN' },
          metrics: true,
          metricsEverySeconds: 1,
        },
      },
    }),
    env: { COLLECTOR_LOGIN: 'Bearer spyglass' },
  });
  onTestFinished(() => serve.close());
  const client = await serve.client();
  const run = (command: string) => client.callTool({ name: 'ssh_execute', arguments: { host: 'app01', command } });
  await Promise.all([run('uptime'), run('touch /x')]);
  await arrive({ auditDir: join(serve.scratch, 'zerto-rewind-proxy', 'audit') }, () => bodies(receiver));
  await eventually(() => expect(receiver.spans.filter(({ kind }) => kind === 2).length).toBe(2));
  const calls = { 'mcp.method.name': 'tools/call', 'network.transport': 'tcp' };
  await eventually(() => expect(metricValue(receiver, 'mcp.server.operation.duration', calls)).toBe(2));
  const page = await fetch(new URL('/metrics', serve.url), { headers: { authorization: `Bearer ${serve.token}` } });
  const samples = parseMetrics(await page.text());
  expect(total(samples, 'mcp_server_operation_duration_count', { mcp_method_name: 'tools/call' })).toBe(2);
  expect(new Set(receiver.requests.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer spyglass']));
  expect(serve.stderr()).not.toContain('spyglass');
  await client.close();
});
