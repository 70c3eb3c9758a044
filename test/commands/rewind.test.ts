import { describe, expect, it } from 'vitest';
import type { CallRecords } from '../../src/audit/calls.js';
import { firstOf, stepsOf } from '../../src/commands/rewind-plan.js';
import { type Standing, standingOf } from '../../src/commands/rewind-points.js';
import { planText } from '../../src/commands/rewind-text.js';
import type { Receipt, ReceiptVpg } from '../../src/domain/receipt.js';
import { ZvmInventory } from '../../src/zerto/inventory.js';
import { fileMountJournal } from '../../src/zerto/recover-mounts.js';
import { Recovery } from '../../src/zerto/recover-sites.js';
import { type Lab, lab, tempDir } from '../zerto/recover-support.js';

const signal = new AbortController().signal;
const NOW = new Date('2026-11-30T12:00:00Z');

interface Journal {
  readonly lab: Lab;
  readonly vpgs: readonly ReceiptVpg[];
  stands(): Promise<Standing>;
}

/** A VM in two VPGs, with a point that precedes a call and one before that, in each. */
async function journal(): Promise<Journal> {
  const it = await lab({
    world: {
      vms: [{ name: 'app01' }],
      vpgs: [
        { name: 'one', vms: ['app01'], startsWith: 5 },
        { name: 'two', vms: ['app01'], startsWith: 5 },
      ],
    },
  });
  const vpgs = ['one', 'two'].map((name): ReceiptVpg => {
    const { vpgIdentifier, journal: all } = it.world.vpg(name);
    const point = (index: number) => ({
      checkpointIdentifier: String(all[index]?.id),
      timestamp: new Date(all[index]?.at ?? 0).toISOString(),
    });
    return {
      name,
      vpgIdentifier,
      site: 'site-a',
      tag: { name: 't', ...point(4) },
      recoverFrom: { ...point(3), why: '' },
    };
  });
  const recovery = new Recovery({
    clients: new Map([['site-a', it.client]]),
    mounts: fileMountJournal(await tempDir()),
    log: it.tools.log as never,
    now: () => new Date(),
  });
  return {
    lab: it,
    vpgs,
    stands: async () => {
      const vms = await new ZvmInventory([it.client]).vms(signal);
      return standingOf({ vmIdentifier: it.vmId('app01'), vpgs }, { vms, recovery }, signal);
    },
  };
}

/** The journal loses one point, or all up to it. */
function lose(it: Journal, name: string, which: (index: number) => boolean): void {
  const vpg = it.lab.world.vpg(name);
  vpg.journal = vpg.journal.filter((_, index) => !which(index));
}

describe('the point of a receipt', () => {
  it('stands, in the newest VPG that has it', async () => {
    const it = await journal();
    expect(await it.stands()).toMatchObject({ kind: 'stands' });
    lose(it, 'one', (index) => index === 3);
    expect(await it.stands()).toMatchObject({
      kind: 'stands',
      vpg: 'two',
      checkpoint: { checkpointIdentifier: it.vpgs[1]?.recoverFrom.checkpointIdentifier },
    });
  });

  it('that is lost names the newest point before it, and the tag', async () => {
    const it = await journal();
    const older = it.lab.world.vpg('one').journal[2]?.id;
    lose(it, 'one', (index) => index === 3);
    lose(it, 'two', (index) => index <= 3);
    expect(await it.stands()).toMatchObject({
      kind: 'gone',
      why: expect.stringMatching(/VPG "(one|two)" is (lost|expired).*VPG "(one|two)" is (lost|expired)/),
      next: { vpg: 'one', checkpoint: { checkpointIdentifier: String(older) } },
      tag: { checkpoint: { checkpointIdentifier: it.vpgs[0]?.tag.checkpointIdentifier } },
    });
  });

  it('that expired has nothing before it', async () => {
    const it = await journal();
    for (const name of ['one', 'two']) lose(it, name, (index) => index <= 3);
    const standing = await it.stands();
    expect(standing).toMatchObject({ kind: 'gone', tag: {} });
    expect(standing).not.toHaveProperty('next');
    for (const name of ['one', 'two']) it.lab.world.resync(name, 60_000);
    expect(await it.stands()).toEqual({ kind: 'gone', why: expect.stringContaining('lost') });
  });

  it('of a VPG whose files cannot be taken is blocked; of none that protects it, gone; without an answer, unknown', async () => {
    const it = await journal();
    for (const name of ['one', 'two']) it.lab.world.blockFlr(name, 'it is being moved');
    expect(await it.stands()).toMatchObject({ kind: 'blocked', why: 'it is being moved' });
    const none = await standingOf({ vmIdentifier: 'x', vpgs: it.vpgs }, { vms: [], recovery: {} as Recovery }, signal);
    expect(none).toEqual({ kind: 'gone', why: 'no VPG of its receipt protects the VM any more' });
    const vms = await new ZvmInventory([it.lab.client]).vms(signal);
    await it.lab.simulator.faults.network('down');
    const recovery = new Recovery({
      clients: new Map([['site-a', it.lab.client]]),
      mounts: fileMountJournal(await tempDir()),
      log: it.lab.tools.log as never,
      now: () => new Date(),
    });
    const vmIdentifier = it.lab.vmId('app01');
    expect((await standingOf({ vmIdentifier, vpgs: it.vpgs }, { vms, recovery }, signal)).kind).toMatch(
      /unknown|blocked/,
    );
  });
});

