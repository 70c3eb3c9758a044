import { fc } from '../../support/property.js';

/** JSON read without losing anything: pairs in order, literals as written. */
export type Ast =
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, Ast])[] }
  | { readonly kind: 'array'; readonly elements: readonly Ast[] }
  | { readonly kind: 'literal'; readonly text: string };

/** A recursive reader of its own, so that the scanner is not its own judge. Throws on broken text. */
export function readAst(text: string): Ast {
  const token = /\s*([{}[\],:]|"(?:[^"\\]|\\.)*"|[^\s{}[\],:"]+)/y;
  const next = (): string => {
    const found = token.exec(text)?.[1];
    if (found === undefined) throw new Error(`broken at ${token.lastIndex}`);
    return found;
  };
  const value = (first: string): Ast => {
    if (first === '{') return { kind: 'object', members: list('}', (name) => [name, after(':')] as const) };
    if (first === '[') return { kind: 'array', elements: list(']', value) };
    return { kind: 'literal', text: first };
  };
  const after = (expected: string): Ast => {
    if (next() !== expected) throw new Error(`no ${expected}`);
    return value(next());
  };
  const list = <T>(close: string, read: (first: string) => T): T[] => {
    const items: T[] = [];
    for (let first = next(); first !== close; ) {
      items.push(read(first));
      const separator = next();
      first = separator === ',' ? next() : separator;
    }
    return items;
  };
  return value(next());
}

/** The name that a name literal stands for. */
export function nameOf(literal: string): string {
  return JSON.parse(literal);
}

/** How a member is chosen where several could be meant. */
export type Choice = 'first' | 'last' | 'anyCase';

/** The member as a reader of that kind finds it: the first, the last, or the last that is equal without case. */
export function pick(ast: Ast | undefined, name: string, choice: Choice): Ast | undefined {
  if (ast?.kind !== 'object') return undefined;
  const same = choice === 'anyCase' ? (a: string) => caseless(a) === caseless(name) : (a: string) => a === name;
  const found = ast.members.filter(([literal]) => same(nameOf(literal)));
  return (choice === 'first' ? found[0] : found.at(-1))?.[1];
}

function caseless(text: string): string {
  return text.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

/** The text of an AST without whitespace. */
export function compact(ast: Ast | undefined): string | undefined {
  if (ast === undefined) return undefined;
  if (ast.kind === 'literal') return ast.text;
  if (ast.kind === 'array') return `[${ast.elements.map(compact).join(',')}]`;
  return `{${ast.members.map(([name, value]) => `${name}:${compact(value)}`).join(',')}}`;
}

const space = fc.constantFrom('', '', '', ' ', '  ', '\t', ' \t ');

/** String literals in several spellings: as they are, fully escaped, with escaped slashes, with half a surrogate pair. */
const stringLiteral = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => JSON.stringify(text)),
  fc.string({ maxLength: 6 }).map(escaped),
  fc.constantFrom('"\\/"', '"\\\\"', '"\\""', '"}"', '"{\\"a\\":[1,2"', '"\\ud800"', '"\\ud83d\\ude00"', '"\u2028"'),
);

const scalar = fc.oneof(
  stringLiteral,
  fc.constantFrom(
    'null',
    'true',
    'false',
    '9007199254740993',
    '1.0',
    '-0',
    '1e400',
    '1E-7',
    '0.10',
    '12345678901234567890123',
  ),
  fc.integer().map(String),
);

/** Any JSON text, with random whitespace and equal names. */
export const { value: jsonText, object: objectText } = fc.letrec<{ value: string; array: string; object: string }>(
  (tie) => ({
    value: fc.oneof({ depthSize: 'small', withCrossShrink: true }, scalar, tie('array'), tie('object')),
    array: fc
      .tuple(fc.array(tie('value'), { maxLength: 4 }), space)
      .map(([items, s]) => `[${s}${items.join(`${s},`)}${s}]`),
    object: fc
      .tuple(
        fc.array(fc.tuple(fc.oneof(stringLiteral, fc.constantFrom('"a"', '"_meta"')), space, tie('value')), {
          maxLength: 4,
        }),
        space,
      )
      .map(
        ([items, s]) => `{${s}${items.map(([name, t, value]) => `${name}${t}:${s}${value}`).join(`${t(items)},`)}${s}}`,
      ),
  }),
);

function t(items: readonly unknown[]): string {
  return items.length % 2 === 0 ? '' : ' ';
}

/** Every character as a \u escape. */
export function escaped(text: string): string {
  return `"${[...Array(text.length).keys()].map((i) => `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`).join('')}"`;
}

/** An object's text from member texts in random order with random whitespace. */
export function objectOf(members: readonly fc.Arbitrary<string>[]): fc.Arbitrary<string> {
  return fc
    .tuple(fc.tuple(...members), space, space)
    .chain(([texts, before, after]) =>
      fc
        .shuffledSubarray(texts, { minLength: texts.length })
        .map((order) => `{${before}${order.join(`${after},${before}`)}${after}}`),
    );
}
