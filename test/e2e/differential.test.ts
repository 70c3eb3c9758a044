import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { LineSplitter } from '../../src/wire/lines.js';
import { STEPS, type Step } from '../fixtures/e2e/exotic-script.mjs';
import { BIN, sitesOf } from '../support/proxy-process.js';
import { type HttpReply, playHttp } from '../support/raw-http.js';
import { startServe } from '../support/serve-process.js';
import { verifies } from './requirements.js';

const SERVER = join(import.meta.dirname, '..', 'fixtures', 'e2e', 'exotic-server.mjs');
const HUGE_MIB = 64;

let world: World;
let simulator: Simulator;
let scratch: string;

beforeAll(async () => {
  scratch = mkdtempSync(join(tmpdir(), 'rewind-differential-'));
  world = createWorld({
    sites: [{ name: 'site-a' }],
    vms: [{ name: 'app01' }],
    vpgs: [{ name: 'app', vms: ['app01'], timings: { gapMs: 500, completedMs: 50, stampMs: 20, listedMs: 100 } }],
  });
  simulator = await startSimulator({ world });
});
afterAll(async () => {
  await simulator?.close();
  world?.close();
  rmSync(scratch, { recursive: true, force: true });
});

/** The lines that came for each step, the length of the huge answer, and the lines that the server took down. */
interface Transcript {
  readonly got: readonly (readonly string[])[];
  readonly hugeBytes: number;
  readonly received: readonly string[];
}

/** Plays the script to a command that speaks over stdio. */
async function play(command: readonly string[], recorded: string): Promise<Transcript> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env: { ...process.env, XDG_STATE_HOME: scratch, XDG_CONFIG_HOME: scratch } });
  const reader = new Reader(child);
  const got: (readonly string[])[] = [];
  for (const step of STEPS) {
    child.stdin.write(`${step.send}\n`);
    const lines: string[] = [];
    while (lines.length < step.reply.length) lines.push((await reader.next()).toString());
    got.push(lines);
  }
  const huge = { host: 'app01', command: `cat /srv/huge-${HUGE_MIB}` };
  const params = { name: 'ssh_execute', arguments: huge };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 99, method: 'tools/call', params })}\n`);
  const { length } = await reader.next();
  child.stdin.end();
  await new Promise((resolve) => child.once('close', resolve));
  expect(reader.lines).toEqual([]);
  return { got, hugeBytes: length, received: readFileSync(recorded, 'utf8').split('\n').slice(0, -1) };
}

/** The server of the script over Streamable HTTP. */
async function overHttp(recorded: string): Promise<{ readonly url: string; close(): void }> {
  const child = spawn(process.execPath, [SERVER, recorded, '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return { url: `http://127.0.0.1:${port.toString().trim()}/mcp`, close: () => void child.kill() };
}

class Reader {
  readonly lines: Buffer[] = [];
  #arrived: (() => void) | undefined;

  constructor(child: ChildProcessWithoutNullStreams) {
    const splitter = new LineSplitter();
    child.stdout.on('data', (chunk: Buffer) => {
      this.lines.push(...splitter.push(chunk));
      this.#arrived?.();
    });
    child.stderr.resume();
  }

  async next(): Promise<Buffer> {
    for (;;) {
      const line = this.lines.shift();
      if (line !== undefined) return line;
      await new Promise<void>((resolve) => {
        this.#arrived = resolve;
      });
    }
  }
}

function wrapped(name: string, downstream: readonly string[]): readonly string[] {
  const config = join(scratch, `${name}.json`);
  writeFileSync(config, JSON.stringify({ zvm: sitesOf(['site-a', simulator]) }));
  return [process.execPath, BIN, '--config', config, ...downstream];
}

/** What stands in the second text and not in the first; both are equal but for this one place. */
function inserted(before: string, after: string): string {
  let start = 0;
  while (start < before.length && before[start] === after[start]) start += 1;
  const tail = before.slice(start);
  expect(after.endsWith(tail)).toBe(true);
  return after.slice(start, after.length - tail.length);
}

