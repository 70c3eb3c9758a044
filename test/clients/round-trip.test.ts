import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type ParseError, parse as parseJson } from 'jsonc-parser';
import { parse as parseToml } from 'smol-toml';
import { expect, test } from 'vitest';
import type { Layout } from '../../src/clients/places.js';
import { verifies } from '../e2e/requirements.js';
import { fc } from '../support/property.js';
import { bench, newDirectory, WRAPPER } from './bench.js';
import { CONFIGS, MALFORMED } from './configs.js';

type Values = Record<string, unknown>;

/** By the parsers' own values, not by the reader that is tested. */
function parsed(bytes: Buffer, layout: Layout): Values {
  const text = bytes.toString().replace(/^\uFEFF/, '');
  if (layout === 'codex') return parseToml(text, { integersAsBigInt: 'asNeeded' }) as Values;
  const errors: ParseError[] = [];
  const value = parseJson(text, errors, { allowTrailingComma: true, disallowComments: false, allowEmptyContent: true });
  expect(errors).toEqual([]);
  return (value ?? {}) as Values;
}

const entryAt = (value: Values, path: readonly string[]): Values =>
  path.reduce<Values>((each, step) => each[step] as Values, value);

/** What a client starts. */
function wordsOf({ command, args = [] }: Values): readonly unknown[] {
  return Array.isArray(command) ? command : [command, ...(args as unknown[])];
}

/** The same with the command lines of these servers taken out. */
function others(value: Values, paths: readonly (readonly string[])[]): Values {
  const copy = structuredClone(value);
  for (const path of paths) {
    delete entryAt(copy, path)['command'];
    delete entryAt(copy, path)['args'];
  }
  return copy;
}

test('there are enough of them', () => {
  expect(CONFIGS.length).toBeGreaterThanOrEqual(40);
});

test.each(CONFIGS)('$title: install wraps what it should, and uninstall gives the bytes back', async (config) => {
  const { layout, text, wrapped } = config;
  const { file, read, copies, backupDir, install, uninstall } = bench(text, layout);
  const isUnix = process.platform !== 'win32';
  if (isUnix) chmodSync(file, 0o640);
  const [done] = await install();
  expect(done?.problem ?? done?.plan.file.problem).toBeUndefined();
  const after = read();
  const [was, is] = [parsed(Buffer.from(text), layout), parsed(after, layout)];
  for (const path of wrapped) {
    const original = wordsOf(entryAt(was, path));
    expect(wordsOf(entryAt(is, path))).toEqual([WRAPPER.node, WRAPPER.program, '--', ...original]);
  }
  expect(others(is, wrapped)).toEqual(others(was, wrapped));
  expect(done?.plan.changes.map(({ entry }) => entry.path)).toEqual(wrapped);
  if (isUnix) expect(statSync(file).mode & 0o777).toBe(0o640);

  await install();
  expect(read().equals(after)).toBe(true);
  const kept = copies();
  expect(kept).toHaveLength(wrapped.length === 0 ? 0 : 1);
  for (const copy of kept) {
    expect(readFileSync(join(backupDir, copy)).equals(Buffer.from(text))).toBe(true);
    if (isUnix) expect(statSync(join(backupDir, copy)).mode & 0o777).toBe(0o600);
  }

  await uninstall();
  expect(read().toString()).toBe(text);
});

const wrapping = CONFIGS.filter(({ wrapped }) => wrapped.length > 0);

test.each(wrapping)('$title: a file that was edited since is unwrapped in place', async ({ layout, text }) => {
  const { file, read, install, uninstall } = bench(text, layout);
  await install();
  const edit = layout === 'codex' ? '\n# later\n' : '\n// later\n';
  writeFileSync(file, Buffer.concat([read(), Buffer.from(edit)]));
  await uninstall();
  expect(read().toString()).toBe(`${text}${edit}`);
  expect((await uninstall())[0]?.plan.changes).toEqual([]);
});

test.each(wrapping)('$title: without its copy a file is unwrapped in place', async ({ layout, text, wrapped }) => {
  const { read, backupDir, install, uninstall } = bench(text, layout);
  await install();
  rmSync(backupDir, { recursive: true });
  await uninstall();
  const [was, is] = [parsed(Buffer.from(text), layout), parsed(read(), layout)];
  expect(others(is, wrapped)).toEqual(others(was, wrapped));
  for (const path of wrapped) expect(wordsOf(entryAt(is, path))).toEqual(wordsOf(entryAt(was, path)));
});

test.each(MALFORMED)('$title: the file is left alone and the place named', async ({ layout, text, at }) => {
  const { read, copies, install, uninstall } = bench(text, layout);
  for (const command of [install, uninstall]) {
    const [done] = await command();
    const { message, line, column } = done?.plan.file.problem ?? {};
    expect([line, column]).toEqual(at);
    expect(message).not.toContain('hunter2');
  }
  expect(read().toString()).toBe(text);
  expect(copies()).toEqual([]);
});

