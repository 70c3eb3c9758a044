import { Agent, request } from 'undici';
import {
  createWorld,
  type Simulator,
  type SimulatorOptions,
  startSimulator,
  type VirtualClock,
  virtualClock,
  type World,
  type WorldOptions,
} from '../../src/simulator/index.js';

export const START = Date.UTC(2026, 10, 30, 12, 0, 0);

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly bytes: Buffer;
  // The tests look into answers of many shapes.
  // biome-ignore lint/suspicious/noExplicitAny: see above
  readonly json: any;
}

export interface Client {
  token: string;
  raw(method: string, path: string, options?: { body?: string; headers?: Record<string, string> }): Promise<Answer>;
  login(form?: Record<string, string>): Promise<Answer>;
  get(path: string): Promise<Answer>;
  post(path: string, body?: unknown): Promise<Answer>;
  del(path: string): Promise<Answer>;
  close(): Promise<void>;
}

/** A client over real TLS that trusts the simulator's certificate alone. */
export function clientOf(simulator: Simulator): Client {
  const agent = new Agent({ connect: { ca: simulator.certificate, rejectUnauthorized: true } });
  const client: Client = {
    token: '',
    async raw(method, path, { body, headers = {} } = {}) {
      const url = new URL(path, `${simulator.url}/`);
      const answer = await request(url, {
        dispatcher: agent,
        method: method as 'GET',
        headers,
        ...(body === undefined ? {} : { body }),
      });
      const bytes = Buffer.from(await answer.body.arrayBuffer());
      let json: unknown;
      try {
        json = JSON.parse(bytes.toString('utf8'));
      } catch {
        json = undefined;
      }
      return { status: answer.statusCode, headers: answer.headers, bytes, json };
    },
    async login(form = {}) {
      const fields = {
        grant_type: 'password',
        client_id: 'zerto-client',
        username: simulator.user,
        password: simulator.password,
        scope: 'openid',
        ...form,
      };
      const answer = await client.raw('POST', '/auth/realms/zerto/protocol/openid-connect/token', {
        body: new URLSearchParams(fields).toString(),
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      if (answer.status === 200) client.token = answer.json.access_token;
      return answer;
    },
    get: (path) => client.raw('GET', path, { headers: { authorization: `Bearer ${client.token}` } }),
    post: (path, body) =>
      client.raw('POST', path, {
        headers: { authorization: `Bearer ${client.token}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    del: (path) => client.raw('DELETE', path, { headers: { authorization: `Bearer ${client.token}` } }),
    close: () => agent.close(),
  };
  return client;
}

export interface Setup {
  readonly clock: VirtualClock;
  readonly world: World;
  readonly simulator: Simulator;
  readonly client: Client;
}

export const SMALL: WorldOptions = {
  sites: [{ name: 'prod' }],
  vms: [
    { name: 'app01', addresses: ['10.0.0.1'] },
    { name: 'db01' },
    { name: 'win01', windows: true },
    { name: 'lab01' },
  ],
  vpgs: [
    { name: 'app', vms: ['app01'] },
    { name: 'db-a', vms: ['db01'] },
    { name: 'db-b', vms: ['db01'] },
    { name: 'windows', vms: ['win01'] },
  ],
};

const open: { close(): Promise<void> }[] = [];

/** A logged-in client on a world that stands still. `closeAll` after each test ends what this started. */
export async function setup(
  options: Partial<WorldOptions> = {},
  simulatorOptions: Partial<SimulatorOptions> = {},
): Promise<Setup> {
  const clock = virtualClock(START);
  const world = createWorld({ ...SMALL, clock, ...options });
  const simulator = await startSimulator({ world, knobs: { tokenSeconds: 100_000 }, ...simulatorOptions });
  const client = clientOf(simulator);
  await client.login();
  open.push({
    async close() {
      await client.close();
      await simulator.close();
      world.close();
    },
  });
  return { clock, world, simulator, client };
}

export async function closeAll(): Promise<void> {
  for (const one of open.splice(0)) await one.close();
}

/** Mounts, moves on until it is ready, and answers the session's identifier. */
export async function mounted(
  { client, clock, world }: Setup,
  vm: string,
  vpg: string,
  checkpoint: string,
): Promise<string> {
  const body = {
    jflr: {
      vpgIdentifier: world.vpg(vpg).vpgIdentifier,
      vmIdentifier: world.vm(vm).vmIdentifier,
      checkpointIdentifier: checkpoint,
    },
  };
  const session = (await client.post('/v1/flrs', body)).json;
  await clock.advance(1_000);
  return session;
}

/** A world with a few files on two guests, and a checkpoint that holds them. */
export async function withFiles(simulatorOptions = {}) {
  const at = await setup({}, simulatorOptions);
  const { world, clock } = at;
  world.write('app01', '/etc/hosts', 'old hosts\n');
  world.write('app01', '/etc/cron.d/job', '* * * * *');
  world.link('app01', '/etc/localtime', '/usr/share/zoneinfo/UTC');
  world.write('app01', '/empty', '');
  world.write('win01', 'C:\\inetpub\\web.config', '<x/>\r\n');
  await clock.advance(5_000);
  const newest = (vpg: string) => String(world.vpg(vpg).journal.at(-1)?.id);
  return { ...at, newest };
}
