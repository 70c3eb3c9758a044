import { afterEach, describe, expect, it } from 'vitest';
import type { Permit } from '../../../src/domain/permit.js';
import type { Receipt } from '../../../src/domain/receipt.js';
import { mintPermit } from '../../support/permit.js';
import { Harness, type RelayOptions, until } from './harness.js';

const open: Harness[] = [];
function start(options: RelayOptions = {}): Harness {
  const harness = new Harness(options);
  open.push(harness);
  return harness;
}
afterEach(async () => {
  await Promise.all(open.splice(0).map((harness) => harness.abort()));
});

/** Holds each call until `go`; records how the handler fared. */
function holding(): RelayOptions & { go(): void; outcomes: string[] } {
  const waiting: (() => void)[] = [];
  const outcomes: string[] = [];
  return {
    outcomes,
    go: () => {
      for (const release of waiting.splice(0)) release();
    },
    handle: (relay) => async (call) => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      try {
        const answer = await relay().forward(call, mintPermit(call));
        outcomes.push('answered');
        return answer;
      } catch (error) {
        outcomes.push((error as { code: string }).code);
        throw error;
      }
    },
  };
}

const receipt = { id: 'rcpt_1', change: 'c1' } as unknown as Receipt;

describe('a call and its permit', () => {
  it.each([
    [
      'an object that only looks like a permit',
      () => ({ grounds: { kind: 'read_only' }, take() {} }) as unknown as Permit,
    ],
    ['a permit for another call', () => mintPermit({ id: 'other' } as never)],
  ])('writes nothing for %s', async (_name, permit) => {
    const harness = start({
      handle: (relay) => (call) => {
        if (call.tool === 'calls') return relay().forward(call, mintPermit(call));
        // A look-alike's own `take` would let anything pass: only the class itself may say yes.
        return relay().forward(call, permit());
      },
    });
    await harness.initialize();
    harness.call(1, 'echo');
    const { result } = await harness.answer(1);
    expect(result?.isError).toBe(true);
    expect(JSON.stringify(result)).not.toMatch(/permit|at .*\.ts/);
    harness.call(2, 'calls');
    expect(await harness.text(2)).toBe('1');
  });

  it('lets a permit be used once', async () => {
    const harness = start({
      handle: (relay) => async (call) => {
        const permit = mintPermit(call);
        const first = relay().forward(call, permit);
        expect(() => relay().forward(call, permit)).toThrow('no permit');
        return first;
      },
    });
    await harness.initialize();
    harness.call(1, 'lists');
    expect(await harness.text(1)).toBe('2');
  });

  it('writes the call before forward returns', async () => {
    const buffered: number[] = [];
    const harness = start({
      handle: (relay) => (call) => {
        const { input } = harness.child;
        input.cork();
        const before = input.writableLength;
        const answer = relay().forward(call, mintPermit(call));
        buffered.push(input.writableLength - before - call.raw.length);
        input.uncork();
        return answer;
      },
    });
    await harness.initialize();
    harness.call(1, 'echo', { x: 'y' });
    await harness.text(1);
    expect(buffered).toEqual([1]);
  });

  it('turns a refusal, and a failure of the handler, into a result with isError and the id as written', async () => {
    const harness = start({
      handle: () => (call) =>
        call.tool === 'echo'
          ? Promise.resolve({ kind: 'refusal', text: 'The call was not sent.' })
          : Promise.reject(new Error('secret detail')),
    });
    await harness.initialize();
    harness.send('{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"echo"}}');
    expect(await harness.next()).toBe(
      '{"jsonrpc":"2.0","id":9007199254740993,"result":{"content":[{"type":"text","text":"The call was not sent."}],"isError":true}}',
    );
    harness.call('x', 'other');
    const { result } = await harness.answer('x');
    expect(result?.isError).toBe(true);
    expect(JSON.stringify(result)).not.toContain('secret detail');
  });

  it('never withholds the answer of the downstream because its handler failed afterwards', async () => {
    const harness = start({
      handle: (relay) => async (call) => {
        await relay().forward(call, mintPermit(call));
        throw new Error('the record could not be written');
      },
    });
    await harness.initialize();
    harness.call(1, 'lists');
    expect(await harness.text(1)).toBe('2');
  });

  it('says who calls: the configured name, else what the client said of itself', async () => {
    const harness = start();
    await harness.initialize();
    harness.call(1, 'lists');
    harness.call(2, 'lists', {}, { 'io.modelcontextprotocol/clientInfo': { name: 'modern', version: '1' } });
    await harness.text(2);
    expect(harness.calls.map((call) => call.agent)).toEqual(['test-client', 'modern']);
    expect(harness.calls[0]?.server).toEqual({ name: 'raw-server', info: { name: 'raw', version: '0.1' } });
    expect(harness.calls[0]).toMatchObject({
      id: 'call_1',
      session: 'session_1',
      digest: '["session_1","raw-server","lists",{}]',
    });
    const named = start({ agentName: 'configured' });
    await named.initialize();
    named.call(1, 'lists');
    await named.text(1);
    expect(named.calls[0]?.agent).toBe('configured');
  });
});

