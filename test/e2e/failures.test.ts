import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Knobs, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { type ProxyProcess, receiptOf, sitesOf, startProxy, textOf } from '../support/proxy-process.js';
import { verifies } from './requirements.js';

/** Fast enough to wait for, with the order of a real appliance: completed, stamped, listed. */
const TIMINGS = { gapMs: 2_000, completedMs: 100, stampMs: 50, listedMs: 200 };
const PIN_SECONDS = 3;
const FAIR: Partial<Knobs> = {
  denied: [],
  maxTagLength: undefined,
  skewMs: 0,
  casing: 'pascal',
  dates: 'iso',
};
const WELL = { status: 'MeetingSLA', subStatus: 'None', disconnected: undefined, rpoSeconds: undefined } as const;

let world: World;
let simulator: Simulator;
let proxy: ProxyProcess;

beforeAll(async () => {
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: [
      { name: 'app01', addresses: ['10.0.0.11'] },
      { name: 'db01', addresses: ['10.0.0.12'] },
      { name: 'twin', key: 'twin-1', addresses: ['10.0.0.21'] },
      { name: 'twin', key: 'twin-2', addresses: ['10.0.0.22'] },
      { name: 'lab01', addresses: ['10.0.0.31'] },
      { name: 'web01' },
      { name: 'web02' },
    ],
    vpgs: [
      { name: 'app', vms: ['app01'], timings: TIMINGS },
      { name: 'db-a', vms: ['db01'], timings: TIMINGS },
      { name: 'db-b', vms: ['db01'], timings: TIMINGS },
      { name: 'twins', vms: ['twin-1', 'twin-2'], timings: TIMINGS },
      { name: 'web-1', vms: ['web01'], timings: TIMINGS },
      { name: 'web-2', vms: ['web02'], timings: TIMINGS },
    ],
  });
  simulator = await startSimulator({ world });
  proxy = await startProxy({
    config: {
      zvm: sitesOf(['site-a', simulator]),
      policy: { unknown: 'refuse', unresolved: 'refuse', unprotected: 'refuse' },
      guard: { timeoutSeconds: PIN_SECONDS, answerWithinSeconds: 60 },
    },
  });
});
afterAll(async () => {
  await proxy.close();
  await simulator.close();
  world.close();
});

/** A blocked VPG, a fault, a name: what stands in the way, by which code, and a word that the agent must read. */
interface Row {
  readonly name: string;
  readonly arrange?: () => void | Promise<void>;
  readonly host?: string;
  readonly hosts?: readonly string[];
  /** A tag that was listed stays behind, and would serve the next call of the session. */
  readonly leavesTag?: true;
  readonly command?: string;
  readonly code: string;
  readonly says: RegExp;
  readonly outcome: 'not_sent' | 'refused';
}

const state = (subStatus: string | number, status = 'MeetingSLA') => ({
  name: `VPG ${status} / ${subStatus}`,
  arrange: () => world.setState('app', { status, subStatus } as never),
  code: 'CHECKPOINT_NOT_PINNED',
  says: /VPG "app"/,
  outcome: 'not_sent' as const,
});
const insert = (name: string, fault: Parameters<Simulator['faults']['insert']>[0], says: RegExp): Row => ({
  name,
  arrange: () => simulator.faults.insert(fault, { times: Number.POSITIVE_INFINITY }),
  code: 'CHECKPOINT_NOT_PINNED',
  says,
  outcome: 'not_sent',
});

type EndpointFault = Parameters<Simulator['faults']['endpoint']>[1];
const broken = (name: string, path: RegExp, fault: EndpointFault, code: string, says: RegExp): Row => ({
  name,
  arrange: () => simulator.faults.endpoint(path, fault, { times: Number.POSITIVE_INFINITY }),
  code,
  says,
  outcome: 'not_sent',
});
const always = (name: string, knobs: Partial<Knobs>, code: string, says: RegExp): Row => ({
  name,
  arrange: () => void Object.assign(simulator.knobs, knobs),
  code,
  says,
  outcome: 'not_sent',
});

