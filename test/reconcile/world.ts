import { expect, onTestFinished } from 'vitest';
import { type Reconciled, reconcile } from '../../src/commands/audit-reconcile.js';
import { assess } from '../../src/domain/assessment.js';
import type { Decision } from '../../src/domain/decision.js';
import type { AuditEntry } from '../../src/domain/ports.js';
import type { Receipt } from '../../src/domain/receipt.js';
import { tagName } from '../../src/domain/tag.js';
import type { Target } from '../../src/domain/target.js';
import { createWorld, type Knobs, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { ZvmClient } from '../../src/zerto/client.js';
import { systemClock } from '../../src/zerto/clock.js';
import { Evidence } from '../../src/zerto/evidence.js';
import { ZvmInventory } from '../../src/zerto/inventory.js';
import { auditIn, receipt as receiptParts, tempDir } from '../audit/support.js';
import { toolCall } from '../support/calls.js';

export const ACCOUNT = 'rewind';
const HOUR = 3_600_000;
const TIMINGS = { gapMs: HOUR, completedMs: 0, stampMs: 0, listedMs: 0 };
const DECISION = (target: Target): Decision => ({ kind: 'pin_then_forward', rule: 'mutating', targets: [target] });

export interface Options {
  readonly knobs?: Partial<Knobs>;
  /** Nobody else tagged or mounted anything. */
  readonly alone?: boolean;
}

/** Two appliances over HTTPS and a log whose calls they know of; `app01` is protected at prod, `dr01` at dr, both recovered at dr. */
export interface Both {
  readonly world: World;
  readonly prod: Simulator;
  readonly dr: Simulator;
  readonly dir: string;
  /** A call that was pinned and forwarded; the appliance has its tag. `tag`: of a call that shared it. */
  call(id: string, on?: { readonly vpg?: string; readonly tag?: Tag; readonly inserted?: boolean }): Promise<Tag>;
  /** A call of which the log holds an intent alone, until its entry is closed. */
  open(id: string, vpg?: string, parts?: Parameters<typeof toolCall>[0], decision?: Decision): Promise<AuditEntry>;
  /** The name of a tag as the proxy makes it for a call on the VM of a VPG now. */
  name(id: string, vpg?: string): string;
  insert(vpg: string, name: string, by?: string): Tag;
  reconcile(asked?: { vm?: string; since?: number; until?: number }): Promise<Reconciled>;
  close(): Promise<void>;
}

export interface Tag {
  readonly name: string;
  readonly checkpointIdentifier: string;
  readonly timestamp: string;
}

const VMS: Readonly<Record<string, string>> = { app: 'app01', 'dr-local': 'dr01' };

export async function both({ knobs = {}, alone = false }: Options = {}): Promise<Both> {
  const world = createWorld({
    sites: [{ name: 'prod' }, { name: 'dr' }],
    vms: [
      { name: 'app01', site: 'prod' },
      { name: 'dr01', site: 'dr' },
    ],
    vpgs: [
      { name: 'app', vms: ['app01'], protectedSite: 'prod', recoverySite: 'dr', timings: TIMINGS },
      { name: 'dr-local', vms: ['dr01'], protectedSite: 'dr', timings: TIMINGS },
    ],
  });
  const [prod, dr] = await Promise.all(
    ['prod', 'dr'].map((site) => startSimulator({ world, site, user: ACCOUNT, knobs })),
  );
  if (prod === undefined || dr === undefined) throw new Error('no appliance');
  const clients = [
    ['prod', prod],
    ['dr', dr],
  ].map(([site, zvm]) => clientOf(site as string, zvm as Simulator));
  onTestFinished(async () => {
    await Promise.all([...clients, prod, dr].map((each) => each.close()));
    world.close();
  });
  // The appliances remember more than the log does: their answers begin before it.
  for (const vpg of ['app', 'dr-local']) past(world, vpg, alone);
  const dir = tempDir();
  const audit = auditIn(dir);
  const targetOf = (vpg: string): Target => {
    const { vpgIdentifier, protectedSite } = world.vpg(vpg);
    const vm = world.vm(VMS[vpg] ?? '');
    const site = protectedSite.name;
    const one = { name: vpg, vpgIdentifier, site, profile: 'vsphere' } as const;
    const { name, vmIdentifier } = vm;
    return { host: name, vm: { name, vmIdentifier, site, addresses: [], vpgs: [one] } };
  };
  const it: Both = {
    world,
    prod,
    dr,
    dir,
    name: (id, vpg = 'app') =>
      tagName({
        agent: 'test-agent',
        action: 'ssh run-command systemctl',
        vm: VMS[vpg] ?? '',
        change: `c_${id}`,
        at: new Date(),
      }),
    insert: (vpg, name, by = ACCOUNT) => {
      world.tag(vpg, name, by);
      const point = world.vpg(vpg).journal.at(-1);
      if (point === undefined) throw new Error('nothing was tagged');
      const timestamp = new Date(Math.floor(point.at / 1000) * 1000).toISOString().replace('.000Z', 'Z');
      return { name, checkpointIdentifier: String(point.id), timestamp };
    },
    open: async (id, vpg = 'app', parts = {}, decision) => {
      const target = targetOf(vpg);
      const call = toolCall({ id, ...parts });
      const roles = Object.fromEntries(Object.keys(call.arguments).map((name) => [name, 'unknown' as const]));
      const judged = {
        call,
        reading: { interceptor: 'ssh', operations: [], roles, hosts: [{ value: target.host, argument: 'host' }] },
        assessment: assess([{ effect: 'mutating' as const, subject: 'x', why: 'a test' }]),
        aim: { targets: call.server.name === 'zerto-rewind' ? [] : [target], problems: [] },
      };
      return audit.open(judged, decision ?? DECISION(target));
    },
    call: async (id, { vpg = 'app', tag, inserted = true } = {}) => {
      const entry = await it.open(id, vpg);
      const own = tag ?? (inserted ? it.insert(vpg, it.name(id, vpg)) : made(it.name(id, vpg)));
      const receipt = receiptOn(id, targetOf(vpg), own);
      await entry.permit(receipt);
      await entry.close({ kind: 'forwarded', result: 'ok', receipt });
      return own;
    },
    reconcile: async (asked = {}) => {
      const evidence = new Evidence(clients, new ZvmInventory(clients), systemClock);
      const accounts = new Map([
        ['prod', ACCOUNT],
        ['dr', ACCOUNT],
      ]);
      const signal = new AbortController().signal;
      return reconcile(
        { dir, accounts, evidence },
        { since: undefined, until: undefined, vm: undefined, ...asked },
        signal,
      );
    },
    close: () => audit.close(),
  };
  return it;
}

function made(name: string): Tag {
  return { name, checkpointIdentifier: '999999', timestamp: new Date().toISOString().replace(/\.\d+Z/, 'Z') };
}

/** An unmount by somebody else, an hour ago, with a mount and a tag where the proxy is not alone. */
function past(world: World, name: string, alone: boolean): void {
  const vpg = world.vpg(name);
  const types = ['FlrJournalUnmount', 'FlrJournalMount', 'InsertTaggedCP'] as const;
  for (const type of alone ? types.slice(0, 1) : types) {
    const at = Date.now() - HOUR;
    for (const site of new Set([vpg.protectedSite, vpg.recoverySite])) {
      world.tasks.push({
        taskIdentifier: `${crypto.randomUUID()}.${site.siteIdentifier}`,
        site,
        type,
        by: 'administrator',
        started: at,
        completes: at,
        failure: undefined,
        session: undefined,
        vpg,
        detail: 'of the morning',
      });
    }
  }
}

function receiptOn(id: string, { vm }: Target, tag: Tag): Receipt {
  const { checkpointIdentifier, timestamp } = tag;
  return receiptParts(`r_${id}`, {
    change: `c_${id}`,
    vms: [
      {
        name: vm.name,
        vmIdentifier: vm.vmIdentifier,
        vpgs: vm.vpgs.map(({ name, vpgIdentifier, site }) => ({
          name,
          vpgIdentifier,
          site,
          tag,
          recoverFrom: { checkpointIdentifier, timestamp, why: 'a test' },
        })),
      },
    ],
  });
}

function clientOf(site: string, simulator: Simulator): ZvmClient {
  return new ZvmClient({
    site,
    url: simulator.url,
    login: {
      grant: 'password',
      clientId: 'zerto-client',
      username: simulator.user,
      password: async () => simulator.password,
    },
    tls: { kind: 'fingerprint', fingerprint256: simulator.fingerprint256 },
  });
}

/** How often each status came, without those that did not. */
export function statuses({ findings }: Reconciled): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, kind } of findings) counts[`${kind} ${status}`] = (counts[`${kind} ${status}`] ?? 0) + 1;
  return counts;
}

/** One finding, which is the only one of its status. */
export function only(told: Reconciled, status: string) {
  const found = told.findings.filter((each) => each.status === status);
  expect(found, JSON.stringify(told.findings)).toHaveLength(1);
  return found[0];
}
