import { describe, expect, it } from 'vitest';
import { readClientMessage, readServerMessage, refusal, resultIsError } from '../../../src/wire/message.js';

describe('readClientMessage', () => {
  it('reads a request and keeps its bytes', () => {
    const raw = Buffer.from(
      '{"jsonrpc":"2.0","id":9007199254740993,"method":"tools/call","params":{"name":"ls","arguments":{"a":1.0}}}\r',
    );
    const message = readClientMessage(raw);
    expect(message).toMatchObject({
      kind: 'request',
      idKey: 'n:9007199254740993',
      idText: '9007199254740993',
      method: 'tools/call',
    });
    expect(message).toHaveProperty('raw', raw);
  });
});

describe('readServerMessage', () => {
  it('reads a response without parsing its result', () => {
    const raw = Buffer.from('{"id":"a","result":{"isError":true}}');
    expect(readServerMessage(raw)).toMatchObject({
      kind: 'response',
      idKey: 's:a',
      isError: false,
      result: { isError: true },
    });
    expect(resultIsError(raw)).toBe(true);
  });
});

describe('refusal', () => {
  it('is one JSON-RPC error line', () => {
    expect(JSON.parse(refusal('"x"', -32600, 'no "batch"').toString())).toEqual({
      jsonrpc: '2.0',
      id: 'x',
      error: { code: -32600, message: 'no "batch"' },
    });
  });
});
