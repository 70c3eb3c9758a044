import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { auditCommand } from '../../src/commands/audit.js';
import { auditIn, FORWARD, judged, logsIn, PIN, receipt, tempDir } from '../audit/support.js';

async function audit(dir: string, ...args: string[]) {
  const out = { stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      out[name] += text;
    },
  });
  const code = await auditCommand(args, dir, { stdout: sink('stdout'), stderr: sink('stderr') });
  return { code, ...out, json: () => JSON.parse(out.stdout) as Record<string, unknown>[] };
}

/** One log: a pinned call, a read, a refusal, a call that died after its permit, one that died before, on days one to five. */
async function written(close: boolean): Promise<string> {
  const dir = tempDir();
  let day = 0;
  const log = auditIn(dir, { now: () => new Date(Date.UTC(2026, 0, day, 12)) });
  day = 1;
  const pinned = await log.open(judged('call_1'), PIN);
  await pinned.permit(receipt('r_1', { change: 'CHG1' }), { by: 'alice' });
  await pinned.close({
    kind: 'forwarded',
    result: 'error',
    receipt: receipt('r_1', { change: 'CHG1', forwardedAt: '2026-01-01T12:00:05Z' }),
  });
  day = 2;
  const read = await log.open(
    judged('call_2', { agent: 'other', arguments: { command: 'uptime' } }, 'read_only'),
    FORWARD,
  );
  await read.close({ kind: 'forwarded', result: 'ok' });
  day = 3;
  const unresolved = {
    ...judged('call_3'),
    aim: { targets: [], problems: [{ host: 'web9', kind: 'unresolved', why: 'no VM "web9"\u202e', found: ['web1'] }] },
  } as const;
  const refused = await log.open(
    { ...unresolved, reading: { ...unresolved.reading, hosts: [{ value: 'web9', argument: 'profile' }] } },
    { kind: 'refuse', rule: 'unresolved', code: 'TARGET_UNRESOLVED', reason: 'no VM web9' },
  );
  await refused.close({ kind: 'refused', code: 'TARGET_UNRESOLVED', reason: 'no VM web9' });
  day = 4;
  await (await log.open(judged('call_4'), PIN)).permit(receipt('r_4'));
  day = 5;
  await log.open(judged('call_5'), PIN);
  if (close) await log.close();
  return dir;
}

test('list has one entry per call, with tool, VMs or hosts as written, effect, decision, outcome and tags', async () => {
  const { code, json } = await audit(await written(false), 'list', '--json');
  expect(code).toBe(0);
  expect(json()).toMatchObject([
    {
      call: 'call_1',
      at: '2026-01-01T12:00:00.000Z',
      agent: 'test-agent',
      server: 'ssh',
      tool: 'run-command',
      vms: ['app01'],
      effect: 'mutating',
      decision: 'pin_then_forward',
      outcome: 'forwarded',
      result: 'error',
      receipt: 'r_1',
      change: 'CHG1',
      answeredBy: 'alice',
      tags: [expect.stringMatching(/^ai:test-agent \| .* \| vm=app01 \| change=c_r_1 \|/)],
    },
    {
      call: 'call_2',
      agent: 'other',
      vms: ['app01'],
      effect: 'read_only',
      decision: 'forward',
      outcome: 'forwarded',
      result: 'ok',
      tags: [],
    },
    { call: 'call_3', vms: ['web9'], decision: 'refuse', outcome: 'refused', code: 'TARGET_UNRESOLVED', tags: [] },
    { call: 'call_4', vms: ['app01'], outcome: 'outcome_unknown', receipt: 'r_4' },
    { call: 'call_5', vms: ['app01'], outcome: 'outcome_unknown', tags: [] },
  ]);
});

test('list for people: a header, then a line per call in the words of the records', async () => {
  const [header = '', ...lines] = (await audit(await written(true), 'list')).stdout.trimEnd().split('\n');
  expect(header.split(/ +/)).toEqual('at agent server tool vms effect decision outcome permit receipt tags'.split(' '));
  expect(lines).toHaveLength(5);
  const at = (name: string) => lines.map((line) => line.slice(header.indexOf(name)).split(/ {2,}/)[0]);
  expect(at('effect')).toEqual(['mutating', 'read_only', 'mutating', 'mutating', 'mutating']);
  expect(at('decision')).toEqual(['pin_then_forward', 'forward', 'refuse', 'pin_then_forward', 'pin_then_forward']);
  expect(at('outcome')).toEqual(['forwarded(error)', 'forwarded(ok)', 'refused', 'outcome_unknown', 'not_sent']);
  expect(at('permit')).toEqual(['pinned', '-', '-', 'pinned', '-']);
});

test('a host that the call did not name is said to come from the config', async () => {
  const dir = tempDir();
  const log = auditIn(dir);
  const call = judged('call_1');
  const unnamed = call.aim.targets.map((each) => ({ ...each, unnamed: 'targets' as const }));
  await log.open({ ...call, reading: { ...call.reading, hosts: [] }, aim: { targets: unnamed, problems: [] } }, PIN);
  await log.close();
  expect((await audit(dir, 'show', 'call_1')).stdout).toMatch(
    /target "app01" → "app01" .*, not named by the call: the only VM of "targets" in the config/,
  );
  expect((await audit(dir, 'show', '--json', 'call_1')).json()).toMatchObject({
    hosts: [],
    targets: [{ host: 'app01', unnamed: 'targets' }],
  });
});

