import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ZvmAuth, ZvmConfig } from '../config/config.js';
import { ZvmClient } from '../zerto/client.js';
import type { Exchange } from '../zerto/http.js';
import type { Site } from './site.js';

export interface SitesOptions {
  readonly zvm: ZvmConfig;
  readonly stateDir: string;
  /** Told of each request and its answer, for a transcript. */
  readonly observe?: ((exchange: Exchange) => void) | undefined;
}

/** A client for each configured site, or for the embedded appliance, which is started for it. `close` ends them all. */
export async function openSites(
  options: SitesOptions,
): Promise<{ sites: readonly Site[]; close: () => Promise<void> }> {
  const { zvm, observe } = options;
  if (zvm.kind === 'simulator') return embedded(options);
  const sites = await Promise.all(
    zvm.sites.map(async ({ name, url, auth, tls }): Promise<Site> => {
      const trust = tls.kind === 'caFile' ? ({ kind: 'ca', pem: await readFile(tls.caFile, 'utf8') } as const) : tls;
      const client = new ZvmClient({ site: name, url, login: auth, tls: trust, observe });
      return { name, url, tls, account: accountOf(auth), client, simulated: false };
    }),
  );
  return {
    sites,
    close: async () => {
      await Promise.all(sites.map(({ client }) => client.close()));
    },
  };
}

async function embedded({ stateDir, observe }: SitesOptions) {
  const { defaultWorld, startSimulator } = await import('../simulator/index.js');
  const world = defaultWorld({ disks: join(stateDir, 'simulator', 'disks') });
  const { url, user, password, fingerprint256, close } = await startSimulator({ world });
  const tls = { kind: 'fingerprint', fingerprint256 } as const;
  const login = {
    grant: 'password',
    clientId: 'zerto-client',
    username: user,
    password: async () => password,
  } as const;
  const client = new ZvmClient({ site: 'simulator', url, login, tls, simulated: true, observe });
  const site: Site = { name: 'simulator', url, tls, account: accountOf(login), client, simulated: true };
  return {
    sites: [site],
    close: async () => {
      await client.close();
      await close();
      world.close();
    },
  };
}

function accountOf(auth: ZvmAuth): string {
  return auth.grant === 'password' ? `user ${auth.username}` : `client ${auth.clientId}`;
}