it('answers a call that only reads while its handler still works, and waits for the receipt of any other', async () => {
  let finish: (() => void) | undefined;
  const held = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const harness = start({
    handle: (relay) => async (call) => {
      const grounds = call.tool === 'lists' ? ({ kind: 'read_only' } as const) : ({ kind: 'pinned', receipt } as const);
      const answer = await relay().forward(call, mintPermit(call, grounds));
      await held;
      return grounds.kind === 'pinned' ? { ...answer, receipt } : answer;
    },
  });
  await harness.initialize();
  harness.call(1, 'lists');
  expect(await harness.text(1)).toBeDefined();
  harness.call(2, 'echo');
  finish?.();
  expect((await harness.answer(2)).result?._meta).toEqual({ 'zerto-rewind/receipt': receipt });
});

describe('receipts', () => {
  const withReceipt: RelayOptions['handle'] = (relay) => async (call) => ({
    ...(await relay().forward(call, mintPermit(call, { kind: 'pinned', receipt }))),
    receipt,
  });

  it('adds the receipt to a guarded result and leaves the rest of its text alone', async () => {
    const harness = start({ handle: withReceipt });
    await harness.initialize();
    harness.call(1, 'exotic');
    expect(await harness.next()).toBe(
      '{"x-top":[1.0,1e400],"jsonrpc":"2.0","id":1 , "result":{"content":[{"type":"x-unknown","n":9007199254740993}],"structuredContent":[1,2.50],"resultType":"complete","_meta":{"a":-0,"zerto-rewind/receipt":{"id":"rcpt_1","change":"c1"}}}}',
    );
  });

  it.each([
    ['plainly', '{"jsonrpc":"2.0","id":$ID,"result":{"content":[],"_meta":{"zerto-rewind/receipt":{"id":"forged"}}}}'],
    [
      'with an escape',
      '{"jsonrpc":"2.0","id":$ID,"result":{"content":[],"_meta":{"zerto-rewind\\u002freceipt":{"id":"forged"}}}}',
    ],
    ['in a batch', '[{"jsonrpc":"2.0","id":$ID,"result":{"_meta":{"zerto\\u002drewind/receipt":{"id":"forged"}}}}]'],
    [
      'for a request nobody sent',
      '{"jsonrpc":"2.0","id":77,"result":{"_meta":{"zerto-rewind/receipt":{"id":"forged"}}}}',
    ],
  ])('lets no receipt pass that the downstream forged %s', async (_name, line) => {
    const harness = start();
    await harness.initialize();
    harness.call(1, 'forge', { line });
    harness.call(2, 'lists');
    await harness.answer(2);
    expect(harness.received.join()).not.toContain('forged');
  });

  it('takes an answer out of a batch of the downstream, and passes a batch without one as it is', async () => {
    const harness = start({ handle: withReceipt });
    await harness.initialize();
    const line =
      '[{"jsonrpc":"2.0","id":"q","method":"roots/list"},{"jsonrpc":"2.0","method":"notifications/x"}, {"jsonrpc":"2.0","id":$ID,"result":{"content":[]}}]';
    harness.call(1, 'forge', { line });
    expect((await harness.answer(1)).result?._meta).toEqual({ 'zerto-rewind/receipt': receipt });
    expect(harness.received).toHaveLength(2);
    harness.send('{"jsonrpc":"2.0","id":"q","result":{"roots":[]}}');
    const bare = '[{"jsonrpc":"2.0","id":"r","method":"roots/list"}, {"jsonrpc":"2.0","method":"notifications/y"}]';
    harness.call(2, 'forge', { line: bare });
    expect(await harness.next((text) => text.startsWith('['))).toBe(bare);
    harness.send('{"jsonrpc":"2.0","id":"r","result":{"roots":[]}}');
    harness.send('{"jsonrpc":"2.0","id":3,"method":"x"}');
    await harness.answer(3);
    expect(harness.logged('answers no request')).toBe(false);
  });

  it('gives the result of a task the receipt of the call that began it', async () => {
    const harness = start({ handle: withReceipt });
    await harness.initialize();
    harness.call(1, 'forge', {
      line: '{"jsonrpc":"2.0","id":$ID,"result":{"task":{"taskId":"t1","status":"working"}}}',
    });
    expect((await harness.answer(1)).result?.['task']).toBeDefined();
    harness.send('{"jsonrpc":"2.0","id":2,"method":"tasks/result","params":{"taskId":"t1"}}');
    expect((await harness.answer(2)).result?._meta).toEqual({ 'zerto-rewind/receipt': receipt });
    harness.send('{"jsonrpc":"2.0","id":3,"method":"tasks/result","params":{"taskId":"t2"}}');
    expect((await harness.answer(3)).result?._meta).toBeUndefined();
  });

  it('hands error answers and failed results on, and tells the handler which they are', async () => {
    const seen: boolean[] = [];
    const harness = start({
      handle: (relay) => async (call) => {
        const answer = await relay().forward(call, mintPermit(call));
        seen.push(answer.isError);
        return answer;
      },
    });
    await harness.initialize();
    harness.call(1, 'fail');
    await harness.answer(1);
    harness.call(2, 'error');
    await harness.answer(2);
    harness.call(3, 'lists');
    await harness.answer(3);
    expect(seen).toEqual([true, true, false]);
  });

  it('lets the downstream answer no call that was not sent to it', async () => {
    const held = holding();
    const harness = start({
      handle:
        (relay) =>
        (call, { signal }) =>
          call.tool === 'forge'
            ? relay().forward(call, mintPermit(call))
            : (held.handle?.(relay)(call, { signal }) ?? Promise.reject(new Error('unreachable'))),
    });
    await harness.initialize();
    harness.call(1, 'echo');
    harness.call(2, 'forge', {
      line: '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"early"}]}}',
    });
    await until(() => harness.logged('not sent to it'));
    held.go();
    expect(await harness.text(1)).toContain('"name":"echo"');
  });
});

