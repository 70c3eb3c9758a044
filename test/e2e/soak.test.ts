import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { childrenOf, residentMib } from '../support/process-tree.js';
import { sitesOf } from '../support/proxy-process.js';
import { seeded } from '../support/raw-proxy.js';
import { type ServeProcess, startServe } from '../support/serve-process.js';
import { verifies } from './requirements.js';

const SERVER = join(import.meta.dirname, '..', 'fixtures', 'e2e', 'soak-server.mjs');
/** Longer runs: `SOAK_SECONDS=3600 npx vitest run test/e2e/soak.test.ts`. */
const SECONDS = Number(process.env['SOAK_SECONDS'] ?? 6);
const LIMIT_MS = (SECONDS + 120) * 1000;
/** Clients at a time, calls of one session, and how many of these wait together. */
const CLIENTS = 6;
const CALLS = 120;
const AT_ONCE = 3;
const STATELESS_CLIENTS = 3;
/** What memory may grow by between two thirds of the time; the young generation alone comes and goes with 32. */
const GROWTH_MIB = 40;

let world: World;
let simulator: Simulator;
/** In front of commands, and in front of the first, which is a server behind HTTP to it. */
let bridge: ServeProcess;
let passing: ServeProcess;
let serve: ServeProcess;

beforeAll(async () => {
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: [{ name: 'app01' }],
    vpgs: [{ name: 'app', vms: ['app01'], timings: { gapMs: 500, completedMs: 20, stampMs: 10, listedMs: 50 } }],
  });
  simulator = await startSimulator({ world });
  const harmless = {
    roles: { say: 'option', token: 'option' },
    effect: 'read_only',
    examples: [{ arguments: { say: 'x' }, effect: 'read_only' }],
  };
  const common = { zvm: sitesOf(['site-a', simulator]), classifier: { tools: { say: harmless, crash: harmless } } };
  const options = ['--max-sessions', '200', '--idle', '3'];
  bridge = await startServe({
    config: { ...common, mcpServers: { soak: { command: process.execPath, args: [SERVER] } } },
    options,
  });
  const headersEnv = { authorization: 'SOAK_UPSTREAM' };
  passing = await startServe({
    config: { ...common, mcpServers: { soak: { url: bridge.url.href, headersEnv } } },
    options,
    env: { SOAK_UPSTREAM: `Bearer ${bridge.token}` },
  });
});
afterAll(async () => {
  await passing?.close();
  await bridge?.close();
  await simulator?.close();
  world?.close();
});

interface Tally {
  sessions: number;
  calls: number;
  stateless: number;
  dropped: number;
  crashed: number;
  left: number;
  /** Messages that reached a client and were not its own. */
  readonly foreign: string[];
  /** Answers that were neither the result nor an error that a crash explains. */
  readonly odd: string[];
}

const INITIALIZE = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'soak', version: '1' } };
const message = (id: number, method: string, params: object) => ({ jsonrpc: '2.0', id, method, params });
const say = (id: number, text: string) =>
  message(id, 'tools/call', { name: 'say', arguments: { say: text }, _meta: { progressToken: id } });

/** One client after another, until the time is up: each with a session, some of which break off, crash or say goodbye. */
async function clients(tally: Tally, random: () => number, until: number): Promise<void> {
  while (Date.now() < until) {
    tally.sessions += 1;
    await oneClient(tally, random, `s${tally.sessions}`, until);
  }
}

async function oneClient(tally: Tally, random: () => number, name: string, until: number): Promise<void> {
  const hello = await serve.post(message(0, 'initialize', INITIALIZE));
  const headers = { 'mcp-session-id': hello.headers.get('mcp-session-id') ?? '' };
  await hello.text();
  await serve.post({ jsonrpc: '2.0', method: 'notifications/initialized' }, headers);
  const leaves = new AbortController();
  const stream = random() < 0.5 ? listen(tally, name, headers, leaves.signal) : undefined;
  for (let id = 1; id <= CALLS && Date.now() < until; id += AT_ONCE) {
    const chance = random();
    if (chance < 0.02) {
      await crash(tally, id, headers);
      break;
    }
    if (chance < 0.08) await drop(tally, say(id, `${name} ${id}.`), headers);
    else await Promise.all(Array.from({ length: AT_ONCE }, (_, more) => ask(tally, name, id + more, headers)));
  }
  leaves.abort();
  await stream;
  if (random() < 0.5) return;
  tally.left += 1;
  await (await serve.send('DELETE', headers)).text();
}

