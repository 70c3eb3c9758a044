import { distance } from 'fastest-levenshtein';
import type { Vm } from '../domain/target.js';
import { quote } from '../domain/text.js';
import { bareHost, canonicalAddress, isTelling } from './address.js';

/**
 * What a name stands for among the VMs: one, several that cannot be told apart, or none, with the names next to it; `why` says more
 * where more is known than that it was not found.
 */
export type Found =
  | { readonly kind: 'one'; readonly vm: Vm }
  | { readonly kind: 'many'; readonly vms: readonly [Vm, ...Vm[]] }
  | { readonly kind: 'none'; readonly nearest: readonly string[]; readonly why?: string; readonly reportedBy?: string };

const NEAREST = 3;

/**
 * Exactly one VM by identifier, name or short host name, in this order; the first kind of match that finds any decides. An address finds
 * none: networks reuse addresses, and what a guest reported last may be another's by now. It counts beside a name (`atAddress`). A full
 * name stands for a VM with a short one only in one of `domains`, or in the domain of another VM's name.
 */
export function findVm(name: string, vms: readonly Vm[], domains: readonly string[] = []): Found {
  const host = bareHost(name);
  const hasIt = hasAddress(host);
  const isCalled = (vm: Vm): boolean => same(vm.name, name.trim()) || same(vm.name, host);
  const isNamed = vms.some(isCalled);
  const steps: ReadonlyArray<(vm: Vm) => boolean> = [
    (vm) => same(vm.vmIdentifier, name.trim()),
    // A VM that is called like an address of another one does not hide it.
    (vm) => isCalled(vm) || (isNamed && hasIt(vm)),
    (vm) => isShortFor(host, vm.name, (domain) => isOwnDomain(domain, vms, domains)),
  ];
  for (const step of steps) {
    const found = unique(vms.filter(step), vms);
    if (found.kind !== 'none') return found;
  }
  return (
    moved(name.trim(), vms) ??
    addressAlone(host, vms) ??
    labelAlone(host, vms) ?? { kind: 'none', nearest: nearest(host, vms) }
  );
}

/** The VMs whose short name is the first label of a full one, in whatever domain: no proof, but enough to speak against another. */
export function byFirstLabel(name: string, vms: readonly Vm[]): Found {
  const host = bareHost(name);
  return unique(
    vms.filter((vm) => isShortFor(host, vm.name, () => true)),
    vms,
  );
}

/** The VMs that report an address; none for a name, and for an address that every machine has. */
export function atAddress(address: string, vms: readonly Vm[]): Found {
  return unique(vms.filter(hasAddress(bareHost(address))), vms);
}

function addressAlone(host: string, vms: readonly Vm[]): Found | undefined {
  const found = atAddress(host, vms);
  if (found.kind === 'none') return undefined;
  const reporting = found.kind === 'one' ? [found.vm] : found.vms;
  const only = found.kind === 'one' ? { reportedBy: found.vm.name } : {};
  return { kind: 'none', nearest: reporting.map(({ name }) => name), why: ADDRESS_ALONE, ...only };
}

function labelAlone(host: string, vms: readonly Vm[]): Found | undefined {
  const found = byFirstLabel(host, vms);
  if (found.kind === 'none') return undefined;
  const named = found.kind === 'one' ? [found.vm] : found.vms;
  return { kind: 'none', nearest: [...new Set(named.map((vm) => vm.name))], why: LABEL_ALONE };
}

const LABEL_ALONE =
  'a VM has the first label of its name, and nothing shows that the hosts of its domain are these VMs; use the name of the VM, or the operator gives the domain under "domains" or the host under "targets"';

const ADDRESS_ALONE = 'an address alone does not prove which VM it is; use the name of the VM';

/** The VM of one identifier, or of one exact name: what an operator wrote, without guesses. */
export function findExactly(reference: string | { readonly vmIdentifier: string }, vms: readonly Vm[]): Found {
  const identifier = typeof reference === 'string' ? reference : reference.vmIdentifier;
  const byIdentifier = unique(
    vms.filter((vm) => same(vm.vmIdentifier, identifier)),
    vms,
  );
  const left = byIdentifier.kind === 'none' ? moved(identifier, vms) : undefined;
  if (left !== undefined) return left;
  if (byIdentifier.kind !== 'none' || typeof reference !== 'string') return byIdentifier;
  const byName = unique(
    vms.filter((vm) => same(vm.name, reference)),
    vms,
  );
  return byName.kind === 'none' ? { kind: 'none', nearest: nearest(reference, vms) } : byName;
}

