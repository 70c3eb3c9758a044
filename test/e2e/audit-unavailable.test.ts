import {
  appendFileSync,
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { sitesOf } from '../support/proxy-process.js';
import { RawProxy, receiptIn, runBin, scratchDir } from '../support/raw-proxy.js';
import { until } from '../wire/process/harness.js';
import { verifies } from './requirements.js';

let world: World;
let simulator: Simulator;
let proxy: RawProxy | undefined;

beforeAll(async () => {
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: [{ name: 'app01' }],
    vpgs: [{ name: 'app', vms: ['app01'], timings: { gapMs: 2_000, completedMs: 20, stampMs: 10, listedMs: 40 } }],
  });
  simulator = await startSimulator({ world });
});
afterEach(async () => {
  proxy?.kill('SIGKILL');
  await proxy?.exit;
  if (proxy !== undefined) rmSync(proxy.scratch, { recursive: true, force: true });
});
afterAll(async () => {
  await simulator.close();
  world.close();
});

async function started(options: { audit?: (scratch: string) => string; delayMs?: number } = {}): Promise<RawProxy> {
  const scratch = scratchDir();
  const dir = options.audit?.(scratch) ?? null;
  const config = { zvm: sitesOf(['site-a', simulator]), guard: { holdSeconds: 0 }, audit: { dir } };
  proxy = new RawProxy({ scratch, config, delayMs: options.delayMs ?? 0 });
  await proxy.initialize();
  return proxy;
}

let calls = 0;
async function run(on: RawProxy, command: string) {
  calls += 1;
  on.call(calls, 'ssh_execute', { host: 'app01', command });
  return on.answer(calls);
}

/** A change and a checkpoint are refused and leave no tag; a read goes through. */
async function stopped(on: RawProxy): Promise<void> {
  const before = { tags: inserts(), received: on.received().length };
  const { result } = await run(on, 'touch /srv/stopped');
  const text = result?.content?.[0]?.text ?? '';
  expect(result?.isError).toBe(true);
  expect(text).toMatch(/^AUDIT_UNAVAILABLE: .*not sent/);
  expect(text).not.toContain(on.scratch);
  on.call('own', 'zerto_create_tagged_checkpoint', { vm: 'app01', action: 'by hand' });
  expect(await on.text('own')).toMatch(/^AUDIT_UNAVAILABLE: /);
  expect((await run(on, 'uptime')).result?.content?.[0]?.text).toBe('ran uptime');
  expect(on.received().slice(before.received)).toMatchObject([{ command: 'uptime' }]);
  expect(inserts()).toBe(before.tags);
  expect(on.stderr).toMatch(/"why":"[^"]*audit/);
}

const inserts = () => world.tasks.filter(({ type }) => type === 'InsertTaggedCP').length;
const logOf = ({ auditDir }: RawProxy) =>
  join(auditDir, readdirSync(auditDir).find((name) => name.endsWith('.jsonl')) ?? 'none');

describe(`${verifies('A-1', 'G-5')} the log is no longer the one that was written: changes stop, reads go on`, () => {
  test.each<[string, (log: string, dir: string) => void]>([
    ['unlinked', (log) => rmSync(log)],
    [
      'replaced by its copy',
      (log) => {
        cpSync(log, `${log}.copy`);
        renameSync(`${log}.copy`, log);
      },
    ],
    [
      'replaced by a link to itself',
      (log, dir) => {
        renameSync(log, join(dir, '..', 'moved'));
        symlinkSync(join(dir, '..', 'moved'), log);
      },
    ],
    ['written by somebody else', (log) => appendFileSync(log, '{}\n')],
    ['emptied', (log) => writeFileSync(log, '')],
    [
      'in a directory that was moved away',
      (_log, dir) => {
        renameSync(dir, `${dir}-old`);
        mkdirSync(dir, { mode: 0o700 });
      },
    ],
    [
      'in a directory that was copied in place of itself',
      (_log, dir) => {
        renameSync(dir, `${dir}-old`);
        cpSync(`${dir}-old`, dir, { recursive: true });
      },
    ],
  ])('%s', async (_name, spoil) => {
    const on = await started();
    expect(receiptIn(await run(on, 'touch /srv/before'))).toBeDefined();
    spoil(logOf(on), on.auditDir);
    await stopped(on);
  });
});

describe(`${verifies('A-1', 'A-2')} no log can be made: changes are refused, reads go on`, () => {
  const places: [string, (scratch: string) => string][] = [
    [
      'a file where the directory should be',
      (scratch) => {
        writeFileSync(join(scratch, 'audit'), 'mine');
        return join(scratch, 'audit');
      },
    ],
    [
      'a directory below a file',
      (scratch) => {
        writeFileSync(join(scratch, 'file'), '');
        return join(scratch, 'file', 'audit');
      },
    ],
    [
      'a link in place of the directory',
      (scratch) => {
        mkdirSync(join(scratch, 'real'), { mode: 0o700 });
        symlinkSync(join(scratch, 'real'), join(scratch, 'audit'));
        return join(scratch, 'audit');
      },
    ],
    [
      'a directory that others can write',
      (scratch) => {
        mkdirSync(join(scratch, 'audit'));
        chmodSync(join(scratch, 'audit'), 0o777);
        return join(scratch, 'audit');
      },
    ],
    ['a file system that takes no directories', () => '/sys/rewind-audit'],
  ];
  test.skipIf(process.platform !== 'linux').each(places)('%s', async (_name, place) => {
    const on = await started({ audit: place });
    await stopped(on);
    on.end();
    expect((await on.exit).code).toBe(0);
  });

  test('once the place is put right, changes go through, and what is missing is said in the log', async () => {
    const on = await started({
      audit: (scratch) => {
        writeFileSync(join(scratch, 'audit'), 'mine');
        return join(scratch, 'audit');
      },
    });
    await stopped(on);
    await until(() => /"lost":[1-9]/.test(on.stderr));
    rmSync(join(on.scratch, 'audit'));
    expect(receiptIn(await run(on, 'touch /srv/after'))).toBeDefined();
    on.end();
    await on.exit;
    const { code, stdout } = await runBin(['--config', join(on.scratch, 'config.json'), 'audit', 'verify', '--json']);
    expect([code, JSON.parse(stdout)]).toMatchObject([0, { ok: true, files: [{ state: 'closed' }] }]);
    const [name = ''] = readdirSync(join(on.scratch, 'audit')).filter((each) => each.endsWith('.jsonl'));
    expect(readFileSync(join(on.scratch, 'audit', name), 'utf8')).toMatch(/"note":"records_lost"/);
  });
});

test(`${verifies('A-1')} an outcome that cannot be written withholds no answer, and stops the next change`, async () => {
  const on = await started({ delayMs: 400 });
  const calling = run(on, 'touch /srv/last');
  await until(() => on.received().length > 0);
  rmSync(logOf(on));
  const answer = await calling;
  expect(answer.result?.content?.[0]?.text).toBe('ran touch /srv/last');
  expect(receiptIn(answer)).toBeDefined();
  await stopped(on);
  expect(existsSync(on.auditDir)).toBe(true);
});
