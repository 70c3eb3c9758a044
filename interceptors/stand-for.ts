import { type HostName, NO_HOST, type Reading, type Role, type Server } from '../src/domain/call.js';
import type { TargetProblem } from '../src/domain/target.js';
import type { Connections } from './connections.js';
import type { Handles } from './handles.js';

/** Where a call goes: `hosts` for sure, `also` where a handle's text is a host's name too, `unknown` what nothing here opened. */
export interface Whereabouts {
  readonly hosts: readonly HostName[];
  readonly also: readonly HostName[];
  readonly unknown: readonly TargetProblem[];
}

/** Numbers of processes mean something on the host that the call names beside them. */
const ON_ITS_HOST = /^(pid|process_?id|job_?id)$/i;

/**
 * The hosts of a call, with those that its sessions and connections were opened to in place of their names. Such a name may be the caller's own
 * word, for any host: it never stands for a host of that name, and never hides one.
 */
export function standFor(
  reading: Reading,
  server: Server,
  handles: Handles | undefined,
  connections: Connections,
): Whereabouts {
  if (handles?.names === 'operator') return { hosts: reading.hosts, also: [], unknown: [] };
  const isHandle = (host: HostName) =>
    handles?.arguments.has(host.argument) === true || roleOf(reading, host) === 'connection';
  const ownHost = reading.hosts.includes(NO_HOST);
  const named = reading.hosts.filter((host) => host !== NO_HOST && handles?.logins?.has(host.argument) !== true);
  const direct = named.filter((host) => !isHandle(host));
  const sessions = (reading.handles ?? []).filter(({ argument }) => direct.length === 0 || !ON_ITS_HOST.test(argument));
  const given = named.filter(isHandle);
  const names =
    handles?.fresh === true && direct.length > 0 ? given.filter(({ value }) => connections.mayBeOpen(value)) : given;
  if (!ownHost && (direct.length > 0 || given.length > 0 || sessions.length > 0))
    return lookUp([...names, ...sessions.map(asSession)], direct, server, connections);
  if (ownHost && handles?.implicit === undefined)
    return lookUp([...names, ...sessions.map(asSession)], [NO_HOST, ...direct], server, connections);
  // A login alone tells no host either.
  const meant = handles?.implicit === undefined ? reading.hosts : [{ value: handles.implicit, argument: '' }];
  return lookUp(meant.map(asSession), direct, server, connections);
}

/** On a server of one VM it is on that VM, and no name of one. */
function asSession(name: HostName): HostName {
  return { ...name, role: 'session' };
}

function lookUp(
  names: readonly HostName[],
  direct: readonly HostName[],
  server: Server,
  connections: Connections,
): Whereabouts {
  const hosts = [...direct];
  const also: HostName[] = [];
  const unknown: TargetProblem[] = [];
  for (const name of names) {
    const found = connections.find(name.value);
    if (found !== undefined) {
      hosts.push(...found.hosts.map((value): HostName => ({ value, argument: name.argument, role: 'host' })));
      if (name.value !== '') also.push({ ...name, role: 'host' });
    } else if (server.target === undefined) unknown.push(notOpened(name.value));
    else if (name.role !== 'session') hosts.push({ ...name, role: 'connection' });
  }
  return { hosts, also, unknown };
}

function roleOf({ roles }: Reading, { argument, role }: HostName): Role | undefined {
  return role ?? (Object.hasOwn(roles, argument) ? roles[argument] : undefined);
}

function notOpened(host: string): TargetProblem {
  return {
    host,
    kind: 'unresolved',
    why: 'it names a session or connection, and no call of this session is known to have opened it',
    found: [],
  };
}
