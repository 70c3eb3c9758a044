import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AppliancesOptions, OpenAppliances } from './appliances.js';
import type { ZvmSite } from './config/config.js';
import { ProxyError } from './domain/errors.js';
import { ZvmClient } from './zerto/client.js';
import { Evidence } from './zerto/evidence.js';
import { ZvmInventory } from './zerto/inventory.js';
import { ZvmCheckpoints } from './zerto/pin.js';
import { fileMountJournal } from './zerto/recover-mounts.js';
import { Recovery } from './zerto/recover-sites.js';

/** Clients for every configured site, or the embedded simulator; no request is sent yet. Rejects with ZVM_UNREACHABLE without any. */
export async function open(options: AppliancesOptions): Promise<OpenAppliances> {
  const { zvm, clock, log, timeoutSeconds } = options;
  if (zvm === undefined) {
    throw new ProxyError('ZVM_UNREACHABLE', 'No Zerto appliance is connected. Ask a person to connect one.');
  }
  const { clients, stop } = zvm.kind === 'simulator' ? await simulated(options) : await real(zvm.sites, options);
  const recovery = new Recovery({
    clients: new Map(clients.map((client) => [client.site, client])),
    mounts: fileMountJournal(join(options.stateDir, 'mounts')),
    log,
    now: () => new Date(clock.now()),
  });
  recovery.sweep();
  const inventory = new ZvmInventory(clients, { clock, log });
  return {
    inventory,
    checkpoints: new ZvmCheckpoints({ clients, clock, timeoutSeconds }),
    recovery,
    evidence: new Evidence(clients, inventory, clock),
    close: async () => {
      await recovery.close();
      await Promise.all(clients.map((client) => client.close()));
      await stop();
    },
  };
}

type Clients = { readonly clients: readonly ZvmClient[]; readonly stop: () => Promise<void> };

async function real(sites: readonly ZvmSite[], { clock, meters }: AppliancesOptions): Promise<Clients> {
  const clients = await Promise.all(
    sites.map(async ({ name, url, auth, tls }) => {
      const trust = tls.kind === 'caFile' ? ({ kind: 'ca', pem: await readFile(tls.caFile, 'utf8') } as const) : tls;
      return new ZvmClient({ site: name, url, login: auth, tls: trust, clock, meters });
    }),
  );
  return { clients, stop: async () => undefined };
}

async function simulated({ stateDir, clock, log, meters }: AppliancesOptions): Promise<Clients> {
  const { defaultWorld, startSimulator } = await import('./simulator/index.js');
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
    meters,
  });
  return {
    clients: [client],
    stop: async () => {
      await simulator.close();
      world.close();
    },
  };
}
