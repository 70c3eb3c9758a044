import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { configJsonSchema } from '../../src/config/json-schema.js';

const FILE = 'docs/configuration.md';
const START = '<!-- keys: made from the schema by test/config/docs.test.ts -->';

interface Schema {
  readonly type?: string | undefined;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly default?: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly additionalProperties?: Schema | boolean;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

/** One row per key: its path, what it may be, its default, what it does. */
function rows(schema: Schema, path: string): string[] {
  const alternatives = schema.anyOf ?? schema.oneOf ?? [];
  const own = path === '' || path.endsWith('>') || path.endsWith('[]') ? [] : [row(schema, path)];
  const inner = [
    ...Object.entries(schema.properties ?? {}).flatMap(([key, value]) =>
      rows(value, path === '' ? key : `${path}.${key}`),
    ),
    ...(typeof schema.additionalProperties === 'object' ? rows(schema.additionalProperties, `${path}.<name>`) : []),
    ...(schema.items === undefined ? [] : rows(schema.items, `${path}[]`)),
    ...alternatives.flatMap((each) => rows(each, `${path}`).filter((line) => !line.startsWith(`| \`${path}\` |`))),
  ];
  return [...new Set([...own, ...inner])];
}

function row(schema: Schema, path: string): string {
  const standard = schema.default === undefined ? '' : `\`${JSON.stringify(schema.default)}\``;
  return `| \`${path}\` | ${kind(schema)} | ${standard.length > 40 ? '' : standard} | ${schema.description ?? ''} |`;
}

function kind(schema: Schema): string {
  if (schema.const !== undefined) return `\`${JSON.stringify(schema.const)}\``;
  if (schema.enum !== undefined) return schema.enum.map((value) => `\`${String(value)}\``).join(', ');
  const alternatives = schema.anyOf ?? schema.oneOf;
  return alternatives === undefined ? (schema.type ?? '') : alternatives.map(kind).join(' or ');
}

test(`${FILE} lists every key of the schema`, () => {
  const table = [
    '| key | value | default | what it does |',
    '|---|---|---|---|',
    ...rows(configJsonSchema() as Schema, ''),
  ];
  const text = readFileSync(FILE, 'utf8');
  const expected = `${text.slice(0, text.indexOf(START) + START.length)}\n\n${table.join('\n')}\n`;
  if (process.env['UPDATE_SCHEMA'] !== undefined) writeFileSync(FILE, expected);
  expect(readFileSync(FILE, 'utf8')).toBe(expected);
});
