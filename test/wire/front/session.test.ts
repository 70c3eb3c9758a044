import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test, vi } from 'vitest';
import type { Bridge } from '../../../src/wire/front/bridge.js';
import { HttpSession } from '../../../src/wire/front/session.js';
import { type RequestMessage, readClientMessage } from '../../../src/wire/message.js';
import { recordingLog } from '../process/harness.js';

class Response extends EventEmitter {
  headersSent = false;
  destroyed = false;
  writableEnded = false;
  writableLength = 0;
  head: unknown;
  writeHead(_status: number, head: unknown): void {
    this.headersSent = true;
    this.head = head;
  }
  flushHeaders(): void {}
  write(): boolean {
    return true;
  }
  end(): void {
    this.writableEnded = true;
  }
}

/** A session whose downstream answers nothing by itself. */
function silentSession(): HttpSession {
  const bridge = {
    fromClient: () => undefined,
    whenTaken: (run: () => void) => run(),
    close: () => Promise.resolve(),
  } as unknown as Bridge;
  return new HttpSession({ id: 'the-id', log: recordingLog().log, connect: () => bridge });
}

function ask(session: HttpSession, message: object): Response {
  const response = new Response();
  const request = readClientMessage(Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }))) as RequestMessage;
  session.request(request, response as unknown as ServerResponse, () => undefined);
  return response;
}

test('a request that the client took back, and that nobody answers, keeps no session open', async () => {
  const session = silentSession();
  const response = ask(session, { id: 1, method: 'tools/call', params: { name: 'x' } });
  expect([session.pending, session.idleFor(Date.now() + 9000)]).toEqual([1, 0]);
  const cancel = '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}';
  const message = readClientMessage(Buffer.from(cancel));
  if (message.kind !== 'notification') throw new Error(message.kind);
  void session.tell(message);
  expect(session.pending).toBe(0);
  expect(session.idleFor(Date.now() + 9000)).toBeGreaterThan(0);
  expect(response.writableEnded).toBe(false);
  await session.close();
  expect(response.writableEnded).toBe(true);
});

test('of requests that were taken back and never answered only so many streams stay open', async () => {
  const session = silentSession();
  const responses = Array.from({ length: 101 }, (_, id) => {
    const response = ask(session, { id, method: 'tools/call', params: { name: 'x' } });
    const cancel = `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}`;
    const message = readClientMessage(Buffer.from(cancel));
    if (message.kind === 'notification') void session.tell(message);
    return response;
  });
  expect([responses[0]?.writableEnded, responses[1]?.writableEnded, session.pending]).toEqual([true, false, 0]);
  session.write(Buffer.from('{"jsonrpc":"2.0","id":0,"result":{}}'));
  await session.close();
});

test('a client learns its session id also where the answer to initialize begins as a stream, and not with a refusal', () => {
  vi.useFakeTimers();
  const answer = ask(silentSession(), { id: 1, method: 'initialize' });
  vi.advanceTimersByTime(20_000);
  vi.useRealTimers();
  expect(answer.head).toMatchObject({ 'mcp-session-id': 'the-id' });
  const refused = silentSession();
  const error = ask(refused, { id: 1, method: 'initialize' });
  refused.write(Buffer.from('{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no"}}'));
  expect(error.head).not.toHaveProperty('mcp-session-id');
});
