import { describe, expect, test } from 'vitest';
import { Mailbox } from '../../../src/wire/front/mailbox.js';
import { Replay, readEventId } from '../../../src/wire/front/replay.js';
import { asOwn, asSent, UniqueNames, withOwnId, withOwnToken } from '../../../src/wire/front/unique.js';
import { type RequestMessage, readClientMessage } from '../../../src/wire/message.js';
import { fc } from '../../support/property.js';

function request(id: string, token?: string): RequestMessage {
  const meta = token === undefined ? '{}' : `{"progressToken":${token}, "x":1.0}`;
  const message = readClientMessage(
    Buffer.from(`{ "jsonrpc":"2.0","id": ${id} ,"method":"m","params":{"_meta":${meta},"n":1e400}}`),
  );
  if (message.kind !== 'request') throw new Error(message.kind);
  return message;
}

describe('names of requests under way', () => {
  const id = fc.constantFrom('0', '1', '"0"', '"a"', '"\\u0061"', '9007199254740993', '9007199254740992');

  test('no two have the same id or token, and each client gets its own bytes back', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(id, fc.option(fc.constantFrom('0', '"0"', '"t"'))), { maxLength: 12 }), (asked) => {
        const names = new UniqueNames();
        const under = asked.map(([each, token]) => names.enter(request(each, token ?? undefined)));
        expect(new Set(under.map(({ sent }) => sent.idKey)).size).toBe(under.length);
        const tokens = under.flatMap(({ sentToken }) => (sentToken === undefined ? [] : [JSON.stringify(sentToken)]));
        expect(new Set(tokens).size).toBe(tokens.length);
        for (const named of under) {
          expect(asOwn(named.sent.raw, named).toString()).toBe(named.own.raw.toString());
          const answer = Buffer.from(`{"jsonrpc":"2.0", "id":${named.sent.idText},"result":{"n":1.0}}`);
          const own = `{"jsonrpc":"2.0", "id":${named.own.idText},"result":{"n":1.0}}`;
          expect(withOwnId(answer, named).toString()).toBe(own);
          expect(asSent(Buffer.from(own), named).toString()).toBe(answer.toString());
        }
      }),
    );
  });

  test('the first of its kind keeps its bytes; an id is free again once it was answered', () => {
    const names = new UniqueNames();
    const first = names.enter(request('0', '7'));
    expect(first.sent).toBe(first.own);
    const second = names.enter(request('0', '7'));
    expect(second.sent.idText).not.toBe('0');
    const told = Buffer.from(
      `{"method":"notifications/progress","params":{"progressToken":${JSON.stringify(second.sentToken)},"progress":1.0}}`,
    );
    expect(withOwnToken(told, second).toString()).toBe(
      '{"method":"notifications/progress","params":{"progressToken":7,"progress":1.0}}',
    );
    names.leave(first, 'answered');
    const third = names.enter(request('0', '7'));
    expect(third.sent).toBe(third.own);
    names.leave(third, 'retired');
    expect(names.enter(request('0')).sent.idText).not.toBe('0');
    names.settled('n:0');
    expect(names.enter(request('0')).sent.idText).toBe('0');
  });
});

describe('given-up requests', () => {
  test('their progress meets no new request', () => {
    const names = new UniqueNames();
    names.leave(names.enter(request('0', '7')), 'retired');
    expect(names.enter(request('1', '7')).sentToken).not.toBe(7);
    names.settled('n:0');
    expect(names.enter(request('2', '7')).sentToken).toBe(7);
  });

  test('where there are too many to remember, nobody gets the id or token of one that was forgotten', () => {
    const names = new UniqueNames();
    for (let i = 0; i <= 1000; i += 1) names.leave(names.enter(request(String(i), String(i))), 'retired');
    const { sent, sentToken } = names.enter(request('0', '0'));
    expect(sent.idText).not.toBe('0');
    expect(sentToken).not.toBe(0);
  });
});

describe('what waits for a reader', () => {
  test('is bounded by number and size, the oldest go first', () => {
    const box = new Mailbox();
    let dropped = 0;
    for (let i = 0; i < 250; i += 1) dropped += box.put(Buffer.from(String(i)));
    const lines: string[] = [];
    box.empty((line) => lines.push(Buffer.from(line).toString()));
    expect([dropped, lines.length, lines[0], lines.at(-1)]).toEqual([50, 200, '50', '249']);
    box.empty(() => expect.unreachable());
    expect([box.put(Buffer.alloc(900_000)), box.put(Buffer.alloc(900_000))]).toEqual([0, 1]);
  });

  test('events of a lost stream come again, each once and only its own', () => {
    const replay = new Replay();
    const first = replay.keep(1, Buffer.from('a'));
    replay.keep(2, Buffer.from('x'));
    const mark = replay.mark(1);
    replay.keep(1, Buffer.from('b'));
    const lines = (id: string) => {
      const at = readEventId(id);
      return at === undefined
        ? undefined
        : replay.after(at.channel, at.seq).map(({ line }) => Buffer.from(line).toString());
    };
    expect([lines(first), lines(mark), lines('2-0'), lines('3-0')]).toEqual([['b'], ['b'], ['x'], []]);
    for (const bad of ['', '1', '1-', '-1', '1-1-1', 'a-1', '1-99999999999999999', ' 1-1'])
      expect(readEventId(bad)).toBeUndefined();
    for (let i = 0; i < 1100; i += 1) replay.keep(1, Buffer.from('y'));
    expect(replay.after(1, 0)).toHaveLength(1000);
  });
});
