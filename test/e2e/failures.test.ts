import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { type ProxyProcess, receiptOf, sitesOf, startProxy, textOf } from '../support/proxy-process.js';
import { verifies } from './requirements.js';

/** Fast enough to wait for, with the order of a real appliance: completed, stamped, listed. */
const TIMINGS = { gapMs: 2_000, completedMs: 100, stampMs: 50, listedMs: 200 };
const PIN_SECONDS = 3;

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
    ],
    vpgs: [
      { name: 'app', vms: ['app01'], timings: TIMINGS },
      { name: 'db-a', vms: ['db01'], timings: TIMINGS },
      { name: 'db-b', vms: ['db01'], timings: TIMINGS },
      { name: 'twins', vms: ['twin-1', 'twin-2'], timings: TIMINGS },
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

const ROWS: readonly Row[] = [
  ...(
    [
      'InitialSync',
      'Creating',
      'VolumeInitialSync',
      'Sync',
      'DeltaSync',
      'NeedsConfiguration',
      'Error',
      'EmptyProtectionGroup',
      'DisconnectedFromPeerNoRecoveryPoints',
      'FullSync',
      'VolumeDeltaSync',
      'BitmapSync',
      'DisconnectedFromPeer',
      'ReplicationPausedUserInitiated',
      'ReplicationPausedSystemInitiated',
      'RecoveryStorageError',
      'JournalStorageError',
      'VmNotProtectedError',
      'ReplicationPausedForMissingVolume',
      41,
      42,
    ] as const
  ).map((subStatus) => state(subStatus)),
  ...['FailingOver', 'Moving', 'Deleting', 'Recovered', 'Initializing'].map((status) => state('None', status)),
  insert('insert refused', { kind: 'refuse', status: 409, message: 'Not now' }, /"Not now"/),
  insert('task failed', { kind: 'task_failed', reason: 'The journal is full' } as never, /journal is full/i),
  insert('tag never listed', { kind: 'never_listed' } as never, /not listed|was not in the list|list/i),
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
  test('the table is long enough to mean something', () => expect(ROWS.length).toBeGreaterThanOrEqual(30));

  test.each(ROWS)('$name', async (row) => {
    await row.arrange?.();
    const before = proxy.received().length;
    try {
      const host = row.host ?? 'app01';
      const command = row.command ?? 'systemctl restart nginx';
      const result = await proxy.call('ssh_execute', { command, ...(host !== '' && { host }) });
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
      for (const vpg of ['app', 'db-a', 'db-b']) world.setState(vpg, { status: 'MeetingSLA', subStatus: 'None' });
    }
  });

  test('after all of it a call goes through, with its tag listed first', async () => {
    const result = await proxy.call('ssh_execute', { host: 'app01', command: 'systemctl restart nginx' });
    expect(textOf(result)).toBe('ran systemctl restart nginx');
    expect(receiptOf(result)?.vms[0]?.vpgs[0]?.tag.name).toMatch(/vm=app01/);
    expect(proxy.received().at(-1)?.command).toBe('systemctl restart nginx');
  });
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