const VPG: ReceiptVpg = {
  name: 'app',
  vpgIdentifier: 'v',
  site: 's',
  tag: { name: 't', checkpointIdentifier: '9', timestamp: '2026-11-30T11:00:00Z' },
  recoverFrom: { checkpointIdentifier: '8', timestamp: '2026-11-30T10:59:00Z', why: '' },
};

function call(number: number, command: string): CallRecords {
  const receipt = {
    id: `r_${number}`,
    change: 'c',
    covers: 'vm',
    permit: 'pinned',
    vms: [{ name: 'app01', vmIdentifier: 'id.vm-1', vpgs: [VPG] }],
  } as unknown as Receipt;
  const intent = {
    call: `call_${number}`,
    at: `2026-11-30T11:0${number}:00Z`,
    agent: 'a',
    server: 'ssh',
    tool: 'run',
    effect: 'mutating',
    arguments: { command },
  };
  return {
    file: 'f',
    chain: 'f',
    seq: number,
    intent,
    permit: { receipt },
    outcome: { outcome: 'forwarded', result: 'ok', receipt },
    complete: true,
  } as unknown as CallRecords;
}

async function plan(standings: Readonly<Record<string, Standing>>, ...calls: readonly CallRecords[]): Promise<string> {
  const steps = await stepsOf(
    calls,
    () => undefined,
    async ({ id }) => standings[id] ?? { kind: 'stands', vpg: 'app', checkpoint: VPG.recoverFrom },
    NOW,
  );
  return planText('c', calls.length, steps, firstOf(steps), 'rewinder');
}

describe('the plan', () => {
  const earlier = { vpg: 'app', checkpoint: { checkpointIdentifier: '5', timestamp: '2026-11-30T10:00:00Z' } };

  it('of a point that is gone names the next best by its number', async () => {
    const text = await plan(
      { r_1: { kind: 'gone', why: 'checkpoint 8 is lost', next: earlier } },
      call(1, 'rm /etc/a'),
    );
    expect(text).toContain('"app": checkpoint 5 of 2026-11-30T10:00:00Z, without the changes of the last 120 min');
    expect(text).toContain('checkpoint 8 is lost');
    expect(text).toContain('the newest point before it that is left');
    const line = 'rewinder recover --vm id.vm-1 --vpg app --checkpoint 5 --path /etc/a --to rewind-r_1';
    expect(text.split(line)).toHaveLength(3);
    expect(text).not.toContain('--receipt r_1');
  });

  it('of a point that is gone with all before it says so, and names the tag', async () => {
    const tag = { vpg: 'app', checkpoint: { checkpointIdentifier: '9', timestamp: '2026-11-30T11:00:00Z' } };
    const text = await plan({ r_1: { kind: 'gone', why: 'checkpoint 8 is expired', tag } }, call(1, 'rm /etc/a'));
    expect(text).toContain('no journal has a point from before this call any more');
    expect(text).toContain('recover --receipt r_1 --from tag');
    expect(text).toContain('"/etc/a" of "app01": no point of its calls is left');
    expect(text).not.toMatch(/--path \/etc\/a|test failover/);
  });

  it('warns where only a younger step’s point is left', async () => {
    const text = await plan({ r_1: { kind: 'gone', why: 'expired' } }, call(1, 'rm /etc/a'), call(2, 'rm /etc/a'));
    const [, whole = ''] = text.split('Each file as it was');
    expect(whole).toMatch(/# the points before it are gone.*\n {2}rewinder recover --receipt r_2 /);
  });

  it('of files that cannot be taken names the larger steps; of a journal that nobody asked, the receipt', async () => {
    const blocked = { kind: 'blocked', ...earlier, why: 'it is being moved' } as const;
    expect(await plan({ r_1: blocked }, call(1, 'rm /etc/a'))).toMatch(
      /cannot be taken.*it is being moved.*test failover/s,
    );
    const text = await plan({ r_1: { kind: 'unknown', why: '--offline was given' } }, call(1, 'rm /etc/a'));
    expect(text).toContain('whether the journal still has it is not known: --offline was given');
    expect(text).toContain('recover --receipt r_1 --vm app01 --path /etc/a');
  });
});
