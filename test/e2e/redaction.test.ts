import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { CORPUS, formsOf, type Planted } from '../audit/corpus/index.js';
import { BIN, type ProxyProcess, sitesOf, startProxy } from '../support/proxy-process.js';
import { verifies } from './requirements.js';

const TIMINGS = { gapMs: 2_000, completedMs: 50, stampMs: 20, listedMs: 50 };
/** Every planted secret takes its way through the program; by default each third, which is enough to see a way that leaks. */
const PLANTED = process.env['REWIND_LONG'] === '1' ? CORPUS : CORPUS.filter((_, index) => index % 3 === 0);
/** As many calls at a time as a client would send. */
const AT_ONCE = 20;

let world: World;
let simulator: Simulator;

beforeAll(async () => {
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: [{ name: 'app01' }],
    vpgs: [{ name: 'app', vms: ['app01'], timings: TIMINGS }],
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

async function send(proxy: ProxyProcess, planted: readonly Planted[]): Promise<void> {
  for (let at = 0; at < planted.length; at += AT_ONCE) {
    const group = planted.slice(at, at + AT_ONCE);
    await Promise.all(group.map((one) => proxy.call('ssh_execute', argumentsOf(one)).catch(() => undefined)));
  }
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

function run(proxy: ProxyProcess, ...args: string[]): string {
  const env = { ...process.env, XDG_STATE_HOME: proxy.scratch };
  const { stdout, stderr } = spawnSync(
    process.execPath,
    [BIN, '--config', join(proxy.scratch, 'config.json'), ...args],
    {
      env,
      encoding: 'utf8',
      maxBuffer: 256 * 1024 * 1024,
    },
  );
  return stdout + stderr;
}

test(`${verifies('A-3')} no planted secret reaches records, files, stderr, tags, questions or what audit prints`, async () => {
  const questions: string[] = [];
  const proxy = await startProxy({
    config: {
      zvm: sitesOf(['site-a', simulator]),
      guard: { holdSeconds: 0, reuseSeconds: 600, maxTagsPerVpgPerHour: 10_000 },
    },
    options: ['--log-level', 'debug'],
    human: ({ message }) => {
      questions.push(message);
      return questions.length % 4 === 0 ? 'do not run' : 'run after the checkpoint';
    },
  });
  try {
    await send(proxy, PLANTED);
    expect(proxy.received().length).toBeGreaterThan(PLANTED.length / 2);
    const calls = await proxy.audit();
    expect(calls).toHaveLength(PLANTED.length);
    expect(questions.length).toBeGreaterThan(PLANTED.length / 4);
    const tags = world.vpgs.flatMap(({ journal }) => journal.map(({ tag }) => String(tag ?? '')));
    const shown = calls.slice(0, 5).map(({ intent }) => run(proxy, 'audit', 'show', intent.call));
    const files = Object.fromEntries(filesBelow(proxy.scratch).map((path) => [path, readFileSync(path, 'utf8')]));
    const texts = {
      ...files,
      stderr: proxy.stderr(),
      tags: tags.join('\n'),
      questions: questions.join('\n'),
      'audit list': run(proxy, 'audit', 'list', '--json'),
      'audit show': shown.join('\n'),
    };
    expect(survivorsIn(texts, PLANTED)).toEqual([]);
    for (const text of Object.values(texts)) expect(text).not.toBe('');
  } finally {
    await proxy.close();
  }
}, 180_000);

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
    for (const text of [...questions, ...files]) {
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
