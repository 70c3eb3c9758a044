import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import type { Logger } from '../../src/domain/ports.js';
import {
  createWorld,
  type Knobs,
  type Simulator,
  startSimulator,
  type World,
  type WorldOptions,
} from '../../src/simulator/index.js';
import { ZvmClient } from '../../src/zerto/client.js';
import { fileMountJournal } from '../../src/zerto/recover-mounts.js';
import type { RecoverTools } from '../../src/zerto/recover-session.js';
import type { RecoveryClient } from '../../src/zerto/recover-types.js';

export const LIMITS = { mount: 3_000, ready: 900, lost: 300, unmount: 900, poll: 10 };

const open: (() => Promise<unknown> | unknown)[] = [];
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close();
});

export async function tempDir(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'recover-'));
  open.push(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

const WORLD: WorldOptions = {
  sites: [{ name: 'site-a' }],
  vms: [
    { name: 'app01', addresses: ['10.0.0.1'] },
    {
      name: 'db01',
      volumes: [
        { name: 'Volume1-Ext4', mount: '' },
        { name: 'Volume2-XFS', mount: '/var' },
      ],
    },
    {
      name: 'big01',
      volumes: [
        { name: 'Volume1-Ext4', mount: '' },
        { name: 'Volume2-XFS', mount: '/var' },
        { name: 'Volume3-XFS', mount: '/srv' },
      ],
    },
    { name: 'win01', windows: true },
    {
      name: 'win02',
      windows: true,
      volumes: [
        { name: 'Volume1-NTFS', mount: '' },
        { name: 'Volume2-NTFS', mount: '/D' },
      ],
    },
  ],
  vpgs: [
    { name: 'app', vms: ['app01'] },
    { name: 'db', vms: ['db01', 'big01'] },
    { name: 'win', vms: ['win01', 'win02'] },
  ],
};

export interface Lab {
  readonly world: World;
  readonly simulator: Simulator;
  readonly client: ZvmClient;
  readonly tools: RecoverTools;
  readonly warnings: unknown[];
  readonly mountsDir: string;
  /** The newest checkpoint of a VPG, taken now. */
  pin(vpg: string): { vpgIdentifier: string; checkpointIdentifier: string; timestamp: string };
  vmId(vm: string): string;
  readonly site: string;
}

/** A simulated appliance on loopback HTTPS with fast mounts, a client and a journal of mounts in a temporary directory. */
export async function lab(
  options: { world?: Partial<WorldOptions>; site?: string; knobs?: Partial<Knobs> } = {},
): Promise<Lab> {
  const world = createWorld({ ...WORLD, ...options.world });
  const simulator = await startSimulator({
    world,
    ...(options.site === undefined ? {} : { site: options.site }),
    knobs: { mountMs: 20, unmountMs: 10, ...options.knobs },
  });
  open.push(async () => {
    await simulator.close();
    world.close();
  });
  const client = clientOf(simulator);
  const warnings: unknown[] = [];
  const mountsDir = join(await tempDir(), 'mounts');
  const log: Pick<Logger, 'warn' | 'info'> = { warn: (...line) => void warnings.push(line), info: () => undefined };
  const tools = {
    site: 'site-a',
    mounts: fileMountJournal(mountsDir),
    active: new Set<string>(),
    log,
    now: () => new Date(),
    limits: LIMITS,
  };
  return {
    world,
    simulator,
    client,
    tools,
    warnings,
    mountsDir,
    site: world.sites.find((site) => site.name === (options.site ?? world.sites[0]?.name))?.siteIdentifier ?? '',
    vmId: (vm) => world.vm(vm).vmIdentifier,
    pin: (name) => {
      world.checkpoint(name);
      const vpg = world.vpg(name);
      const newest = vpg.journal.at(-1);
      if (newest === undefined) throw new Error('no checkpoint');
      return {
        vpgIdentifier: vpg.vpgIdentifier,
        checkpointIdentifier: String(newest.id),
        timestamp: new Date(newest.at).toISOString(),
      };
    },
  };
}

export function clientOf(simulator: Simulator): ZvmClient {
  const client = new ZvmClient({
    site: 'site-a',
    url: simulator.url,
    login: {
      grant: 'password',
      clientId: 'zerto-client',
      username: simulator.user,
      password: () => Promise.resolve(simulator.password),
    },
    tls: { kind: 'fingerprint', fingerprint256: simulator.fingerprint256 },
    simulated: true,
  });
  open.push(() => client.close());
  return client;
}

/** The client's methods as own members, so that some can be replaced. */
export function bind({ client }: Lab): RecoveryClient {
  return {
    mount: client.mount.bind(client),
    session: client.session.bind(client),
    sessions: client.sessions.bind(client),
    browse: client.browse.bind(client),
    download: client.download.bind(client),
    openDownload: client.openDownload.bind(client),
    unmount: client.unmount.bind(client),
    localSite: client.localSite.bind(client),
  };
}
