import { describe, expect, it } from 'vitest';
import { verifies } from '../../e2e/requirements.js';
import { alive } from '../process/harness.js';
import { begin, endServersAfterEach, list, member, startServers } from './support.js';

endServersAfterEach();

const STATELESS = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('how servers and client get to know each other', () => {
  it(`${verifies('T-2')} a server of an older revision does not hold the others back`, async () => {
    const harness = startServers([member('a', { protocolVersion: '2024-11-05' }), member('b')]);
    expect(JSON.parse(await begin(harness)).result.protocolVersion).toBe('2025-11-25');
    const older = startServers([
      member('a', { protocolVersion: '2024-11-05' }),
      member('b', { protocolVersion: '2025-06-18' }),
    ]);
    expect(JSON.parse(await begin(older)).result.protocolVersion).toBe('2025-06-18');
  });

  it(`${verifies('T-2')} server/discover is joined where all know it, and refused where one does not`, async () => {
    const discover = (versions: string, more: string) =>
      `{"resultType":"complete","supportedVersions":${versions},"capabilities":{"tools":{}${more}},"ttlMs":7,"instructions":"hi"}`;
    const a = member('a', { more: { discover: discover('["2026-07-28","2027-01-01"]', ',"x":1.0') } });
    const b = member('b', { more: { discover: discover('["2027-01-01"]', '') } });
    const harness = startServers([a, b]);
    harness.send(list(1, 'server/discover', { _meta: STATELESS }));
    const { result } = await harness.answer(1);
    expect(result).toMatchObject({
      supportedVersions: ['2027-01-01'],
      capabilities: { tools: {}, x: 1 },
      ttlMs: 7,
      instructions: '# "a"\n\nhi\n\n# "b"\n\nhi',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'the-proxy' } },
    });
    harness.call(2, 'b_echo', {}, STATELESS);
    expect(await harness.text(2)).toContain('b_echo');
    const mixed = startServers([a, member('b', { answers: { 'server/discover': -32601 } })]);
    mixed.send(list(1, 'server/discover', { _meta: STATELESS }));
    expect((await mixed.answer(1)).error?.code).toBe(-32601);
    expect(JSON.parse(await begin(mixed)).result.instructions).toBeUndefined();
  });

  it('a server that cannot be started or refuses is reported, and the others go on', async () => {
    const harness = startServers([
      { name: 'missing', command: '/nonexistent/server', args: [] },
      member('refuses', { answers: { initialize: -32602 } }),
      member('b', { capabilities: { tools: {}, logging: {} } }),
    ]);
    const hello = JSON.parse(await begin(harness)).result;
    expect(Object.keys(hello.capabilities)).toEqual(['tools', 'logging']);
    const notes = [await harness.next((line) => line.includes('notifications/message'))];
    notes.push(await harness.next((line) => line.includes('notifications/message')));
    expect(notes.join()).toContain('missing');
    expect(notes.join()).toContain('refuses');
    harness.call(1, 'b_echo');
    await harness.text(1);
  });

  it(`${verifies('T-7')} where none can be started, initialize has an error and the proxy ends with 127`, async () => {
    const nothing = (name: string) => ({ name, command: `/nonexistent/${name}`, args: [] });
    const harness = startServers([nothing('a'), nothing('b')]);
    const hello = JSON.parse(await harness.initialize());
    expect(hello.error.message).toContain('could not be started');
    expect(await harness.exit).toBe(127);
  });

  it('a server that does not answer in time joins later, and the client hears of it', async () => {
    const slow = member('slow', { more: { helloMs: 400 } });
    const harness = startServers([member('a'), slow], { patienceMs: 100 });
    expect(JSON.parse(await begin(harness)).result.serverInfo.name).toBe('the-proxy');
    harness.call(1, 'slow_echo');
    expect(await harness.text(1)).toContain('Not available now: "slow"');
    await harness.next((line) => line.includes('notifications/tools/list_changed'));
    harness.call(2, 'slow_seen');
    const seen: string[] = JSON.parse(await harness.text(2));
    // What came too early never reached it, and it is told that the client is ready before anything else.
    expect(seen.map((line) => JSON.parse(line).method)).toEqual([
      'initialize',
      'notifications/initialized',
      'tools/list',
      'tools/call',
    ]);
    harness.send(list(3));
    const names = (await harness.answer(3)).result?.tools?.map(({ name }) => name) ?? [];
    expect(names).toContain('slow_echo');
  });
});

