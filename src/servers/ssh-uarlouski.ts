import { type Connections, connection, connectionNames, connectionOf, NOT_STARTED, readJson } from './connections.js';
import { configured, type State } from './reader.js';
import { type Facts, isOneOf, ownArguments, resolvePath } from './start.js';
import { entries, own } from './values.js';

const PUBLISHED = { calls: 'ssh-mcp-server', package: '@uarlouski/ssh-mcp-server' };
const DEFAULTS = ['ssh-mcp-config.json', 'config.json'];

/** npm `@uarlouski/ssh-mcp-server`: `servers` of a JSON file that is read at its start. What it imports from an ssh config by itself is not read. */
export const SSH_UARLOUSKI = configured<Connections>({
  claims: (server, start, by) => isOneOf(server, start, PUBLISHED, by === 'ssh-uarlouski'),
  load,
  mean: (host, states) => connectionOf(host, states),
  list: connectionNames,
});

async function load(facts: Facts): Promise<State<Connections>> {
  const given = ownArguments(facts.start, PUBLISHED.package).find((word) => word.startsWith('--configPath='));
  const paths = given === undefined ? DEFAULTS : [given.split('=')[1] ?? ''];
  for (const path of paths) {
    const { texts, value } = await readJson(resolvePath(facts, path), facts);
    if (value !== undefined) return { texts, value: value.kind === 'json' ? fromJson(value.json) : value };
  }
  return { texts: [], value: NOT_STARTED };
}

function fromJson(json: unknown): Connections {
  const servers = entries(own(json, 'servers'));
  return {
    kind: 'known',
    machines: new Map(servers.map(([name, server]) => [name, connection(name, server)])),
    ...(own(json, 'sshConfigImport') !== undefined && {
      more: { kind: 'stop', why: 'the server imports connections from an ssh config in its own way', found: [] },
    }),
  };
}
