import { describe, expect, it } from 'vitest';
import {
  addTools,
  addToolsCapability,
  RECEIPT_KEY,
  removeMember,
  setMember,
  setReceipt,
} from '../../../src/wire/edit.js';
import { fc } from '../../support/property.js';
import { type Ast, compact, escaped, jsonText, nameOf, objectOf, objectText, readAst } from './support.js';

const OWN = [
  { name: 'zerto_a', json: '{"name":"zerto_a","n":1.0}' },
  { name: 'zerto_b', json: '{"name":"zerto_b"}' },
];

/** The bytes that an edit put in, where it did nothing else. */
function inserted(before: Buffer, after: Buffer): string {
  let head = 0;
  while (head < before.length && before[head] === after[head]) head += 1;
  const tail = before.length - head;
  expect(after.subarray(after.length - tail).equals(before.subarray(head)), `${before} -> ${after}`).toBe(true);
  return after.toString('utf8', head, after.length - tail);
}

function edit(text: string, change: (raw: Buffer) => Buffer): string {
  return change(Buffer.from(text)).toString();
}

const member = (name: string, value: fc.Arbitrary<string>) => value.map((text) => `${JSON.stringify(name)}: ${text}`);
const response = (result: fc.Arbitrary<string>) =>
  objectOf([
    member('jsonrpc', fc.constant('"2.0"')),
    member('id', fc.constant('9007199254740993')),
    member('result', result),
  ]);

