import { expect, test } from 'vitest';
import { UniqueNames } from '../../../src/wire/front/unique.js';
import { type RequestMessage, readClientMessage } from '../../../src/wire/message.js';

function ask(id: string, token: string): RequestMessage {
  const line = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"x","_meta":{"progressToken":${token}}}}`;
  const message = readClientMessage(Buffer.from(line));
  if (message.kind !== 'request') throw new Error('no request');
  return message;
}

test('a request keeps its bytes where no other under way has its id or token', () => {
  const names = new UniqueNames();
  const first = names.enter(ask('1', '"t"'));
  expect(first.sent).toBe(first.own);
  const other = names.enter(ask('"1"', '2'));
  expect(other.sent).toBe(other.own);
  names.leave(first, 'answered');
  const again = names.enter(ask('1', '"t"'));
  expect(again.sent).toBe(again.own);
});

test('what comes late for a request whose client went away meets no other', () => {
  const names = new UniqueNames();
  const gone = names.enter(ask('1', '7'));
  names.leave(gone, 'retired');
  const next = names.enter(ask('1', '7'));
  expect(next.sent.idKey).not.toBe(gone.sent.idKey);
  expect(next.sentToken).not.toBe(gone.sentToken);
  const token = names.enter(ask('2', '7'));
  expect(token.sentToken).not.toBe(7);
  names.settled(gone.sent.idKey);
  const later = names.enter(ask('1', '7'));
  expect(later.sent).toBe(later.own);
});

test('given-up requests are not kept for ever; what comes late for a forgotten one meets nobody either', () => {
  const names = new UniqueNames();
  for (let n = 0; n < 1001; n += 1) names.leave(names.enter(ask(String(n), String(n))), 'retired');
  const oldest = names.enter(ask('0', '0'));
  expect(oldest.sent.idKey).not.toBe('n:0');
  expect(oldest.sentToken).not.toBe(0);
  expect(names.enter(ask('1', '1')).sent.idKey).not.toBe('n:1');
});