/** The only two edits that one server sees (T-4). */
const EDITS: Readonly<Record<NonNullable<Step['added']>, RegExp>> = {
  tools: /^,(\{"name":"zerto_\w+",.*\},?){8}$/s,
  receipt: /^,"zerto-rewind\/receipt":\{"id":"r_.*\}$/s,
};

/** The script played over HTTP to its own server: what came back, and the bodies that the server took down. */
interface HttpTranscript {
  readonly replies: readonly HttpReply[];
  readonly received: readonly string[];
}

async function playDirectly(recorded: string): Promise<HttpTranscript> {
  const server = await overHttp(recorded);
  try {
    return { replies: await playHttp(server.url), received: readFileSync(recorded, 'utf8').split('\n').slice(0, -1) };
  } finally {
    server.close();
  }
}

async function playThroughServe(server: object, recorded: string): Promise<HttpTranscript> {
  const config = { zvm: sitesOf(['site-a', simulator]), mcpServers: { exotic: { ...server, family: 'ssh' } } };
  const serve = await startServe({ config, options: ['--no-token'] });
  try {
    const replies = await playHttp(serve.url.href);
    return { replies, received: readFileSync(recorded, 'utf8').split('\n').slice(0, -1) };
  } finally {
    await serve.close();
  }
}

/** The same messages for each step, on whichever stream: a server on stdio does not say which request they belong to. */
function expectSameMessages(direct: HttpTranscript, through: HttpTranscript): void {
  expect(through.received).toEqual(direct.received);
  for (const [index, step] of STEPS.entries()) {
    const [before, after] = [direct, through].map(({ replies }) => replies[index]?.came.map(({ data }) => data) ?? []);
    if (step.added === undefined) expect(after?.sort()).toEqual(before?.sort());
    else expect(inserted(before?.[0] ?? '', after?.[0] ?? '')).toMatch(EDITS[step.added]);
  }
}

/** What HTTP says of one connection and not of the content; the last asks reverse proxies not to hold events back. */
const OF_ONE_CONNECTION = [
  'date',
  'connection',
  'keep-alive',
  'transfer-encoding',
  'content-length',
  'x-accel-buffering',
];

/** The same status, headers and events, framed alike and on the same stream, but for the edits. */
function expectSameAnswers(direct: HttpTranscript, through: HttpTranscript): void {
  expect(through.received).toEqual(direct.received);
  for (const [index, step] of STEPS.entries()) {
    const [before, after] = [direct.replies[index], through.replies[index]];
    const edited = step.added !== undefined;
    expect(shapeOf(after, edited)).toEqual(shapeOf(before, edited));
    if (step.added !== undefined)
      expect(inserted(before?.came[0]?.data ?? '', after?.came[0]?.data ?? '')).toMatch(EDITS[step.added]);
  }
}

/** Of an edited message, all but its text. */
function shapeOf(reply: HttpReply | undefined, edited: boolean): object {
  const headers = Object.entries(reply?.headers ?? {}).filter(([name]) => !OF_ONE_CONNECTION.includes(name));
  const came = reply?.came.map((each) =>
    edited ? { on: each.on, frame: each.frame?.replace(each.data, () => '') } : each,
  );
  return { status: reply?.status, headers: Object.fromEntries(headers), came };
}

function expectSame(direct: Transcript, through: Transcript): void {
  expect(through.received).toEqual(direct.received);
  for (const [index, step] of STEPS.entries()) {
    const [before, after] = [direct.got[index] ?? [], through.got[index] ?? []];
    if (step.added === undefined) expect(after).toEqual(before);
    else expect(inserted(before[0] ?? '', after[0] ?? '')).toMatch(EDITS[step.added]);
  }
  expect(through.hugeBytes).toBe(direct.hugeBytes);
}

describe(`${verifies('T-1', 'T-4', 'T-5', 'T-8')} ${STEPS.length} exchanges of exotic traffic`, () => {
  test('over stdio both ends see the very bytes that they see without the proxy', async () => {
    const files = ['direct', 'through'].map((name) => join(scratch, `${name}.lines`)) as [string, string];
    const direct = await play([process.execPath, SERVER, files[0]], files[0]);
    expect(direct.received.slice(0, STEPS.length)).toEqual(STEPS.map(({ send }) => send));
    expect(direct.got).toEqual(STEPS.map(({ reply }) => reply));
    const through = await play(wrapped('stdio', ['--', process.execPath, SERVER, files[1]]), files[1]);
    expectSame(direct, through);
  });

  test('a client on stdio and a server behind HTTP too, one line for each body and each event', async () => {
    const files = ['direct-url', 'through-url'].map((name) => join(scratch, `${name}.lines`)) as [string, string];
    const direct = await play([process.execPath, SERVER, files[0]], files[0]);
    const server = await overHttp(files[1]);
    try {
      expectSame(direct, await play(wrapped('url', ['--url', server.url]), files[1]));
    } finally {
      server.close();
    }
  });

  test('a client on HTTP, through serve, with the server on stdio and behind HTTP', async () => {
    const [direct = '', stdio = '', remote = ''] = ['http', 'http-stdio', 'http-http'].map((name) =>
      join(scratch, name),
    );
    const before = await playDirectly(direct);
    expect(before.replies.map(({ came }) => came.map(({ data }) => data))).toEqual(STEPS.map(({ reply }) => reply));
    expect(before.received).toEqual(STEPS.map(({ send }) => send));
    expectSameMessages(before, await playThroughServe({ command: process.execPath, args: [SERVER, stdio] }, stdio));
    const server = await overHttp(remote);
    try {
      expectSameAnswers(before, await playThroughServe({ url: server.url }, remote));
    } finally {
      server.close();
    }
  });
});
