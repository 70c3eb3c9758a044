import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { BIN, type ProxyProcess, receiptOf, sitesOf, startProxy, textOf } from '../support/proxy-process.js';
import { atTerminal, HAS_TERMINAL } from '../support/terminal.js';
import { verifies } from './requirements.js';

const TIMINGS = { gapMs: 2_000, completedMs: 50, stampMs: 20, listedMs: 100 };
let world: World;
let simulator: Simulator;

beforeAll(async () => {
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: [{ name: 'app01' }, { name: 'lab01' }],
    vpgs: [{ name: 'app', vms: ['app01'], timings: TIMINGS }],
  });
  simulator = await startSimulator({ world });
});
afterAll(async () => {
  await simulator.close();
  world.close();
});

const start = (config: object = {}) => startProxy({ config: { zvm: sitesOf(['site-a', simulator]), ...config } });
const tags = () =>
  simulator.requests.filter(({ method, path }) => method === 'POST' && /checkpoints$/i.test(path)).length;

/** The command beside the proxy, as its operator runs it; not at a terminal. */
function approve(proxy: ProxyProcess, ...args: string[]) {
  const env = { ...process.env, XDG_STATE_HOME: proxy.scratch };
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, 'approve', ...args], { env, encoding: 'utf8' });
  return { status, stdout, stderr };
}

/** As the operator reads it at a terminal. */
function codeOf(proxy: ProxyProcess): string {
  const dir = join(proxy.scratch, 'zerto-rewind-proxy', 'approvals');
  const [file = ''] = readdirSync(dir).filter((name) => name.endsWith('.question'));
  return (JSON.parse(readFileSync(join(dir, file), 'utf8')) as { code: string }).code;
}

describe(`${verifies('P-2')} a client that can ask nobody`, () => {
  const call = { host: 'lab01', command: 'rm -rf /tmp/x' };

  test('is told to come again; the operator answers; the repeat goes out once, and the record says who allowed it', async () => {
    const proxy = await start();
    try {
      const first = textOf(await proxy.call('ssh_execute', call));
      expect(first).toMatch(/^TARGET_UNPROTECTED: .*not sent\..*send the same call again in 60 s/s);
      const code = codeOf(proxy);
      expect(approve(proxy).stdout).toMatch(/^1 question waits\.[\s\S]*"lab01"[\s\S]*run without a checkpoint/);
      expect(approve(proxy, code)).toMatchObject({
        status: 0,
        stdout: expect.stringContaining('run without a checkpoint'),
      });
      const again = await proxy.call('ssh_execute', call);
      expect(textOf(again)).toBe('ran rm -rf /tmp/x');
      expect(receiptOf(again)).toMatchObject({
        permit: 'waived',
        waivedBy: expect.stringMatching(/^human \(out of band \(.+\)\)$/),
      });
      expect(proxy.received()).toHaveLength(1);
      const [refused, ran] = await proxy.audit();
      expect(refused?.outcome).toMatchObject({ outcome: 'refused', code: 'TARGET_UNPROTECTED' });
      expect(ran?.permit).toMatchObject({
        answeredBy: expect.stringContaining('out of band'),
        answeredAfterMs: expect.any(Number),
      });
      // One yes, one call.
      expect(textOf(await proxy.call('ssh_execute', call))).toMatch(/^TARGET_UNPROTECTED: /);
    } finally {
      await proxy.close();
    }
  });

  test('the code reaches neither the agent nor stderr nor the log, and is shown at a terminal only', async () => {
    const proxy = await start();
    try {
      const said = [await proxy.call('ssh_execute', call)].map(textOf).join();
      const code = codeOf(proxy);
      const list = approve(proxy);
      const json = approve(proxy, '--json');
      const audit = JSON.stringify(await proxy.audit());
      for (const text of [said, proxy.stderr(), list.stdout, list.stderr, json.stdout, audit]) {
        expect(text).not.toContain(code);
      }
      expect(JSON.parse(json.stdout)).toMatchObject([{ agent: 'test-agent', choices: expect.any(Array) }]);
      if (!HAS_TERMINAL) return;
      const seen = await atTerminal(['approve'], { XDG_STATE_HOME: proxy.scratch });
      expect(seen).toMatchObject({ status: 0, screen: expect.stringContaining(`approve ${code} --deny`) });
    } finally {
      await proxy.close();
    }
  });

  test('a no is a no, also for the repeats', async () => {
    const proxy = await start();
    try {
      await proxy.call('ssh_execute', call);
      expect(approve(proxy, codeOf(proxy), '--deny').status).toBe(0);
      for (let i = 0; i < 2; i += 1)
        expect(textOf(await proxy.call('ssh_execute', call))).toMatch(/^APPROVAL_DENIED: .*said no/);
      expect(approve(proxy).stdout).toBe('0 questions wait.\n');
      expect(proxy.received()).toEqual([]);
    } finally {
      await proxy.close();
    }
  });

  test('its checkpoint is taken while the operator reads, and "always" holds for the session', async () => {
    const proxy = await start({ policy: { nobodyAnswers: 'refuse' } });
    try {
      const before = tags();
      const early = textOf(await proxy.call('ssh_execute', { host: 'app01', command: './deploy.sh' }));
      expect(early).toMatch(/^APPROVAL_PENDING: /);
      await expect.poll(() => tags() - before, { timeout: 10_000 }).toBe(1);
      expect(approve(proxy, codeOf(proxy), '--always').status).toBe(0);
      const ran = await proxy.call('ssh_execute', { host: 'app01', command: './deploy.sh' });
      expect(receiptOf(ran)?.permit).toBe('pinned');
      expect(receiptOf(await proxy.call('ssh_execute', { host: 'app01', command: './other.sh' }))?.permit).toBe(
        'pinned',
      );
      expect((await proxy.audit()).at(-1)?.permit?.answeredBy).toBe('the session');
    } finally {
      await proxy.close();
    }
  });

  test(`${verifies('N-2')} gets a file once the operator has agreed`, async () => {
    world.write('app01', '/etc/app.conf', 'listen = 8080');
    world.checkpoint('app');
    const proxy = await start();
    try {
      const changed = receiptOf(await proxy.call('ssh_execute', { host: 'app01', command: 'touch /etc/app.conf' }));
      const wanted = { receipt: changed?.id, path: '/etc/app.conf' };
      expect(textOf(await proxy.call('zerto_recover_file', wanted))).toMatch(/^APPROVAL_PENDING: .*in 60 s/);
      expect(approve(proxy).stdout).toContain('"/etc/app.conf"');
      expect(approve(proxy, codeOf(proxy)).status).toBe(0);
      expect(textOf(await proxy.call('zerto_recover_file', wanted))).toContain('listen = 8080');
      expect(textOf(await proxy.call('zerto_recover_file', wanted))).toMatch(/^APPROVAL_PENDING: /);
    } finally {
      await proxy.close();
    }
  });

  test('where the config says so nobody is asked out of band', async () => {
    const proxy = await start({ approvals: { outOfBand: false } });
    try {
      expect(textOf(await proxy.call('ssh_execute', call))).not.toContain('again in');
      expect(approve(proxy).stdout).toBe('0 questions wait.\n');
    } finally {
      await proxy.close();
    }
  });
});

