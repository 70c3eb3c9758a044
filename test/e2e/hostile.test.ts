import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Simulator, startSimulator, type World } from '../../src/simulator/index.js';
import { sitesOf } from '../support/proxy-process.js';
import { jsonLines, type Message, RawProxy, runBin, scratchDir } from '../support/raw-proxy.js';
import { ROWS } from '../wire/bytes/hostile.js';
import { verifies } from './requirements.js';

const FIXTURES = join(import.meta.dirname, '..', 'fixtures');
const MIB = 1 << 20;
/** Judges and records, and refuses nothing: whatever is read as a call goes out. */
const OBSERVE = { mode: 'observe' };

const open: RawProxy[] = [];
afterEach(async () => {
  for (const proxy of open.splice(0)) {
    proxy.end();
    await proxy.exit;
    rmSync(proxy.scratch, { recursive: true, force: true });
  }
});

function start(config: object, server: string, ...args: readonly string[]): RawProxy {
  const scratch = scratchDir();
  const fixture = join(FIXTURES, server);
  const recorded = args.length > 0 ? args : [join(scratch, 'lines.jsonl')];
  const proxy = new RawProxy({ scratch, config, downstream: [process.execPath, fixture, ...recorded] });
  open.push(proxy);
  return proxy;
}

interface Recorded {
  readonly line: string;
  readonly bytes: number;
}
function arrived({ scratch }: RawProxy): Recorded[] {
  const file = join(scratch, 'lines.jsonl');
  return existsSync(file) ? jsonLines<Recorded>(file) : [];
}
const calls = (proxy: RawProxy) => arrived(proxy).filter(({ line }) => line.includes('tools/call'));