describe('messages of a session', () => {
  it(`${verifies('T-1')} a late pong of one server is no answer to a later request of the same id`, async () => {
    const late = member('b', { answers: { ping: '' } });
    const harness = startServers([member('a'), late]);
    await begin(harness);
    harness.send(list(5, 'ping'));
    await harness.answer(5);
    harness.call(5, 'b_forge', {
      line: '{"jsonrpc":"2.0","id":$ID,"result":{"content":[{"type":"text","text":"mine"}]}}',
    });
    expect(await harness.text(5)).toBe('mine');
    harness.call(6, 'b_seen');
    const seen: string[] = JSON.parse(await harness.text(6));
    const ping = seen.map((line) => JSON.parse(line)).find(({ method }) => method === 'ping');
    expect(ping.id).toMatch(/^zerto-/);
  });

  it('go to the server that they are about', async () => {
    const logging = { tools: {}, logging: {}, resources: { subscribe: true } };
    const harness = startServers([member('a', { capabilities: logging }), member('b')]);
    await begin(harness);
    harness.call(1, 'b_hang');
    harness.call(2, 'a_hang');
    harness.call(3, 'b_progress', {}, { progressToken: 'p' });
    await harness.text(3);
    expect(await harness.next((line) => line.includes('"progressToken":"p"'))).toContain('notifications/progress');
    harness.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    harness.send({ jsonrpc: '2.0', method: 'notifications/vendor', params: { n: 1 } });
    harness.send(list(4, 'logging/setLevel', { level: 'debug' }));
    harness.send(list(5, 'ping'));
    for (const id of [4, 5]) await harness.answer(id);
    harness.call(6, 'a_seen');
    const a = await harness.text(6);
    harness.call(7, 'b_seen');
    const b = await harness.text(7);
    expect([a.includes('notifications/cancelled'), b.includes('notifications/cancelled')]).toEqual([false, true]);
    expect([a.includes('notifications/vendor'), b.includes('notifications/vendor')]).toEqual([true, true]);
    expect([a.includes('setLevel'), b.includes('setLevel')]).toEqual([true, false]);
    expect([a.includes('ping'), b.includes('ping')]).toEqual([true, true]);
  });

  it('a task belongs to the server that made it; one id at two servers is refused', async () => {
    const harness = startServers([member('a'), member('b', { answers: { 'tasks/get': '{"by":"b"}' } })]);
    await begin(harness);
    harness.call(1, 'b_task', { taskId: 't' });
    await harness.answer(1);
    harness.send(list(2, 'tasks/get', { taskId: 't' }));
    expect((await harness.answer(2)).result?.['by']).toBe('b');
    harness.call(3, 'a_task', { taskId: 't' });
    await harness.answer(3);
    harness.send(list(4, 'tasks/get', { taskId: 't' }));
    expect((await harness.answer(4)).error?.message).toContain('Two MCP servers');
  });

  it('an unknown method is asked of each in turn', async () => {
    const harness = startServers([
      member('a', { answers: { 'x/y': -32601 } }),
      member('b', { answers: { 'x/y': '{"by":"b"}' } }),
      member('c', { answers: { 'x/y': '{"by":"c"}' } }),
    ]);
    await begin(harness);
    harness.send(list(1, 'x/y'));
    expect((await harness.answer(1)).result?.['by']).toBe('b');
  });

  it('a server that comes back is told what the client had asked for', async () => {
    const all = { tools: {}, logging: {}, resources: { subscribe: true } };
    const harness = startServers([member('a', { capabilities: all }), member('b')]);
    await begin(harness, { roots: {} });
    harness.send(list(1, 'logging/setLevel', { level: 'warning' }));
    await harness.answer(1);
    harness.send(list(2, 'resources/subscribe', { uri: 'x://1' }));
    await harness.answer(2);
    harness.call(3, 'a_exit', { code: 1 });
    await harness.answer(3);
    await harness.next((line) => line.includes('tools/list_changed'));
    harness.call(4, 'a_seen');
    const seen = await harness.text(4);
    expect(seen).toContain('test-client');
    expect(seen).toContain('notifications/initialized');
    expect(seen).toContain('warning');
    expect(seen).toContain('x://1');
    expect(seen).not.toContain('a_exit');
  });
});