describe('setReceipt', () => {
  it('adds the receipt and leaves every other byte alone', () => {
    const result = fc.oneof(
      objectOf([member('content', jsonText), member('n', fc.constantFrom('1.0', '1e400', '9007199254740993'))]),
      objectOf([member('content', jsonText), member('_meta', fc.oneof(objectText, fc.constant('{ }')))]),
    );
    fc.assert(
      fc.property(response(result), (text) => {
        const raw = Buffer.from(text);
        const edited = setReceipt(raw, { id: 'r"1' });
        expect(JSON.parse(edited.toString()).result._meta[RECEIPT_KEY]).toEqual({ id: 'r"1' });
        inserted(raw, edited);
      }),
      { numRuns: 500 },
    );
  });

  it('keeps the rest of the value as JavaScript reads it', () => {
    fc.assert(
      fc.property(response(objectOf([member('content', jsonText)])), (text) => {
        const expected = JSON.parse(text);
        expected.result._meta = { [RECEIPT_KEY]: 1 };
        expect(JSON.parse(setReceipt(Buffer.from(text), 1).toString())).toEqual(expected);
      }),
    );
  });

  const forged = fc.constantFrom(
    JSON.stringify(RECEIPT_KEY),
    '"zerto-rewind\\/receipt"',
    escaped(RECEIPT_KEY),
    '"zerto\\u002drewind/receipt"',
    '"zerto-rewind\\u002Freceipt"',
  );

  it('removes forged receipts in every spelling, place and number, with and without one of its own', () => {
    const entry = fc.oneof(
      fc.tuple(forged, jsonText).map(([name, value]) => `${name} :${value}`),
      jsonText.map((value) => `"other": ${value}`),
    );
    const meta = fc.array(entry, { maxLength: 4 }).map((entries) => `{ ${entries.join(' , ')} }`);
    const metas = fc.array(meta, { minLength: 1, maxLength: 3 });
    const result = metas.map(
      (list) => `{${list.map((text) => `"_meta":${text}`).join(',')},"result":{"x":1,"\\u005fmeta":${list[0]}}}`,
    );
    fc.assert(
      fc.property(result, fc.boolean(), (text, own) => {
        const before = `{"result":${text},"id":1,"result":${text}}`;
        const after = edit(before, (raw) => setReceipt(raw, own ? 'own' : undefined));
        const names = receiptsIn(readAst(after));
        expect(names).toEqual(own ? ['"own"'] : []);
        expect(countOthers(after)).toBe(countOthers(before));
        if (own) expect(JSON.parse(after).result._meta[RECEIPT_KEY]).toBe('own');
      }),
      { numRuns: 500 },
    );
  });

  it('returns the same buffer where there is nothing to do', () => {
    for (const text of [
      '{"id":1,"error":{"code":1,"message":"\\u0041"}}',
      '{"id":1,"result":null}',
      '[]',
      'x',
      '',
      '{"result":[1]}',
    ]) {
      const raw = Buffer.from(text);
      expect(setReceipt(raw, { id: 1 })).toBe(raw);
    }
    const clean = Buffer.from('{"id":1,"result":{"_meta":{"a\\/b":1}}}');
    expect(setReceipt(clean, undefined)).toBe(clean);
    const slash = '{"result":{"_meta":{"zerto-rewind\\/receipt":1}}}';
    expect(edit(slash, (raw) => setReceipt(raw, undefined))).toBe('{"result":{"_meta":{}}}');
    const odd = Buffer.from('{"id":1,"result":{"_meta":null}}');
    expect(setReceipt(odd, 1)).toBe(odd);
  });

  it('keeps the CR, bytes that are no UTF-8, and a depth of 100,000', () => {
    const bytes = Buffer.from('{"result":{"a":"\xff\xfe"}}\r', 'latin1');
    expect(inserted(bytes, setReceipt(bytes, 1))).toBe(`,"_meta":{"${RECEIPT_KEY}":1}`);
    const deep = `{"result":{"a":${'[{"b":'.repeat(100_000)}1${'}]'.repeat(100_000)}}}`;
    expect(edit(deep, (raw) => setReceipt(raw, 1)).length).toBeGreaterThan(deep.length);
  });

  it('edits a result of 64 MiB', () => {
    const raw = Buffer.concat([
      Buffer.from('{"id":1,"result":{"content":"'),
      Buffer.alloc(64 * 1024 * 1024, 'a'),
      Buffer.from('"}}'),
    ]);
    const edited = setReceipt(raw, 1);
    expect(edited.toString('latin1', edited.length - 45)).toMatch(/a","_meta":\{"zerto-rewind\/receipt":1\}\}\}$/);
  });
});

describe('addTools', () => {
  const tool = fc.oneof(
    fc
      .constantFrom('"zerto_a"', escaped('zerto_b'), '"zerto_A"', '"x"', '"zerto_a "')
      .chain((name) => objectOf([fc.constant(`"name":${name}`), member('inputSchema', objectText)])),
    fc.constantFrom(
      '{"name":"zerto_a","name":"x"}',
      '{"name":"x","name":"zerto_b"}',
      '{"name":1}',
      'null',
      '{}',
      '[]',
      '{"Name":"zerto_a"}',
    ),
  );

  it('drops exactly its own names from every page, adds its tools to the last, and touches no other tool', () => {
    const page = fc.tuple(
      fc.array(tool, { maxLength: 6 }),
      fc.constantFrom('', ' ', '\t'),
      fc.constantFrom('', ',"nextCursor":null', ',"nextCursor":"p"', ',"nextCursor":""'),
    );
    fc.assert(
      fc.property(page, ([tools, s, cursor]) => {
        const text = `{"id":1.0,"result":{"tools":[${s}${tools.join(`${s},${s}`)}${s}],"ttlMs":1e400${cursor}}}`;
        const { raw, dropped } = addTools(Buffer.from(text), OWN);
        const last = cursor === '' || cursor.includes('null');
        const kept = tools.filter((one) => !isOwn(readAst(one)));
        const expected = [...kept, ...(last ? OWN.map((one) => one.json) : [])];
        expect(compact(readAst(raw.toString()))).toBe(
          compact(readAst(`{"id":1.0,"result":{"tools":[${expected.join(',')}],"ttlMs":1e400${cursor}}}`)),
        );
        expect(dropped).toHaveLength(tools.length - kept.length);
        for (const one of kept) expect(raw.toString()).toContain(one);
        if (dropped.length === 0 && last) inserted(Buffer.from(text), raw);
      }),
      { numRuns: 1000 },
    );
  });

  it('names what it dropped', () => {
    const { dropped } = addTools(
      Buffer.from('{"result":{"tools":[{"name":"zerto_b"},{"name":"y"},{"name":"zerto_a"}]}}'),
      OWN,
    );
    expect(dropped).toEqual(['zerto_b', 'zerto_a']);
    const twice = Buffer.from('{"result":{"nextCursor":"p","tools":[{"name":"x","name":"zerto_b"}]}}');
    expect(addTools(twice, OWN).dropped).toEqual(['zerto_b']);
  });

  it('edits the list that JavaScript reads', () => {
    const text = '{"result":{"tools":[]},"result":{"tools":[1],"\\u0074ools":[ ]}}';
    expect(edit(text, (raw) => addTools(raw, [{ name: 'z', json: '2' }]).raw)).toBe(
      '{"result":{"tools":[]},"result":{"tools":[1],"\\u0074ools":[ 2]}}',
    );
  });

  it.each([
    '{"result":{}}',
    '{"result":{"tools":{}}}',
    '{"error":{}}',
    '{"result":[]}',
    '[{"result":{"tools":[]}}]',
    '{"result":{"tools":[1',
  ])('leaves %s', (text) => {
    const raw = Buffer.from(text);
    expect(addTools(raw, OWN)).toEqual({ raw, dropped: [] });
    expect(addTools(raw, OWN).raw).toBe(raw);
  });
});

describe('addToolsCapability', () => {
  it('adds an empty tools capability where there is none', () => {
    const result = objectOf([member('capabilities', objectText), member('serverInfo', objectText)]);
    fc.assert(
      fc.property(response(result), (text) => {
        const raw = Buffer.from(text);
        const edited = addToolsCapability(raw);
        expect(JSON.parse(edited.toString()).result.capabilities.tools).toEqual({});
        expect(inserted(raw, edited)).toMatch(/^,?"tools":\{\}$/);
      }),
    );
  });

  it.each([
    '{"result":{"capabilities":{"tools":{"listChanged":true}}}}',
    '{"result":{"capabilities":{"t\\u006fols":null}}}',
    '{"result":{}}',
    '{"result":{"capabilities":[]}}',
    '{"error":{}}',
  ])('leaves %s', (text) => {
    const raw = Buffer.from(text);
    expect(addToolsCapability(raw)).toBe(raw);
  });
});

describe('removeMember and setMember', () => {
  it('remove every member of the name, and only these', () => {
    const entry = fc
      .tuple(fc.constantFrom('"a"', '"\\u0061"', '"b"', '"A"'), jsonText)
      .map(([name, value]) => `${name} : ${value}`);
    fc.assert(
      fc.property(fc.array(entry, { maxLength: 6 }), (entries) => {
        const kept = entries.filter((text) => nameOf(text.slice(0, text.indexOf(' :'))) !== 'a');
        const after = edit(`{"params":{ ${entries.join(' , ')} }}`, (raw) => removeMember(raw, ['params'], 'a'));
        expect(compact(readAst(after))).toBe(compact(readAst(`{"params":{${kept.join(',')}}}`)));
      }),
      { numRuns: 500 },
    );
  });

  it('set a member in its place or as the last', () => {
    expect(edit('{"params":{"a": 1 , "a" :[2] }}', (raw) => setMember(raw, ['params'], 'a', '3'))).toBe(
      '{"params":{"a": 1 , "a" :3 }}',
    );
    expect(edit('{"params":{"b":1 }}', (raw) => setMember(raw, ['params'], 'a', '3'))).toBe(
      '{"params":{"b":1,"a":3 }}',
    );
    expect(edit('{"id" : 7}', (raw) => setMember(raw, [], 'id', '"zerto-1"'))).toBe('{"id" : "zerto-1"}');
    expect(edit('{"params":[]}', (raw) => setMember(raw, ['params'], 'a', '3'))).toBe('{"params":[]}');
  });
});

function isOwn(tool: Ast): boolean {
  if (tool.kind !== 'object') return false;
  return tool.members.some(
    ([name, value]) =>
      nameOf(name) === 'name' && value.kind === 'literal' && OWN.some((own) => own.name === JSON.parse(value.text)),
  );
}

/** The receipts in any `_meta` of a result or of a result inside it. */
function receiptsIn(message: Ast): (string | undefined)[] {
  const results = membersOf(message, 'result').flatMap((result) => [result, ...membersOf(result, 'result')]);
  return results
    .flatMap((result) => membersOf(result, '_meta'))
    .flatMap((meta) => membersOf(meta, RECEIPT_KEY))
    .map(compact);
}

function countOthers(text: string): number {
  return text.split('"other"').length;
}

function membersOf(ast: Ast, name: string): Ast[] {
  return ast.kind === 'object'
    ? ast.members.filter(([literal]) => nameOf(literal) === name).map(([, value]) => value)
    : [];
}
