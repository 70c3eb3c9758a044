import { afterEach, describe, expect, it } from 'vitest';
import { mintPermit } from '../../support/permit.js';
import { Harness, until } from './harness.js';

const open: Harness[] = [];
function start(options: ConstructorParameters<typeof Harness>[0] = {}): Harness {
  const harness = new Harness(options);
  open.push(harness);
  return harness;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((harness) => harness.abort()));
});

describe('what passes as the bytes that came in', () => {
  it('hands requests, notifications and unknown members to the downstream byte for byte', async () => {
    const harness = start();
    const odd = [
      '{"x-top":1.0, "jsonrpc":"2.0","id":7 ,"method":"vendor/thing","params":{"n":9007199254740993,"e":1e400,"z":-0}}',
      '{ "jsonrpc" : "2.0" , "id" : "a\\u0062" , "method":"ping" }',
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"tasks/get","params":{"taskId":"t","_meta":{"k":"\\/"}}}',
      '{"jsonrpc":"2.0","id":8,"method":"completion/complete","params":{"ref":{"type":"ref/prompt"},"ü":"💾"}}',
    ];
    for (const line of odd) harness.send(line);
    for (const line of odd) {
      const answer = await harness.next();
      expect(JSON.parse(answer).result.raw).toBe(line);
    }
    const notification = '{"method":"notifications/roots/list_changed","jsonrpc":"2.0","x":[1.0]}';
    harness.send(notification);
    expect(JSON.parse(await harness.next()).params.raw).toBe(notification);
  });

  it('hands answers to the client byte for byte', async () => {
    const harness = start();
    expect(await harness.initialize()).toBe(
      '{"jsonrpc":"2.0","id":"init","result":{"protocolVersion":"2025-11-25","capabilities":{"tools":{"listChanged":true},"x-vendor":{"a":1.0}},"serverInfo":{"name":"raw","version":"0.1","x":9007199254740993},"instructions":"be kind","_meta":{"v":1e400}}}',
    );
    harness.call(1, 'exotic');
    expect(await harness.next()).toBe(
      '{"x-top":[1.0,1e400],"jsonrpc":"2.0","id":1 , "result":{"content":[{"type":"x-unknown","n":9007199254740993}],"structuredContent":[1,2.50],"resultType":"complete","_meta":{"a":-0}}}',
    );
    harness.call(2, 'error');
    expect(await harness.next()).toBe(
      '{"jsonrpc":"2.0","id":2,"error":{"code":-32042,"message":"m","data":{"n":9007199254740993},"x":1}}',
    );
  });

  it('hands a tools/call to the downstream byte for byte, also with CRLF', async () => {
    const harness = start();
    await harness.initialize();
    const line =
      '{"jsonrpc":"2.0","id":3,"x":1.0,"method":"tools/call","params":{"name":"echo","arguments":{"n":9007199254740993},"_meta":{"progressToken":1.0}}}\r';
    harness.send(line);
    expect(await harness.text(3)).toBe(line);
    expect(harness.calls[0]?.raw.toString()).toBe(line);
  });

  it('keeps the id spaces of both sides apart: a server request with id 0 beside a client request with id 0', async () => {
    const harness = start();
    await harness.initialize();
    harness.call(0, 'ask', { id: 0 });
    const request = await harness.next();
    expect(request).toBe('{"jsonrpc":"2.0","id":0,"method":"sampling/createMessage","params":{"n":1.0}}');
    const response = '{"jsonrpc":"2.0","id":0,"result":{"role":"assistant","n":2.0}}';
    harness.send(response);
    expect(await harness.text(0)).toBe(response);
  });

  it('gives an answer whose big id the server read as a double to the request it belongs to', async () => {
    const harness = start({ server: { doubles: true } });
    await harness.initialize();
    harness.send('{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"echo"}}');
    expect(JSON.parse(await harness.next()).id).toBe(9007199254740992);
    harness.send('{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"fail"}}');
    expect(await harness.next()).toContain('"isError":true');
  });

  it('forwards server/discover before any initialize and begins nothing by it', async () => {
    const harness = start({ server: { discover: '{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}' } });
    harness.send('{"jsonrpc":"2.0","id":1,"method":"server/discover","params":{"_meta":{}}}');
    expect(await harness.next()).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}}',
    );
    expect(harness.calls).toEqual([]);
  });

  it('drops what is no message on the stdout of the downstream, and goes on', async () => {
    const harness = start();
    await harness.initialize();
    harness.call(1, 'junk');
    expect(await harness.text(1)).toBe('after junk');
    expect(harness.received).toEqual([]);
    expect(harness.log.filter((entry) => entry.message.includes('no message'))).toHaveLength(3);
  });

  it('keeps the order of an answer and the notifications around it', async () => {
    const harness = start({
      handle: (relay) => async (call) => {
        const answer = await relay().forward(call, mintPermit(call));
        await new Promise((resolve) => setTimeout(resolve, 30));
        return answer;
      },
    });
    await harness.initialize();
    harness.call(1, 'notify_after', { count: 100 });
    const lines: string[] = [];
    for (let n = 0; n < 201; n += 1) lines.push(await harness.next());
    const kinds = lines.map((line) => /before|answer|after/.exec(line)?.[0]);
    expect(kinds.indexOf('answer')).toBe(100);
    expect(kinds.lastIndexOf('before')).toBe(99);
    expect(lines.slice(101).map((line) => JSON.parse(line).params.n)).toEqual([...Array(100).keys()]);
  });

  it('stops reading from the downstream while the client does not read', async () => {
    const harness = start();
    await harness.initialize();
    harness.output.pause();
    harness.call(1, 'flood', { mib: 48 });
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(harness.output.writableLength + harness.output.readableLength).toBeLessThan(8 << 20);
    harness.output.resume();
    expect(await harness.text(1)).toBe('flooded');
    expect(harness.received).toHaveLength(48);
  });

  it('stops reading from the client while the downstream does not read', async () => {
    const harness = start({ args: ['-e', 'setInterval(() => {}, 1000)'] });
    const line = `{"jsonrpc":"2.0","method":"notifications/x","params":{"x":"${'x'.repeat(1 << 20)}"}}`;
    for (let n = 0; n < 48; n += 1) harness.send(line);
    await new Promise((resolve) => setTimeout(resolve, 500));
    expect(harness.child.input.writableLength).toBeGreaterThan(0);
    expect(harness.child.input.writableLength).toBeLessThan(8 << 20);
  });

  it('passes a result of 64 MiB to a slow reader without holding many copies of it', async () => {
    const harness = start();
    await harness.initialize();
    const before = process.memoryUsage().rss;
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, process.memoryUsage().rss);
    }, 5);
    harness.call(1, 'big', { mib: 64 });
    const line = await harness.next();
    clearInterval(watch);
    expect(line.length).toBe(
      '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":""}]}}'.length + 64 * 1024 * 1024,
    );
    expect((peak - before) / (1 << 20)).toBeLessThan(64 * 8);
  });
});

