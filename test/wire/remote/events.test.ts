import { describe, expect, test } from 'vitest';
import { type Cursor, EventReader, lastEventId } from '../../../src/wire/remote/events.js';
import { oneLine } from '../../../src/wire/remote/one-line.js';
import { fc } from '../../support/property.js';

function read(chunks: readonly Buffer[], cursor: Cursor = {}): { data: string; event: string | undefined }[] {
  const reader = new EventReader(cursor);
  return chunks.flatMap((chunk) =>
    reader.push(chunk).map(({ data, event }) => ({ data: data.toString('utf8'), event })),
  );
}

function cutAt(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places.map((place) => place % (bytes.length + 1))), bytes.length].sort((a, b) => a - b);
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

const lineEnd = fc.constantFrom('\n', '\r\n', '\r');
const text = fc.string({ unit: 'binary', maxLength: 30 }).map((each) => each.replace(/[\r\n]/g, ''));
const block = fc.record({
  comment: fc.option(text),
  id: fc.option(text.map((each) => each.replaceAll('\0', ''))),
  event: fc.option(fc.constantFrom('message', 'endpoint')),
  data: fc.array(text, { minLength: 1, maxLength: 3 }),
  space: fc.boolean(),
});

describe('events', () => {
  test('come out the same wherever the bytes are cut and whatever ends the lines', () => {
    fc.assert(
      fc.property(
        fc.array(block, { maxLength: 6 }),
        lineEnd,
        fc.boolean(),
        fc.array(fc.nat(2000), { maxLength: 12 }),
        (blocks, end, bom, places) => {
          const lines = blocks.flatMap(({ comment, id, event, data, space }) => [
            ...(comment === null ? [] : [`:${comment}`]),
            ...(id === null ? [] : [`id: ${id}`]),
            ...(event === null ? [] : [`event:${event}`]),
            ...data.map((each) => (space || each.startsWith(' ') ? `data: ${each}` : `data:${each}`)),
            '',
          ]);
          const bytes = Buffer.from((bom ? '\ufeff' : '') + lines.map((line) => line + end).join(''));
          const cursor: Cursor = {};
          const expected = blocks.map(({ event, data }) => ({
            // What a decoder makes of a lone surrogate is what was written.
            data: Buffer.from(data.join('\n')).toString('utf8'),
            event: event ?? undefined,
          }));
          expect(read(cutAt(bytes, places), cursor)).toEqual(expected);
          const last = blocks.findLast(({ id }) => id !== null)?.id ?? undefined;
          expect(cursor.id).toBe(last === undefined ? undefined : Buffer.from(last).toString('latin1'));
        },
      ),
    );
  });

  test('an event is there with the byte that ends it, also where lines end with CR alone', () => {
    expect(read([Buffer.from('data: 1\r\r')])).toHaveLength(1);
    expect(read([Buffer.from('data: 1\r\n\r'), Buffer.from('\ndata: 2\n\n')])).toHaveLength(2);
  });

  test('what the stream cuts off is no event', () => {
    expect(read([Buffer.from('data: {"a":1}\n\ndata: {"b"')])).toEqual([{ data: '{"a":1}', event: undefined }]);
  });

  test('an id without data is a place to go on from, once its blank line came; what is cut off is none', () => {
    const placeAfter = (...chunks: string[]): unknown[] => {
      const cursor: Cursor = {};
      const events = read(
        chunks.map((chunk) => Buffer.from(chunk, 'latin1')),
        cursor,
      );
      return [lastEventId(cursor), events.length];
    };
    expect(placeAfter('id: 1\n\n')).toEqual(['1', 0]);
    expect(placeAfter('id: 1\ndata: x\n\nid:2\nretry: 5\n\n')).toEqual(['2', 1]);
    expect(placeAfter('id: 1\r', '\n\r', '\n: c\r\n\r\n')).toEqual(['1', 0]);
    expect(placeAfter('event: endpoint\nid: 1\n\n')).toEqual(['1', 0]);
    expect(placeAfter('id: 1\n\nid: 2\ndata: x\n')).toEqual(['1', 0]);
    expect(placeAfter('id: 1\n\nid: 2')).toEqual(['1', 0]);
    expect(placeAfter('id: 1\n\nid\n\n')).toEqual([undefined, 0]);
    expect(placeAfter('id: 1\n\nid: a\0b\n\n')).toEqual(['1', 0]);
    expect(placeAfter('\xef', '\xbb', '\xbfid: 1\n\n')).toEqual(['1', 0]);
    expect(placeAfter('\xef\xbb\xbfid: 1\ndata: x\n\n\xef\xbb\xbfid: 2\n\n')).toEqual(['1', 1]);
    expect(placeAfter('identity: 9\ndatabase: x\n\n')).toEqual([undefined, 0]);
  });

  test('retry is remembered, nonsense is not', () => {
    const cursor: Cursor = {};
    read([Buffer.from('retry: 250\nretry: soon\nunknown: x\n\n')], cursor);
    expect(cursor.retryMs).toBe(250);
  });
});

describe('one line', () => {
  const space = fc.constantFrom(' ', '\n', '\r\n', '\r', '\t', '');
  const pretty = fc.tuple(fc.jsonValue(), fc.array(space, { minLength: 1 })).map(([value, spaces]) => {
    let at = 0;
    const next = () => spaces[at++ % spaces.length] ?? '';
    const tokens = JSON.stringify(value).match(/"(?:[^"\\]|\\.)*"|[\]{}[,:]|[^"\]{}[,:]+/g) ?? [];
    return next() + tokens.map((token) => token + next()).join('');
  });

  test('means the same, has no line end, and keeps every other byte', () => {
    fc.assert(
      fc.property(pretty, fc.boolean(), (json, bom) => {
        const line = oneLine(Buffer.from((bom ? '\ufeff' : '') + json));
        const read = line?.toString('utf8') ?? '';
        expect(read).not.toMatch(/[\r\n]/);
        expect(JSON.parse(read)).toEqual(JSON.parse(json));
        expect(read).toBe(json.replace(/^[\r\n]+|[\r\n]+$/g, '').replace(/[\r\n]/g, ' '));
      }),
    );
  });

  test.each(['{"a":"x\ny"}', '{"a":\n"b', '<html>\n</html>', '{"a":1}\n{"b":2}'])('%j is none', (text) => {
    expect(oneLine(Buffer.from(text))).toBeUndefined();
  });

  test('a byte that is no UTF-8 stays', () => {
    const raw = Buffer.concat([Buffer.from('{\n"a":"'), Buffer.from([0xff]), Buffer.from('"}\n')]);
    expect(oneLine(raw)).toEqual(Buffer.concat([Buffer.from('{ "a":"'), Buffer.from([0xff]), Buffer.from('"}')]));
  });
});
