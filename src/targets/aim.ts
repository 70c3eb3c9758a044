import { isIPv6 } from 'node:net';
import { type HostName, NO_HOST, type Reading, type Server } from '../domain/call.js';
import type { Inventory, MeantHost, ServerNames, TakeAim } from '../domain/ports.js';
import { readShareName } from '../domain/share-name.js';
import type { Aim, Machine, Meaning, Resolved, Target, TargetProblem, Unnamed } from '../domain/target.js';
import { bareHost, isLoopback } from './address.js';
import type { ExemptRule } from './exempt.js';
import { describeVm, type Found } from './find-vm.js';
import { isOwnMachine, isSilent, locate, resolveMachine, seenAt } from './machine.js';
import { spread } from './reach.js';
import {
  doubtfulShare,
  evidence,
  fromFound,
  type Known,
  lookUp,
  mapped,
  problem,
  resolveHost,
  type VmReference,
  vmsOf,
} from './resolve.js';
import { listingOf, whereSure } from './silent.js';

/**
 * `defaultTarget` is the VM of a call that names no host, where the operator named one. `names`: what a server's own configuration says.
 * `domains`: those whose hosts are VMs of these sites.
 */
export interface AimOptions {
  readonly inventory: Inventory;
  readonly targets: Readonly<Record<string, VmReference>>;
  readonly exempt: readonly ExemptRule[];
  readonly defaultTarget?: VmReference | undefined;
  readonly names?: ServerNames | undefined;
  readonly domains?: readonly string[] | undefined;
}

/** Names of many hosts at once: what they stand for is known to the server alone. */
const MANY = /(^|[_-])(groups?|patterns?|inventor(y|ies)|limit)($|[_-])/i;
const ALL: ReadonlySet<string> = new Set(['', '*', 'all', 'ungrouped']);
const PATTERN = /[*?[\]!&~,]/;

/** Resolves every host that a call names, by what the sites list at this moment. Rejects where no site can be asked. */
export function createAim({ inventory, targets, exempt, defaultTarget, names, domains = [] }: AimOptions): TakeAim {
  return async (asked, server, signal, reach) => {
    const { own, reached } = spread(asked, reach);
    const reading = { ...asked, hosts: own };
    const [listing, meant, meantInside = reached.map(asWritten)] = await Promise.all([
      listingOf(inventory, signal),
      names?.(reading, server, signal),
      reached.length === 0 ? [] : names?.({ ...asked, hosts: reached }, server, signal),
    ]);
    const hosts = [...(meant ?? (own.length === 0 ? [NO_HOST] : own).map(asWritten)), ...meantInside];
    return whereSure(listing, (vms) => {
      const known: Known = { targets, exempt, domains, vms };
      return collect(hosts.flatMap((host) => byMeaning(host, reading, server, known, defaultTarget)));
    });
  };
}

function asWritten(host: HostName): MeantHost {
  return { host, meaning: { kind: 'as_written' } };
}

function byMeaning(
  { host, meaning }: MeantHost,
  reading: Reading,
  server: Server,
  known: Known,
  defaultTarget: VmReference | undefined,
): readonly Resolved[] {
  if (meaning.kind === 'stop' && !isLifted(host, meaning, known)) return [stopped(host.value, meaning)];
  if (meaning.kind !== 'machines')
    return [isNone(host) ? unnamed(server, known, defaultTarget) : named(host, reading, server, known)];
  const [first, ...others] = meaning.machines;
  if (first === undefined)
    return [problem(host.value, 'unresolved', 'by the configuration of the server it stands for no host', [])];
  if (others.length > 0)
    return meaning.machines.map((machine) => onServer(machine.name, [], machine, host, reading, server, known));
  const isOnlyOne = isNone(host) && server.target === undefined && defaultTarget !== undefined;
  if (isOnlyOne && isOwnMachine(first, server) && leadsNowhere(first, known))
    return [unnamed(server, known, defaultTarget)];
  return [onServer(host.value, [host.value], first, host, reading, server, known)];
}

