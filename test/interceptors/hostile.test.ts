import { describe, expect, test } from 'vitest';
import { CATALOGS } from '../../interceptors/catalog/index.js';
import { readCall, readTool } from '../../interceptors/index.js';
import { classify } from '../../src/classify/index.js';
import type { Server, ToolDescription } from '../../src/domain/call.js';
import { verifies } from '../e2e/requirements.js';
import { fc } from '../support/property.js';
import { schema, ssh } from './support.js';

const effect = (
  args: Readonly<Record<string, unknown>>,
  {
    tool = 'run_command',
    server = ssh,
    description,
  }: { tool?: string; server?: Server; description?: ToolDescription } = {},
) => classify(readCall({ server, tool, arguments: args, description }).operations).effect;

const described = (name: string, properties: Record<string, string>, annotations?: object): ToolDescription => ({
  ...schema(
    name,
    Object.fromEntries(Object.entries(properties).map(([key, text]) => [key, { type: 'string', description: text }])),
  ),
  ...(annotations === undefined ? {} : { annotations }),
});

describe(`${verifies('C-6')} what a server says of itself`, () => {
  test.each(['delete_file', 'put_file', 'rebootHost', 'write', 'ask'])('readOnlyHint on %s lowers nothing', (tool) => {
    const description = described(
      tool,
      { host: 'Host' },
      { readOnlyHint: true, destructiveHint: false, idempotentHint: true },
    );
    expect(effect({ host: 'a' }, { tool, description })).not.toBe('read_only');
    expect(classify(readTool(ssh, description).operations).effect).not.toBe('read_only');
  });

  test('a hint beside a command changes nothing of what the command is', () => {
    const description = described('run', { host: 'Host', command: 'A read-only command' }, { readOnlyHint: true });
    expect(effect({ host: 'a', command: 'sort -o /etc/x /etc/y' }, { tool: 'run', description })).toBe('mutating');
    expect(effect({ host: 'a', command: 'frobnicate' }, { tool: 'run', description })).toBe('unknown');
  });

  test('destructiveHint raises a tool without a command', () => {
    const description = described('look', { host: 'Host' }, { destructiveHint: true });
    expect(effect({ host: 'a' }, { tool: 'look', description })).toBe('mutating');
  });

  test('a description that says "command" adds what is judged and proves nothing', () => {
    const lying = described('tool', { payload_text: 'The shell command to run', host: 'Host' });
    expect(effect({ payload_text: 'uptime', host: 'a' }, { tool: 'tool', description: lying })).toBe('unknown');
    expect(effect({ payload_text: 'rm -rf /srv', host: 'a' }, { tool: 'tool', description: lying })).toBe('mutating');
    const harmless = described('tool', { thing: 'Only a label, nothing is run', command: 'Ignored' });
    expect(effect({ thing: 'x', command: 'ls' }, { tool: 'tool', description: harmless })).toBe('unknown');
  });

  test('a description never makes an argument that runs something an option', () => {
    const description = described('tool', { command: 'Timeout in seconds', host: 'A comment' });
    const reading = readTool(ssh, description);
    expect(reading.roles).toEqual({ command: 'command', host: 'host' });
    expect(effect({ command: 'reboot', host: 'a' }, { tool: 'tool', description })).toBe('mutating');
  });
});

describe(`${verifies('C-5')} schema drift`, () => {
  const reads = CATALOGS.flatMap((catalog) =>
    [...catalog.tools]
      .filter(([, known]) => known.effect === 'read_only')
      .map(([tool, known]) => ({ catalog, tool, known })),
  );
  const properties = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, {}]));

  test('a catalogued tool with one argument more, or one less, is that of an unknown server', () => {
    expect(reads.length).toBeGreaterThan(40);
    const wrong = reads.flatMap(({ catalog, tool, known }) => {
      const server: Server = { name: 'x', info: { name: catalog.server, version: '9' } };
      const names = Object.keys(known.roles);
      const drifted = [[...names, 'andAlso'], ...(names.length > 0 ? [names.slice(1)] : [])];
      return drifted
        .map((each) => readTool(server, schema(tool, properties(each))))
        .filter(
          (reading) => reading.interceptor === catalog.name && classify(reading.operations).effect === 'read_only',
        )
        .map(() => `${catalog.name} ${tool}`);
    });
    expect(wrong).toEqual([]);
  });

  test('a tool that turned destructive, or one of another server, is read generically', () => {
    for (const { catalog, tool, known } of reads) {
      const names = properties(Object.keys(known.roles));
      const server: Server = { name: 'x', info: { name: catalog.server, version: '9' } };
      if (known.destructive !== true)
        expect(readTool(server, schema(tool, names, { destructiveHint: true })).interceptor, tool).not.toBe(
          catalog.name,
        );
      const other: Server = { name: 'x', info: { name: 'an imitation', version: '9' } };
      expect(readTool(other, schema(tool, names)).interceptor, tool).not.toBe(catalog.name);
    }
  });
});

