import { isIP } from 'node:net';
import type { Server } from '../domain/call.js';
import type { Machine, Resolved, Vm } from '../domain/target.js';
import { bareHost, canonicalAddress, isLoopback, isTelling } from './address.js';
import { exemptRule } from './exempt.js';
import { atAddress, byFirstLabel, describeVm, type Found, same } from './find-vm.js';
import {
  evidence,
  fromFound,
  type Known,
  lookUp,
  mapped,
  mayBeProtected,
  problem,
  unresolved,
  vmsOf,
} from './resolve.js';

/** Where the name and the address of a machine lead: to one answer, or to two that exclude each other. */
export type Located =
  | { readonly kind: 'agreed'; readonly found: Found }
  | { readonly kind: 'stop'; readonly why: string; readonly vms: readonly Vm[] };

/**
 * The VM of a machine that a server's configuration knows. Where the connection goes must lead to the same VM as its names (the caller's word
 * for it and the configuration's own). A name that no VM has says nothing, an address that a VM reports proves nothing alone, and one that
 * several report proves nothing at all; a VM's name is enough only where no address of that VM is known. An operator's own entry for a name or
 * address replaces the look-up of that one.
 */
export function locate(words: readonly string[], machine: Machine, known: Known): Located {
  const names = [...new Set([...words, machine.name])].filter((name) => name.trim() !== '');
  const { address } = machine;
  if (machine.local === true) return agreed(operators([...names, 'localhost'], known) ?? NOTHING);
  if (address === undefined || same(bareHost(address), bareHost(machine.name))) return byName(names, machine, known);
  const mappedThere = operatorsAddress(machine, known);
  const there = mappedThere ?? evidence(address, known);
  const own = operators(names, known);
  if (mappedThere === undefined && atAddress(address, known.vms).kind === 'many')
    return atShared(address, names, own, machine, known);
  if (own !== undefined) return operatorsWord(own, there, machine);
  const named = joined(names.map((name) => lookUp(name, known)));
  if (named.kind === 'none') return agreed(mappedThere ?? unnamedAt(address, names, there, named, known));
  return agreement(named, there, address, known);
}

/** The VM that the names of a machine and the address of its connection both lead to. */
function agreement(named: Found, there: Found, address: string, known: Known): Located {
  if (there.kind === 'none' && isSilent(named, address)) return agreed(named);
  if (there.kind === 'none')
    return stop(`its name is a VM's, but its connection goes to ${address}${whyNot(address, known)}`, named, there);
  const both = common(named, there);
  return both.kind === 'none'
    ? stop(`its name and ${address}, where its connection goes, lead to different VMs`, named, there)
    : agreed(both);
}

/**
 * Several VMs report the address, as the nodes of a cluster do: which of them answers there now nobody knows, so it agrees with no name. The
 * operator's word for a machine behind a jump host does without it.
 */
function atShared(
  address: string,
  names: readonly string[],
  own: Found | undefined,
  { via = [] }: Machine,
  known: Known,
): Located {
  if (own !== undefined && via.length > 0) return agreed(own);
  const named = own ?? joined(names.map((name) => lookUp(name, known)));
  if (named.kind === 'none') return agreed(lookUp(address, known));
  const why = `several VMs report ${address}, where its connection goes, and which of them answers there is not known; let it go to an address of one VM alone, or the operator gives ${address} an entry under "targets"`;
  return stop(why, named, atAddress(address, known.vms));
}

/**
 * What a machine is whose names are no VM's: a name in a domain that is not known to be the VMs' counts where the VM of its first label
 * reports the address.
 */
function unnamedAt(address: string, names: readonly string[], there: Found, named: Found, known: Known): Found {
  const found = lookUp(address, known);
  if (found.kind !== 'none') return found;
  const both = common(joined(names.map((name) => byFirstLabel(name, known.vms))), there);
  if (both.kind !== 'none') return both;
  return found.why === undefined && named.kind === 'none' && named.why !== undefined ? named : found;
}

/** One machine to exactly one protected VM, or a problem. `host` is what the caller sees of it. */
export function resolveMachine(host: string, located: Located, machine: Machine, known: Known): Resolved {
  const vms = located.kind === 'stop' ? located.vms : vmsOf(located.found);
  const names = [host, machine.name, machine.address ?? ''];
  const isProtected = vms.some((vm) => vm.vpgs.length > 0) || mayBeProtected(names, known);
  const rule = isProtected
    ? undefined
    : names.map((name) => exemptRule(name, known.exempt)).find((each) => each !== undefined);
  if (rule !== undefined) return problem(host, 'exempt', rule.reason, []);
  if (located.kind === 'stop')
    return problem(host, located.vms.length > 1 ? 'ambiguous' : 'unresolved', located.why, located.vms.map(describeVm));
  const { found } = located;
  return found.kind === 'none' ? unresolved(host, found, noVm(machine)) : fromFound(host, found);
}