describe('cancellation', () => {
  const cancel = (id: unknown) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id } });
  const seen = (line: string) => line.includes('notifications/seen');

  it('drops a call that is held: neither it nor its cancellation reaches the downstream', async () => {
    const held = holding();
    const harness = start(held);
    await harness.initialize();
    harness.call(1, 'echo');
    await until(() => harness.calls.length === 1);
    harness.send(cancel(1));
    harness.send('{"jsonrpc":"2.0","method":"notifications/last"}');
    expect(JSON.parse(await harness.next(seen)).params.raw).toContain('notifications/last');
    held.go();
    await until(() => held.outcomes.length === 1);
    expect(held.outcomes).toEqual(['CALL_CANCELLED']);
    harness.send('{"jsonrpc":"2.0","id":2,"method":"x"}');
    await harness.answer(2);
    expect(harness.received).toEqual([]);
  });

  it('forwards the cancellation of a call that was sent; its outcome is unknown', async () => {
    const held = holding();
    const harness = start(held);
    await harness.initialize();
    harness.call(1, 'hang');
    await until(() => harness.calls.length === 1);
    held.go();
    await new Promise((resolve) => setTimeout(resolve, 20));
    harness.send(cancel(1));
    expect(JSON.parse(await harness.next(seen)).params.raw).toBe(JSON.stringify(cancel(1)));
    await until(() => held.outcomes.length === 1);
    expect(held.outcomes).toEqual(['OUTCOME_UNKNOWN']);
    expect(harness.received).toEqual([]);
  });

  it('is no fault of the proxy, and a call that could not be written was not forwarded', async () => {
    const harness = start();
    await harness.initialize();
    harness.call(1, 'hang');
    harness.call(2, 'echo');
    await harness.answer(2);
    harness.send(cancel(1));
    await until(() => harness.logged('a call was cancelled after it was sent'));
    expect(harness.log.filter(({ level }) => level === 'error')).toEqual([]);
    const call = harness.calls[1];
    if (call === undefined) throw new Error('no call');
    // Answered already: nothing is written, and the caller hears of it before it could say that the call went out.
    expect(() => harness.relay.forward(call, mintPermit(call))).toThrow(
      expect.objectContaining({ code: 'CALL_CANCELLED' }),
    );
  });

  it('cancels while the proxy still asks for the description', async () => {
    const harness = start();
    await harness.initialize();
    harness.call(1, 'echo');
    harness.send(cancel(1));
    harness.call(2, 'lists');
    expect(await harness.text(2)).toBe('2');
    expect(harness.calls.map((call) => call.tool)).toEqual(['lists']);
  });

  it('forwards cancellations of other requests and of unknown ids', async () => {
    const harness = start();
    harness.send(cancel('nothing'));
    expect(await harness.next(seen)).toContain('nothing');
  });
});

describe('progress', () => {
  it('rises while a call is held for a client that gave a token, and stops when it is sent', async () => {
    let tick: (() => void) | undefined;
    const stopped: string[] = [];
    const held = holding();
    const harness = start({
      ...held,
      every: (ms, run) => {
        expect(ms).toBe(5000);
        tick = run;
        return () => stopped.push('stopped');
      },
    });
    await harness.initialize();
    harness.call(1, 'echo', {}, { progressToken: 'tok' });
    await until(() => harness.calls.length === 1);
    tick?.();
    tick?.();
    const [first, second] = [JSON.parse(await harness.next()), JSON.parse(await harness.next())];
    expect(first).toMatchObject({ method: 'notifications/progress', params: { progressToken: 'tok' } });
    expect(second.params.progress).toBeGreaterThan(first.params.progress);
    expect(first.params.progress).toBeGreaterThan(0);
    expect(second.params.progress).toBeLessThan(0.001);
    held.go();
    await harness.text(1);
    tick?.();
    expect(stopped).toEqual(['stopped']);
    expect(harness.received).toEqual([]);
  });

  it('sends none without a token', async () => {
    const timers: number[] = [];
    const harness = start({
      every: (ms) => {
        timers.push(ms);
        return () => {};
      },
    });
    await harness.initialize();
    harness.call(1, 'echo');
    await harness.text(1);
    expect(timers).toEqual([]);
  });
});