describe('what the client may not do', () => {
  it('refuses what can be read in two ways, forwards nothing of it, and goes on', async () => {
    const harness = start();
    harness.send('[{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo"}}]');
    harness.send('{"jsonrpc":"2.0","id":2,"method":"ping","method":"tools/call","params":{"name":"echo"}}');
    harness.send('{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo"}}');
    harness.send('nonsense');
    harness.send('{"jsonrpc":"2.0","id":5,"method":"ping"}');
    const codes: unknown[] = [];
    for (let n = 0; n < 4; n += 1) codes.push(JSON.parse(await harness.next()).error.code);
    expect(codes).toEqual([-32600, -32600, -32600, -32700]);
    expect(JSON.parse(await harness.next()).id).toBe(5);
    expect(harness.calls).toEqual([]);
  });

  it('refuses a request whose id is that of one that waits', async () => {
    const harness = start();
    await harness.initialize();
    harness.call(1, 'hang');
    harness.send('{"jsonrpc":"2.0","id":1,"method":"ping"}');
    expect((await harness.answer(1)).error?.code).toBe(-32600);
    await until(() => harness.calls.length > 0);
    expect(harness.calls.map((call) => call.tool)).toEqual(['hang']);
  });

  it('drops a response that answers no request of the downstream', async () => {
    const harness = start();
    harness.send('{"jsonrpc":"2.0","id":0,"result":{}}');
    harness.send('{"jsonrpc":"2.0","method":"notifications/x"}');
    expect(await harness.next()).toContain('notifications/x');
    expect(harness.logged('answers no request')).toBe(true);
  });
});
