import type { HostName, Reading, Role, Server, ToolCall } from '../src/domain/call.js';
import type { Downstream, DownstreamAnswer, Interceptor, TakeAim } from '../src/domain/ports.js';
import { NO_AIM, type TargetProblem } from '../src/domain/target.js';
import { CATALOGS } from './catalog/index.js';
import { catalogued } from './catalogued.js';
import { Connections } from './connections.js';
import { generic } from './generic.js';
import { ssh } from './ssh.js';
import { MANAGER_CATALOG, MANAGER_NAMES_CATALOG } from './ssh-manager.js';
import { HANDLES, noteOpened, PROFILE, SECURED, securedCatalog } from './ssh-secured.js';

/** Reading and aiming for one session, which remembers the connections that its calls have opened. */
export interface SessionReaders {
  /** The first that claims a call reads it; `generic` claims what is left. A new family is one file and one line here. */
  readonly interceptors: readonly Interceptor[];
  /** The hosts that a connection was opened to in place of its name; a name that nothing here opened is a problem. */
  aim(inner: TakeAim): TakeAim;
  /** Sees each call go out and its answer come back. */
  watch(downstream: Downstream): Downstream;
}

export function sessionReaders(): SessionReaders {
  const connections = new Connections();
  const secured = catalogued(securedCatalog(connections));
  const names = catalogued(MANAGER_NAMES_CATALOG);
  const noting = async (call: ToolCall, forward: () => Promise<DownstreamAnswer>): Promise<DownstreamAnswer> => {
    noteOpened(call, connections);
    const answer = await forward();
    noteOpened(call, connections, answer);
    return answer;
  };
  const others = [ssh, catalogued(MANAGER_CATALOG), names, ...CATALOGS.map(catalogued), generic];
  return {
    interceptors: [secured, ...others],
    aim: (inner) => async (reading, server, signal) => {
      if (reading.interceptor === names.name) return { ...NO_AIM, problems: [REDEFINES] };
      const remembers = reading.interceptor === secured.name || server.info?.name === SECURED;
      const { hosts, unknown } = remembers
        ? standFor(reading.hosts, server, connections)
        : withoutOwnNames(reading, server);
      if (unknown.length > 0 && hosts.length === 0) return { ...NO_AIM, problems: unknown };
      const aim = await inner({ ...reading, hosts }, server, signal);
      return { ...aim, problems: [...aim.problems, ...unknown] };
    },
    watch: (downstream) => ({
      forward: (call, permit) => {
        const isSecured =
          call.server.info?.name === SECURED || secured.claims(call.server, call.tool, call.description);
        return isSecured ? noting(call, () => downstream.forward(call, permit)) : downstream.forward(call, permit);
      },
    }),
  };
}

/**
 * A session or connection may be the caller's own word, for any host: on a server that does not serve one VM it never stands for
 * a host of that name. The profiles of ssh-mcp are the operator's, and its sessions belong to a profile.
 */
function withoutOwnNames(
  reading: Reading,
  server: Server,
): { readonly hosts: readonly HostName[]; readonly unknown: TargetProblem[] } {
  if (server.target !== undefined || reading.interceptor === ssh.name) return { hosts: reading.hosts, unknown: [] };
  const has = (role: Role, argument: string) =>
    Object.hasOwn(reading.roles, argument) && reading.roles[argument] === role;
  const hosts = reading.hosts.filter(({ argument }) => !has('connection', argument));
  const names = reading.hosts.filter((host) => !hosts.includes(host)).map(({ value }) => value);
  if (names.length === 0 && Object.keys(reading.roles).some((argument) => has('session', argument))) names.push('');
  const why = 'it names a session or connection, and which host that was opened to is not known';
  return { hosts, unknown: names.map((host) => ({ host, kind: 'unresolved', why, found: [] })) };
}

const REDEFINES: TargetProblem = {
  host: '',
  kind: 'unresolved',
  why: 'the call changes what later calls of this server mean, and no checkpoint takes that back',
  found: [],
};

/** The hosts behind the names of connections. `unknown`: names that nothing in this session opened. */
function standFor(named: readonly HostName[], server: Server, connections: Connections) {
  const hosts: HostName[] = named.filter(({ argument }) => argument !== PROFILE && !HANDLES.has(argument));
  const opens = hosts.length > 0;
  const unknown: TargetProblem[] = [];
  for (const name of named.filter(({ argument }) => HANDLES.has(argument))) {
    const found = connections.find(name.value);
    if (found !== undefined) hosts.push(...found.hosts.map((value) => ({ value, argument: 'host' })));
    else if (server.target !== undefined) hosts.push(name);
    else if (!opens || connections.mayBeOpen(name.value)) unknown.push(notOpened(name.value));
  }
  return { hosts, unknown };
}

function notOpened(host: string): TargetProblem {
  return {
    host,
    kind: 'unresolved',
    why: 'no call of this session is known to have opened this connection',
    found: [],
  };
}
