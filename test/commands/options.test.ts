import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { GLOBAL_OPTIONS } from '../../src/commands/command-line.js';
import { COMPLETED } from '../../src/commands/help.js';
import { main } from '../../src/commands/main.js';
import { BEFORE_COMMAND, readArguments } from '../../src/commands/options.js';
import { fc } from '../support/property.js';

const home = mkdtempSync(join(tmpdir(), 'rewind-options-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));
process.env['XDG_CONFIG_HOME'] = home;
process.env['XDG_STATE_HOME'] = home;
process.env['ZERTO_REWIND_CONFIG'] = '';

async function run(...args: string[]) {
  const said = { stdout: '', stderr: '' };
  const sink = (name: 'stdout' | 'stderr') => ({
    once: () => undefined,
    write: (text: string) => {
      said[name] += text;
      return true;
    },
  });
  const io = { stdin: process.stdin, stdout: sink('stdout'), stderr: sink('stderr') };
  const code = await main(args, io as unknown as Parameters<typeof main>[1], new AbortController().signal);
  return { code, ...said };
}

const described = await Promise.all(
  COMPLETED.names.map(async (name) => {
    const found = await COMPLETED.describe(name);
    if (found === undefined) throw new Error(`${name} is not described`);
    return { name, ...found };
  }),
);

const named = (text: string) => new Set([...text.matchAll(/--([a-z][a-z-]*)/g)].map(([, name = '']) => name));

describe.each(described)('$name', ({ name, usage, options, words }) => {
  test('its help names its options and no others', () => {
    // `audit export` reads options of its own.
    const shown = named(usage.replace(/^.*\baudit export\b.*$/gm, ''));
    for (const name of ['config', 'as', 'log-level']) shown.delete(name);
    expect([...shown].sort()).toEqual(Object.keys(options).sort());
  });

  test('its help names the words that may stand first', () => {
    for (const word of words) expect(usage).toMatch(new RegExp(`\\b${word}\\b`));
  });

  test.each(Object.entries(options))('--%s is read', async (option, { type }) => {
    const { code, stdout, stderr } = await run(name, type === 'string' ? `--${option}` : `--${option}=x`);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(type === 'string' ? `--${option} needs a value` : `--${option} takes no value`);
  });

  test('what it does not know is a usage error that says what to do', async () => {
    const { code, stdout, stderr } = await run(name, '--frobnicate');
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/frobnicate|takes no arguments/);
    expect(stderr).toMatch(/usage: zerto-rewind-proxy|See serve --help/);
  });
});

test('--help of the program names each command, and the options before it', async () => {
  const { stdout } = await run('--help');
  for (const name of COMPLETED.names)
    expect(stdout).toMatch(new RegExp(`^ {2}zerto-rewind-proxy .*\\b${name}\\b`, 'm'));
  for (const name of Object.keys(GLOBAL_OPTIONS)) expect(stdout).toContain(`--${name}`);
});

test('the options that stand before the command alone are none of a command', () => {
  for (const { name, options } of described)
    expect({ name, clash: BEFORE_COMMAND.filter((each) => Object.hasOwn(options, each)) }).toEqual({ name, clash: [] });
  expect(Object.keys(GLOBAL_OPTIONS)).toEqual(expect.arrayContaining([...BEFORE_COMMAND]));
});

test.each([
  [['docter'], 'there is no command "docter"; did you mean doctor?'],
  [['help', 'docter'], 'did you mean doctor?'],
  [['class'], 'did you mean classify?'],
  [['npx', 'ssh-mcp'], 'there is no command "npx"; a server to wrap stands behind --.'],
  [['audit', 'show'], 'show takes one receipt or call'],
  [['--confg', 'x'], 'there is no option "--confg"; did you mean --config?'],
  [['--version=1'], '--version takes no value'],
  [['doctor', '--config', 'x'], '--config stands before the command: zerto-rewind-proxy --config … COMMAND'],
  [['doctor', '--transcipt', 'x'], '"--transcipt" is no option of it; did you mean --transcript?'],
  [['coverage', 'app01'], '"app01" is too much: it takes options alone'],
  [['recover', '--vm', '--path', '/x'], '--vm needs a value; one that begins with a dash is written --vm=-…'],
  [['recover', '--vm', 'a', '--vm', 'b', '--path', '/x'], '--vm is given twice: give it once'],
  [['classify', 'ls', '-l'], 'put it in quotes'],
  [['classify', 'ls', '--shell', 'pwsh'], '--shell is one of bash, powershell, cmd, not "pwsh"'],
  [['classify', '--jsonl', '--catalog'], '--jsonl stands alone'],
  [['audit', 'lst'], 'did you mean list?'],
  [['audit'], 'a command is missing: list, show, verify, export'],
])('%j says %s', async (args, words) => {
  const { code, stderr } = await run(...args);
  expect(code).toBe(2);
  expect(stderr).toContain(words);
  expect(stderr).not.toContain('?.');
  expect(stderr).toMatch(/usage: |--help/);
});

test.each(['zzzz', 'x', '--'])('%j is near to nothing', async (name) => {
  expect((await run('help', name)).stderr).not.toContain('did you mean');
});

test('an option of classify may stand after the command', async () => {
  const { code, stdout } = await run('classify', 'Get-Service', '--shell', 'powershell');
  expect({ code, first: stdout.split('\n')[0] }).toEqual({ code: 0, first: 'read_only' });
});

test('any words are read, or refused in one line without control characters', () => {
  const table = {
    vm: { type: 'string' },
    json: { type: 'boolean' },
    only: { type: 'string', multiple: true },
  } as const;
  const word = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 12 }),
    fc.constantFrom(
      '--vm',
      '--json',
      '--only',
      '--',
      '-',
      '--vm=',
      '--json=1',
      '--no-json',
      '-j',
      '--only=a\nb',
      '--x\n\u202ey',
    ),
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), fc.boolean(), (args, words) => {
      const read = readArguments(args, table, { words });
      if (typeof read === 'string') return !/[\p{Cc}\p{Cf}]/u.test(read) && read.length > 0;
      return Object.keys(read.values).every((name) => Object.hasOwn(table, name)) && (words || read.words.length === 0);
    }),
    { numRuns: 500 },
  );
});
