import type { Vpg } from '../../src/domain/target.js';
import {
  createWorld,
  type Knobs,
  type Simulator,
  startSimulator,
  type VirtualClock,
  virtualClock,
  type World,
  type WorldOptions,
} from '../../src/simulator/index.js';
import { ZvmClient } from '../../src/zerto/client.js';
import type { Clock } from '../../src/zerto/clock.js';
import { ZvmInventory } from '../../src/zerto/inventory.js';
import { ZvmCheckpoints } from '../../src/zerto/pin.js';
import { never } from './fake-zvm.js';

export const TAG = 'ai:claude-code | ssh run systemctl | vm=app01 | change=chg_0k2v9x7abc | 2026-11-30T00:00:03.000Z';

/** One or more simulated ZVMs on a virtual clock, with clients whose waits move that clock. */
export interface Simulated {
  readonly world: World;
  readonly time: VirtualClock;
  readonly clock: Clock;
  readonly zvms: readonly Simulator[];
  readonly zvm: Simulator;
  readonly clients: readonly ZvmClient[];
  readonly client: ZvmClient;
  readonly checkpoints: ZvmCheckpoints;
  vpg(name: string): Promise<Vpg>;
  /** Tags of a VPG's journal, listed or not. */
  tags(vpg: string): string[];
  close(): Promise<void>;
}

const WORLD: WorldOptions = {
  sites: [{ name: 'site-a' }],
  vms: [{ name: 'app01', addresses: ['10.0.0.5'] }, { name: 'db01' }, { name: 'lab01' }],
  vpgs: [
    { name: 'app', vms: ['app01'] },
    { name: 'db-local', vms: ['db01'] },
    { name: 'db-dr', vms: ['db01'] },
  ],
};

/** A world with one VPG `app` of a profile. */
export function worldOf(profile: 'vsphere' | 'azure' | 'aws', timings = {}): WorldOptions {
  return { ...WORLD, vpgs: [{ name: 'app', vms: ['app01'], profile, timings }] };
}

export async function simulate(
  options: WorldOptions = WORLD,
  knobs: Partial<Knobs> = {},
  timeoutSeconds?: number,
): Promise<Simulated> {
  const time = virtualClock(Date.parse('2026-11-30T00:00:03Z'));
  const clock: Clock = {
    now: () => time.now(),
    sleep: async (ms, signal) => {
      signal.throwIfAborted();
      await time.advance(ms);
      signal.throwIfAborted();
    },
  };
  const world = createWorld({ ...options, clock: time });
  const zvms = await Promise.all(options.sites.map(({ name }) => startSimulator({ world, site: name, knobs })));
  const clients = zvms.map(
    (zvm, index) =>
      new ZvmClient({
        site: options.sites[index]?.name ?? '',
        url: zvm.url,
        login: { grant: 'password', clientId: 'zerto-client', username: zvm.user, password: async () => zvm.password },
        tls: { kind: 'fingerprint', fingerprint256: zvm.fingerprint256 },
        simulated: true,
        clock,
      }),
  );
  const [zvm, client] = [zvms[0], clients[0]];
  if (zvm === undefined || client === undefined) throw new Error('a world needs a site');
  return {
    world,
    time,
    clock,
    zvms,
    zvm,
    clients,
    client,
    checkpoints: new ZvmCheckpoints({ clients, clock, timeoutSeconds }),
    vpg: async (name) => {
      const vms = await new ZvmInventory(clients).vms(never);
      const found = vms.flatMap((vm) => vm.vpgs).find((vpg) => vpg.name === name);
      if (found === undefined) throw new Error(`no VPG ${name}`);
      return found;
    },
    tags: (name) => world.vpg(name).journal.flatMap(({ tag }) => (tag === undefined ? [] : [tag])),
    close: async () => {
      await Promise.all(clients.map((one) => one.close()));
      await Promise.all(zvms.map((one) => one.close()));
      world.close();
    },
  };
}
