import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { CallRecords } from '../../src/audit/calls.js';
import type { Certificate } from '../../src/simulator/certificate.js';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { CORPUS, formsOf, type Planted } from '../audit/redact/corpus/index.js';
import { startOtlpReceiver } from '../support/otlp-receiver.js';
import { childrenOf } from '../support/process-tree.js';
import { BIN, type ProxyProcess, sitesOf, startProxy, textOf } from '../support/proxy-process.js';
import { startSyslogReceiver } from '../support/syslog-receiver.js';
import { verifies } from './requirements.js';

const TIMINGS = { gapMs: 2_000, completedMs: 50, stampMs: 20, listedMs: 50 };
/** Every planted secret takes its way through the program; by default each sixth, which is enough to see a way that leaks. */
const PLANTED = process.env['REWIND_LONG'] === '1' ? CORPUS : CORPUS.filter((_, index) => index % 6 === 0);
/** As many calls at a time as a client would send. */
const AT_ONCE = 20;

let world: World;
let simulator: Simulator;

beforeAll(async () => {
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: [{ name: 'app01' }, { name: 'app02' }],
    vpgs: [
      { name: 'app', vms: ['app01'], timings: TIMINGS },
      { name: 'other', vms: ['app02'], timings: TIMINGS },
    ],
  });
  simulator = await startSimulator({ world });
});
afterAll(async () => {
  await simulator.close();
  world.close();
});

/** Arguments that the server's tool takes: a call without a command runs one that nobody understands. */
function argumentsOf({ args }: Planted): Record<string, unknown> {
  return { host: 'app01', command: './frobnicate --now', ...args };
}

/** Sends each as a call of its own; the result is what the proxy itself answered, in place of the server. */
async function send(proxy: ProxyProcess, planted: readonly Planted[]): Promise<readonly string[]> {
  const said: string[] = [];
  for (let at = 0; at < planted.length; at += AT_ONCE) {
    const group = planted.slice(at, at + AT_ONCE);
    const sent = group.map((one) => proxy.call('ssh_execute', argumentsOf(one)).then(textOf, String));
    said.push(...(await Promise.all(sent)).filter((text) => !text.startsWith('ran ')));
  }
  return said;
}

/** The command lines of a process and its children, as any user of the machine sees them; empty where the system does not say. */
function commandLines(pid: number): string {
  return [pid, ...childrenOf(pid)]
    .map((each) => `/proc/${each}/cmdline`)
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8'))
    .join('\n');
}

/** Every file below, apart from the config and what the wrapped server wrote down itself. */
function filesBelow(dir: string): string[] {
  return readdirSync(dir)
    .filter((name) => !['config.json', 'received.jsonl'].includes(name))
    .flatMap((name) => {
      const path = join(dir, name);
      return statSync(path).isDirectory() ? filesBelow(path) : [path];
    });
}

function survivorsIn(texts: Readonly<Record<string, string>>, planted: readonly Planted[]): string[] {
  return Object.entries(texts).flatMap(([place, text]) =>
    planted.flatMap(({ title, secret }) => {
      const form = formsOf(secret).find((one) => text.includes(one));
      const at = form === undefined ? 0 : text.indexOf(form);
      return form === undefined ? [] : [`${place}: ${title}: …${text.slice(Math.max(0, at - 120), at + 60)}…`];
    }),
  );
}

/** What a command prints; the simulator of this process answers meanwhile. */
function run(proxy: ProxyProcess, args: readonly string[], input = ''): Promise<string> {
  const env = { ...process.env, HOME: proxy.scratch, XDG_STATE_HOME: proxy.scratch };
  const child = spawn(process.execPath, [BIN, '--config', join(proxy.scratch, 'config.json'), ...args], { env });
  child.stdin.on('error', () => undefined).end(input);
  return new Promise((resolve, reject) => {
    const said: string[] = [];
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => said.push(chunk.toString()));
    child.once('error', reject).once('close', () => resolve(said.join('')));
  });
}

/** What the commands print that judge a command, tell of calls or answer a client's hook. */
async function commandsOn(proxy: ProxyProcess, calls: readonly CallRecords[]): Promise<Record<string, string>> {
  const commands = PLANTED.flatMap(({ shell, args: { command } }) =>
    shell !== 'arguments' && typeof command === 'string' ? [{ shell, command }] : [],
  );
  const inBash = commands.filter(({ shell }) => shell === 'bash').map(({ command }) => quoted(command));
  const hooked = { session_id: 's1', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 't1' };
  const lines: Readonly<Record<string, readonly (readonly [args: readonly string[], input?: string])[]>> = {
    explain: every(PLANTED, 60).map((one) => [
      ['explain', '--server', 'ssh', '--tool', 'ssh_execute', '--args', JSON.stringify(argumentsOf(one))],
    ]),
    classify: [[['classify', '--jsonl'], commands.map((each) => JSON.stringify(each)).join('\n')]],
    hook: every(inBash, 40).map((command) => [
      ['--log-level', 'debug', 'hook', '--client', 'claude-code'],
      JSON.stringify({ ...hooked, tool_input: { command: `ssh app01 ${command} && ./frobnicate ${command}` } }),
    ]),
    status: [[['status', '--json']]],
    doctor: [[['doctor', '--transcript', join(proxy.scratch, 'transcript.json')]]],
    'audit list': [[['audit', 'list', '--json']]],
    'audit show': calls.slice(0, 2).map(({ intent }) => [['audit', 'show', intent.call]]),
  };
  const printed: Record<string, string> = {};
  for (const [place, each] of Object.entries(lines))
    printed[place] = (await Promise.all(each.map((line) => run(proxy, ...line)))).join('\n');
  return printed;
}