/** Clients without a session share one process: all their calls have the same id and token. */
async function statelessClient(tally: Tally, random: () => number, until: number): Promise<void> {
  const _meta = {
    progressToken: 1,
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'soak', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'say' };
  while (Date.now() < until) {
    tally.stateless += 1;
    const name = `s${1_000_000 + tally.stateless}`;
    const body = message(1, 'tools/call', { name: 'say', arguments: { say: `${name} 1.` }, _meta });
    if (random() < 0.2) await drop(tally, body, headers);
    else await expectAnswer(tally, name, 1, await serve.post(body, headers));
  }
}

/** The same ids and tokens in every session: only the right session makes the answer right. */
async function ask(tally: Tally, name: string, id: number, headers: Record<string, string>): Promise<void> {
  await expectAnswer(tally, name, id, await serve.post(say(id, `${name} ${id}.`), headers));
}

async function expectAnswer(tally: Tally, name: string, id: number, response: Response): Promise<void> {
  const text = await response.text();
  tally.calls += 1;
  expectOwn(tally, name, text);
  if (!text.includes(` ${name} ${id}."`)) tally.odd.push(`${response.status} ${text.slice(0, 300)}`);
}

/** The client goes away in the middle of its call. */
async function drop(tally: Tally, body: object, headers: Record<string, string>): Promise<void> {
  tally.dropped += 1;
  const goes = new AbortController();
  const posted = serve.post(body, headers, { signal: goes.signal }).then((response) => response.text());
  posted.catch(() => undefined);
  await new Promise((resolve) => setTimeout(resolve, 2));
  goes.abort();
  await posted.catch(() => undefined);
}

async function crash(tally: Tally, id: number, headers: Record<string, string>): Promise<void> {
  tally.crashed += 1;
  const response = await serve.post(message(id, 'tools/call', { name: 'crash', arguments: {} }), headers);
  const text = await response.text();
  if (!text.includes('"error"') && !text.includes('"isError":true')) tally.odd.push(text.slice(0, 300));
}

async function listen(tally: Tally, name: string, headers: object, signal: AbortSignal): Promise<void> {
  try {
    const response = await serve.send('GET', { ...headers }, { signal });
    for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>)
      expectOwn(tally, name, Buffer.from(chunk).toString());
  } catch (error) {
    if (!signal.aborted) tally.odd.push(String(error));
  }
}

function expectOwn(tally: Tally, name: string, text: string): void {
  for (const [whole, session] of text.matchAll(/\b(s\d+) \d+\./g)) if (session !== name) tally.foreign.push(whole);
}

describe('serve under a long load', () => {
  test.each(['commands', 'a server behind HTTP'])(
    `${verifies('F-2', 'T-7')} in front of %s, ${SECONDS} seconds of clients that break off and servers that crash leave no process, no memory and no answer in the wrong place`,
    async (what) => {
      serve = what === 'commands' ? bridge : passing;
      const tally: Tally = {
        sessions: 0,
        calls: 0,
        stateless: 0,
        dropped: 0,
        crashed: 0,
        left: 0,
        foreign: [],
        odd: [],
      };
      const end = Date.now() + SECONDS * 1000;
      const memory: number[] = [];
      const watch = setInterval(() => memory.push(residentMib(serve.pid) ?? 0), 100);
      const random = seeded(20);
      await Promise.all([
        ...Array.from({ length: CLIENTS }, () => clients(tally, random, end)),
        ...Array.from({ length: STATELESS_CLIENTS }, () => statelessClient(tally, random, end)),
      ]);
      clearInterval(watch);
      // The one that stateless clients share stays.
      await expect.poll(() => childrenOf(bridge.pid).length, { timeout: 30_000, interval: 500 }).toBeLessThanOrEqual(1);
      const third = Math.floor(memory.length / 3);
      const [middle, last] = [memory.slice(third, 2 * third), memory.slice(2 * third)].map(median);
      if (process.env['SOAK_SECONDS'] !== undefined)
        console.error(JSON.stringify({ ...tally, memoryMib: { middle, last, end: residentMib(serve.pid) } }));
      expect(tally.foreign).toEqual([]);
      expect(tally.odd).toEqual([]);
      expect(tally.calls).toBeGreaterThan(200);
      expect(tally.crashed).toBeGreaterThan(0);
      expect((last ?? 0) - (middle ?? 0)).toBeLessThan(GROWTH_MIB);
    },
    LIMIT_MS,
  );
});

function median(values: readonly number[]): number {
  const sorted = [...values].sort((left, right) => left - right);
  return Math.round(sorted[Math.floor(sorted.length / 2)] ?? 0);
}
