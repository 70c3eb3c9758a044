import { type Connections, connection, connectionNames, connectionOf, readJson } from './connections.js';
import { configured, refused, type State } from './reader.js';
import { type Facts, isPublished, nodeHome, ownArguments, resolvePath } from './start.js';
import { entries, own } from './values.js';

const PUBLISHED = { calls: 'windows-cli-server', package: '@simonb97/server-win-cli' };

/** npm `@simonb97/server-win-cli`: `ssh.connections` of the JSON file that it finds at its start; its other tools work on its own machine. */
export const WIN_CLI = configured<Connections>({
  claims: (server, start) => isPublished(server, start, PUBLISHED),
  load,
  mean: (host, states) => (host.argument === 'connectionId' ? connectionOf(host, states) : { kind: 'as_written' }),
  list: connectionNames,
});

async function load(facts: Facts): Promise<State<Connections>> {
  const all: string[] = [];
  for (const path of places(facts)) {
    const { texts, value } = await readJson(path, facts);
    all.push(...texts);
    // A file that is no JSON is passed over.
    if (value?.kind === 'unusable' && value.said.kind === 'stop') return { texts: all, value };
    if (value?.kind === 'json') return { texts: all, value: fromJson(value.json) };
  }
  return { texts: all, value: fromJson({}) };
}

function places(facts: Facts): readonly string[] {
  const args = ownArguments(facts.start, PUBLISHED.package);
  const inline = args.find((word) => word.startsWith('--config='))?.slice('--config='.length);
  const at = args.findIndex((word) => word === '--config' || word === '-c');
  const given = inline ?? (at < 0 ? undefined : args[at + 1]);
  const defaults = [
    resolvePath(facts, 'config.json'),
    resolvePath(facts, nodeHome(facts), '.win-cli-mcp', 'config.json'),
  ];
  return given === undefined || given === '' ? defaults : [resolvePath(facts, given), ...defaults];
}

function fromJson(json: unknown): Connections {
  const ssh = own(json, 'ssh');
  if (own(ssh, 'enabled') !== true)
    return { kind: 'unusable', said: refused('ssh is not enabled in the configuration of the server') };
  const machines = entries(own(ssh, 'connections')).map(([name, value]) => [name, connection(name, value)] as const);
  return { kind: 'known', machines: new Map(machines) };
}