/** A VM with what tells it from others of the same name. */
export function describeVm(vm: Vm): string {
  const vpgs = vm.vpgs.length === 0 ? 'no VPG' : `VPG ${vm.vpgs.map((vpg) => vpg.name).join(', ')}`;
  const organization = vm.organization === undefined ? '' : `organisation ${vm.organization}, `;
  return `${vm.name} (${vm.vmIdentifier}, ${organization}site ${vm.site}, ${vpgs})`;
}

/** An identifier that a VM had before: it is another VM now, which must be meant by its own name. */
function moved(identifier: string, vms: readonly Vm[]): Found | undefined {
  const now = vms.filter((vm) => vm.formerly?.some((former) => same(former, identifier)) === true);
  if (now.length === 0) return undefined;
  const where = now.map((vm) => quote(describeVm(vm))).join(', ');
  return { kind: 'none', nearest: [], why: `the VM of this identifier was failed over or moved; it is now ${where}` };
}

/** Equal but for the case of ASCII letters. Other letters must be equal: what folds onto a letter elsewhere is another host. */
export function same(left: string, right: string): boolean {
  return left !== '' && lower(left) === lower(right);
}

/** Lower case for ASCII letters alone. */
export function lower(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Whether the hosts of a domain are the VMs: the operator says so, or a VM bears it in its name. */
function isOwnDomain(domain: string, vms: readonly Vm[], domains: readonly string[]): boolean {
  if (domains.some((own) => same(own, domain))) return true;
  return vms.some(({ name }) => canonicalAddress(name) === undefined && same(domainOf(name), domain));
}

function domainOf(name: string): string {
  const [, ...labels] = name.split('.');
  return labels.join('.');
}

/** A short name and a full one with the same first label. Two full names in different domains are two hosts. */
function isShortFor(host: string, vmName: string, isOwn: (domain: string) => boolean): boolean {
  if (canonicalAddress(host) !== undefined || canonicalAddress(vmName) !== undefined) return false;
  const [label, ...domain] = host.split('.');
  const [vmLabel, ...vmDomain] = vmName.split('.');
  const oneIsShort = (domain.length === 0) !== (vmDomain.length === 0);
  if (!oneIsShort || /^\d*$/.test(label ?? '') || !same(label ?? '', vmLabel ?? '')) return false;
  return domain.length === 0 || isOwn(domain.join('.'));
}

function hasAddress(host: string): (vm: Vm) => boolean {
  const address = canonicalAddress(host);
  if (address === undefined || !isTelling(address)) return () => false;
  return (vm) => vm.addresses.some((own) => canonicalAddress(own.trim()) === address);
}

/** VMs with one identifier are one VM, seen from two sites: it has the VPGs of both, also where only one of them was found. */
function unique(found: readonly Vm[], vms: readonly Vm[]): Found {
  const identifiers = new Set(found.map((vm) => vm.vmIdentifier));
  const byIdentifier = new Map<string, Vm>();
  for (const vm of vms.filter(({ vmIdentifier }) => identifiers.has(vmIdentifier))) {
    const known = byIdentifier.get(vm.vmIdentifier);
    byIdentifier.set(vm.vmIdentifier, known === undefined ? vm : { ...known, vpgs: merged(known, vm) });
  }
  const [first, ...others] = byIdentifier.values();
  if (first === undefined) return { kind: 'none', nearest: [] };
  return others.length === 0 ? { kind: 'one', vm: first } : { kind: 'many', vms: [first, ...others] };
}

function merged(left: Vm, right: Vm): Vm['vpgs'] {
  const own = new Set(left.vpgs.map((vpg) => vpg.vpgIdentifier));
  return [...left.vpgs, ...right.vpgs.filter((vpg) => !own.has(vpg.vpgIdentifier))];
}

function nearest(host: string, vms: readonly Vm[]): readonly string[] {
  const wanted = lower(host).slice(0, 255);
  return [...new Set(vms.map((vm) => vm.name))]
    .map((name) => ({ name, far: distance(wanted, lower(name).slice(0, 255)) }))
    .filter(({ name, far }) => far <= Math.max(2, Math.floor(Math.max(name.length, wanted.length) / 3)))
    .sort((left, right) => left.far - right.far || (left.name < right.name ? -1 : 1))
    .slice(0, NEAREST)
    .map(({ name }) => name);
}