describe(`${verifies('T-6')} a client that writes what two readers could take for two things`, () => {
  let proxy: RawProxy;
  let count = 0;

  beforeAll(async () => {
    proxy = start(OBSERVE, 'e2e/every-line.mjs');
    open.length = 0;
    await proxy.initialize();
    await normal();
  });
  afterAll(async () => {
    proxy.end();
    expect((await proxy.exit).code).toBe(0);
    const { code } = await runBin(['audit', 'verify'], {
      XDG_STATE_HOME: proxy.scratch,
      XDG_CONFIG_HOME: proxy.scratch,
    });
    expect(code).toBe(0);
    rmSync(proxy.scratch, { recursive: true, force: true });
  });

  /** A call as every client makes it: it goes through, and nothing else did since the one before. */
  async function normal(): Promise<void> {
    count += 1;
    const before = arrived(proxy).length;
    proxy.call(`normal-${count}`, 'run', { command: 'uptime' });
    const answer = JSON.parse((await proxy.next()).toString()) as Message;
    expect([answer.id, answer.result?.content?.[0]?.text]).toEqual([`normal-${count}`, 'ran uptime']);
    const since = arrived(proxy)
      .slice(before)
      .map(({ line }) => line);
    if (count > 1) expect(since).toEqual([expect.stringContaining(`"id":"normal-${count}"`)]);
  }

  async function refused(line: string | Buffer, codes: readonly number[], id: string): Promise<void> {
    proxy.send(line);
    const answer = (await proxy.next()).toString();
    expect(answer).toMatch(/^\{"jsonrpc":"2\.0","id":/);
    expect(answer).toContain(`"id":${id},"error"`);
    expect(codes).toContain((JSON.parse(answer) as Message).error?.code);
    await normal();
  }

  const call = (args: string) =>
    `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"run","arguments":${args}}}`;
  const RM = call('{"command":"rm -rf /"}');
  const INVALID = [-32600];
  const deep = (depth: number, core = '') => `${'['.repeat(depth)}${core}${']'.repeat(depth)}`;

  test.each<[string, string | Buffer, readonly number[], string]>([
    ['a batch', `[${RM}]`, INVALID, 'null'],
    ['a batch of two', `[{"jsonrpc":"2.0","id":1,"method":"ping"},${RM}]`, INVALID, 'null'],
    ['a key twice', call('{"command":"ls","command":"rm -rf /"}'), INVALID, '7'],
    ['a key twice, once with escapes', call('{"command":"ls","c\\u006fmmand":"rm -rf /"}'), INVALID, '7'],
    ['a key twice, deep down', call(`{"a":${deep(500, '{"b":1,"b":2}')}}`), INVALID, '7'],
    ['the method twice', RM.replace('"method"', '"method":"ping","method"'), INVALID, '7'],
    ['a method under a folded name', RM.replace('"id":7', '"id":7,"Method":"ping"'), INVALID, '7'],
    ['a name under a folded name', RM.replace('"name"', '"Name":"ls","name"'), INVALID, '7'],
    ['full-width letters', RM.replace('"method"', '"\uff4dethod":"ping","method"'), INVALID, '7'],
    ['a folded tools/call', RM.replace('tools/call', 'Tools/Call'), INVALID, '7'],
    ['tools/call with a space', RM.replace('tools/call', 'tools/call '), INVALID, '7'],
    ['a byte order mark', `\ufeff${RM}`, INVALID, '7'],
    ['a raw NUL', RM.replace('rm', 'r\0m'), INVALID, '7'],
    ['invalid UTF-8', Buffer.from(RM.replace('rm', '\xff'), 'latin1'), INVALID, '7'],
    ['an overlong slash', Buffer.from(RM.replace('rm', '\xc0\xaf'), 'latin1'), INVALID, '7'],
    ['a bare CR', RM.replace('"params"', '\r"params"'), INVALID, '7'],
    ['a message between bare CRs', `{"jsonrpc":"2.0","id":7,"method":"ping","params":\r${RM}\r}`, INVALID, '7'],
    ['two values on a line', `${RM}${RM}`, INVALID, 'null'],
    ['a method together with a result', RM.replace('"id":7', '"id":7,"result":{}'), INVALID, '7'],
    ['tools/call as a notification', RM.replace('"id":7,', ''), INVALID, 'null'],
    ['tools/call with the id null', RM.replace('"id":7', '"id":null'), INVALID, 'null'],
    ['tools/call with an array for an id', RM.replace('"id":7', '"id":[7]'), INVALID, 'null'],
    ['tools/call with a fraction for an id', RM.replace('"id":7', '"id":7.0'), INVALID, '7.0'],
    ['tools/call without jsonrpc', RM.replace('"jsonrpc":"2.0",', ''), INVALID, '7'],
    ['tools/call with the params as an array', RM.replace(/"params":.*/, '"params":["run"]}'), INVALID, '7'],
    ['tools/call with a name that is no string', RM.replace('"run"', '["run"]'), INVALID, '7'],
    ['no JSON', 'rm -rf /', [-32700], 'null'],
    ['half a message', RM.slice(0, -1), [-32700], 'null'],
    ['depth 100,000 as a batch', deep(100_000, RM), INVALID, 'null'],
    ['depth 100,000 as the params', RM.replace(/"params":.*/, `"params":${deep(100_000)}}`), INVALID, '7'],
    ['depth 100,000, a key twice at the bottom', call(`{"a":${deep(100_000, '{"b":1,"b":2}')}}`), INVALID, '7'],
    ['depth 100,000 that is never closed', call(`{"a":${'['.repeat(100_000)}`), [-32700], 'null'],
    ['depth 100,000 of objects', call(`${'{"a":'.repeat(100_000)}{"b":1,"b":2}${'}'.repeat(100_000)}`), INVALID, '7'],
    [
      '20 MB, a key twice at its ends',
      call(`{"command":"ls","a":"${'x'.repeat(20 * MIB)}","command":"rm"}`),
      INVALID,
      '7',
    ],
    ['20 MB that are no JSON', 'x'.repeat(20 * MIB), [-32700], 'null'],
    ['20 MB in two values', `"${'x'.repeat(20 * MIB)}" ${RM}`, INVALID, 'null'],
    ['20 MB of members, one of them twice', call(`{${members(700_000)},"k1":0}`), INVALID, '7'],
  ])('%s', async (_name, line, codes, id) => refused(line, codes, id));

  const rows = ROWS.filter(({ line, expect: wanted }) => typeof wanted === 'object' && !line.includes('\n'));
  test(`and all ${rows.length} refused lines of the reader's own table`, async () => {
    expect(rows.length).toBeGreaterThan(150);
    for (const { line, expect: wanted } of rows) {
      if (typeof wanted === 'object') await refused(line, [wanted.code], wanted.id);
    }
  });

  test('responses that answer nothing are dropped without a word', async () => {
    for (const line of [
      '{"jsonrpc":"2.0","id":1,"result":{}}',
      '{"jsonrpc":"2.0","id":"zerto-1","result":{"tools":[]}}',
      '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"x"}}',
      '{"jsonrpc":"2.0","id":"ask","result":{"action":"accept","content":{"choice":"run without a checkpoint"}}}',
    ]) {
      proxy.send(line);
      await normal();
    }
  });

  test('an id that is not answered yet cannot be used for a second call', async () => {
    let refused: Message[] = [];
    // In one write, and again where the first was answered before the second was read.
    for (let tries = 0; tries < 20 && refused.length === 0; tries += 1) {
      proxy.send('{"jsonrpc":"2.0","id":9,"method":"slow/one"}\n{"jsonrpc":"2.0","id":9,"method":"slow/two"}');
      const answers = [await proxy.next(), await proxy.next()].map((line) => JSON.parse(line.toString()) as Message);
      refused = answers.filter(({ error }) => error?.code === -32600);
      expect(answers.filter(({ result }) => result !== undefined)).toHaveLength(2 - refused.length);
    }
    expect(refused).toHaveLength(1);
    await normal();
  });

  test(`${verifies('T-8')} what is only large or deep passes whole`, async () => {
    for (const [index, params] of [`{"a":"${'y'.repeat(20 * MIB)}"}`, `{"a":${deep(100_000)}}`].entries()) {
      const line = `{"jsonrpc":"2.0","id":"large-${index}","method":"vendor/large","params":${params}}`;
      proxy.send(line);
      expect((await proxy.answer(`large-${index}`)).result).toEqual({ bytes: line.length });
      await normal();
    }
  });

  test.each([10, 100, 1_000, 2_000, 3_000, 5_000, 8_000, 12_000, 20_000, 50_000, 200_000])(
    'arguments nested %i deep: answered, and sent at most with a record',
    async (depth) => {
      for (const [kind, nested] of [
        ['arrays', deep(depth)],
        ['objects', `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`],
      ]) {
        for (const tool of ['run', 'zerto_check_tool', 'zerto_find_protection']) {
          const before = calls(proxy).length;
          const id = `${tool}-${kind}-${depth}`;
          proxy.send(
            `{"jsonrpc":"2.0","id":"${id}","method":"tools/call","params":{"name":"${tool}","arguments":{"vm":${nested},"tool":"run","arguments":{"x":${nested}}}}}`,
          );
          const answer = await proxy.answer(id);
          const sent = calls(proxy).length > before;
          expect(sent).toBe(tool === 'run' && answer.result?.isError === undefined);
          if (depth >= 50_000) expect(answer.result?.isError).toBe(true);
          await normal();
        }
      }
    },
  );
});

function members(count: number): string {
  return Array.from({ length: count }, (_, index) => `"k${index}":"${'v'.repeat(18)}"`).join(',');
}

test(`${verifies('T-8')} a result of 64 MiB passes byte for byte`, async () => {
  const proxy = start(OBSERVE, 'wire/server.mjs', '{}');
  await proxy.initialize();
  proxy.call(1, 'big', { mib: 64 });
  const line = await proxy.next((each) => each.length > MIB);
  const receipt = /^(.*),"_meta":\{"zerto-rewind\/receipt":\{.*\}\}\}$/;
  const text = line.toString('latin1');
  expect(text.slice(0, 80)).toBe(
    `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"${'x'.repeat(12)}`,
  );
  expect(text.lastIndexOf('x', text.indexOf('"}]'))).toBe(67 + 64 * MIB);
  expect(text.slice(text.indexOf('"}]') + 3)).toMatch(receipt);
  proxy.call(2, 'echo', {});
  expect((await proxy.answer(2)).result).toBeDefined();
});

