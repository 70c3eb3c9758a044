import type { Operation, Reading, Role, Server, ToolCall, ToolDescription } from '../src/domain/call.js';
import { CATALOGS as OTHERS } from './catalog/index.js';
import { knownTool, type ToolCatalog } from './catalogued.js';
import { Connections } from './connections.js';
import { genericRoles } from './generic.js';
import { raisedByHint } from './hints.js';
import { doubt } from './roles.js';
import { schemaProperties, schemaType } from './schema.js';
import { SSH_CATALOG } from './ssh.js';
import { MANAGER_CATALOG, MANAGER_NAMES_CATALOG } from './ssh-manager.js';
import { securedCatalog } from './ssh-secured.js';

const CARRYING: ReadonlySet<Role> = new Set(['command', 'script', 'terminal_input', 'playbook', 'module']);

const CATALOGS: readonly ToolCatalog[] = [
  SSH_CATALOG,
  MANAGER_CATALOG,
  MANAGER_NAMES_CATALOG,
  securedCatalog(() => new Connections()),
  ...OTHERS,
];

/**
 * What is known of a tool before any call: the role of each argument in its schema, and what a call does whose arguments are not known. Without
 * `catalogs` a tool is read generically, as that of an unknown server.
 */
export function readTool(
  server: Server,
  description: ToolDescription,
  catalogs: readonly ToolCatalog[] = CATALOGS,
): Reading {
  const tool = description.name;
  const catalog = catalogs.find((each) => knownTool(each, server, tool, description) !== undefined);
  const known = catalog?.tools.get(tool);
  if (catalog !== undefined && known !== undefined) {
    const operation: Operation =
      known.effect === 'by_command' || known.effect === 'by_arguments'
        ? byArguments(tool)
        : { kind: 'fixed', effect: known.effect, subject: tool, why: known.why };
    const doubts = catalog.doubts?.({ server, tool, arguments: {} }) ?? [];
    return { interceptor: catalog.name, roles: known.roles, operations: [...doubts, operation], hosts: [] };
  }
  const roleOf = genericRoles(server, tool, description);
  const roles = Object.entries(schemaProperties(description)).map(([name, schema]): [string, Role] => [
    name,
    roleOf(name, schemaType(schema)),
  ]);
  const carries = roles.some(([, role]) => CARRYING.has(role));
  const operations = carries
    ? [byArguments(tool)]
    : [doubt(tool, 'what the tool does is not known'), ...raisedByHint(tool, description)];
  return { interceptor: 'generic', roles: Object.fromEntries(roles), operations, hosts: [] };
}

/**
 * A tool as the catalogue has it, for a server that is not running: the package that one of these words names (`ssh-mcp`, `ssh-mcp@2.11.0`, a
 * path through `node_modules`), in the version of the catalogue or in none. Undefined where no package of the catalogue is named.
 */
export function describeOffline(
  words: readonly string[],
  tool: string,
): (Required<Pick<ToolCall, 'description'>> & { readonly info: Server['info'] }) | undefined {
  const catalog = CATALOGS.find(({ from, tools }) => tools.has(tool) && words.some((word) => namesPackage(word, from)));
  const known = catalog?.tools.get(tool);
  if (catalog === undefined || known === undefined) return undefined;
  const properties = Object.fromEntries(Object.keys(known.roles).map((name) => [name, {}]));
  return {
    description: { name: tool, inputSchema: { type: 'object', properties } },
    info: { name: catalog.server, version: '' },
  };
}

function namesPackage(word: string, from: string): boolean {
  const [, name = '', version = ''] = /^\w+:(.+)@([^@]+)$/.exec(from) ?? [];
  const path = word.replaceAll('\\', '/');
  return word === name || word === `${name}@${version}` || path.includes(`/node_modules/${name}/`);
}

function byArguments(tool: string): Operation {
  return doubt(tool, 'what the tool does depends on its arguments');
}
