import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { exitCode } from '../../src/commands/audit-reconcile.js';
import { readClaims } from '../../src/commands/reconcile-log.js';
import { reconcileText } from '../../src/commands/reconcile-text.js';
import { ACCOUNT, both, only, statuses } from './world.js';

test('two sites and a shared tag: everything is confirmed, each tag once, with all its calls', async () => {
  const it = await both();
  const tag = await it.call('call_1');
  await it.call('call_2', { tag });
  await it.call('call_3', { vpg: 'dr-local' });
  const told = await it.reconcile();
  expect(statuses(told), JSON.stringify(told)).toEqual({ 'tag confirmed': 2 });
  expect(told.findings.map(({ calls }) => calls)).toEqual([['call_1', 'call_2'], ['call_3']]);
  expect(told.findings[0]).toMatchObject({
    checkpoint: 'listed',
    event: 'found',
    user: ACCOUNT,
    site: 'prod',
    vpg: 'app',
  });
  expect(told.others).toEqual({ tags: 2, mounts: 3 });
  expect([told.ok, told.complete, exitCode(told)]).toEqual([true, true, 0]);
  expect(reconcileText(told)).toMatch(/ 2 {2}confirmed by the appliance\n.*\nThe log and the appliances agree\.\n$/);
});

test('a tag whose checkpoint is gone from a journal that reaches back so far is lost; without its event too it is missing', async () => {
  const it = await both();
  const tag = await it.call('call_1');
  await it.call('call_2');
  const vpg = it.world.vpg('app');
  vpg.journal = vpg.journal.filter(({ tag: name }) => name !== tag.name);
  const lost = await it.reconcile();
  expect(only(lost, 'lost')).toMatchObject({ calls: ['call_1'], checkpoint: 'lost', event: 'found' });
  expect(exitCode(lost)).toBe(1);
  it.world.tasks = it.world.tasks.filter(({ detail }) => detail !== tag.name);
  const missing = await it.reconcile();
  expect(only(missing, 'missing')).toMatchObject({ calls: ['call_1'], tag: tag.name, event: 'none' });
  expect(statuses(missing)).toEqual({ 'tag confirmed': 1, 'tag missing': 1 });
  expect(reconcileText(missing)).toMatch(/\nMISSING {2}tag "ai:test-agent .*\n.*VPG "app" at "prod".*call_1\n/);
});

test('a call that claims a tag which nobody ever inserted is missing', async () => {
  const it = await both();
  await it.call('call_1');
  await it.call('call_2', { inserted: false });
  const told = await it.reconcile();
  expect(only(told, 'missing')?.calls).toEqual(['call_2']);
  expect(exitCode(told)).toBe(1);
});

test('an event that is gone while the checkpoint is listed shows, where the site records others', async () => {
  const it = await both();
  const tag = await it.call('call_1');
  await it.call('call_2');
  it.world.tasks = it.world.tasks.filter(({ detail }) => detail !== tag.name);
  const told = await it.reconcile();
  expect(only(told, 'no_event')).toMatchObject({ calls: ['call_1'], checkpoint: 'listed', event: 'none' });
  expect(exitCode(told)).toBe(1);
});

test('a site that records no inserts at all proves nothing by their absence: not compared', async () => {
  const it = await both();
  await it.call('call_1');
  it.world.tasks = it.world.tasks.filter(({ type }) => type !== 'InsertTaggedCP');
  const told = await it.reconcile();
  expect(only(told, 'confirmed')).toMatchObject({
    event: 'not_compared',
    why: expect.stringContaining('no tag at all'),
  });
  expect([told.ok, told.complete, exitCode(told)]).toEqual([true, false, 3]);
});

test('a tag from before the oldest event is not compared, and one that the journal outlived is expired', async () => {
  const it = await both({ alone: true });
  await it.call('call_1');
  it.world.resync('app');
  // The stamps are whole seconds: the journal now begins later.
  const vpg = it.world.vpg('app');
  vpg.journal = vpg.journal.map((point) => ({ ...point, at: point.at + 2_000 }));
  const expired = await it.reconcile();
  expect(only(expired, 'expired')).toMatchObject({ checkpoint: 'expired', event: 'found', calls: ['call_1'] });
  expect(exitCode(expired)).toBe(0);
  it.world.tasks = it.world.tasks.filter(({ completes, by }) => completes > Date.now() - 60_000 && by !== ACCOUNT);
  const told = await it.reconcile();
  expect(only(told, 'not_compared')).toMatchObject({ event: 'not_compared', calls: ['call_1'] });
  expect(exitCode(told)).toBe(3);
});

test('a tag in the form of the proxy, or by its account, that no record tells of is an extra; others are counted alone', async () => {
  const it = await both();
  await it.call('call_1');
  const foreign = it.insert('app', it.name('elsewhere'), 'somebody').name;
  it.insert('app', 'nightly by hand', ACCOUNT);
  it.insert('app', 'before patch day', 'administrator');
  const told = await it.reconcile();
  expect(statuses(told)).toEqual({ 'tag confirmed': 1, 'tag extra': 2 });
  expect(told.findings.filter(({ status }) => status === 'extra')).toMatchObject([
    { tag: foreign, user: 'somebody', calls: [], checkpoint: 'listed', event: 'found' },
    { tag: 'nightly by hand', user: ACCOUNT },
  ]);
  expect(told.others.tags).toBe(3);
  expect(exitCode(told)).toBe(1);
});

test('a second checkpoint with the name of a recorded tag is an extra', async () => {
  const it = await both();
  const tag = await it.call('call_1');
  it.world.checkpoint('app');
  it.insert('app', tag.name, ACCOUNT);
  const told = await it.reconcile();
  expect(only(told, 'extra')).toMatchObject({ tag: tag.name, why: expect.stringContaining('name of a recorded tag') });
});

test('tags of a log file that was removed are extras, each once', async () => {
  const it = await both();
  await it.call('call_1');
  await it.call('call_2', { vpg: 'dr-local' });
  await it.close();
  for (const name of readdirSync(it.dir)) if (name.includes('.jsonl')) rmSync(join(it.dir, name));
  const told = await it.reconcile();
  expect(statuses(told)).toEqual({ 'tag extra': 2 });
  expect(told.findings).toMatchObject([
    { site: 'prod', vpg: 'app' },
    { site: 'dr', vpg: 'dr-local' },
  ]);
  expect(exitCode(told)).toBe(1);
});

test('what a call left that was never sent is explained by it, once', async () => {
  const it = await both({ alone: true });
  const entry = await it.open('call_1');
  it.insert('app', it.name('call_1'));
  await entry.close({ kind: 'not_sent', code: 'CALL_CANCELLED', reason: 'cancelled' });
  const told = await it.reconcile();
  expect(only(told, 'explained')).toMatchObject({ calls: ['call_1'], vpg: 'app' });
  expect(exitCode(told)).toBe(0);
  it.insert('app', it.name('call_1'));
  expect(statuses(await it.reconcile())).toEqual({ 'tag explained': 1, 'tag extra': 1 });
});

test('a tag that a call without receipt cannot have left is no less an extra', async () => {
  const it = await both();
  const entry = await it.open('call_1');
  await entry.close({ kind: 'not_sent', code: 'CALL_CANCELLED', reason: 'cancelled' });
  it.insert('app', it.name('x').replace('ai:test-agent', 'ai:other'));
  it.insert('app', it.name('x').replace('ssh run-command', 'winrm run'));
  it.insert('app', it.name('x').replace('vm=app01', 'vm=dr01'));
  it.insert('dr-local', it.name('x'));
  it.insert('app', it.name('x').replace(/\d{4}(-\S*Z)$/, '2001$1'));
  expect(statuses(await it.reconcile())).toEqual({ 'tag extra': 5 });
});

test.each<[string, Parameters<Awaited<ReturnType<typeof both>>['open']>[3]]>([
  ['refused at once', { kind: 'refuse', rule: 'policy unknown', code: 'APPROVAL_DENIED', reason: 'no' }],
  ['exempt', { kind: 'waive', rule: 'exempt', by: 'exempt: a lab' }],
  ['only observed', { kind: 'waive', rule: 'mode observe', by: 'mode observe' }],
])('a call that was %s explains no tag, since it had none inserted', async (_, decision) => {
  const it = await both();
  const entry = await it.open('call_1', 'app', {}, decision);
  it.insert('app', it.name('call_1'));
  await entry.close({ kind: 'not_sent', code: 'CALL_CANCELLED', reason: 'cancelled' });
  expect(statuses(await it.reconcile())).toEqual({ 'tag extra': 1 });
});

test('acts at a site none of whose events is by the proxy’s account leave open whose they are', async () => {
  const it = await both();
  await it.call('call_1');
  const told = await it.reconcile();
  expect(statuses(told)).toEqual({ 'tag confirmed': 1 });
  expect(told.gaps).toMatchObject([{ what: 'accounts', name: 'dr' }]);
  expect([told.ok, exitCode(told)]).toEqual([true, 3]);
  expect(reconcileText(told)).toMatch(/\nnot_compared {2}accounts "dr": no event there is by an account that is known/);
});

test('waived and observed calls have no tag to expect', async () => {
  const it = await both({ alone: true });
  for (const [id, parts] of [
    ['call_1', { permit: 'waived', waivedBy: 'break-glass', vms: [] }],
    ['call_2', { permit: 'waived', mode: 'observe', vms: [] }],
  ] as const) {
    const entry = await it.open(id);
    const receipt = { ...(await import('../audit/support.js')).receipt(`r_${id}`), ...parts };
    await entry.permit(receipt);
    await entry.close({ kind: 'forwarded', result: 'ok', receipt });
  }
  const told = await it.reconcile();
  expect(told).toMatchObject({ findings: [], log: { calls: 2, waived: 1, observed: 1 } });
  expect(exitCode(told)).toBe(0);
  expect(reconcileText(told)).toContain('1 waived and 1 only observed');
});

test('refused events and a site that is down are not compared, and nothing there is missing', async () => {
  const it = await both();
  await it.call('call_1');
  await it.call('call_2', { vpg: 'dr-local' });
  it.prod.faults.endpoint(
    /\/v1\/events/,
    { kind: 'status', status: 403, message: 'no\u001b[31m role' },
    { times: Infinity },
  );
  const refused = await it.reconcile();
  expect(statuses(refused)).toEqual({ 'tag confirmed': 2 });
  expect(refused.gaps).toMatchObject([{ what: 'events', name: 'prod', why: expect.stringContaining('HTTP 403') }]);
  expect([refused.ok, exitCode(refused)]).toEqual([true, 3]);
  const text = reconcileText(refused);
  expect(text).not.toContain('\u001b');
  expect(text).toContain('Nothing differs, but not everything could be compared.');
  await it.dr.faults.network('down');
  const down = await it.reconcile();
  expect(only(down, 'not_compared')?.calls).toEqual(['call_2']);
  expect(exitCode(down)).toBe(3);
  await it.prod.faults.network('down');
  const none = await it.reconcile();
  expect(statuses(none)).toEqual({ 'tag not_compared': 2 });
  expect(exitCode(none)).toBe(3);
});

test('a clock that is a quarter of an hour off changes nothing, and is named', async () => {
  const it = await both({ knobs: { skewMs: 15 * 60_000 } });
  const skewed = (tag: { timestamp: string }) => ({
    timestamp: new Date(Date.parse(tag.timestamp) + 15 * 60_000).toISOString(),
  });
  const tag = it.insert('app', it.name('call_1'));
  await it.call('call_1', { tag: { ...tag, ...skewed(tag) } });
  const entry = await it.open('call_2');
  it.insert('app', it.name('call_2'));
  await entry.close({ kind: 'not_sent', code: 'CALL_CANCELLED', reason: 'cancelled' });
  const told = await it.reconcile({ since: Date.now() - 60_000, until: Date.now() + 60_000 });
  expect(statuses(told)).toEqual({ 'tag confirmed': 1, 'tag explained': 1 });
  expect(reconcileText(told)).toMatch(/clock is (900\.\d|899\.\d) s ahead/);
});

test('events that do not say what the tag was called count by VPG and time', async () => {
  const it = await both();
  await it.call('call_1');
  it.world.tasks = it.world.tasks.map((task) => ({ ...task, detail: 'a checkpoint' }));
  expect(statuses(await it.reconcile())).toEqual({ 'tag confirmed': 1 });
  it.insert('app', 'by hand', ACCOUNT);
  it.world.tasks = it.world.tasks.map((task) => ({ ...task, detail: 'a checkpoint' }));
  const told = await it.reconcile();
  expect(statuses(told)).toEqual({ 'tag confirmed': 1, 'tag extra': 1 });
  expect(only(told, 'extra')?.tag).toBe('by hand');
});

test('an insert that a site tells of twice, or a paired site again, is one', async () => {
  const it = await both();
  const tag = await it.call('call_1');
  const found = it.world.tasks.find(({ detail }) => detail === tag.name);
  if (found === undefined) throw new Error('no task');
  for (const site of [it.world.site('prod'), it.world.site('dr')])
    it.world.tasks.push({ ...found, site, taskIdentifier: `${crypto.randomUUID()}.z` });
  expect(statuses(await it.reconcile())).toEqual({ 'tag confirmed': 1 });
});

test('a name that the appliance cut is the tag all the same', async () => {
  const it = await both();
  const tag = await it.call('call_1');
  const vpg = it.world.vpg('app');
  vpg.journal = vpg.journal.map((point) =>
    point.tag === tag.name ? { ...point, tag: point.tag.slice(0, 40) } : point,
  );
  expect(statuses(await it.reconcile())).toEqual({ 'tag confirmed': 1 });
});

test('a VM alone: its VPGs and its calls, and what is elsewhere is nobody’s business', async () => {
  const it = await both();
  await it.call('call_1');
  it.insert('dr-local', it.name('other'), 'somebody');
  const told = await it.reconcile({ vm: 'APP01' });
  expect(statuses(told)).toEqual({ 'tag confirmed': 1 });
  expect(statuses(await it.reconcile())).toEqual({ 'tag confirmed': 1, 'tag extra': 1 });
});

test('a VM that nobody knows is no agreement', async () => {
  const it = await both();
  await it.call('call_1');
  const told = await it.reconcile({ vm: 'ap01' });
  expect(told).toMatchObject({ findings: [], gaps: [{ what: 'vm', name: 'ap01' }], complete: false });
  expect(exitCode(told)).toBe(3);
});

test('a tag that is older than the time asked for is found for the call that reused it, also where the clock is ahead', async () => {
  const it = await both({ knobs: { skewMs: 30 * 60_000 } });
  const tag = it.insert('app', it.name('call_1'));
  const vpg = it.world.vpg('app');
  vpg.journal = vpg.journal.map((point) => (point.tag === tag.name ? { ...point, at: point.at - 25 * 60_000 } : point));
  const timestamp = new Date(Date.parse(tag.timestamp) + 5 * 60_000).toISOString();
  await it.call('call_1', { tag: { ...tag, timestamp } });
  expect(only(await it.reconcile({ since: Date.now() - 60_000 }), 'confirmed')).toMatchObject({ checkpoint: 'listed' });
});

test('what was asked for ends at its times; a call outside of them still explains its tag', async () => {
  const it = await both();
  await it.call('call_1');
  const later = await it.reconcile({ since: Date.now() + 60_000 });
  expect(later).toMatchObject({ findings: [], log: { calls: 0 } });
  const before = await it.reconcile({ until: Date.now() - 60_000 });
  expect(before.findings).toEqual([]);
});

test('a recovery is confirmed by its mount; a mount that no record tells of is an extra, one without a mount is missing', async () => {
  const it = await both();
  await it.call('call_1');
  const own = { server: { name: 'zerto-rewind' }, tool: 'recover', arguments: { receipt: 'r_call_1', path: '/etc/x' } };
  const recovered = {
    vmIdentifier: it.world.vm('app01').vmIdentifier,
    checkpointIdentifier: '1',
    bytes: 1,
    sha256: 'x',
  };
  const entry = await it.open('call_2', 'app', own);
  const mount = { ...taskOf(it), by: ACCOUNT };
  it.world.tasks.push(mount);
  await entry.close({ kind: 'forwarded', result: 'ok', recovered });
  const told = await it.reconcile();
  expect(statuses(told)).toEqual({ 'tag confirmed': 1, 'mount confirmed': 1 });
  it.world.tasks.push({ ...mount, vpg: it.world.vpg('dr-local'), taskIdentifier: `${crypto.randomUUID()}.x` });
  const extra = await it.reconcile();
  expect(only(extra, 'extra')).toMatchObject({ kind: 'mount', vpg: 'dr-local', user: ACCOUNT });
  it.world.tasks = it.world.tasks.filter((task) => task.by !== ACCOUNT || task.type !== 'FlrJournalMount');
  const missing = await it.reconcile();
  expect(only(missing, 'missing')).toMatchObject({ kind: 'mount', calls: ['call_2'], vpg: 'app', site: 'dr' });
  expect(exitCode(missing)).toBe(1);
});

function taskOf({ world }: Awaited<ReturnType<typeof both>>) {
  const found = world.tasks.find(
    ({ type, site, vpg }) => type === 'FlrJournalMount' && site.name === 'dr' && vpg.name === 'app',
  );
  if (found === undefined) throw new Error('no mount');
  return { ...found, taskIdentifier: `${crypto.randomUUID()}.y`, started: Date.now(), completes: Date.now() };
}

test('an altered log is said to be broken, whatever the appliances say', async () => {
  const it = await both();
  await it.call('call_1');
  await it.close();
  const [name = ''] = readdirSync(it.dir).filter((each) => each.endsWith('.jsonl'));
  const file = join(it.dir, name);
  writeFileSync(file, readFileSync(file, 'utf8').replace('test-agent', 'best-agent'), { mode: 0o600 });
  const told = await it.reconcile();
  expect(told.log.chain).toBe('broken');
  expect(exitCode(told)).toBe(1);
  expect(reconcileText(told)).toContain('What it says proves nothing');
});

test('a tag is asked for with any call that shares it; one whose receipt came after the appliances were asked is not', async () => {
  const it = await both();
  const tag = await it.call('call_1');
  await it.call('call_2', { tag });
  const ask = (id: string, newest: number) =>
    readClaims(it.dir, { isAsked: ({ intent }) => intent.call === id, vms: [], newest });
  for (const id of ['call_1', 'call_2']) expect((await ask(id, Date.now())).tags).toMatchObject([{ asked: true }]);
  expect((await ask('call_3', Date.now())).tags).toMatchObject([{ asked: false, calls: ['call_1', 'call_2'] }]);
  expect((await ask('call_1', Date.now() - 60_000)).tags).toMatchObject([{ asked: false }]);
});
