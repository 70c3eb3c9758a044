import { quote } from '../../domain/text.js';
import type { ListName } from './books.js';
import type { Link } from './link.js';

/** The servers that list the name, in the order of the config; names are compared exactly. */
export function ownersOf(links: readonly Link[], list: ListName, name: string): readonly Link[] {
  return links.filter((link) => link.books[list].lists(name));
}

/** Both servers and the fix. `what`: tool or prompt. */
export function clashText(what: string, name: string, owners: readonly Link[]): string {
  const servers = owners.map((link) => quote(link.name)).join(' and ');
  return `The MCP servers ${servers} both have a ${what} ${quote(name)}, and names are never changed. Remove one of them from mcpServers, or wrap one alone with --server NAME.`;
}