describe('a wrapped server that lies', () => {
  let world: World;
  let simulator: Simulator;
  beforeAll(async () => {
    world = createWorld({
      sites: [{ name: 'site-a' }],
      vms: [{ name: 'app01' }],
      vpgs: [{ name: 'app', vms: ['app01'], timings: { gapMs: 2_000, completedMs: 20, stampMs: 10, listedMs: 40 } }],
    });
    simulator = await startSimulator({ world });
  });
  afterAll(async () => {
    await simulator.close();
    world.close();
  });

  async function lied(): Promise<RawProxy> {
    const proxy = start({ zvm: sitesOf(['site-a', simulator]), guard: { holdSeconds: 0 } }, 'e2e/hostile-server.mjs');
    await proxy.initialize();
    return proxy;
  }
  const read = (proxy: RawProxy, id: number, trick: string) =>
    proxy.call(id, 'ssh_execute', { host: 'app01', command: `cat /hostile/${trick}` });
  const change = (proxy: RawProxy, id: number, trick: string) =>
    proxy.call(id, 'ssh_execute', { host: 'app01', command: `touch /hostile/${trick}` });
  const nextText = async (proxy: RawProxy) => (await proxy.next()).toString();

  test(`${verifies('T-4', 'G-1')} forged receipts are removed from reads, and a change carries its own alone`, async () => {
    const proxy = await lied();
    read(proxy, 1, 'receipt');
    expect(await nextText(proxy)).not.toMatch(/forged|receipt/);
    read(proxy, 2, 'nested');
    expect(await nextText(proxy)).not.toMatch(/forged|receipt/);
    read(proxy, 3, 'failed');
    expect(await nextText(proxy)).not.toMatch(/forged|receipt/);
    for (const [id, trick] of [
      [4, 'receipt'],
      [5, 'nested'],
    ] as const) {
      change(proxy, id, trick);
      const text = await nextText(proxy);
      expect(text).not.toContain('r_forged');
      const { result } = JSON.parse(text) as Message;
      expect(result?._meta?.['zerto-rewind/receipt']).toMatchObject({ permit: 'pinned', vms: [{ name: 'app01' }] });
    }
    change(proxy, 6, 'no-object');
    expect(await nextText(proxy)).toBe('{"jsonrpc":"2.0","id":6,"result":"plain"}');
    change(proxy, 7, 'twice');
    expect(await nextText(proxy)).toContain('"done"');
    read(proxy, 8, 'plain');
    const rest = [await nextText(proxy), await nextText(proxy)].join('\n');
    expect(rest).not.toMatch(/forged|receipt/);
  });

  test(`${verifies('T-4')} forged native tools are dropped and logged, and a call of one never reaches the server`, async () => {
    const proxy = await lied();
    proxy.request('list', 'tools/list');
    const { result } = await proxy.answer('list');
    const names = result?.tools?.map(({ name }) => name) ?? [];
    expect(names.filter((name) => name === 'zerto_recover_file')).toHaveLength(1);
    expect(result?.tools?.find(({ name }) => name === 'zerto_recover_file')?.description).not.toBe('mine');
    expect(names).toEqual(expect.arrayContaining(['ssh_execute', 'zerto_own', 'Zerto_Recover_File']));
    expect(JSON.stringify(result?._meta ?? {})).not.toContain('receipt');
    expect(proxy.stderr).toMatch(/"tool":"zerto_recover_file".*dropped/);
    proxy.call('own', 'zerto_recover_file', { receipt: 'r_forged', path: '/etc/hosts' });
    expect((await proxy.answer('own')).result?.isError).toBe(true);
    expect(calls(proxy)).toEqual([]);
  });

  test(`${verifies('G-1', 'T-4')} an answer to a call that still waits for its checkpoint is dropped; the call is made and answered once`, async () => {
    const proxy = await lied();
    simulator.faults.insert({ kind: 'slow', ms: 1_500 });
    change(proxy, 77, 'plain');
    read(proxy, 1, 'answer-77');
    const lines: string[] = [];
    for (const id of ['1', '77']) {
      for (;;) {
        const text = await nextText(proxy);
        lines.push(text);
        if (text.includes(`"id":${id},`)) break;
      }
    }
    expect(lines.filter((text) => text.includes('"id":77,'))).toHaveLength(1);
    expect(lines.join('\n')).not.toMatch(/r_forged|"text":"forged"/);
    expect(calls(proxy).map(({ line }) => (JSON.parse(line) as Message).id)).toEqual([1, 77]);
  });

  test(`${verifies('T-1')} its own requests under the ids of the client's calls: both conversations go on`, async () => {
    const proxy = await lied();
    read(proxy, 5, 'request');
    expect(await nextText(proxy)).toBe('{"jsonrpc":"2.0","id":5,"method":"roots/list"}');
    expect(await nextText(proxy)).toBe('{"jsonrpc":"2.0","id":"5","method":"ping"}');
    proxy.send('{"jsonrpc":"2.0","id":5,"result":{"roots":[]}}');
    proxy.send('{"jsonrpc":"2.0","id":"5","result":{}}');
    proxy.send('{"jsonrpc":"2.0","id":5,"result":{"roots":["again"]}}');
    read(proxy, 6, 'plain');
    expect(await proxy.text(6)).toBe('done');
    const answers = arrived(proxy).filter(({ line }) => line.includes('"result"'));
    expect(answers.map(({ line }) => line)).toEqual([
      '{"jsonrpc":"2.0","id":5,"result":{"roots":[]}}',
      '{"jsonrpc":"2.0","id":"5","result":{}}',
    ]);
  });

  test(`${verifies('T-7')} junk and huge lines: junk is dropped and logged, messages pass, calls are answered`, async () => {
    const proxy = await lied();
    for (const [id, trick] of ['junk', 'huge', 'own', 'plain'].entries()) {
      read(proxy, id, trick);
      expect(await proxy.text(id)).toBe('done');
    }
    expect(proxy.stderr.match(/is no message: dropped/g)?.length).toBeGreaterThanOrEqual(6);
    expect(proxy.lines.filter((line) => line.includes('notifications/'))).toHaveLength(2);
    for (const line of proxy.lines) expect(() => JSON.parse(line.toString())).not.toThrow();
    change(proxy, 99, 'junk');
    expect(await proxy.text(99)).toBe('done');
  });
});
