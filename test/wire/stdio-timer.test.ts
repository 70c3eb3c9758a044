import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { LineWriter } from '../../src/wire/pipe.js';
import { StdioTimer } from '../../src/wire/stdio-timer.js';
import { fc } from '../support/property.js';

function begin() {
  const told: unknown[][] = [];
  const timer = new StdioTimer({
    operation: (method, seconds, problem) => told.push([method, seconds >= 0, problem]),
    session: (seconds) => told.push(['session', seconds >= 0]),
  });
  const out = new PassThrough();
  const sink = timer.watching(new LineWriter(out));
  const ask = (line: string | object) => timer.fromClient(bytes(line));
  const answer = (line: string | object) => sink.write(bytes(line));
  return { timer, told, out, sink, ask, answer };
}

const bytes = (line: string | object) => Buffer.from(typeof line === 'string' ? line : JSON.stringify(line));
const request = (id: unknown, method: string) => ({ jsonrpc: '2.0', id, method });

test('a request is told with how it ended: answered, by an error, by a failed tool, taken back, or not at all', () => {
  const { timer, told, ask, answer, out } = begin();
  ask(request(0, 'initialize'));
  answer({ jsonrpc: '2.0', id: 0, result: { protocolVersion: '2025-06-18' } });
  for (const id of ['a', 'b', 'c', 'd']) ask(request(id, 'tools/call'));
  ask(request(1, 'ping'));
  expect([timer.pending, timer.established]).toEqual([5, true]);
  answer({ jsonrpc: '2.0', id: 'a', result: { content: [] } });
  answer({ jsonrpc: '2.0', id: 'b', result: { isError: true, content: [] } });
  answer({ jsonrpc: '2.0', id: 'c', error: { code: -32601, message: 'x' } });
  ask({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'd' } });
  answer({ jsonrpc: '2.0', id: 'd', result: {} });
  answer({ jsonrpc: '2.0', id: '1', result: {} });
  timer.sessionOver();
  expect(told).toEqual([
    ['initialize', true, undefined],
    ['tools/call', true, undefined],
    ['tools/call', true, 'tool_error'],
    ['tools/call', true, '-32601'],
    ['tools/call', true, 'cancelled'],
    ['ping', true, 'no_answer'],
    ['session', true],
  ]);
  expect(String(out.read()).split('\n').length).toBe(7);
});

test('a session that was refused, or never begun, is none', () => {
  const { timer, told, ask, answer } = begin();
  ask(request(0, 'initialize'));
  answer({ jsonrpc: '2.0', id: 0, error: { code: -32602, message: 'x' } });
  timer.sessionOver();
  expect(told).toEqual([['initialize', true, '-32602']]);
});

test('the requests of a batch are each one', () => {
  const { timer, told, ask, answer } = begin();
  ask([request(1, 'ping'), request(2, 'tools/list')]);
  expect(timer.pending).toBe(2);
  answer([
    { jsonrpc: '2.0', id: 1, result: {} },
    { jsonrpc: '2.0', id: 2, result: {} },
  ]);
  expect(told.map(([method]) => method)).toEqual(['ping', 'tools/list']);
});

test('whatever the lines are, it neither throws nor changes one', () => {
  const line = fc.oneof(
    fc.string(),
    fc.json(),
    fc.json().map((id) => `{"jsonrpc":"2.0","id":${id},"method":"ping"}`),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(fc.boolean(), line)), (lines) => {
      const { ask, answer, out } = begin();
      for (const [isAnswer, text] of lines)
        if (isAnswer) answer(text);
        else ask(text);
      const all = lines
        .map(([isAnswer, text]) =>
          isAnswer
            ? `${text}
`
            : '',
        )
        .join('');
      expect(String(out.read() ?? '')).toBe(all);
    }),
  );
});
