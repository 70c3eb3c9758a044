import { ANSIBLE_CATALOGS } from './catalog/ansible-servers.js';
import { HYPERVISOR_CATALOGS, SMB_CATALOGS } from './catalog/file-servers.js';
import { SHELL_CATALOGS } from './catalog/shell-servers.js';
import { SSH_CATALOGS } from './catalog/ssh-servers.js';
import { WINDOWS_CATALOGS } from './catalog/windows-servers.js';
import type { ToolCatalog } from './catalogued.js';
import { Connections } from './connections.js';
import { SSH_CATALOG } from './ssh.js';
import { MANAGER_CATALOG } from './ssh-manager.js';
import { securedCatalog } from './ssh-secured.js';

const LINUX: readonly ToolCatalog[] = [
  SSH_CATALOG,
  MANAGER_CATALOG,
  securedCatalog(() => new Connections()),
  ...SSH_CATALOGS,
  ...ANSIBLE_CATALOGS,
  ...SHELL_CATALOGS,
  ...HYPERVISOR_CATALOGS,
];
const WINDOWS: readonly ToolCatalog[] = [...WINDOWS_CATALOGS, ...SMB_CATALOGS];

/**
 * The tools of catalogued servers that have this effect whatever their arguments are, as `package/tool`. Arguments that no role is known for, or
 * with signs of a shell, still make a call of one that reads `unknown`.
 */
export function listTools(effect: string): { readonly linux: readonly string[]; readonly windows: readonly string[] } {
  const of = (catalogs: readonly ToolCatalog[]) =>
    catalogs.flatMap((catalog) =>
      [...catalog.tools]
        .filter(([tool, known]) => known.effect === effect && !isDoubted(catalog, tool, effect))
        .map(([tool]) => `${packageOf(catalog)}/${tool}`),
    );
  return { linux: of(LINUX), windows: of(WINDOWS) };
}

/** What it does depends on an argument, which is not there. */
function isDoubted(catalog: ToolCatalog, tool: string, effect: string): boolean {
  const doubts = catalog.doubts?.({ server: { name: '' }, tool, arguments: {} }) ?? [];
  return effect === 'read_only' && doubts.length > 0;
}

function packageOf({ from }: ToolCatalog): string {
  return /^\w+:(.+?)(?:@[\w.]+)?$/.exec(from)?.[1] ?? from;
}
