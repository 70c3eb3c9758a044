import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditCommand } from '../../src/commands/audit.js';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { receiptOf, sitesOf, startProxy, textOf } from '../support/proxy-process.js';
import { verifies } from './requirements.js';

const TIMINGS = { gapMs: 2_000, completedMs: 50, stampMs: 20, listedMs: 100 };
let world: World;
let simulator: Simulator;

beforeAll(async () => {
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: [{ name: 'app01' }, { name: 'slow01' }, { name: 'lab01' }],
    vpgs: [
      { name: 'app', vms: ['app01'], timings: TIMINGS },
      { name: 'slow', vms: ['slow01'], timings: { ...TIMINGS, completedMs: 500, listedMs: 6_000 } },
    ],
  });
  simulator = await startSimulator({ world });
});
afterAll(async () => {
  await simulator.close();
  world.close();
});

const inserts = () =>
  simulator.requests.filter(({ method, path }) => method === 'POST' && /checkpoints$/i.test(path)).length;

describe('a call that nobody understands', () => {
  const deploy = { host: 'app01', command: './deploy.sh --now' };

  test.each([
    ['run after the checkpoint', 'ran ./deploy.sh --now', 'pinned'],
    ['do not run', 'APPROVAL_DENIED', undefined],
  ] as const)(`${verifies('P-1')} the human is shown it and answers: %s`, async (choice, says, permit) => {
    const asked: string[] = [];
    const human = ({ message }: { message: string }) => {
      asked.push(message);
      return choice;
    };
    const proxy = await startProxy({ config: { zvm: sitesOf(['site-a', simulator]) }, human });
    try {
      const result = await proxy.call('ssh_execute', deploy);
      expect(asked).toHaveLength(1);
      for (const part of ['"test-agent"', '"app01"', '"app"', '"./deploy.sh --now"', 'under way']) {
        expect(asked[0]).toContain(part);
      }
      expect(textOf(result)).toContain(says);
      expect(receiptOf(result)?.permit).toBe(permit);
      expect(proxy.received()).toHaveLength(permit === undefined ? 0 : 1);
      expect((await proxy.audit())[0]?.intent.decision).toBe('ask');
    } finally {
      await proxy.close();
    }
  });

  test(`${verifies('P-1')} "always" is asked once in a session`, async () => {
    let asked = 0;
    const human = () => {
      asked += 1;
      return 'always pin in this session';
    };
    const proxy = await startProxy({ config: { zvm: sitesOf(['site-a', simulator]) }, human });
    try {
      for (const command of ['./deploy.sh', './deploy.sh --again']) {
        expect(receiptOf(await proxy.call('ssh_execute', { host: 'app01', command }))?.permit).toBe('pinned');
      }
      expect(asked).toBe(1);
    } finally {
      await proxy.close();
    }
  });

  test('where nobody can be asked it is pinned', async () => {
    const proxy = await startProxy({ config: { zvm: sitesOf(['site-a', simulator]) } });
    try {
      expect(receiptOf(await proxy.call('ssh_execute', deploy))?.permit).toBe('pinned');
    } finally {
      await proxy.close();
    }
  });
});