/** What was found, else the VMs that report where the connection goes. */
export function seenAt(found: Found, { address }: Machine, known: Known): Found {
  return found.kind === 'none' && address !== undefined ? evidence(address, known) : found;
}

/** The sentence for a machine that leads to no VM. */
function noVm({ address, local, via = [] }: Machine): string {
  if (local === true) return 'it is the machine that the server itself runs on, which is not known as a VM';
  const behind = via.length === 0 ? '' : ` through ${via.join(', ')}`;
  return address === undefined
    ? 'no VM has this name or address'
    : `its connection goes to ${address}${behind}, and no VM has this name or address`;
}

/** Whether a machine is one that any machine calls itself. */
export function isOwnMachine({ name, address }: Machine, server: Server): boolean {
  return server.family !== 'shell' && isLoopback(bareHost(address ?? name));
}

function byName(names: readonly string[], machine: Machine, known: Known): Located {
  const there = operatorsAddress(machine, known);
  // The name alone says less than the name with its port.
  const others = names.filter((name) => !same(bareHost(name), bareHost(machine.name)));
  const own = operators(there === undefined ? names : others, known);
  if (own !== undefined && there !== undefined) return operatorsWord(own, there, machine);
  return agreed(there ?? own ?? joined(names.map((name) => lookUp(name, known))));
}

/** The operator named the machine: another VM at its address is a contradiction, unless the address lies in a network of its own. */
function operatorsWord(own: Found, there: Found, { address, via = [] }: Machine): Located {
  if (there.kind !== 'one' || via.length > 0 || common(own, there).kind !== 'none') return agreed(own);
  return stop(
    `"targets" names another VM than ${address ?? 'its address'}, where its connection goes, leads to`,
    own,
    there,
  );
}

/** The operator's entry for an address with its port comes before the one for the address alone. */
function operatorsAddress({ name, address, port }: Machine, known: Known): Found | undefined {
  if (port === undefined) return address === undefined ? undefined : mapped(address, known);
  const host = address ?? bareHost(name);
  return mapped(`${isIP(host) === 6 ? `[${host}]` : host}:${port}`, known);
}

/** The operator's entries for any of these names; entries that differ stand for all their VMs. */
function operators(names: readonly string[], known: Known): Found | undefined {
  const founds = names.map((name) => mapped(name, known)).filter((found) => found !== undefined);
  return founds.length === 0 ? undefined : joined(founds);
}

function whyNot(address: string, known: Known): string {
  const found = lookUp(address, known);
  return found.kind === 'none' && found.why !== undefined ? ` (${found.why})` : '';
}

/** One VM of which the appliance knows no address: nothing speaks against its name. */
export function isSilent(found: Found, address: string): boolean {
  const plain = canonicalAddress(bareHost(address));
  return plain !== undefined && isTelling(plain) && found.kind === 'one' && !found.vm.addresses.some(isTelling);
}

const NOTHING: Found = { kind: 'none', nearest: [] };

function agreed(found: Found): Located {
  return { kind: 'agreed', found };
}

function stop(why: string, ...founds: readonly Found[]): Located {
  return { kind: 'stop', why, vms: vmsOf(joined(founds)) };
}

/** All VMs that any of these leads to. */
function joined(founds: readonly Found[]): Found {
  const vms = new Map(founds.flatMap(vmsOf).map((vm) => [vm.vmIdentifier, vm]));
  const nearest = [...new Set(founds.flatMap((found) => (found.kind === 'none' ? found.nearest : [])))];
  const all = asFound([...vms.values()], nearest);
  const why = founds.map((found) => (found.kind === 'none' ? found.why : undefined)).find((each) => each !== undefined);
  return all.kind === 'none' && why !== undefined ? { ...all, why } : all;
}

/** The VMs that both lead to. */
function common(left: Found, right: Found): Found {
  const others = new Set(vmsOf(right).map(({ vmIdentifier }) => vmIdentifier));
  return asFound(
    vmsOf(left).filter(({ vmIdentifier }) => others.has(vmIdentifier)),
    [],
  );
}

function asFound([first, ...others]: readonly Vm[], nearest: readonly string[]): Found {
  if (first === undefined) return { kind: 'none', nearest };
  return others.length === 0 ? { kind: 'one', vm: first } : { kind: 'many', vms: [first, ...others] };
}
