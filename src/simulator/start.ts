import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { known } from './build.js';
import { type Certificate, makeCertificate } from './certificate.js';
import { createFaults, type Faults } from './faults.js';
import { createAuth } from './http/auth.js';
import type { Appliance } from './http/exchange.js';
import { asText } from './http/send.js';
import { answering, type Incoming, type LoggedRequest, listener } from './http/server.js';
import { DEFAULT_KNOBS, type Knobs } from './knobs.js';
import type { World } from './world.js';

export interface SimulatorOptions {
  readonly world: World;
  /** Name of the site whose appliance this is; else the first. */
  readonly site?: string;
  /** Else a free one. */
  readonly port?: number;
  readonly host?: string;
  readonly user?: string;
  /** Else random. */
  readonly password?: string;
  readonly clientId?: string;
  readonly clientSecret?: string;
  readonly knobs?: Partial<Knobs>;
}

/** A simulated appliance that listens. */
export interface Simulator {
  /** Without a last slash. */
  readonly url: string;
  readonly user: string;
  readonly password: string;
  readonly fingerprint256: string;
  /** PEM; clients take it as their CA. */
  readonly certificate: string;
  readonly world: World;
  readonly knobs: Knobs;
  /** Of this server, in order of arrival; the newest 20,000. */
  readonly requests: LoggedRequest[];
  readonly faults: Faults;
  /** The same answers without a connection, so that nothing waits but on the world's clock; undefined where it would be cut. */
  answer(request: Incoming): Promise<{ readonly status: number; readonly text: string } | undefined>;
  /** Cuts open connections. The world goes on; `world.close()` ends it. */
  close(): Promise<void>;
}

const REQUESTS_KEPT = 20_000;

/** Starts the HTTPS server of one site. Rejects where the port is taken. Several servers may share a world. */
export async function startSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { world } = options;
  const site = known('site', options.site ?? world.sites[0]?.name ?? '', world.sites, ({ name }) => name);
  const knobs: Knobs = { ...DEFAULT_KNOBS, ...options.knobs };
  const accounts = {
    ...options,
    user: options.user ?? 'rewind',
    password: options.password ?? randomBytes(18).toString('base64url'),
  };
  const book = createFaults();
  const auth = createAuth(accounts, world.clock, knobs);
  const appliance: Appliance = {
    world,
    site,
    knobs,
    faults: book,
    downloads: new Map(),
    troubles: new Map(),
    base: '',
  };
  const requests: LoggedRequest[] = [];
  const log = (entry: LoggedRequest): void => {
    requests.push(entry);
    if (requests.length > REQUESTS_KEPT) requests.splice(0, REQUESTS_KEPT / 2);
  };
  const own = await makeCertificate(site.name);
  const { certificate, fingerprint256 } = own;
  const host = options.host ?? '127.0.0.1';
  const answers = answering(appliance, auth, log);
  const gate = createGate(own, host, listener(appliance, answers));
  const port = await gate.open(options.port ?? 0);
  appliance.base = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;

  return {
    url: appliance.base,
    user: accounts.user,
    password: accounts.password,
    fingerprint256,
    certificate,
    world,
    knobs,
    requests,
    faults: {
      ...book.rules,
      revokeTokens: () => auth.revokeAll(),
      network: async (state) => {
        if (state === 'down') await gate.shut();
        else await gate.open(port);
      },
      certificate: async (which) => {
        await gate.shut();
        await gate.open(port, which === 'own' ? own : await makeCertificate(site.name));
      },
    },
    answer: async (request) => {
      const { reply, entry } = await answers(request);
      const answer = asText(appliance, reply);
      entry.status = answer?.status ?? 0;
      return answer;
    },
    close: () => gate.shut(),
  };
}

/** A server that can be shut and opened again on the same port. Shutting cuts every connection, also one in its handshake. */
function createGate(own: Certificate, host: string, onRequest: ReturnType<typeof listener>) {
  const sockets = new Set<Socket>();
  let server: Server | undefined;

  function make({ key, certificate }: Certificate): Server {
    const fresh = createServer({ key, cert: certificate, keepAliveTimeout: 65_000 }, onRequest);
    fresh.on('connection', (socket: Socket) => {
      sockets.add(socket);
      socket.once('close', () => sockets.delete(socket));
    });
    return fresh;
  }

  return {
    async open(port: number, shown = own): Promise<number> {
      if (server !== undefined) return port;
      const fresh = make(shown);
      await new Promise<void>((resolve, reject) => {
        fresh.once('error', reject);
        fresh.listen(port, host, resolve);
      });
      server = fresh;
      return (fresh.address() as AddressInfo).port;
    },
    async shut(): Promise<void> {
      const open = server;
      server = undefined;
      if (open === undefined) return;
      await new Promise<void>((resolve) => {
        open.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      });
    },
  };
}
