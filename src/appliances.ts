import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ZvmConfig, ZvmSite } from './config/config.js';
import { ProxyError } from './domain/errors.js';
import type { Checkpoints, Inventory, Logger } from './domain/ports.js';
import { defaultWorld, startSimulator } from './simulator/index.js';
import { ZvmClient } from './zerto/client.js';
import type { Clock } from './zerto/clock.js';
import { ZvmInventory } from './zerto/inventory.js';
import { ZvmCheckpoints } from './zerto/pin.js';
import { fileMountJournal } from './zerto/recover-mounts.js';
import { Recovery } from './zerto/recover-sites.js';

/** The ZVMs of all configured sites, opened by the first call that needs one. */
export interface Appliances {
  readonly inventory: Inventory;
  readonly checkpoints: Checkpoints;
  readonly recovery: () => Promise<Recovery>;
  readonly simulated: (site: string) => boolean;
  close(): Promise<void>;
}

export interface AppliancesOptions {
  readonly zvm: ZvmConfig | undefined;
  readonly timeoutSeconds: number | null;
  /** Where the simulator's disks and the journal of mounts lie. */
  readonly stateDir: string;
  readonly mountsDir: string;
  readonly clock: Clock;
  readonly log: Logger;
}

interface Opened {
  readonly inventory: ZvmInventory;
  readonly checkpoints: ZvmCheckpoints;
  readonly recovery: Recovery;
  close(): Promise<void>;
}

/** Nothing is contacted, and no simulator started, before the first use. */
export function openAppliances(options: AppliancesOptions): Appliances {
  let opened: Promise<Opened> | undefined;
  const get = (): Promise<Opened> => {
    opened ??= open(options);
    return opened;
  };
  return {
    // Without an appliance no VM is known: what is exempt still goes through, the rest is refused by policy.
    inventory: { vms: async (signal) => (options.zvm === undefined ? [] : (await get()).inventory.vms(signal)) },
    checkpoints: {
      before: async (vpg, signal) => (await get()).checkpoints.before(vpg, signal),
      pin: async (vpg, tag, before, signal) => (await get()).checkpoints.pin(vpg, tag, before, signal),
      now: async (site, signal) => (await get()).checkpoints.now(site, signal),
    },
    recovery: async () => (await get()).recovery,
    simulated: () => options.zvm?.kind === 'simulator',
    close: async () => {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}

async function open(options: AppliancesOptions): Promise<Opened> {
  const { zvm, clock, log, timeoutSeconds } = options;
  if (zvm === undefined) {
    throw new ProxyError('ZVM_UNREACHABLE', 'No Zerto appliance is connected. Ask a person to connect one.');
  }
  const { clients, stop } = zvm.kind === 'simulator' ? await simulated(options) : await real(zvm.sites, clock);
  const recovery = new Recovery({
    clients: new Map(clients.map((client) => [client.site, client])),
    mounts: fileMountJournal(options.mountsDir),
    log,
    now: () => new Date(clock.now()),
  });
  return {
    inventory: new ZvmInventory(clients),
    checkpoints: new ZvmCheckpoints({ clients, clock, timeoutSeconds }),
    recovery,
    close: async () => {
      await recovery.close();
      await Promise.all(clients.map((client) => client.close()));
      await stop();
    },
  };
}

type Clients = { readonly clients: readonly ZvmClient[]; readonly stop: () => Promise<void> };

async function real(sites: readonly ZvmSite[], clock: Clock): Promise<Clients> {
  const clients = await Promise.all(
    sites.map(async ({ name, url, auth, tls }) => {
      const trust = tls.kind === 'caFile' ? ({ kind: 'ca', pem: await readFile(tls.caFile, 'utf8') } as const) : tls;
      return new ZvmClient({ site: name, url, login: auth, tls: trust, clock });
    }),
  );
  return { clients, stop: async () => undefined };
}

async function simulated({ stateDir, clock, log }: AppliancesOptions): Promise<Clients> {
  const world = defaultWorld({ disks: join(stateDir, 'simulator', 'disks') });
  const simulator = await startSimulator({ world });
  log.warn({ url: simulator.url }, 'the appliance is SIMULATED: it protects no real VM');
  const client = new ZvmClient({
    site: 'simulator',
    url: simulator.url,
    login: {
      grant: 'password',
      clientId: 'zerto-client',
      username: simulator.user,
      password: async () => simulator.password,
    },
    tls: { kind: 'fingerprint', fingerprint256: simulator.fingerprint256 },
    simulated: true,
    clock,
  });
  return {
    clients: [client],
    stop: async () => {
      await simulator.close();
      world.close();
    },
  };
}
