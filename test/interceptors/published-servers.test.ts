import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { generic } from '../../interceptors/generic.js';
import { readCall, readTool } from '../../interceptors/index.js';
import { strictest } from '../../src/domain/assessment.js';
import type { Family, Operation, Role, Server, ToolDescription } from '../../src/domain/call.js';

const ROOT = join('..', 'shared', 'downstream');
const there = existsSync(join(ROOT, 'catalog.json'));

interface Labelled {
  readonly server: string;
  readonly kind: string;
  readonly tools: readonly { name: string; args: Record<string, string>; label: string }[];
}

const FAMILIES: readonly string[] = ['ssh', 'ansible', 'winrm', 'powershell', 'smb', 'shell'];
const COMMANDS = new Set([
  'command',
  'script',
  'stdin',
  'interpreter',
  'module',
  'module_args',
  'command_args',
  'playbook',
]);
const HOSTS = new Set([
  'host',
  'host_list',
  'connection',
  'connection_list',
  'connection_profile',
  'host_pattern',
  'host_pattern_list',
  'host_group',
  'hypervisor_node',
]);
const CARRY_COMMAND: ReadonlySet<Role> = new Set<Role>([
  'command',
  'script',
  'stdin',
  'terminal_input',
  'args',
  'module',
  'module_args',
  'playbook',
]);
const CARRY_HOST: ReadonlySet<Role> = new Set<Role>(['host', 'host_list', 'connection']);

const serverOf = (entry: Labelled): Server => ({
  name: 'wrapped',
  family: FAMILIES.includes(entry.kind) ? (entry.kind as Family) : undefined,
});

/** Command texts are judged elsewhere; here one counts as `read_only`, the worst case for what this layer must hold back. */
const effectOf = (operations: readonly Operation[]) =>
  strictest(operations.map((operation) => (operation.kind === 'fixed' ? operation.effect : 'read_only')));

describe.skipIf(!there)(
  `labelled tools of published servers${there ? '' : ' (skipped: ../shared/downstream is not there)'}`,
  () => {
    const catalog: readonly Labelled[] = there ? JSON.parse(readFileSync(join(ROOT, 'catalog.json'), 'utf8')) : [];
    const schemas = new Map<string, ToolDescription>();
    for (const file of there ? readdirSync(join(ROOT, 'tools')) : []) {
      for (const tool of JSON.parse(readFileSync(join(ROOT, 'tools', file), 'utf8')).tools ?? []) {
        schemas.set(`${tool.name} ${Object.keys(tool.inputSchema?.properties ?? {}).sort()}`, tool);
      }
    }
    const tools = catalog.flatMap((entry) =>
      entry.tools.map((tool) => {
        const args = tool.args ?? {};
        const known = schemas.get(`${tool.name} ${Object.keys(args).sort()}`);
        const properties = Object.fromEntries(Object.keys(args).map((name) => [name, {}]));
        const description: ToolDescription = known ?? { name: tool.name, inputSchema: { type: 'object', properties } };
        return { entry, tool, args, description, server: serverOf(entry) };
      }),
    );

    test('there is something to check', () => {
      expect(tools.length).toBeGreaterThan(300);
      expect(schemas.size).toBeGreaterThan(100);
    });

    test('what may change something is never read_only while its arguments are not known', () => {
      const wrong = tools.flatMap(({ tool, args, description, server }) => {
        if (tool.label === 'read_only') return [];
        const opaque = Object.fromEntries(Object.keys(args).map((name) => [name, { opaque: Symbol('value') }]));
        const effects = [
          effectOf(readTool(server, description).operations),
          effectOf(readTool(server, description, []).operations),
          effectOf(generic.read({ server, tool: tool.name, arguments: opaque, description }).operations),
          effectOf(generic.read({ server, tool: tool.name, arguments: {}, description }).operations),
          effectOf(readCall({ server, tool: tool.name, arguments: {}, description: undefined }).operations),
          effectOf(readCall({ server, tool: tool.name, arguments: opaque, description: undefined }).operations),
          effectOf(readCall({ server, tool: tool.name, arguments: opaque, description }).operations),
          // Called with nothing, open-session opens a shell and runs nothing.
          ...(tool.name === 'open-session'
            ? []
            : [effectOf(readCall({ server, tool: tool.name, arguments: {}, description }).operations)]),
        ];
        return effects.includes('read_only') ? [`${tool.name} ${effects}`] : [];
      });
      expect(wrong).toEqual([]);
    });

    test('before its arguments are known no tool is read_only by names and schemas alone', () => {
      const wrong = tools.filter(
        ({ server, description }) => effectOf(readTool(server, description, []).operations) === 'read_only',
      );
      expect(wrong.map(({ tool }) => tool.name)).toEqual([]);
    });

    const found = (expected: ReadonlySet<string>, roles: ReadonlySet<Role>, catalogs: 'with' | 'without') => {
      const all = tools.flatMap(({ entry, tool, args, description, server }) => {
        const reading = catalogs === 'with' ? readTool(server, description) : readTool(server, description, []);
        return Object.entries(args)
          .filter(([, label]) => expected.has(label))
          .map(([name, label]) => ({
            hit: roles.has(reading.roles[name] ?? 'unknown'),
            text: `${entry.server}: ${tool.name}.${name} (${label}) as ${reading.roles[name]}`,
          }));
      });
      const hits = all.filter(({ hit }) => hit).length;
      return {
        share: hits / all.length,
        hits,
        all: all.length,
        missed: all.filter(({ hit }) => !hit).map(({ text }) => text),
      };
    };

    test.each(['with', 'without'] as const)('arguments that carry commands are found, %s the catalogue', (catalogs) => {
      const { share, hits, all, missed } = found(COMMANDS, CARRY_COMMAND, catalogs);
      console.error(`commands ${catalogs} the catalogue: ${hits} of ${all} (${(100 * share).toFixed(1)} %)`, missed);
      expect(share).toBeGreaterThanOrEqual(0.97);
    });

    test.each(['with', 'without'] as const)('arguments that carry hosts are found, %s the catalogue', (catalogs) => {
      const { share, hits, all, missed } = found(HOSTS, CARRY_HOST, catalogs);
      console.error(`hosts ${catalogs} the catalogue: ${hits} of ${all} (${(100 * share).toFixed(1)} %)`, missed);
      expect(share).toBeGreaterThanOrEqual(0.95);
    });
  },
);
