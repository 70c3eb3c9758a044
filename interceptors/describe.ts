import type { Operation, Reading, Role, Server, ToolDescription } from '../src/domain/call.js';
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
  securedCatalog(new Connections()),
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
    const doubts = catalog.doubts?.({ tool, arguments: {} }) ?? [];
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

function byArguments(tool: string): Operation {
  return doubt(tool, 'what the tool does depends on its arguments');
}
