import { describe, expect, it } from 'vitest';
import { readClientMessage } from '../../../src/wire/message.js';
import { fc } from '../../support/property.js';
import { ROWS } from './hostile.js';
import { type Ast, type Choice, compact, escaped, jsonText, nameOf, objectOf, pick, readAst } from './support.js';

const RESERVED = ['jsonrpc', 'id', 'method', 'params'];
const IN_PARAMS = ['name', 'arguments', '_meta', 'task', 'uri'];
const CHOICES: readonly Choice[] = ['first', 'last', 'anyCase'];

/** What a reader of that kind would run. */
function intent(text: string, choice: Choice): unknown {
  const message = readAst(text);
  const params = pick(message, 'params', choice);
  const args = pick(params, 'arguments', choice);
  const literal = (ast: Ast | undefined) => (ast?.kind === 'literal' ? JSON.parse(ast.text) : compact(ast));
  return {
    method: literal(pick(message, 'method', choice)),
    name: literal(pick(params, 'name', choice)),
    args: compact(args),
  };
}

/** Whatever is not refused is read alike by all, and as this reader says. */
function agrees(line: Buffer): void {
  const message = readClientMessage(line);
  if (message.kind === 'refused' || message.kind === 'empty') return;
  const text = line.toString();
  const readings = CHOICES.map((choice) => intent(text, choice));
  for (const reading of readings) expect(reading).toEqual(readings[0]);
  if (message.kind === 'response') expect(readings[0]).toMatchObject({ method: undefined });
  else {
    expect(readings[0]).toMatchObject({ method: message.method });
    if (message.method === 'tools/call') expect(readings[0]).toMatchObject({ name: message.params?.['name'] });
  }
  expect(text.replace(/\r$/, '').split(/\r\n|\r|\n/)).toHaveLength(1);
}

const spelled = (name: string): fc.Arbitrary<string> =>
  fc.constantFrom(
    JSON.stringify(name),
    escaped(name),
    JSON.stringify(name.toUpperCase()),
    JSON.stringify(name.replace('s', '\u017f')),
  );
const anyMember = (names: readonly string[], value: fc.Arbitrary<string>) =>
  fc
    .tuple(
      fc
        .constantFrom(...names)
        .chain((name) => fc.oneof({ weight: 4, arbitrary: fc.constant(JSON.stringify(name)) }, spelled(name))),
      value,
    )
    .map(([name, text]) => `${name}:${text}`);
const params = fc
  .array(anyMember([...IN_PARAMS, 'x'], fc.oneof(jsonText, fc.constantFrom('"exec"', '{}', '{"command":"ls"}'))), {
    maxLength: 4,
  })
  .map((members) => `{${members.join(',')}}`);
const topValue = fc.oneof(params, fc.constantFrom('"tools/call"', '"ping"', '"2.0"', '7', '"7"'), jsonText);
const messy = fc
  .array(anyMember([...RESERVED, 'result', 'x'], topValue), { maxLength: 6 })
  .map((members) => `{${members.join(',')}}`);
const member = (name: string, value: fc.Arbitrary<string>) => value.map((text) => `"${name}" :${text}`);
const proper = objectOf([
  member('jsonrpc', fc.constant('"2.0"')),
  member('id', fc.constantFrom('1', '"1"', '9007199254740993')),
  member('method', fc.constantFrom('"tools/call"', '"tools\\/call"', '"ping"')),
  member(
    'params',
    objectOf([
      member('name', fc.constantFrom('"exec"', '"\\u0065xec"')),
      member('arguments', fc.constantFrom('{}', '{"a":[1.0]}')),
    ]),
  ),
]);

/** Each character beyond ASCII that some case table or NFKC turns into a letter of a reserved name, with that letter. */
function lookalikes(): [string, string][] {
  const characters = Array.from({ length: 0x1ffff }, (_, code) => code)
    .filter((code) => code >= 0x80 && (code < 0xd800 || code > 0xdfff))
    .map((code) => String.fromCodePoint(code));
  return characters.flatMap((character) => {
    const forms = [character.toLowerCase(), character.toUpperCase(), character.normalize('NFKC')];
    const letters = forms.map((text) => text.normalize('NFKC').toLowerCase()).filter((text) => /^[a-z_]$/.test(text));
    return [...new Set(letters)].map((letter): [string, string] => [letter, character]);
  });
}