function every<T>(all: readonly T[], count: number): readonly T[] {
  return all.filter((_, index) => index % count === 0);
}

function quoted(command: string): string {
  return `'${command.replaceAll("'", `'\\''`)}'`;
}

test(`${verifies('A-3')} no planted secret reaches records, files, stderr, tags, questions, answers, exports or what commands print`, async () => {
  const questions: string[] = [];
  const scratch = mkdtempSync(join(tmpdir(), 'rewind-redaction-'));
  const [otlp, syslog] = await Promise.all([startOtlpReceiver(), startSyslogReceiver()]);
  const trusted = ({ fingerprint256 }: Certificate) => ({ fingerprint256 });
  const proxy = await startProxy({
    scratch,
    config: {
      zvm: sitesOf(['site-a', simulator]),
      guard: { holdSeconds: 0, reuseSeconds: 600, maxTagsPerVpgPerHour: 10_000 },
      export: {
        ocsf: { dir: join(scratch, 'ocsf') },
        otlp: { url: otlp.url, tls: trusted(otlp.certificate) },
        syslog: { host: '127.0.0.1', port: syslog.port, tls: trusted(syslog.certificate) },
      },
    },
    options: ['--log-level', 'debug'],
    human: ({ message }) => {
      questions.push(message);
      return questions.length % 4 === 0 ? 'do not run' : 'run after the checkpoint';
    },
  });
  try {
    const answers = [...(await send(proxy, PLANTED))];
    const processes = commandLines(proxy.pid);
    expect(proxy.received().length).toBeGreaterThan(PLANTED.length / 2);
    const calls = await proxy.audit();
    expect(calls).toHaveLength(PLANTED.length);
    expect(questions.length).toBeGreaterThan(PLANTED.length / 4);
    const [first] = PLANTED;
    const secret = first?.secret ?? '';
    // The server's own error goes to the agent as it is, and no further.
    await expect(
      proxy.call('ssh_execute', { host: 'app01', command: `echo fail --password ${secret}` }),
    ).rejects.toThrow(secret);
    const own = { vm: 'app02', action: `mysql -p${secret}`, change: 'CHG-1' };
    answers.push(textOf(await proxy.call('zerto_create_tagged_checkpoint', own)));
    answers.push(textOf(await proxy.call('zerto_check_tool', { command: `./frobnicate --password ${secret}` })));
    const tags = world.vpgs.flatMap(({ journal }) => journal.map(({ tag }) => String(tag ?? '')));
    const records = 2 * calls.length;
    await expect
      .poll(() => Math.min(otlp.logs.length, syslog.messages.length), { timeout: 60_000 })
      .toBeGreaterThan(records);
    const printed = await commandsOn(proxy, calls);
    const files = Object.fromEntries(filesBelow(proxy.scratch).map((path) => [path, readFileSync(path, 'utf8')]));
    const texts = {
      ...files,
      ...printed,
      stderr: proxy.stderr(),
      tags: tags.join('\n'),
      questions: questions.join('\n'),
      answers: answers.join('\n'),
      'OTLP logs': JSON.stringify(otlp.logs),
      'OTLP spans': JSON.stringify(otlp.spans),
      syslog: syslog.messages.join('\n'),
    };
    expect(survivorsIn({ ...texts, processes }, PLANTED)).toEqual([]);
    for (const [place, text] of Object.entries(texts)) expect(text, place).not.toBe('');
    expect(Object.keys(files).join('\n')).toMatch(/ocsf/);
    expect(texts.tags).toContain('mysql -p_redacted_');
    expect(texts.answers).toContain('frobnicate --password [redacted]');
    expect(printed['hook']).toContain('"permissionDecision"');
  } finally {
    await proxy.close();
    await Promise.all([otlp.close(), syslog.close()]);
  }
}, 240_000);

test(`${verifies('A-3', 'P-1')} a question shows what was not understood, and no secret, by elicitation and for approve`, async () => {
  const secret = 'K4Xz9mQw2Lp7';
  const command = `./frobnicate --mode fast --password ${secret} && ./other ${secret} ${'x'.repeat(400)} ${secret}`;
  const questions: string[] = [];
  const zvm = sitesOf(['site-a', simulator]);
  const asked = await startProxy({
    config: { zvm, guard: { holdSeconds: 0 } },
    human: ({ message }) => {
      questions.push(message);
      return 'do not run';
    },
  });
  const quiet = await startProxy({
    config: { zvm, guard: { holdSeconds: 0 }, policy: { nobodyAnswers: 'refuse' }, approvals: { notify: false } },
  });
  try {
    await asked.call('ssh_execute', { host: 'app01', command });
    expect(questions).toHaveLength(1);
    const waits = quiet.call('ssh_execute', { host: 'app01', command }).catch(() => undefined);
    const dir = join(quiet.scratch, 'zerto-rewind-proxy', 'approvals');
    await expect.poll(() => (existsSync(dir) ? readdirSync(dir).length : 0), { timeout: 30_000 }).toBeGreaterThan(0);
    const files = readdirSync(dir).map((name) => readFileSync(join(dir, name), 'utf8'));
    const listed = await Promise.all([run(quiet, ['approve']), run(quiet, ['approve', '--json'])]);
    for (const text of [...questions, ...files, ...listed]) {
      expect(text).toContain('./frobnicate --mode fast --password [redacted');
      expect(text).toContain('./other');
      for (const form of [...formsOf(secret), secret.slice(0, 6)]) expect(text).not.toContain(form);
    }
    await quiet.close();
    await waits;
  } finally {
    await asked.close();
  }
}, 120_000);