const ROWS: readonly Row[] = [
  // Every sub-status that has a number, with a name or without.
  ...Array.from({ length: 42 }, (_, index) => state(index + 1)),
  state(99),
  state('None', 'Deleting'),
  {
    name: 'the sites do not see each other',
    arrange: () => world.setState('app', { disconnected: true }),
    code: 'CHECKPOINT_NOT_PINNED',
    says: /disconnected/i,
    outcome: 'not_sent',
  },
  {
    name: 'replication lies further behind than a tag is waited for: answered at once',
    arrange: () => world.setState('app', { rpoSeconds: 300 }),
    code: 'CHECKPOINT_NOT_PINNED',
    says: /300 s behind/,
    outcome: 'not_sent',
  },
  {
    name: 're-synchronisation: the journal is empty',
    arrange: () => world.resync('app', 3_600_000),
    code: 'CHECKPOINT_NOT_PINNED',
    says: /DeltaSync/,
    outcome: 'not_sent',
  },
  ...['FailingOver', 'Moving', 'Recovered', 'Initializing'].map((status) => state('None', status)),
  insert('insert refused', { kind: 'refuse', status: 409, message: 'Not now' }, /"Not now"/),
  insert('task failed', { kind: 'task_failed', reason: 'The journal is full' } as never, /journal is full/i),
  insert('tag never listed', { kind: 'never_listed' } as never, /not listed|was not in the list|list/i),
  insert('tag too late', { kind: 'slow', ms: 60_000 }, /within 3 s/),
  insert('tag cut to what proves nothing', { kind: 'truncate', length: 15 }, /within 3 s/),
  always(
    'tag longer than the appliance takes',
    { maxTagLength: { length: 40, mode: 'reject' } },
    'CHECKPOINT_NOT_PINNED',
    /longer than 40/,
  ),
  always(
    'login without leave to tag, said by 403',
    { denied: ['checkpoint'], deniedStatus: 403 },
    'ZVM_REJECTED',
    /403.*lacks a role/,
  ),
  always(
    'login without leave to tag, said by 401',
    { denied: ['checkpoint'], deniedStatus: 401 },
    'ZVM_REJECTED',
    /401/,
  ),
  broken(
    'connection cut after the insert, and at each look after it',
    /checkpoints$|tasks/,
    { kind: 'drop' },
    'CHECKPOINT_NOT_PINNED',
    /its insert was lost/,
  ),
  broken(
    'list in trouble for good',
    /get .*checkpoints$/,
    { kind: 'status', status: 503 },
    'CHECKPOINT_NOT_PINNED',
    /within 3 s/,
  ),
  broken(
    'list that hangs',
    /get .*checkpoints$/,
    { kind: 'slow', ms: 3_600_000 },
    'CHECKPOINT_NOT_PINNED',
    /within 3 s.*did not answer in time/,
  ),
  broken(
    'state that hangs',
    /get \/v1\/vpgs\/[^/]+$/,
    { kind: 'slow', ms: 3_600_000 },
    'CHECKPOINT_NOT_PINNED',
    /within 3 s/,
  ),
  broken('list that is none', /get .*checkpoints$/, { kind: 'body', text: '{}' }, 'ZVM_REJECTED', /no list/),
  broken(
    'state that is no JSON',
    /get \/v1\/vpgs\/[^/]+$/,
    { kind: 'body', text: '<html>' },
    'ZVM_REJECTED',
    /not JSON/,
  ),
  broken(
    'state without numbers',
    /get \/v1\/vpgs\/[^/]+$/,
    { kind: 'body', text: '{"VpgIdentifier":"x","VpgName":"app"}' },
    'CHECKPOINT_NOT_PINNED',
    /unknown \(none was given\)/,
  ),
  broken(
    'journal that cannot be read',
    /stats$/,
    { kind: 'status', status: 500, message: 'Oops' },
    'ZVM_REJECTED',
    /"Oops"/,
  ),
  {
    ...broken('clock that cannot be read', /serverdatetime/, { kind: 'status', status: 500 }, 'ZVM_REJECTED', /500/),
    leavesTag: true,
  },
  broken(
    'VPG gone since it was listed',
    /get \/v1\/vpgs\/[^/]+$/,
    { kind: 'status', status: 404, message: 'VPG not found' },
    'CHECKPOINT_NOT_PINNED',
    /failed over or moved/,
  ),
  broken('inventory cut at each try', /get \/v1\/vms$/, { kind: 'drop' }, 'ZVM_UNREACHABLE', /did not answer/),
  broken(
    'insert answered with an empty 500, and no tag',
    /post .*checkpoints$/,
    { kind: 'status', status: 500 },
    'CHECKPOINT_NOT_PINNED',
    /its insert was lost/,
  ),
  {
    name: 'another certificate in mid-run',
    arrange: () => simulator.faults.certificate('another'),
    code: 'ZVM_UNREACHABLE',
    says: /certificate was refused/,
    outcome: 'not_sent',
  },
  {
    name: 'both VPGs of a VM fail, one at once and one by its task',
    host: 'db01',
    arrange: () => {
      simulator.faults.insert({ kind: 'refuse', status: 409, message: 'Busy' }, { vpg: 'db-a', times: 9 });
      simulator.faults.insert({ kind: 'task_failed', reason: 'No space' }, { vpg: 'db-b', times: 9 });
    },
    code: 'CHECKPOINT_NOT_PINNED',
    says: /"db-a".*"Busy".*"db-b".*"No space"/s,
    outcome: 'not_sent',
  },
  {
    name: 'half of the VPGs of many hosts fail: each is named, with what would pass and what was left behind',
    leavesTag: true,
    hosts: ['app01', 'db01', 'web01', 'web02'],
    arrange: () => {
      simulator.faults.insert({ kind: 'refuse', status: 409, message: 'Busy' }, { vpg: 'db-b', times: 9 });
      simulator.faults.insert({ kind: 'refuse', status: 409, message: 'Full' }, { vpg: 'web-2', times: 9 });
    },
    code: 'CHECKPOINT_NOT_PINNED',
    says: /Host "db01".*"Busy".*Host "web02".*"Full".*Tags left behind.*vm=app01.*would pass for "app01", "web01" alone/s,
    outcome: 'not_sent',
  },
  {
    name: 'one host of many is blocked: looked at before anything is tagged',
    hosts: ['app01', 'web01', 'web02'],
    arrange: () => world.setState('web-2', { subStatus: 'NeedsConfiguration' }),
    code: 'CHECKPOINT_NOT_PINNED',
    says: /none was taken.*Host "web02".*NeedsConfiguration.*would pass for "app01", "web01" alone/s,
    outcome: 'not_sent',
  },
  {
    name: 'appliance down',
    arrange: () => simulator.faults.network('down'),
    code: 'ZVM_UNREACHABLE',
    says: /not (answer|reach)/i,
    outcome: 'not_sent',
  },
  {
    name: '401 for good',
    arrange: () => simulator.faults.endpoint(/\/v1\//, { kind: 'unauthorized' }, { times: Number.POSITIVE_INFINITY }),
    code: 'ZVM_REJECTED',
    says: /401|login|permission/i,
    outcome: 'not_sent',
  },
  {
    name: '401 in mid-poll for good',
    arrange: () =>
      simulator.faults.endpoint(
        /checkpoints\?|\/tasks\//,
        { kind: 'unauthorized' },
        { times: Number.POSITIVE_INFINITY },
      ),
    code: 'ZVM_REJECTED',
    says: /401|login|permission/i,
    outcome: 'not_sent',
  },
  {
    name: 'inventory broken: no JSON',
    arrange: () => simulator.faults.endpoint(/get \/v1\/vms/, { kind: 'body', text: '<html>' }, { times: 9 }),
    code: 'ZVM_REJECTED',
    says: /vms/,
    outcome: 'not_sent',
  },
  {
    name: 'one VPG of two refuses',
    host: 'db01',
    arrange: () => simulator.faults.insert({ kind: 'refuse', status: 409, message: 'Busy' }, { vpg: 'db-b', times: 9 }),
    code: 'CHECKPOINT_NOT_PINNED',
    says: /"db-b".*Tags left behind.*vm=db01/s,
    outcome: 'not_sent',
  },
  {
    name: 'one VPG of two is paused: looked at before anything is tagged',
    host: 'db01',
    arrange: () => world.setState('db-b', { subStatus: 'ReplicationPausedUserInitiated' }),
    code: 'CHECKPOINT_NOT_PINNED',
    says: /"db-b"/,
    outcome: 'not_sent',
  },
  { name: 'two VMs of one name', host: 'twin', code: 'TARGET_UNRESOLVED', says: /twin.*vm-.*vm-/s, outcome: 'refused' },
  {
    name: 'unprotected VM',
    host: 'lab01',
    code: 'TARGET_UNPROTECTED',
    says: /no VPG|not protected|unprotected/i,
    outcome: 'refused',
  },
  { name: 'unknown host', host: 'nowhere', code: 'TARGET_UNRESOLVED', says: /"nowhere"/, outcome: 'refused' },
  { name: 'no host at all', host: '', code: 'TARGET_UNRESOLVED', says: /host|VM/, outcome: 'refused' },
  {
    name: 'unknown effect where policy refuses it',
    command: './deploy.sh',
    code: 'APPROVAL_DENIED',
    says: /deploy/,
    outcome: 'refused',
  },
];

describe(`${verifies('G-5', 'G-1', 'A-1')} the downstream sees nothing, the agent reads why, the record says what happened`, () => {
  test('the table is long enough to mean something', () => expect(ROWS.length).toBeGreaterThanOrEqual(75));

  test.each(ROWS)('$name', async (row) => {
    await row.arrange?.();
    const before = proxy.received().length;
    try {
      const host = row.host ?? 'app01';
      const command = row.command ?? 'systemctl restart nginx';
      const named = row.hosts !== undefined ? { hosts: row.hosts } : host !== '' && { host };
      const result = await proxy.call('ssh_execute', { command, ...named });
      const text = textOf(result);
      expect(result.isError).toBe(true);
      expect(text).toMatch(new RegExp(`^${row.code}: `));
      expect(text).toMatch(row.says);
      expect(text).toMatch(/not sent/);
      expect(text).not.toMatch(/config|127\.0\.0\.1|https:|fingerprint|[0-9A-F]{2}(:[0-9A-F]{2}){8}/);
      expect(receiptOf(result)).toBeUndefined();
      expect(proxy.received()).toHaveLength(before);
      const last = (await proxy.audit()).at(-1);
      expect(last?.outcome).toMatchObject({ outcome: row.outcome, code: row.code });
    } finally {
      simulator.faults.clear();
      await simulator.faults.network('up');
      if (row.name.includes('certificate')) await simulator.faults.certificate('own');
      Object.assign(simulator.knobs, FAIR);
      for (const { name } of world.vpgs) world.setState(name, WELL);
      world.checkpoint('app');
      if (row.leavesTag) await proxy.call('ssh_execute', { host: 'app01', command: 'touch /tmp/with-it' });
    }
  });

  test('after all of it a call goes through, with its tag listed first', async () => {
    const result = await proxy.call('ssh_execute', { host: 'app01', command: 'systemctl restart nginx' });
    expect(textOf(result)).toBe('ran systemctl restart nginx');
    expect(receiptOf(result)?.vms[0]?.vpgs[0]?.tag.name).toMatch(/vm=app01/);
    expect(proxy.received().at(-1)?.command).toBe('systemctl restart nginx');
  });
});

describe('what a pin survives', () => {
  const skewed = (skewMs: number): Partial<Knobs> => ({ skewMs });
  test.each<[string, Partial<Knobs>]>([
    ['an appliance whose clock is 10 min fast', skewed(600_000)],
    ['an appliance whose clock is 10 min slow', skewed(-600_000)],
    ['camelCase and dates in milliseconds', { casing: 'camel', dates: 'msdate' }],
    ['tags that are cut at 60 characters', { maxTagLength: { length: 60, mode: 'truncate' } }],
  ])(`${verifies('G-3', 'G-5')} %s: forwarded, with a point that precedes the call`, async (_name, knobs) => {
    Object.assign(simulator.knobs, knobs);
    try {
      const result = await proxy.call('ssh_execute', { host: 'app01', command: 'touch /tmp/skew' });
      expect(result.isError).toBeUndefined();
      const from = receiptOf(result)?.vms[0]?.vpgs[0]?.recoverFrom.checkpointIdentifier;
      const { at } = proxy.received().at(-1) as { at: number };
      expect(world.vpg('app').journal.find(({ id }) => String(id) === from)?.at).toBeLessThan(at);
    } finally {
      Object.assign(simulator.knobs, FAIR);
    }
  });

  test('a failover test that runs beside it', async () => {
    world.setState('app', { testStage: 'InTest' });
    const result = await proxy.call('ssh_execute', { host: 'app01', command: 'touch /tmp/test' });
    world.setState('app', { testStage: undefined });
    expect(result.isError).toBeUndefined();
  });

  test.each(['NotMeetingSLA', 'RpoNotMeetingSLA', 'HistoryNotMeetingSLA'] as const)(
    'status %s alone',
    async (status) => {
      world.setState('app', { status });
      const result = await proxy.call('ssh_execute', { host: 'app01', command: 'touch /tmp/sla' });
      world.setState('app', WELL);
      expect(result.isError).toBeUndefined();
    },
  );
});

describe('faults that a pin survives', () => {
  test.each([
    ['a lost answer', { kind: 'drop_answer' }],
    ['a slow task', { kind: 'slow', ms: 500 }],
    ['a truncated tag', { kind: 'truncate', length: 60 }],
  ] as const)(`${verifies('G-2', 'G-5')} %s: forwarded after exactly one tag`, async (_name, fault) => {
    simulator.faults.insert(fault as never);
    const inserts = () =>
      simulator.requests.filter(({ method, path }) => method === 'POST' && /checkpoints$/i.test(path)).length;
    const before = inserts();
    const result = await proxy.call('ssh_execute', { host: 'app01', command: 'touch /tmp/x' });
    expect(result.isError).toBeUndefined();
    expect(inserts() - before).toBe(1);
  });

  test('500 once, and a token that is revoked in the middle', async () => {
    simulator.faults.endpoint(/get .*checkpoints/, { kind: 'status', status: 500 });
    simulator.faults.revokeTokens();
    const result = await proxy.call('ssh_execute', { host: 'app01', command: 'touch /tmp/y' });
    expect(result.isError).toBeUndefined();
  });
});

test(`${verifies('G-7')} a call cancelled during its pin is not forwarded, and the record says so`, async () => {
  simulator.faults.insert({ kind: 'never_listed' } as never);
  const before = proxy.received().length;
  const cancel = new AbortController();
  const calling = proxy.call('ssh_execute', { host: 'app01', command: 'touch /tmp/z' }, { signal: cancel.signal });
  setTimeout(() => cancel.abort(), 700);
  await expect(calling).rejects.toThrow();
  await proxy.call('ssh_execute', { host: 'app01', command: 'uptime' });
  expect(
    proxy
      .received()
      .slice(before)
      .map(({ command }) => command),
  ).toEqual(['uptime']);
  const cancelled = (await proxy.audit()).filter(({ outcome }) => outcome?.code === 'CALL_CANCELLED');
  expect(cancelled).toHaveLength(1);
});

test(`${verifies('G-5')} a wrong password is tried once, not with each call: the account is not locked`, async () => {
  const sites = sitesOf(['site-a', { ...simulator, password: 'wrong' }]);
  const other = await startProxy({ config: { zvm: sites } });
  const logins = () => simulator.requests.filter(({ path }) => path.startsWith('/auth/')).length;
  const before = logins();
  try {
    for (const command of ['touch /tmp/1', 'touch /tmp/2', 'touch /tmp/3']) {
      const result = await other.call('ssh_execute', { host: 'app01', command });
      expect(textOf(result)).toMatch(/^ZVM_REJECTED: .*Invalid user credentials.*not tried again for 30 s.*not sent/s);
      expect(textOf(result)).not.toContain('wrong');
    }
    expect(logins() - before).toBe(1);
    expect(other.received()).toEqual([]);
  } finally {
    await other.close();
  }
});
