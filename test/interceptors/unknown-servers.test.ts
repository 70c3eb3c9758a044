import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generic } from '../../interceptors/generic.js';
import { readTool } from '../../interceptors/index.js';
import { classify } from '../../src/classify/index.js';
import type { Family, Reading, Role, Server, ToolDescription } from '../../src/domain/call.js';
import { verifies } from '../e2e/requirements.js';

/** A tool as an author of a server would write it, and what each argument that matters carries. */
interface Invented {
  readonly server: string;
  readonly family?: Family;
  readonly tools: readonly (ToolDescription & {
    readonly label: 'read_only' | 'depends' | 'mutating';
    readonly roles: Readonly<Record<string, string>>;
    readonly nested?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  })[];
}

const FILE = join(import.meta.dirname, '..', 'fixtures', 'servers', 'invented.json');
const servers: readonly Invented[] = JSON.parse(readFileSync(FILE, 'utf8'));

const CARRY: Readonly<Record<string, ReadonlySet<Role>>> = {
  command: new Set<Role>(['command', 'script', 'stdin', 'terminal_input', 'args', 'module', 'module_args', 'playbook']),
  host: new Set<Role>(['host', 'host_list', 'connection', 'limit']),
  secret: new Set<Role>(['secret']),
  session: new Set<Role>(['session']),
  inventory: new Set<Role>(['inventory']),
};

const tools = servers.flatMap(({ server, family, tools: all }) =>
  all.map((tool) => ({ tool, server: { name: server, family } satisfies Server, name: `${server}: ${tool.name}` })),
);

/** What a value of the schema's type could be; every text differs from the others. */
function sample(schema: unknown, name: string): unknown {
  const { type, properties, items, anyOf } = schema as Readonly<Record<string, unknown>>;
  if (Array.isArray(anyOf)) return sample(anyOf[0], name);
  if (type === 'object')
    return Object.fromEntries(Object.entries(properties ?? {}).map(([key, inner]) => [key, sample(inner, key)]));
  if (type === 'array') return [sample(items ?? { type: 'string' }, name)];
  if (type === 'integer' || type === 'number') return 7;
  return type === 'boolean' ? true : `the-${name}`;
}

const propertiesOf = (tool: ToolDescription): Readonly<Record<string, unknown>> =>
  (tool.inputSchema as { properties: Readonly<Record<string, unknown>> }).properties;

const callOf = (tool: ToolDescription, server: Server, args?: Readonly<Record<string, unknown>>): Reading =>
  generic.read({
    server,
    tool: tool.name,
    description: tool,
    arguments: args ?? Object.fromEntries(Object.entries(propertiesOf(tool)).map(([n, s]) => [n, sample(s, n)])),
  });

/** The hosts that `sample` puts into a call. A limit or an object is no host by itself; what stands in an object is. */
function hostsOf({ roles, nested = {}, ...tool }: Invented['tools'][number]): readonly string[] {
  const own = Object.keys(roles).filter((argument) => roles[argument] === 'host' && !/limit|subset/.test(argument));
  const direct = own.flatMap((argument) => {
    const { type } = propertiesOf(tool)[argument] as { type?: string };
    if (type === 'object') return ['the-host'];
    return [type === 'integer' ? '7' : `the-${argument}`];
  });
  const inner = Object.values(nested).flatMap((names) => Object.keys(names).filter((name) => names[name] === 'host'));
  return [...direct, ...inner.map((name) => `the-${name}`)];
}

describe(`${verifies('C-5')} servers that no catalog knows`, () => {
  test.each(['command', 'host', 'secret', 'session', 'inventory'])('arguments that carry a %s are found', (kind) => {
    const carrying = tools.flatMap(({ tool, server, name }) =>
      Object.keys(tool.roles)
        .filter((argument) => tool.roles[argument] === kind)
        .map((argument) => {
          const both = [readTool(server, tool, []).roles[argument], callOf(tool, server).roles[argument]];
          const hit = both.every((role = 'unknown') => CARRY[kind]?.has(role) || role === 'secret');
          return { hit, text: `${name}.${argument} as ${both}` };
        }),
    );
    console.error(`${kind}: ${carrying.filter(({ hit }) => hit).length} of ${carrying.length}`);
    expect(carrying.filter(({ hit }) => !hit)).toEqual([]);
    expect(carrying.length).toBeGreaterThan(0);
  });

  test('every host of a call is named, also one in an object or a list of objects', () => {
    const missed = tools.flatMap(({ tool, server, name }) => {
      const hosts = callOf(tool, server).hosts.map(({ value }) => value);
      return (
        hostsOf(tool)
          // A share beside its server is a share of that one.
          .filter((value) => !hosts.some((host) => host === value || host.split('\\').includes(value)))
          .map((value) => `${name}: ${value} in ${hosts}`)
      );
    });
    expect(missed).toEqual([]);
  });

  test('nothing is read_only before its arguments are known, or with arguments that only look like it', () => {
    for (const { tool, server, name } of tools) {
      expect(classify(readTool(server, tool, []).operations).effect, name).not.toBe('read_only');
      expect(classify(callOf(tool, server).operations).effect, name).not.toBe('read_only');
      expect(classify(callOf(tool, server, {}).operations).effect, name).not.toBe('read_only');
    }
  });

  test('a command found by name is judged: a read beside plain options is read_only, a change is mutating', () => {
    const named = (wanted: string) => {
      const found = tools.find(({ tool }) => tool.name === wanted);
      if (found === undefined) throw new Error(`the fixture has no ${wanted}`);
      return (args: Readonly<Record<string, unknown>>) =>
        classify(callOf(found.tool, found.server, args).operations).effect;
    };
    expect(named('sshExec')({ hostName: 'a', shellCommand: 'uptime', sudo: true, cwd: '/', timeoutMs: 5 })).toBe(
      'read_only',
    );
    expect(named('sshExec')({ hostName: 'a', shellCommand: 'uptime', env: { LD_PRELOAD: '/x' } })).toBe('unknown');
    expect(named('sshExec')({ hostName: 'a', shellCommand: 'reboot' })).toBe('mutating');
    expect(named('run_remote_command')({ target_host: 'a', cmd: 'df -h', become: true, timeout_sec: 3 })).toBe(
      'read_only',
    );
    expect(named('batch_exec')({ steps: [{ machine: 'a', command_line: 'reboot' }] })).toBe('mutating');
    expect(named('run_snippet')({ snippet: 'uptime', python_script: 'ls' })).toBe('unknown');
    expect(named('do_it')({ what: 'uptime' })).toBe('unknown');
    expect(named('do_it')({ what: 'rm -rf /srv' })).toBe('mutating');
    expect(named('execute_sql')({ db_host: 'a', sql_query: 'ls' })).toBe('unknown');
    expect(named('run_module')({ inventory_hostname: 'a', module_name: 'copy', module_args: { dest: '/x' } })).toBe(
      'mutating',
    );
  });
});