test('a call without a permit is not_sent only where the end record proves that nothing is missing', async () => {
  const { json } = await audit(await written(true), 'list', '--json');
  expect(json().slice(3)).toMatchObject([
    { call: 'call_4', outcome: 'outcome_unknown' },
    { call: 'call_5', outcome: 'not_sent' },
  ]);
});

test('filters', async () => {
  const dir = await written(true);
  const calls = async (...args: string[]) =>
    (await audit(dir, 'list', '--json', ...args)).json().map((entry) => entry['call']);
  expect(await calls('--agent', 'other')).toEqual(['call_2']);
  expect(await calls('--vm', 'WEB9')).toEqual(['call_3']);
  expect(await calls('--vm', 'guid.app01')).toEqual(['call_1', 'call_4', 'call_5']);
  expect(await calls('--change', 'CHG1')).toEqual(['call_1']);
  expect(await calls('--decision', 'refuse')).toEqual(['call_3']);
  expect(await calls('--since', '2026-01-04')).toEqual(['call_4', 'call_5']);
  expect(await calls('--until', '2026-01-02')).toEqual(['call_1', 'call_2']);
  expect(await calls('--since', '2026-01-02T12:00:00Z', '--until', '2026-01-03T11:00:00Z')).toEqual(['call_2']);
  expect(await calls('--since', '2h')).toEqual([]);
});

test('what is not understood is a usage error', async () => {
  const dir = tempDir();
  for (const args of [
    [],
    ['erase'],
    ['list', 'x'],
    ['list', '--vn', 'a'],
    ['list', '--since', 'soon'],
    ['list', '--decision', 'waive'],
    ['show'],
    ['show', 'a', 'b'],
  ]) {
    const { code, stdout, stderr } = await audit(dir, ...args);
    expect(code, args.join(' ')).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain('usage:');
  }
});

test('without records there is nothing to list and nothing broken', async () => {
  const dir = join(tempDir(), 'none');
  expect(await audit(dir, 'list', '--json')).toMatchObject({ code: 0, stdout: '[]\n' });
  expect(await audit(dir, 'list')).toMatchObject({
    code: 0,
    stdout: 'at  agent  server  tool  vms  effect  decision  outcome  permit  receipt  tags\n',
  });
  expect(await audit(dir, 'verify')).toMatchObject({ code: 0, stdout: expect.stringContaining('no audit records') });
});

test('show tells everything of one call, by call or receipt', async () => {
  const dir = await written(true);
  const byReceipt = await audit(dir, 'show', 'r_1');
  expect(byReceipt.code).toBe(0);
  expect(byReceipt.stdout).toContain('systemctl restart nginx');
  expect(byReceipt.stdout).toMatch(/tag "ai:test-agent .*checkpoint 41/);
  expect(byReceipt.stdout).toMatch(/recover from checkpoint 41 .*precedes the forward/);
  expect((await audit(dir, 'show', 'call_1')).stdout).toBe(byReceipt.stdout);
  expect((await audit(dir, 'show', '--json', 'r_1')).json()).toMatchObject({
    call: 'call_1',
    arguments: { command: 'systemctl restart nginx' },
    receipt: {
      id: 'r_1',
      forwardedAt: '2026-01-01T12:00:05Z',
      vms: [{ vpgs: [{ recoverFrom: { checkpointIdentifier: '41' } }] }],
    },
  });
  expect(await audit(dir, 'show', 'r_9')).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('"r_9"'),
  });
});

test('outside text is quoted where a human reads it', async () => {
  const dir = tempDir();
  const log = auditIn(dir);
  await log.open(judged('call_1', { agent: 'evil\u001b[2J\nforged line\u202e', tool: 'a"b' }), PIN);
  await log.close();
  for (const command of [['list'], ['show', 'call_1']]) {
    const { stdout } = await audit(dir, ...command);
    expect(stdout).toContain('"evil\\u001b[2J\\u000aforged line\\u202e"');
    expect(stdout).toContain('"a\\"b"');
    for (const hidden of ['\u001b', '\u202e']) expect(stdout).not.toContain(hidden);
  }
  expect((await audit(dir, 'list')).stdout.split('\n')).toHaveLength(3);
});

test('verify names the first broken record and exits 1; a torn tail alone passes', async () => {
  const dir = await written(false);
  const name = logsIn(dir)[0] ?? '';
  expect(await audit(dir, 'verify')).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^open {2}".*" {2}\d+ records\nok\n$/),
  });
  writeFileSync(join(dir, name), '{"torn', { flag: 'a' });
  expect(await audit(dir, 'verify')).toMatchObject({ code: 0, stdout: expect.stringContaining('torn') });
  writeFileSync(join(dir, name), readFileSync(join(dir, name), 'utf8').replace('"result":"error"', '"result":"ok"'));
  const { code, stdout } = await audit(dir, 'verify');
  expect(code).toBe(1);
  expect(stdout).toMatch(new RegExp(`broken: first in "${name}", line 4: .*edited`));
  const { code: jsonCode, json } = await audit(dir, 'verify', '--json');
  expect(jsonCode).toBe(1);
  expect(json()).toMatchObject({ ok: false, broken: { file: name, line: 4, seq: 4 } });
});