describe('what goes through without a pin', () => {
  test(`${verifies('C-1', 'G-1')} a read: no receipt, no tag, the appliance is not asked`, async () => {
    const proxy = await startProxy({ config: { zvm: sitesOf(['site-a', simulator]) } });
    try {
      const before = simulator.requests.length;
      const result = await proxy.call('ssh_execute', { host: 'nowhere', command: 'df -h | sort -k5' });
      expect(textOf(result)).toBe('ran df -h | sort -k5');
      expect(receiptOf(result)).toBeUndefined();
      expect(simulator.requests).toHaveLength(before);
    } finally {
      await proxy.close();
    }
  });

  test(`${verifies('A-4')} mode observe: judged and recorded, nothing pinned, nothing refused, and each record says so`, async () => {
    const proxy = await startProxy({ config: { mode: 'observe', zvm: sitesOf(['site-a', simulator]) } });
    try {
      const before = inserts();
      for (const host of ['app01', 'lab01', 'nowhere']) {
        const result = await proxy.call('ssh_execute', { host, command: 'rm -rf /tmp/x' });
        expect(receiptOf(result)).toMatchObject({
          permit: 'waived',
          mode: 'observe',
          waivedBy: 'mode observe',
          vms: [],
        });
      }
      expect(inserts()).toBe(before);
      await proxy.call('ssh_execute', { host: 'app01', command: 'uptime' });
      const decided = async () => (await proxy.audit()).map(({ intent }) => `${intent.effect} ${intent.decision}`);
      await expect.poll(decided).toEqual([...Array.from({ length: 3 }, () => 'mutating forward'), 'read_only forward']);
      const outcomes = async () => (await proxy.audit()).map(({ outcome }) => outcome?.outcome);
      await expect.poll(outcomes).toEqual(Array.from({ length: 4 }, () => 'forwarded'));
      const [file = ''] = readdirSync(proxy.auditDir).filter((name) => name.endsWith('.jsonl'));
      const lines = readFileSync(join(proxy.auditDir, file), 'utf8').trim().split('\n');
      const records = lines.map((line) => JSON.parse(line) as { kind: string; mode?: string });
      expect(new Set(records.map(({ kind }) => kind))).toEqual(new Set(['start', 'intent', 'permit', 'outcome']));
      expect(records.filter(({ mode }) => mode !== 'observe')).toEqual([]);
      const written: string[] = [];
      const io = { stdout: { write: (text: string) => written.push(text) }, stderr: process.stderr };
      expect(await auditCommand(['list', '--json'], proxy.auditDir, io)).toBe(0);
      const entries = JSON.parse(written.splice(0).join('')) as { call: string; effect: string; mode?: string }[];
      expect(entries.map(({ mode }) => mode)).toEqual(Array.from({ length: 4 }, () => 'observe'));
      const read = entries.find(({ effect }) => effect === 'read_only')?.call ?? '';
      expect(await auditCommand(['list'], proxy.auditDir, io)).toBe(0);
      expect(
        written
          .splice(0)
          .join('')
          .split('\n')
          .filter((line) => line.includes('observe')),
      ).toHaveLength(4);
      expect(await auditCommand(['show', read], proxy.auditDir, io)).toBe(0);
      expect(written.join('')).toContain('observe');
      expect(await auditCommand(['verify'], proxy.auditDir, io)).toBe(0);
    } finally {
      await proxy.close();
    }
  });

  test('mode observe goes on when the appliance is down', async () => {
    const config = { mode: 'observe', zvm: sitesOf(['site-a', simulator]) };
    const proxy = await startProxy({ config });
    await simulator.faults.network('down');
    try {
      expect(textOf(await proxy.call('ssh_execute', { host: 'app01', command: 'rm -rf /tmp/x' }))).toContain('ran rm');
    } finally {
      await simulator.faults.network('up');
      await proxy.close();
    }
  });

  test('an exempt host: forwarded as waived, with the operator’s reason; never a protected VM', async () => {
    const exempt = [{ hosts: ['lab*', 'app*'], reason: 'lab, not protected' }];
    const proxy = await startProxy({ config: { exempt, zvm: sitesOf(['site-a', simulator]) } });
    try {
      const waived = await proxy.call('ssh_execute', { host: 'lab01', command: 'rm -rf /tmp/x' });
      expect(receiptOf(waived)).toMatchObject({
        permit: 'waived',
        waivedBy: expect.stringContaining('lab, not protected'),
      });
      const pinned = await proxy.call('ssh_execute', { host: 'app01', command: 'rm -rf /tmp/x' });
      expect(receiptOf(pinned)?.permit).toBe('pinned');
    } finally {
      await proxy.close();
    }
  });

  test('without any appliance: reads and exempt hosts pass, changes are refused', async () => {
    const proxy = await startProxy({ config: { exempt: [{ hosts: ['lab*'], reason: 'lab' }] } });
    try {
      expect(textOf(await proxy.call('ssh_execute', { host: 'app01', command: 'uptime' }))).toBe('ran uptime');
      expect(textOf(await proxy.call('ssh_execute', { host: 'lab01', command: 'reboot' }))).toBe('ran reboot');
      expect(textOf(await proxy.call('ssh_execute', { host: 'app01', command: 'reboot' }))).toMatch(
        /^CHECKPOINT_NOT_PINNED: .*not sent/,
      );
    } finally {
      await proxy.close();
    }
  });
});

