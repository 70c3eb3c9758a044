import { describe, expect, it } from 'vitest';
import { verifies } from '../../e2e/requirements.js';
import { until } from '../process/harness.js';
import { begin, endServersAfterEach, list, member, startServers } from './support.js';

endServersAfterEach();

describe('several servers as one', () => {
  it(`${verifies('T-4', 'T-5')} announces what all can do, and lists what each has in the order of the config`, async () => {
    const harness = startServers([
      member('a', {
        capabilities: { tools: { listChanged: true }, logging: {}, 'x-v': { n: 1 } },
        instructions: 'be kind',
      }),
      member('b', { capabilities: { tools: {}, resources: { subscribe: true } }, instructions: 'be quick' }),
      member('c', { capabilities: { prompts: {} } }),
    ]);
    const hello = JSON.parse(await begin(harness)).result;
    expect(hello.capabilities).toEqual({
      tools: { listChanged: true },
      logging: {},
      'x-v': { n: 1 },
      resources: { subscribe: true },
      prompts: {},
    });
    expect(hello.instructions).toBe('# "a"\n\nbe kind\n\n# "b"\n\nbe quick');
    expect(hello.serverInfo).toEqual({ name: 'the-proxy', version: '1' });
    expect(hello.protocolVersion).toBe('2025-11-25');
    harness.send(list(1));
    const names = (await harness.answer(1)).result?.tools?.map(({ name }) => name) ?? [];
    expect(names.map((name) => name[0]).join('')).toMatch(/^a+b+$/);
    expect(names).toContain('a_echo');
    expect(names).toContain('b_echo');
  });

  it(`${verifies('T-1', 'G-1')} sends each call to the server that has its tool, as the bytes that came in, and judges it under that server`, async () => {
    const harness = startServers([member('a'), member('b')]);
    await begin(harness);
    const call =
      '{"jsonrpc":"2.0", "id":7,"method":"tools/call","params":{"name":"b_echo","arguments":{"n":9007199254740993}}}';
    harness.send(call);
    expect(await harness.text(7)).toBe(call);
    harness.call(8, 'a_calls');
    expect(await harness.text(8)).toBe('1');
    harness.call(9, 'b_calls');
    expect(await harness.text(9)).toBe('2');
    expect(harness.calls.map(({ server, tool }) => [server.name, server.info?.name, tool])).toEqual([
      ['b', 'b-server', 'b_echo'],
      ['a', 'a-server', 'a_calls'],
      ['b', 'b-server', 'b_calls'],
    ]);
    expect(harness.calls[0]?.description?.name).toBe('b_echo');
  });

  it('refuses a tool that two servers have, and one that none has; names are compared exactly', async () => {
    const harness = startServers([
      member('a', { tools: ['same', 'Case'] }),
      member('b', { tools: ['same', 'case', 'own'] }),
    ]);
    await begin(harness);
    harness.call(1, 'same');
    const refused = await harness.text(1);
    expect(refused).toContain('"a" and "b" both have a tool "same"');
    expect(refused).toContain('--server NAME');
    expect(refused).toContain('not sent');
    harness.send(list(2));
    expect((await harness.answer(2)).error?.message).toContain('"a" and "b" both have a tool "same"');
    harness.call(3, 'Same');
    expect(await harness.text(3)).toContain('lists a tool "Same"');
    harness.call(4, 'Case');
    harness.call(5, 'case');
    harness.call(6, 'own');
    for (const id of [4, 5, 6]) await harness.text(id);
    expect(harness.calls.map(({ server, tool }) => `${server.name}:${tool}`).sort()).toEqual([
      'a:Case',
      'b:case',
      'b:own',
    ]);
  });

  it('gives two servers that ask with the same id their own answers back', async () => {
    const harness = startServers([member('a'), member('b')]);
    await begin(harness);
    harness.call(1, 'a_ask', { id: 0 });
    harness.call(2, 'b_ask', { id: 0 });
    const asked = [
      JSON.parse(await harness.next((line) => line.includes('sampling/'))),
      JSON.parse(await harness.next((line) => line.includes('sampling/'))),
    ];
    const ids = asked.map(({ id }) => id);
    expect(ids.filter((id) => id === 0)).toHaveLength(1);
    expect(ids.filter((id) => String(id).startsWith('zerto-'))).toHaveLength(1);
    for (const id of ids)
      harness.send(
        `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"for":${JSON.stringify(String(id))},"n":1.0}}`,
      );
    const texts = [await harness.text(1), await harness.text(2)];
    expect(texts.map((text) => JSON.parse(text).id)).toEqual([0, 0]);
    expect(new Set(texts.map((text) => JSON.parse(text).result.for)).size).toBe(2);
    expect(texts.every((text) => text.includes('"n":1.0'))).toBe(true);
  });

  it('answers what waits for a server that dies, says so, goes on with the others, and has it back', async () => {
    const harness = startServers([member('a'), member('b')]);
    await begin(harness);
    harness.call(1, 'a_echo');
    await harness.text(1);
    harness.call(2, 'a_hang');
    await until(() => harness.calls.length === 2);
    harness.call(3, 'a_exit', { code: 3 });
    expect((await harness.answer(2)).error?.message).toContain(
      '"a" ended (exit code 3). The command was sent and may have run',
    );
    expect((await harness.answer(3)).error?.message).toContain('may have run');
    harness.call(4, 'b_echo');
    await harness.text(4);
    await harness.next((line) => line.includes('notifications/tools/list_changed'));
    harness.call(5, 'a_calls');
    expect(await harness.text(5)).toBe('1');
  });
});