test(`${verifies('P-1')} a human who reads longer than the client waits: the call is answered early and asked about once`, async () => {
  let answer: (choice: string) => void = () => undefined;
  const asked: string[] = [];
  const human = ({ message }: { message: string }): Promise<string> => {
    asked.push(message);
    return new Promise((resolve) => {
      answer = resolve;
    });
  };
  const config = { zvm: sitesOf(['site-a', simulator]), guard: { answerWithinSeconds: 1 } };
  const proxy = await startProxy({ config, human });
  try {
    const call = { host: 'app01', command: './slow-reader.sh' };
    expect(textOf(await proxy.call('ssh_execute', call))).toMatch(/^APPROVAL_PENDING: .*not sent yet.*in 15 s/);
    const again = proxy.call('ssh_execute', call);
    answer('run after the checkpoint');
    expect(receiptOf(await again)?.permit).toBe('pinned');
    expect(asked).toHaveLength(1);
    const outcomes = async () => (await proxy.audit()).map(({ outcome }) => outcome?.outcome);
    await expect.poll(outcomes).toEqual(['not_sent', 'forwarded']);
  } finally {
    await proxy.close();
  }
});

test.each([[['CODE', 'MORE']], [['--deny']], [['X', '--deny', '--always']], [['X', '--json']], [['--frob']]])(
  'approve %j is wrong usage',
  (args) => {
    const { status, stderr } = spawnSync(process.execPath, [BIN, 'approve', ...args], { encoding: 'utf8' });
    expect({ status, usage: stderr.includes('usage:') }).toEqual({ status: 2, usage: true });
  },
);

test('a code that nothing waits for', () => {
  const { status, stderr } = spawnSync(process.execPath, [BIN, 'approve', 'AAAAAAAAAA'], { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('no question waits under this code');
});