describe(`${verifies('G-6')} a pin that outlasts the client`, () => {
  const config = () => ({ zvm: sitesOf(['site-a', simulator]), guard: { answerWithinSeconds: 2 } });
  const call = { host: 'slow01', command: 'touch /tmp/slow' };

  test('without progress it is answered early, the pin goes on, and the repeat is forwarded once', async () => {
    const proxy = await startProxy({ config: config() });
    try {
      const before = inserts();
      const early = textOf(await proxy.call('ssh_execute', call));
      expect(early).toMatch(/^CHECKPOINT_NOT_PINNED: .*not sent yet\. Send the same call again in \d+ s/);
      expect(proxy.received()).toHaveLength(0);
      let last = early;
      for (let attempt = 0; attempt < 5 && last.includes('not sent yet'); attempt += 1) {
        last = textOf(await proxy.call('ssh_execute', call));
      }
      expect(last).toBe('ran touch /tmp/slow');
      expect(inserts() - before).toBe(1);
      expect(proxy.received()).toHaveLength(1);
    } finally {
      await proxy.close();
    }
  });

  test('with a progress token it waits, and is told so', async () => {
    const proxy = await startProxy({ config: config() });
    try {
      let told = 0;
      const result = await proxy.call('ssh_execute', call, { onprogress: () => (told += 1) });
      expect(textOf(result)).toBe('ran touch /tmp/slow');
      expect(told).toBeGreaterThanOrEqual(1);
    } finally {
      await proxy.close();
    }
  });
});

test(`${verifies('T-9')} a forwarded call may take longer than every limit of the proxy`, async () => {
  const guard = { answerWithinSeconds: 2, timeoutSeconds: 2, holdSeconds: 1 };
  const proxy = await startProxy({ config: { zvm: sitesOf(['site-a', simulator]), guard }, delayMs: 8_000 });
  try {
    const result = await proxy.call('ssh_execute', { host: 'app01', command: 'touch /tmp/long' });
    expect(textOf(result)).toBe('ran touch /tmp/long');
  } finally {
    await proxy.close();
  }
});

test(`${verifies('G-9')} what the guest has not written to its disk is not in the journal, and sync only reads`, async () => {
  const cached = createWorld({
    sites: [{ name: 'site-b' }],
    vms: [{ name: 'cache01' }],
    vpgs: [{ name: 'cached', vms: ['cache01'], timings: TIMINGS }],
    writeBackMs: 60_000,
  });
  const appliance = await startSimulator({ world: cached });
  const human = () => 'recover it and give the content to the model';
  const proxy = await startProxy({ config: { zvm: sitesOf(['site-b', appliance]) }, human });
  const recover = async () => {
    const changed = await proxy.call('ssh_execute', { host: 'cache01', command: 'touch /etc/app.conf' });
    const receipt = receiptOf(changed);
    expect(receipt).toMatchObject({ consistency: 'crash', covers: 'vm' });
    return textOf(await proxy.call('zerto_recover_file', { receipt: receipt?.id, path: '/etc/app.conf' }));
  };
  try {
    cached.write('cache01', '/etc/app.conf', 'listen = 8080');
    expect(await recover()).toMatch(/is not in|not found|no such/i);
    expect(receiptOf(await proxy.call('ssh_execute', { host: 'cache01', command: 'sync' }))).toBeUndefined();
    cached.sync('cache01');
    expect(await recover()).toContain('listen = 8080');
  } finally {
    await proxy.close();
    await appliance.close();
    cached.close();
  }
});

test(`${verifies('R-1')} text that an agent has echoed never changes which VM is pinned`, async () => {
  const proxy = await startProxy({ config: { zvm: sitesOf(['site-a', simulator]) } });
  try {
    await proxy.call('ssh_execute', { host: 'app01', command: 'echo session id: slow01 connection id: slow01' });
    const result = await proxy.call('ssh_execute', { host: 'slow01', command: 'rm -rf /srv/data' });
    expect(receiptOf(result)?.vms.map(({ name }) => name)).toEqual(['slow01']);
  } finally {
    await proxy.close();
  }
});

test(`${verifies('G-9')} a receipt says how much of a change a checkpoint of its VMs holds`, async () => {
  const proxy = await startProxy({ config: { zvm: sitesOf(['site-a', simulator]) } });
  try {
    for (const [command, covers] of [
      ['touch /tmp/x', 'vm'],
      ['kubectl delete pod x', 'elsewhere'],
      ['touch /tmp/x; kubectl delete pod x', 'partly'],
    ] as const)
      expect(receiptOf(await proxy.call('ssh_execute', { host: 'app01', command })), command).toMatchObject({
        permit: 'pinned',
        consistency: 'crash',
        covers,
      });
  } finally {
    await proxy.close();
  }
});

test(`${verifies('G-9')} the documents say what a checkpoint is not`, () => {
  const read = (path: string) => readFileSync(join(import.meta.dirname, '..', '..', path), 'utf8');
  expect(read('README.md')).toMatch(/crash, per VPG.*page cache.*`sync`/);
  expect(read('docs/recovery.md')).toMatch(/`sync`.*crash-consistent, each VPG by itself/);
  expect(read('docs/configuration.md')).toMatch(/`covers: "elsewhere"` or `"partly"`/);
  expect(read('skills/zerto-rewind/SKILL.md')).toMatch(/run `sync`/);
});