const word = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('npx', 'ssh-mcp', '--', '-y', '"', '\\', "'''"));
const space = fc.constantFrom('', ' ', '\n', '\r\n\t', ' /* x */ ', ' // y\n');
const blank = fc.constantFrom('', ' ', '\t');
const gapsOf = (gap: fc.Arbitrary<string>) => fc.array(gap, { minLength: 8, maxLength: 8 });
const launch = { name: word, command: word, args: fc.option(fc.array(word, { maxLength: 4 })) };
const byName = { maxLength: 4, selector: ({ name }: { name: string }) => name };

test(`${verifies('F-4')} any JSON config: only command lines change, twice is once, and back is back`, async () => {
  const server = fc.record({ ...launch, gaps: gapsOf(space), comma: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(server, byName), fc.boolean(), async (servers, bom) => {
      const members = servers.map(({ name, command, args, gaps: [a, b, c, d, e, f, g, h], comma }) => {
        const list = args?.map((each) => `${d}${JSON.stringify(each)}${e}`).join(',');
        const rest = list === undefined ? '' : `,${f}"args":${g}[${list}${comma && list !== '' ? `,${h}` : ''}]`;
        return `${a}${JSON.stringify(`ssh-${name}`)}${b}:{${c}"command":${d}${JSON.stringify(command)}${rest}${h}}`;
      });
      await roundTrip(`${bom ? '\uFEFF' : ''}{"mcpServers":{${members.join(',')}}}`, 'mcpServers');
    }),
    { numRuns: 60 },
  );
});

const quoted = (text: string) => JSON.stringify(text).replaceAll('\u007f', '\\u007f');

test(`${verifies('F-4')} any TOML config: only command lines change, twice is once, and back is back`, async () => {
  const server = fc.record({ ...launch, gaps: gapsOf(blank), form: fc.constantFrom('table', 'inline', 'dotted') });
  await fc.assert(
    fc.asyncProperty(fc.uniqueArray(server, byName), fc.constantFrom('\n', '\r\n'), async (servers, eol) => {
      const parts = servers.map((each) => tomlOf(each, eol));
      const config = [...parts.filter(({ isTable }) => !isTable), ...parts.filter(({ isTable }) => isTable)];
      await roundTrip(config.flatMap(({ lines }) => lines).join(eol), 'codex');
    }),
    { numRuns: 60 },
  );
});

interface Server {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[] | null;
  readonly gaps: readonly string[];
  readonly form: string;
}

function tomlOf({ name, command, args, gaps, form }: Server, eol: string) {
  const [a = '', b = '', c = '', d = '', e = '', f = ''] = gaps;
  const key = quoted(`ssh-${name}`);
  const list = args && `args${c}=${d}[${args.map((each) => `${e}${eol}# x${eol}${f}${quoted(each)}`).join(',')}]`;
  const keys = [`command${a}=${b}${quoted(command)}`, ...(list ? [list] : [])];
  if (form === 'table')
    return { isTable: true, lines: [`[mcp_servers.${key}]${a}# t`, ...keys.map((each) => `${b}${each}${c}# z`)] };
  if (form === 'inline') return { isTable: false, lines: [`mcp_servers.${key} = {${keys.join(`${a},${b}`)}${c}}`] };
  return { isTable: false, lines: keys.map((each) => `mcp_servers${a}.${b}${key}.${each}`) };
}

async function roundTrip(config: string, layout: Layout): Promise<void> {
  const dir = newDirectory();
  try {
    const { file, read, install, uninstall } = bench(config, layout, dir);
    const [done] = await install();
    expect(done?.problem ?? done?.plan.file.problem).toBeUndefined();
    const after = read();
    const section = layout === 'codex' ? 'mcp_servers' : 'mcpServers';
    const was = (parsed(Buffer.from(config), layout)[section] ?? {}) as Values;
    const is = (parsed(after, layout)[section] ?? {}) as Values;
    expect(Object.keys(is)).toEqual(Object.keys(was));
    const wrapped = done?.plan.changes.map(({ entry }) => entry.name) ?? [];
    for (const name of Object.keys(was)) {
      const words = wordsOf(was[name] as Values);
      const now = wordsOf(is[name] as Values);
      expect(now).toEqual(wrapped.includes(name) ? [WRAPPER.node, WRAPPER.program, '--', ...words] : words);
    }
    await install();
    expect(read().equals(after)).toBe(true);
    writeFileSync(file, Buffer.concat([after, Buffer.from('\n')]));
    await uninstall();
    expect(read().toString()).toBe(`${config}\n`);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