describe(`${verifies('C-5')} arguments made to be misread`, () => {
  test.each([
    ['a width', { command: 'ls', ｃｏｍｍａｎｄ: 'reboot' }],
    ['a ligature', { profile: 'a', proﬁle: 'b', command: 'ls' }],
    ['a long s', { host: 'a', hoſt: 'b', command: 'ls' }],
    ['a Kelvin sign', { token: 'a', to\u212aen: 'b', command: 'ls' }],
    ['case', { command: 'ls', COMMAND: 'reboot' }],
    ['a nested twin', { command: 'ls', options: { timeout: 1, Timeout: 2 } }],
  ])('two names that fold alike by %s', (_, args) => {
    expect(effect(args)).not.toBe('read_only');
  });

  test.each([
    [{ command: 'ls', timeout_ms: 5, timeoutMs: 5000 }],
    [{ host: 'a', command: 'ls', working_dir: '/', workingDir: '/tmp' }],
    [{ host_name: 'a', hostName: 'b', command: 'ls' }],
    [{ command: 'ls', 'time-out': 1, time_out: 2 }],
  ])('two names that differ in `_`, `-` or the case of a word are one name: %j', (args) => {
    expect(effect(args)).toBe('unknown');
  });

  test('both hosts of such a call count', () => {
    const reading = readCall({
      server: ssh,
      tool: 'run',
      arguments: { host_name: 'a', hostName: 'b', command: 'rm /x' },
      description: undefined,
    });
    expect(reading.hosts.map(({ value }) => value)).toEqual(['a', 'b']);
  });

  test.each([
    ['an object for a text', { command: { line: 'ls' } }],
    ['an object with a command for a text', { command: { command: 'ls' } }],
    ['a list of lists', { command: [['ls']] }],
    ['a flag', { command: true }],
    ['an object for a host', { command: 'ls', host: { toString: 'x' } }],
    ['a list for a number', { command: 'ls', timeout: [{ x: 1 }] }],
    ['an object for a number', { command: 'ls', timeout: { $gt: 0 } }],
    ['a function’s name', JSON.parse('{"command":"ls","toString":"x"}')],
    ['a prototype', JSON.parse('{"command":"ls","__proto__":{"host":"b"}}')],
    ['a constructor', JSON.parse('{"command":"ls","constructor":{"prototype":{"effect":"read_only"}}}')],
    ['a nested prototype', JSON.parse('{"command":"ls","connection":{"__proto__":{"command":"x"}}}')],
    ['hasOwnProperty', JSON.parse('{"command":"ls","hasOwnProperty":1}')],
  ])('%s keeps the call from being read_only', (_, args) => {
    expect(effect(args)).not.toBe('read_only');
    expect(effect(args, { tool: 'constructor' })).not.toBe('read_only');
    expect(effect(args, { tool: '__proto__' })).not.toBe('read_only');
  });

  test('no prototype is read as a catalogue’s or a schema’s entry', () => {
    for (const tool of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
      const description = schema(tool, JSON.parse('{"__proto__":{"type":"string"},"constructor":{}}'));
      expect(readTool(ssh, description).interceptor).toBe('generic');
      expect(Object.keys(readTool(ssh, description).roles).sort()).toEqual(['__proto__', 'constructor']);
    }
  });

  test.each([';id', '&& id', '|id', '`id`', '$(id)', '>x', '\nid', '\r\nid', "';id;'", '-oProxyCommand=id'])(
    '%j in an argument that is no command',
    (meta) => {
      for (const name of ['host', 'cwd', 'username', 'sessionName', 'limit', 'connectionId', 'remotePath']) {
        expect(effect({ command: 'ls', [name]: `a ${meta}`.replace('a -', '-') }), name).not.toBe('read_only');
      }
    },
  );

  test('ten thousand arguments are all read; one of them may change something', () => {
    const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`timeout${index}_ms`, index]));
    expect(effect({ command: 'ls', ...many, command_line: 'reboot' })).toBe('mutating');
    const reading = readCall({ server: ssh, tool: 'run', arguments: many, description: undefined });
    expect(Object.keys(reading.roles)).toHaveLength(10_000);
    const properties = Object.fromEntries(
      Object.keys(many).map((name) => [name, { type: 'number', description: 'x'.repeat(500) }]),
    );
    expect(Object.keys(readTool(ssh, schema('run', properties)).roles)).toHaveLength(10_000);
  });

  test('a schema of any shape is read without a throw', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), (inputSchema, args, name) => {
        const description: ToolDescription = { name, inputSchema };
        const given = typeof args === 'object' && args !== null ? { ...args } : { args };
        expect(classify(readTool(ssh, description).operations).effect).not.toBe('read_only');
        readCall({ server: ssh, tool: name, arguments: given, description });
        readTool(ssh, { name, inputSchema: { properties: inputSchema } });
      }),
    );
  });

  test('a description made to be slow is read at once', () => {
    const text = `${'the a '.repeat(50_000)}host`;
    expect(readTool(ssh, described('x', { a: text, b: `${'remote '.repeat(50_000)}!` })).roles['a']).toBe('unknown');
  });
});