/** The operator's own entry for a name stands where nothing else is told of it, not where it is told that it may be one of several machines. */
function isLifted({ value }: HostName, { found, unknown }: Meaning & { readonly kind: 'stop' }, known: Known): boolean {
  return (found.length === 0 || unknown === true) && mapped(value, known) !== undefined;
}

function stopped(host: string, { why, found, unknown }: Meaning & { readonly kind: 'stop' }): Resolved {
  return problem(host, unknown !== true && found.length > 1 ? 'ambiguous' : 'unresolved', why, found);
}

function leadsNowhere(machine: Machine, known: Known): boolean {
  const located = locate([], machine, known);
  return located.kind === 'agreed' && located.found.kind === 'none';
}

function isNone(host: HostName): boolean {
  return host === NO_HOST;
}

/** A machine of a server that may serve one VM alone. */
function onServer(
  shown: string,
  words: readonly string[],
  machine: Machine,
  host: HostName,
  reading: Reading,
  server: Server,
  known: Known,
): Resolved {
  const located = locate(words, machine, known);
  if (server.target === undefined || located.kind === 'stop') return resolveMachine(shown, located, machine, known);
  const own = lookUp(server.target, known);
  const seen = seenAt(located.found, machine, known);
  if (seen.kind !== 'none') return isSame(own, seen) ? fromFound(shown, own) : conflict(shown, own, seen);
  // Where the connection goes is known: only the server's own machine and a VM without a known address may still be the one that it serves.
  if (isOwnMachine(machine, server)) return fromFound(shown, own);
  if (!isServersWord(host, reading)) return resolveMachine(shown, located, machine, known);
  const { address = machine.name } = machine;
  return isSilent(own, address) ? fromFound(shown, own) : goesElsewhere(shown, own, address);
}

/** By its configuration the server connects to an address that the VM it is said to serve does not report. */
function goesElsewhere(host: string, own: Found, address: string): Resolved {
  if (own.kind === 'none') return fromFound(host, own);
  const why = `the "target" of its server is a VM that does not report ${address}, where the server connects to; if it is that VM, the operator gives ${address} an entry under "targets"`;
  return problem(host, 'unresolved', why, vmsOf(own).map(describeVm));
}

function named(host: HostName, reading: Reading, server: Server, known: Known): Resolved {
  const { local } = reading;
  if (host.client !== undefined && host.value !== 'localhost') return inside(host.value, server, known);
  const doubtful = doubtfulShare(host.value, known);
  if (doubtful !== undefined) return doubtful;
  if (isMany(host, known)) return many(host, known);
  if (server.target !== undefined) return namedOnServer(lookUp(server.target, known), host, reading, server, known);
  const behind = atPort(host, known);
  if (behind !== undefined) return fromFound(host.value, behind);
  return resolveHost(host.value, local === true ? { ...server, family: 'shell' } : server, known);
}

/** `own`: the only VM that the server serves. */
function namedOnServer(own: Found, host: HostName, reading: Reading, server: Server, known: Known): Resolved {
  const other = atPort(host, known) ?? evidence(host.value, known);
  if (other.kind !== 'none') return isSame(own, other) ? fromFound(host.value, own) : conflict(host.value, own, other);
  const stands = isServersWord(host, reading) || (isLoopback(bareHost(host.value)) && server.family !== 'shell');
  return stands ? fromFound(host.value, own) : resolveHost(host.value, server, known);
}

/** The operator's entry for a host with the port that the call gives beside it. */
function atPort({ value, port }: HostName, known: Known): Found | undefined {
  const host = readShareName(value).kind === 'share' ? bareHost(value) : value.trim().replace(/^[^@]*@/, '');
  if (port === undefined || !(/^[\w.-]+$/.test(host) || isIPv6(host))) return undefined;
  return mapped(isIPv6(host) ? `[${host}]:${port}` : `${host}:${port}`, known);
}

