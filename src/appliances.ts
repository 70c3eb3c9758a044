import type { ZvmConfig } from './config/config.js';
import type { Meters } from './domain/meters.js';
import type { Checkpoints, Inventory, Listing, Logger } from './domain/ports.js';
import type { Clock } from './zerto/clock.js';
import type { Evidence } from './zerto/evidence.js';
import type { Recovery } from './zerto/recover-sites.js';

const NOTHING: Listing = { vms: [], unsure: [], silent: [] };

/** The ZVMs of all configured sites, opened by the first call that needs one. */
export interface Appliances {
  readonly inventory: Inventory;
  readonly checkpoints: Checkpoints;
  readonly recovery: () => Promise<Recovery>;
  readonly evidence: () => Promise<Evidence>;
  readonly simulated: (site: string) => boolean;
  close(): Promise<void>;
}

export interface AppliancesOptions {
  readonly zvm: ZvmConfig | undefined;
  readonly timeoutSeconds: number | null;
  /** Where the simulator's disks and the journal of mounts lie. */
  readonly stateDir: string;
  readonly clock: Clock;
  readonly log: Logger;
  readonly meters?: Pick<Meters, 'zvmRequest'> | undefined;
}

export interface OpenAppliances {
  readonly inventory: Required<Inventory>;
  readonly checkpoints: Checkpoints;
  readonly recovery: Recovery;
  readonly evidence: Evidence;
  close(): Promise<void>;
}

/** Nothing is contacted, started or even loaded before the first use. An opening that failed is tried again by the next call. */
export function openAppliances(options: AppliancesOptions): Appliances {
  let opened: Promise<OpenAppliances> | undefined;
  const get = (): Promise<OpenAppliances> => {
    opened ??= import('./appliances-open.js').then(({ open }) => open(options));
    opened.catch(() => {
      opened = undefined;
    });
    return opened;
  };
  return {
    // Without an appliance no VM is known: what is exempt still goes through, the rest is refused by policy.
    inventory: {
      vms: async (signal) => (options.zvm === undefined ? [] : (await get()).inventory.vms(signal)),
      listing: async (signal) => (options.zvm === undefined ? NOTHING : (await get()).inventory.listing(signal)),
    },
    checkpoints: {
      before: async (vpg, signal) => (await get()).checkpoints.before(vpg, signal),
      pin: async (vpg, tag, before, signal) => (await get()).checkpoints.pin(vpg, tag, before, signal),
      now: async (site, signal) => (await get()).checkpoints.now(site, signal),
    },
    recovery: async () => (await get()).recovery,
    evidence: async () => (await get()).evidence,
    simulated: () => options.zvm?.kind === 'simulator',
    close: async () => {
      await (await opened?.catch(() => undefined))?.close();
    },
  };
}