describe('a message that passes is read alike by every reader', () => {
  it('in the table of hostile lines', () => {
    for (const row of ROWS) agrees(Buffer.isBuffer(row.line) ? row.line : Buffer.from(row.line));
  });

  it('in random messages of reserved names in all spellings', () => {
    fc.assert(
      fc.property(messy, (text) => agrees(Buffer.from(text))),
      { numRuns: 2000 },
    );
  });

  it('in proper messages, none of which is refused', () => {
    fc.assert(
      fc.property(proper, (text) => {
        expect(readClientMessage(Buffer.from(text)).kind).toBe('request');
        agrees(Buffer.from(text));
      }),
    );
  });

  it('in proper messages with one byte changed, taken out or put in', () => {
    const change = fc.tuple(
      proper,
      fc.nat(),
      fc.oneof(fc.nat(255), fc.constantFrom(0, 0x0a, 0x0d, 0x22, 0x2c, 0x5c)),
      fc.nat(1),
      fc.nat(1),
    );
    fc.assert(
      fc.property(change, ([text, seed, byte, cut, put]) => {
        const raw = Buffer.from(text);
        const at = seed % raw.length;
        agrees(Buffer.concat([raw.subarray(0, at), Buffer.from(put ? [byte] : []), raw.subarray(at + cut)]));
      }),
      { numRuns: 2000 },
    );
  });
});

describe('what two readers could take for two things is refused', () => {
  it('a name twice at any depth, in any spelling', () => {
    const name = fc.string({ unit: 'grapheme', maxLength: 6 });
    const path = fc.array(fc.constantFrom('{"a":@}', '[1,@]', '{"b":2,"c":[@]}'), { maxLength: 6 });
    fc.assert(
      fc.property(name, path, jsonText, fc.boolean(), (key, steps, value, last) => {
        const twice = `{${JSON.stringify(key)}:${value},"zz zz":1,${last ? escaped(key) : JSON.stringify(key)}:${value}}`;
        const inner = steps.reduceRight((text, step) => step.replace('@', () => text), twice);
        const line = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","arguments":{"v":${inner}}}}`;
        expect(readClientMessage(Buffer.from(line))).toMatchObject({ kind: 'refused', code: -32600, idText: '1' });
      }),
      { numRuns: 500 },
    );
  });

  it('a reserved name with any character that some case table or NFKC maps to its own', () => {
    const variants = lookalikes().flatMap(([letter, character]) => [
      ...RESERVED.filter((name) => name.includes(letter)).map(
        (name) => `{"id":1,"method":"x","${name.replace(letter, character)}":1}`,
      ),
      ...IN_PARAMS.filter((name) => name.includes(letter)).map(
        (name) => `{"params":{"${name.replace(letter, character)}":1},"method":"x"}`,
      ),
    ]);
    expect(variants.length).toBeGreaterThan(200);
    for (const line of variants) expect(readClientMessage(Buffer.from(line)).kind, line).toBe('refused');
  });

  it('any array, and any value that is no object', () => {
    fc.assert(
      fc.property(jsonText, (text) => {
        const message = readClientMessage(Buffer.from(text));
        if (text.startsWith('{')) return;
        expect(message).toMatchObject({ kind: 'refused', code: -32600 });
      }),
    );
  });
});

describe('no line throws', () => {
  it('of JSON', () => {
    fc.assert(fc.property(fc.json(), (text) => readClientMessage(Buffer.from(text)).kind.length > 0));
  });

  it('of JSON messages with odd names', () => {
    const odd = fc.dictionary(
      fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', ...RESERVED),
      fc.jsonValue(),
    );
    fc.assert(fc.property(odd, (value) => readClientMessage(Buffer.from(JSON.stringify(value))).kind.length > 0));
  });

  it('of bytes, and what is refused has an id that is JSON', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.array(fc.constantFrom(...Buffer.from('{}[]",:\\1e-\r\0u')), { maxLength: 30 }),
    );
    fc.assert(
      fc.property(bytes, (list) => {
        const message = readClientMessage(Buffer.from(list));
        if (message.kind === 'refused') JSON.parse(message.idText);
      }),
      { numRuns: 2000 },
    );
  });
});

it('the names in the readings are decoded', () => {
  expect(nameOf(escaped('method'))).toBe('method');
  expect(intent('{"method":"a","Method":"b"}', 'anyCase')).toMatchObject({ method: 'b' });
  expect(intent('{"method":"a","method":"b"}', 'first')).toMatchObject({ method: 'a' });
});
