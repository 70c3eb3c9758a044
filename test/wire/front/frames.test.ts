import { describe, expect, test } from 'vitest';
import { FrameSplitter, withMessage } from '../../../src/wire/front/frames.js';
import { fc } from '../../support/property.js';

/** All frames of a stream that comes in these pieces, and the rest. */
function split(pieces: readonly Buffer[]): { raws: string[]; lines: (string | undefined)[]; all: string } {
  const splitter = new FrameSplitter();
  const frames = pieces.flatMap((piece) => splitter.push(piece));
  frames.push(...splitter.end());
  const raws = frames.map(({ raw }) => raw.toString('latin1'));
  const lines = frames.map(({ line }) => line?.toString('latin1'));
  return { raws, lines, all: raws.join('') };
}

function cut(bytes: Buffer, at: readonly number[]): Buffer[] {
  const places = [...new Set(at.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b);
  return [...places, bytes.length].map((end, index) => bytes.subarray(places[index - 1] ?? 0, end));
}

const end = fc.constantFrom('\n', '\r\n', '\r');
const field = fc.constantFrom(
  'data: {"a":1}',
  'data:{"b":2}',
  'data',
  ': comment',
  'id: 7',
  'retry: 100',
  'event: message',
  'x',
);
const frame = fc
  .tuple(fc.array(field, { minLength: 1, maxLength: 4 }), end)
  .map(([fields, eol]) => fields.join(eol) + eol + eol);

describe('frames of an event stream', () => {
  test('together are the stream, however it was cut', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.constantFrom('\r', '\n', 'a', ':', ' ') }),
        fc.array(fc.nat()),
        (text, places) => {
          const bytes = Buffer.from(text, 'latin1');
          expect(split(cut(bytes, places)).all).toBe(text);
        },
      ),
    );
  });

  test('carry the same messages, however the stream was cut', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 6 }), fc.array(fc.nat(), { maxLength: 8 }), (frames, places) => {
        const bytes = Buffer.from(frames.join(''), 'latin1');
        const whole = split([bytes]);
        const pieces = split(cut(bytes, places));
        expect(pieces.lines.filter((line) => line !== undefined)).toEqual(
          whole.lines.filter((line) => line !== undefined),
        );
        expect(pieces.all).toBe(whole.all);
      }),
    );
  });

  test.each([
    ['data: {"a":1}\n\n', '{"a":1}'],
    ['data:{"a":1}\r\n\r\n', '{"a":1}'],
    ['id: 1\nevent: message\ndata:  x\n\n', ' x'],
    ['data: {"a":\ndata: 1}\n\n', '{"a": 1}'],
    ['event: ping\ndata: {"a":1}\n\n', undefined],
    ['event: ping\nevent: message\ndata: x\n\n', 'x'],
    ['event:\ndata: x\n\n', 'x'],
    ['id: 1\ndata: \n\n', undefined],
    ['data\n\n', undefined],
    [': data: x\n\n', undefined],
    ['datax: 1\n\n', undefined],
    ['\ufeffdata: x\n\n', 'x'],
    ['\ufeff\ndata: x\n\n', 'x'],
    ['data: x\n', 'x'],
    ['id: 1\r\ndata: x', 'x'],
  ])('%j carries %j', (text, line) => {
    expect(split([Buffer.from(text)]).lines).toEqual([line]);
  });

  test.each([
    ['id: 1\r\ndata: old\r\nretry: 5\r\n\r\n', 'id: 1\r\ndata: new\r\nretry: 5\r\n\r\n'],
    ['data:old\ndata: more\n: c\n\n', 'data: new\n: c\n\n'],
    ['event: message\ndata: old\n\n', 'event: message\ndata: new\n\n'],
    ['\ufeffdata: old\n\n', '\ufeffdata: new\n\n'],
    ['id: 1\ndata: old', 'id: 1\ndata: new'],
  ])('another message takes its place in %j', (text, result) => {
    expect(withMessage(Buffer.from(text), Buffer.from('new')).toString()).toBe(result);
  });

  test('a frame of 32 MiB in small pieces takes no more than its size in time', () => {
    const piece = Buffer.alloc(16 << 10, 'x');
    const splitter = new FrameSplitter();
    splitter.push(Buffer.from('data: '));
    for (let i = 0; i < 2048; i += 1) expect(splitter.push(piece)).toEqual([]);
    const [whole] = splitter.push(Buffer.from('\n\n'));
    expect(whole?.line?.length).toBe(32 << 20);
  });
});
