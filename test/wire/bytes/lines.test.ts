import { describe, expect, it } from 'vitest';
import { LineSplitter } from '../../../src/wire/lines.js';
import { fc } from '../../support/property.js';

function split(chunks: readonly Uint8Array[]): string[] {
  const splitter = new LineSplitter();
  const lines = chunks.flatMap((chunk) => splitter.push(chunk));
  const rest = splitter.end();
  return [...lines, ...(rest ? [rest] : [])].map((line) => line.toString('latin1'));
}

describe('LineSplitter', () => {
  it('gives the same lines however the stream is cut', () => {
    const stream = fc.array(fc.oneof(fc.constant(0x0a), fc.constant(0x0d), fc.nat(255)), { maxLength: 60 });
    fc.assert(
      fc.property(stream, fc.array(fc.nat(60)), (bytes, cuts) => {
        const at = [0, ...cuts.filter((cut) => cut <= bytes.length).sort((a, b) => a - b), bytes.length];
        const chunks = at.slice(1).map((end, i) => Uint8Array.from(bytes.slice(at[i], end)));
        const whole = Buffer.from(bytes).toString('latin1').split('\n');
        if (whole.at(-1) === '') whole.pop();
        expect(split(chunks)).toEqual(whole);
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps the CR, empty lines and every byte', () => {
    expect(split([Buffer.from('a\r\n\n\r\n\xff\0\n', 'latin1')])).toEqual(['a\r', '', '\r', '\xff\0']);
  });

  it('has nothing at the end of a finished line, and the rest only once', () => {
    const splitter = new LineSplitter();
    splitter.push(Buffer.from('a\nb'));
    expect(splitter.end()?.toString()).toBe('b');
    expect(splitter.end()).toBeUndefined();
    splitter.push(Buffer.from('c\n'));
    expect(splitter.end()).toBeUndefined();
  });

  it('reads a view into a larger buffer', () => {
    expect(split([new Uint8Array(Buffer.from('xxa\nbxx')).subarray(2, 5)])).toEqual(['a', 'b']);
  });

  it('joins 20 MB from small chunks into one line', () => {
    const chunk = Buffer.alloc(4096, 'x');
    const splitter = new LineSplitter();
    for (let i = 0; i < 5120; i += 1) expect(splitter.push(chunk)).toHaveLength(0);
    const [line] = splitter.push(Buffer.from('y\nz'));
    expect(line?.length).toBe(20 * 1024 * 1024 + 1);
    expect(line?.at(-1)).toBe('y'.charCodeAt(0));
    expect(splitter.end()?.toString()).toBe('z');
  });
});
