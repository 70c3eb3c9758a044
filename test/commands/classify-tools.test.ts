import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { classifyCommandLine } from '../../src/commands/classify.js';
import { ROLES } from '../../src/domain/call.js';
import { directory } from '../config/support.js';
import { verifies } from '../e2e/requirements.js';

interface Line {
  readonly tool: string;
  readonly roles: Readonly<Record<string, string>>;
  readonly effect: string;
}

async function run(args: string[]) {
  const out = { stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr') =>
    new Writable({
      write: (chunk: Buffer, _, done) => {
        out[name] += chunk.toString();
        done();
      },
    });
  const code = await classifyCommandLine(args, {
    stdin: process.stdin,
    stdout: sink('stdout'),
    stderr: sink('stderr'),
  });
  return { code, ...out };
}

async function tools(content: unknown): Promise<readonly Line[]> {
  const file = join(await directory(), 'tools.json');
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  const { stdout } = await run(['--tools', file]);
  return stdout
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Line);
}

const tool = (name: string, ...args: string[]) => ({
  name,
  inputSchema: { type: 'object', properties: Object.fromEntries(args.map((arg) => [arg, { type: 'string' }])) },
});

test('a line per tool, in order: roles of the arguments, and the effect of a call that is not known', async () => {
  expect(
    await tools({ tools: [tool('run', 'host', 'command'), tool('write_file', 'path', 'content'), tool('look', 'x')] }),
  ).toEqual([
    { tool: 'run', roles: { host: 'host', command: 'command' }, effect: 'unknown' },
    { tool: 'write_file', roles: { path: 'path', content: 'content' }, effect: 'mutating' },
    { tool: 'look', roles: { x: 'unknown' }, effect: 'unknown' },
  ]);
});

test('the tools of the proxy itself are told as such, and none of them is unknown', async () => {
  const why = 'a tool of the proxy itself, which no server gets';
  expect(await tools({ tools: [tool('zerto_check_tool', 'command'), tool('zerto_recover_file', 'path')] })).toEqual([
    { tool: 'zerto_check_tool', roles: {}, effect: 'read_only', why },
    { tool: 'zerto_recover_file', roles: {}, effect: expect.stringMatching(/^(?:read_only|mutating)$/), why },
  ]);
  expect(await tools({ tools: [tool('zerto_check_tools', 'command')] })).toMatchObject([{ effect: 'unknown' }]);
});

test('the whole answer, the list alone, a BOM and CRLF are read too', async () => {
  const list = [tool('run', 'command')];
  const expected = [{ tool: 'run', roles: { command: 'command' }, effect: 'unknown' }];
  expect(await tools({ jsonrpc: '2.0', id: 1, result: { tools: list } })).toEqual(expected);
  expect(await tools(list)).toEqual(expected);
  expect(await tools(`\ufeff${JSON.stringify({ tools: list }, null, 2).replaceAll('\n', '\r\n')}`)).toEqual(expected);
  expect(await tools({ tools: [] })).toEqual([]);
});

test('hints raise, and lower nothing', async () => {
  const hinted = (annotations: object) => ({ ...tool('look'), annotations });
  expect(
    await tools({ tools: [hinted({ readOnlyHint: true }), hinted({ destructiveHint: true, readOnlyHint: true })] }),
  ).toMatchObject([{ effect: 'unknown' }, { effect: 'mutating' }]);
});

test.each([
  ['no JSON', 'nope'],
  ['no list', '{"tools": {}}'],
  ['a tool without a name', '{"tools": [{}]}'],
  ['a number', '5'],
  ['null', 'null'],
])('%s is an error that names the file', async (_, content) => {
  await expect(tools(content)).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringContaining('tools.json'),
  });
});

test('a file that is not there, or none, is an error', async () => {
  await expect(run(['--tools', '/no/such/file'])).rejects.toMatchObject({ code: 'CONFIG_INVALID' });
  expect((await run(['--tools'])).code).toBe(2);
  expect((await run(['--tools', 'a', 'b'])).code).toBe(2);
});

const ROOT = join('..', 'shared', 'downstream');
const there = existsSync(join(ROOT, 'catalog.json'));
if (!there) console.error('classify --tools: the labelled servers are not checked, ../shared/downstream is not there');
const COMMANDS = 'command script stdin interpreter module module_args command_args playbook'.split(' ');
const HOSTS =
  'host host_list connection connection_list connection_profile host_pattern host_pattern_list host_group hypervisor_node'.split(
    ' ',
  );
const CARRY_COMMAND = 'command script stdin terminal_input args module module_args playbook'.split(' ');
const CARRY_HOST = ['host', 'host_list', 'connection'];

interface Labelled {
  readonly server: string;
  readonly tools: readonly { name: string; args?: Record<string, string>; label: string }[];
}

describe.skipIf(!there)(`real servers${there ? '' : ' (skipped: ../shared/downstream is not there)'}`, () => {
  const labelled: readonly Labelled[] = there ? JSON.parse(readFileSync(join(ROOT, 'catalog.json'), 'utf8')) : [];
  const labels = new Map(
    labelled.flatMap(({ tools: all }) =>
      all.map(({ name, args = {}, label }) => [`${name} ${Object.keys(args).sort()}`, label] as const),
    ),
  );

  test.each(there ? readdirSync(join(ROOT, 'tools')) : [])('%s', async (file) => {
    const { stdout, code } = await run(['--tools', join(ROOT, 'tools', file)]);
    const lines = stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Line);
    const listed = JSON.parse(readFileSync(join(ROOT, 'tools', file), 'utf8')) as { tools: { name: string }[] };
    expect(code).toBe(0);
    expect(lines.map((line) => line.tool)).toEqual(listed.tools.map(({ name }) => name));
    expect(
      lines.flatMap((line) => Object.values(line.roles)).every((role) => ROLES.some((each) => each === role)),
    ).toBe(true);
    const wrong = lines.filter(({ tool: name, roles, effect }) => {
      const label = labels.get(`${name} ${Object.keys(roles).sort()}`);
      return effect === 'read_only' && label !== undefined && label !== 'read_only';
    });
    expect(wrong.map((line) => line.tool)).toEqual([]);
  });

  test(`${verifies('C-5')} labelled servers: nothing that may change is read_only, and commands and hosts are found`, async () => {
    const all = await Promise.all(
      labelled.map(async (entry) => {
        const lines = await tools({
          tools: entry.tools.map(({ name, args = {} }) => tool(name, ...Object.keys(args))),
        });
        return entry.tools.map((each, index) => ({ ...each, args: each.args ?? {}, line: lines[index] }));
      }),
    );
    const wrong = all.flat().filter(({ label, line }) => label !== 'read_only' && line?.effect === 'read_only');
    expect(wrong.map(({ name }) => name)).toEqual([]);
    const share = (what: string, wanted: readonly string[], roles: readonly string[]) => {
      const found = all.flat().flatMap(({ args, line }) =>
        Object.entries(args)
          .filter(([, label]) => wanted.includes(label))
          .map(([name]) => roles.includes(line?.roles[name] ?? '')),
      );
      const hits = found.filter(Boolean).length;
      console.error(
        `classify --tools: ${what} ${hits} of ${found.length} (${((100 * hits) / found.length).toFixed(1)} %)`,
      );
      return hits / found.length;
    };
    expect(share('commands', COMMANDS, CARRY_COMMAND)).toBeGreaterThanOrEqual(0.97);
    expect(share('hosts', HOSTS, CARRY_HOST)).toBeGreaterThanOrEqual(0.95);
  });
});