/** A host that a command reaches out to: another machine than the one that runs it, also on a server of one VM. */
function inside(host: string, server: Server, known: Known): Resolved {
  if (host.trim() === '' || (PATTERN.test(host) && !isIPv6(bareHost(host))))
    return problem(
      host,
      'unresolved',
      'the command acts on another host, and which one is not known before it runs',
      [],
    );
  return resolveHost(host, server, known);
}

/** A connection's or profile's name is the server's own word, and so is none at all; a host that no VM has is another machine. */
function isServersWord(host: HostName, { roles }: Reading): boolean {
  const role = host.role ?? (Object.hasOwn(roles, host.argument) ? roles[host.argument] : undefined);
  return role === 'connection' || isNone(host);
}

function many({ value }: HostName, known: Known): Resolved {
  const own = Object.keys(known.targets).includes(value) ? lookUp(value, known) : undefined;
  if (own?.kind === 'one') return fromFound(value, own);
  return problem(
    value,
    'unresolved',
    'it stands for many hosts, and which ones cannot be known without asking the server',
    [],
  );
}

function isMany({ value, argument }: HostName, known: Known): boolean {
  const name = argument.replace(/([a-z0-9])([A-Z])/g, '$1_$2');
  if (ALL.has(value.trim().toLowerCase()) || MANY.test(name)) return true;
  const host = bareHost(value);
  return PATTERN.test(value) && !isIPv6(host) && !isLoopback(host) && lookUp(value, known).kind === 'none';
}

function conflict(host: string, own: Found, other: Found): Resolved {
  const vms = [own, other].flatMap(vmsOf);
  return problem(host, 'ambiguous', 'it names another VM than the one that this server serves', vms.map(describeVm));
}

function unnamed(server: Server, known: Known, defaultTarget: VmReference | undefined): Resolved {
  if (server.target !== undefined) return assumed(fromFound(server.target, lookUp(server.target, known)), 'target');
  if (defaultTarget !== undefined) return assumed(byReference(defaultTarget, known), 'targets');
  const references = Object.values(known.targets);
  const [first, ...others] = references.map((reference) => byReference(reference, known));
  if (first !== undefined && others.every((other) => identifierOf(other) === identifierOf(first)))
    return assumed(first, 'targets');
  return problem('', 'unresolved', 'the call names no host, and the server is not known to serve exactly one VM', []);
}

function assumed(resolved: Resolved, unnamed: Unnamed): Resolved {
  return resolved.kind === 'target'
    ? { kind: 'target', target: { ...resolved.target, unnamed } }
    : { kind: 'problem', problem: { ...resolved.problem, unnamed } };
}

function byReference(reference: VmReference, known: Known): Resolved {
  const host = typeof reference === 'string' ? reference : reference.vmIdentifier;
  return fromFound(host, lookUp(host, { ...known, targets: { [host]: reference } }));
}

function identifierOf(resolved: Resolved): string {
  return resolved.kind === 'target' ? resolved.target.vm.vmIdentifier : `problem ${resolved.problem.host}`;
}

function isSame(left: Found, right: Found): boolean {
  return left.kind === 'one' && right.kind === 'one' && left.vm.vmIdentifier === right.vm.vmIdentifier;
}

/** Each VM once, under the first name that led to it; each problem once. */
function collect(hosts: readonly Resolved[]): Aim {
  const targets = new Map<string, Target>();
  const problems = new Map<string, TargetProblem>();
  for (const item of hosts) {
    if (item.kind === 'problem') problems.set(item.problem.host, problems.get(item.problem.host) ?? item.problem);
    else if (!targets.has(item.target.vm.vmIdentifier)) targets.set(item.target.vm.vmIdentifier, item.target);
  }
  return { targets: [...targets.values()], problems: [...problems.values()], hosts };
}
