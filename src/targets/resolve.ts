import type { Server } from '../domain/call.js';
import type { Resolved, TargetProblem, Vm } from '../domain/target.js';
import { quote } from '../domain/text.js';
import { bareHost, canonicalAddress, hostAndPort, isLoopback } from './address.js';
import { type ExemptRule, exemptRule } from './exempt.js';
import { atAddress, byFirstLabel, describeVm, type Found, findExactly, findVm, same } from './find-vm.js';
import { NO_SHARE, shareDoubt, shareKey } from './share.js';

/** What an operator calls a VM: its name or identifier, or an identifier alone. */
export type VmReference = string | { readonly vmIdentifier: string };

/** What names are resolved with: the operator's own names and rules, and the VMs that the sites list now. */
export interface Known {
  readonly targets: Readonly<Record<string, VmReference>>;
  readonly exempt: readonly ExemptRule[];
  /** Domains whose hosts are VMs of these sites, as far as the operator says so. */
  readonly domains: readonly string[];
  readonly vms: readonly Vm[];
}

/** One name to exactly one protected VM, or a problem that says what was found. The operator's own name for it decides alone. */
export function resolveHost(host: string, server: Server, known: Known): Resolved {
  const found = lookUp(host, known);
  const rule = mayBeProtected([host], known) ? undefined : exemptRule(host, known.exempt);
  if (rule !== undefined) return problem(host, 'exempt', rule.reason, []);
  if (found.kind === 'none' && isLoopback(bareHost(host))) return problem(host, 'unresolved', loopbackWhy(server), []);
  if (found.kind === 'none' && shareKey(host) !== undefined) return unresolved(host, found, NO_SHARE);
  return fromFound(host, found);
}

/** Whether anything speaks for it that one of these names is a protected VM's. */
export function mayBeProtected(names: readonly string[], known: Known): boolean {
  const vms = names.flatMap((name) => [...vmsOf(evidence(name, known)), ...vmsOf(byFirstLabel(name, known.vms))]);
  return vms.some((vm) => vm.vpgs.length > 0);
}

/** A share whose name does not tell which machine its files lie on, unless the operator has an entry for it. */
export function doubtfulShare(host: string, known: Known): Resolved | undefined {
  const key = shareKey(host);
  if (key !== undefined && Object.keys(known.targets).some((name) => same(name, key))) return undefined;
  const doubt = shareDoubt(host);
  return doubt === undefined
    ? undefined
    : problem(host, 'unresolved', doubt, vmsOf(evidence(host, known)).map(describeVm));
}

/** What a name is looked up to, without rules: the operator's own names first, then the VMs. */
export function lookUp(host: string, known: Known): Found {
  const own = mapped(host, known);
  if (own !== undefined) return own;
  return isLoopback(bareHost(host)) ? { kind: 'none', nearest: [] } : findVm(host, known.vms, known.domains);
}

/** What speaks for a VM: its names, else that it reports the address. Enough to contradict or to agree with a name, not to stand alone. */
export function evidence(host: string, known: Known): Found {
  const found = lookUp(host, known);
  return found.kind === 'none' ? atAddress(host, known.vms) : found;
}

/** The VM that the operator gave a name; undefined where the operator said nothing of it. */
export function mapped(host: string, { targets, vms, domains }: Known): Found | undefined {
  const own = Object.entries(targets);
  const entry = [host.trim(), shareKey(host) ?? '', hostAndPort(host), bareHost(host)]
    .map((each) => own.find(([name]) => same(name, each) || isSameAddress(name, each)))
    .find((found) => found !== undefined);
  if (entry === undefined) return undefined;
  const found = findExactly(entry[1], vms);
  if (found.kind !== 'none' || found.why !== undefined) return found;
  const named = vmsOf(findVm(host, vms, domains));
  return named.length === 0
    ? found
    : { ...found, why: `${NOT_MAPPED}: ${named.map((vm) => quote(describeVm(vm))).join(', ')}` };
}

function isSameAddress(left: string, right: string): boolean {
  const address = canonicalAddress(left);
  return address !== undefined && address === canonicalAddress(right);
}

const NOT_MAPPED =
  'what the operator set for it is no VM now (a failover or move gives a VM another identifier); of this name there is';

/** A lookup as a target or a problem; `host` is the name as the caller wrote it. */
export function fromFound(host: string, found: Found): Resolved {
  if (found.kind === 'none') return unresolved(host, found, 'no VM has this name or address');
  if (found.kind === 'many')
    return problem(host, 'ambiguous', `${found.vms.length} VMs have this name or address`, found.vms.map(describeVm));
  const [first, ...others] = found.vm.vpgs;
  if (first === undefined) return problem(host, 'unprotected', unprotectedWhy(found.vm), [describeVm(found.vm)]);
  return { kind: 'target', target: { host, vm: { ...found.vm, vpgs: [first, ...others] } } };
}

/** `why`: where the look-up itself says no more. */
export function unresolved(host: string, found: Found & { readonly kind: 'none' }, why: string): Resolved {
  const { nearest, reportedBy } = found;
  const told = { host, kind: 'unresolved', why: found.why ?? why, found: nearest } as const;
  return { kind: 'problem', problem: reportedBy === undefined ? told : { ...told, reportedBy } };
}

export function problem(host: string, kind: TargetProblem['kind'], why: string, found: readonly string[]): Resolved {
  return { kind: 'problem', problem: { host, kind, why, found } };
}

function unprotectedWhy({ formerly }: Vm): string {
  const since = formerly === undefined ? '' : ' since it was failed over or moved here';
  return `no VPG protects the VM${since}`;
}

/** The VMs that were found, however many. */
export function vmsOf(found: Found): readonly Vm[] {
  if (found.kind === 'none') return [];
  return found.kind === 'one' ? [found.vm] : found.vms;
}

function loopbackWhy(server: Server): string {
  return server.family === 'shell'
    ? 'it is the machine that the server itself runs on, which is not known as a VM'
    : 'it names whatever machine looks it up, not one VM';
}