describe('ids and tokens that meet', () => {
  it(`${verifies('T-1', 'T-4')} progress goes where it belongs, though client and both servers use one token and one id at a time`, async () => {
    const harness = startServers([member('a'), member('b')]);
    await begin(harness);
    for (const [id, name] of [
      [0, 'a_ask'],
      ['0', 'b_ask'],
    ] as const)
      harness.call(id, name, { id: 0, token: 0 }, { progressToken: 0 });
    const asked = [
      JSON.parse(await harness.next((line) => line.includes('sampling/'))),
      JSON.parse(await harness.next((line) => line.includes('sampling/'))),
    ];
    const tokens = asked.map(({ params }) => params._meta.progressToken);
    expect(new Set(tokens).size).toBe(2);
    expect(tokens).toContain(0);
    for (const [n, { id, params }] of asked.entries()) {
      const { progressToken } = params._meta;
      harness.send({ jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken, progress: n + 7 } });
      harness.send(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"n":${n}}}`);
    }
    const [first, second] = [JSON.parse(await harness.text(0)), JSON.parse(await harness.text('0'))];
    expect([first.id, second.id, new Set([first.result.n, second.result.n]).size]).toEqual([0, 0, 2]);
    for (const [id, name, { result }] of [
      [5, 'a_seen', first],
      [6, 'b_seen', second],
    ] as const) {
      harness.call(id, name);
      const seen: string[] = JSON.parse(await harness.text(id));
      const progress = seen.map((line) => JSON.parse(line)).filter(({ method }) => method === 'notifications/progress');
      expect(progress.map(({ params }) => params)).toEqual([{ progressToken: 0, progress: result.n + 7 }]);
    }
    harness.call(7, 'a_progress', {}, { progressToken: 'same' });
    harness.call('7', 'b_progress', {}, { progressToken: 'same' });
    for (const id of [7, '7']) expect(await harness.text(id)).toBe('done');
    const told = () => harness.received.filter((line) => line.includes('"progressToken":"same"')).length;
    expect(told()).toBe(2);
  });
});

describe('a subscription of revision 2026-07-28', () => {
  it(`${verifies('T-2')} is asked of a server that comes back once more, and of no other`, async () => {
    const discover = '{"resultType":"complete","supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}';
    const harness = startServers([member('a', { more: { discover } }), member('b', { more: { discover } })]);
    harness.send(list(1, 'server/discover', { _meta: STATELESS }));
    await harness.answer(1);
    harness.send(list('sub', 'subscriptions/listen', { notifications: {}, _meta: STATELESS }));
    const acknowledged = async () =>
      JSON.parse(await harness.next((line) => line.includes('subscriptions/acknowledged'))).params;
    const first = [await acknowledged(), await acknowledged()];
    expect(first.map(({ by }) => by).sort()).toEqual(['a_', 'b_']);
    harness.call(2, 'a_exit', { code: 1 }, STATELESS);
    expect((await harness.answer(2)).error?.message).toContain('may have run');
    const again = await acknowledged();
    expect([again.by, again._meta['io.modelcontextprotocol/subscriptionId']]).toEqual(['a_', 'sub']);
    harness.call(3, 'b_seen', {}, STATELESS);
    const seen: string[] = JSON.parse(await harness.text(3));
    expect(seen.filter((line) => line.includes('subscriptions/listen'))).toHaveLength(1);
    expect(harness.received.some((line) => line.includes('"id":"sub"') && line.includes('"error"'))).toBe(false);
  });
});

describe('hostile servers', () => {
  it('cannot answer or take back what is not theirs', async () => {
    const harness = startServers([member('a'), member('b')]);
    await begin(harness);
    harness.call(1, 'a_hang');
    harness.call(2, 'a_ask', { id: 5 });
    await harness.next((line) => line.includes('sampling/'));
    const spoofs = [
      '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"spoof"}]}}',
      '[{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"spoof"}]}}]',
      '{"jsonrpc":"2.0","id":1,"method":"x","result":{"spoof":1}}',
      '{"jsonrpc":"2.0","id":null,"error":{"code":1,"message":"spoof"}}',
      '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":5,"reason":"spoof"}}',
      '"spoof"',
      '[["spoof"]]',
    ];
    for (const [n, line] of spoofs.entries()) {
      harness.call(10 + n, 'b_forge', { line });
      harness.call(100 + n, 'b_echo');
      await harness.text(100 + n);
    }
    expect(harness.received.filter((line) => line.includes('spoof'))).toEqual([]);
    harness.send('{"jsonrpc":"2.0","id":5,"result":{"ok":true}}');
    expect(await harness.text(2)).toContain('"ok":true');
  });

  it(`${verifies('T-7', 'T-8')} a flood, junk and large lines of one do not keep the others from answering`, async () => {
    const harness = startServers([member('a'), member('b')]);
    await begin(harness);
    harness.call(1, 'a_flood', { mib: 48 });
    for (let id = 10; id < 30; id += 1) {
      harness.call(id, 'b_echo');
      await harness.text(id);
    }
    harness.call(3, 'b_junk');
    expect(await harness.text(3)).toBe('after junk');
    expect(await harness.text(1)).toBe('flooded');
    harness.call(2, 'a_big', { mib: 20 });
    harness.call(4, 'b_echo');
    await harness.text(4);
    expect(await harness.text(2)).toHaveLength(20 << 20);
  });

  it('a server that dies each time stays away in the end, and what it asked is taken back', async () => {
    const harness = startServers([member('a'), member('b')], { restartMs: 1 });
    await begin(harness);
    harness.call(1, 'a_ask', { id: '"q"' });
    await harness.next((line) => line.includes('sampling/'));
    const deaths = () => harness.log.filter(({ message }) => message === 'a server ended').length;
    for (let n = 0; deaths() < 6; n += 1) {
      harness.call(`exit ${n}`, 'a_exit', { code: 9 });
      await harness.answer(`exit ${n}`);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    expect(await harness.next((line) => line.includes('notifications/cancelled'))).toContain('"requestId":"q"');
    harness.call(2, 'a_echo');
    const text = await harness.text(2);
    expect(text).toContain('"a" ended (exit code 9)');
    expect(text).not.toContain('again');
    harness.call(3, 'b_echo');
    await harness.text(3);
  });
});

describe('the end', () => {
  it(`${verifies('T-7')} ends every process within 3 seconds when the client leaves`, async () => {
    const stubborn = { more: { stayOpen: true, ignoreTerm: true } };
    const harness = startServers([member('a', stubborn), member('b', stubborn), member('c', stubborn)]);
    await begin(harness);
    expect(harness.pids).toHaveLength(3);
    const began = Date.now();
    expect(await harness.close()).toBe(0);
    expect(Date.now() - began).toBeLessThan(3000);
    expect(harness.pids.filter(alive)).toEqual([]);
  });

  it('is that of the last server, with what waited answered', async () => {
    const harness = startServers([member('a'), member('b')], { restartMs: 60_000 });
    await begin(harness);
    harness.call(1, 'b_hang');
    harness.call(2, 'a_exit', { code: 4 });
    await harness.answer(2);
    harness.call(3, 'b_exit', { code: 5 });
    expect((await harness.answer(1)).error?.message).toContain('may have run');
    expect(await harness.exit).toBe(5);
  });
});
