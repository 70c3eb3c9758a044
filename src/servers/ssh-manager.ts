import type { HostName } from '../domain/call.js';
import type { Machine, Meaning } from '../domain/target.js';
import { addresses, changed, configured, refused, type Said, unknownName } from './reader.js';
import { throughOf } from './ssh-config/index.js';
import { loadManager, type ManagedServer, type ManagerConfig } from './ssh-manager-config.js';
import { isPublished } from './start.js';

const PUBLISHED = { calls: 'mcp-ssh-manager', package: 'mcp-ssh-manager' };

type States = readonly [ManagerConfig, ...ManagerConfig[]];
type Named =
  | { readonly kind: 'server'; readonly name: string }
  | Exclude<Said, { readonly kind: 'as_written' | 'machines' }>;

/**
 * npm `mcp-ssh-manager`: servers of `.env`, TOML and environment, aliases and groups. It reads them again when a file changes, but goes on with the
 * connections that it has: a server whose address changed may be either machine.
 */
export const SSH_MANAGER = configured<ManagerConfig>({
  claims: (server, start) => isPublished(server, start, PUBLISHED),
  load: loadManager,
  mean,
  list: ({ servers }) => [...servers.keys()],
});

function mean(host: HostName, states: States): Said {
  if (host.value === '') return { kind: 'as_written' };
  const problem = states.map((state) => state.problem).find((each) => each !== undefined);
  if (problem !== undefined) return stop(`the configuration of the server: ${problem}`);
  return /group/i.test(host.argument) ? groupOf(host.value, states) : serverOf(host.value, states);
}

function serverOf(value: string, states: States): Said {
  const named = resolve(value, states[0]);
  return named.kind === 'server' ? machinesOf(named.name, states) : named;
}

/** Alias, then name, then the only name that holds it, then a host: the server's own order. */
function resolve(value: string, { aliases, servers }: ManagerConfig): Named {
  const meant = [...new Set(aliases.flatMap((each) => each.get(value) ?? []))];
  if (meant.length > 1) return stop('more than one copy of the server has an alias of this name', meant);
  const [alias] = meant;
  if (alias !== undefined) return servers.has(alias) ? server(alias) : refused('its alias leads to no server', [alias]);
  const lower = value.toLowerCase();
  if (servers.has(lower)) return server(lower);
  const holding = [...servers.keys()].filter((name) => name.includes(lower));
  const [only, second] = holding;
  if (second !== undefined) return refused('several servers of its configuration have it in their names', holding);
  return only === undefined ? byHost(value, servers) : server(only);
}

function byHost(value: string, servers: ManagerConfig['servers']): Named {
  const matching = value.includes('.')
    ? [...servers].filter(([, { host }]) => host.includes(value) || value.includes(host))
    : [];
  const [first, ...others] = matching;
  if (first === undefined) return unknownName('server', servers.keys());
  // The first of its own order decides, which the environment does not always show.
  const isSure = others.every(([, each]) => each.host === first[1].host && each.port === first[1].port);
  return isSure
    ? server(first[0])
    : stop(
        'several servers of its configuration have a host like it',
        matching.map(([name]) => name),
      );
}

/** The machine of a server, where every state that knows it says the same. */
function machinesOf(name: string, states: States): Said {
  const all = states.flatMap(({ servers }) => machineOf(name, servers) ?? []);
  const wrong = all.find((each) => 'kind' in each);
  if (wrong !== undefined && 'kind' in wrong) return wrong;
  const machines = all.filter((each): each is Machine => !('kind' in each));
  const distinct = [...new Map(machines.map((machine) => [JSON.stringify(machine), machine])).values()];
  const [first, second] = distinct;
  if (first === undefined) return refused('the configuration of the server has no server of this name');
  return second === undefined
    ? { kind: 'machines', machines: [first] }
    : changed(distinct.map((machine) => addresses({ machines: [machine] })));
}

function machineOf(
  name: string,
  servers: ManagerConfig['servers'],
): Machine | (Meaning & { kind: 'stop' }) | undefined {
  const found = servers.get(name);
  if (found === undefined) return undefined;
  const via = wayOf(found, servers);
  if (typeof via === 'string') return stop(via);
  return { name, address: found.host, port: found.port, ...(via.length > 0 && { via }) };
}

function wayOf(found: ManagedServer, servers: ManagerConfig['servers']): readonly string[] | string {
  const way: string[] = [];
  for (let next = found.jump?.toLowerCase(); next !== undefined && way.length <= servers.size; ) {
    const hop = servers.get(next);
    way.unshift(hop?.host ?? next);
    next = hop?.jump?.toLowerCase();
  }
  if (way.length > 0 || found.command === undefined) return way;
  return throughOf(found.command) ?? 'its proxy command is a program that may connect to any host';
}

/** All members of a group in any state: stored lists are read at its start, labels of servers each time. */
function groupOf(value: string, states: States): Said {
  const name = value.toLowerCase();
  const members = [...new Set(states.flatMap((state) => membersOf(name, state)))];
  if (members.length === 0) return refused('the configuration of the server has no such group, or nobody is in it');
  const says = members.map((member) => serverOf(member, states));
  const wrong = says.find((said) => said.kind === 'stop');
  if (wrong !== undefined) return wrong;
  const machines = says.flatMap((said) => (said.kind === 'machines' ? said.machines : []));
  return { kind: 'machines', machines: [...new Map(machines.map((machine) => [machine.name, machine])).values()] };
}

function membersOf(group: string, { groups, servers }: ManagerConfig): readonly string[] {
  const stored = groups?.get(group);
  if (group === 'all' && stored === undefined) return [...servers.keys()];
  const labelled = [...servers].filter(([, each]) => each.group?.trim().toLowerCase() === group).map(([name]) => name);
  return [...(stored ?? []).map((member) => member.toLowerCase()), ...labelled];
}

function server(name: string): Named {
  return { kind: 'server', name };
}

function stop(why: string, found: readonly string[] = []): Meaning & { kind: 'stop' } {
  return { kind: 'stop', why, found };
}
