import { ProxyError } from '../domain/errors.js';
import type { Inventory, Listing } from '../domain/ports.js';
import type { Aim, Resolved, Vm } from '../domain/target.js';
import { quote } from '../domain/text.js';

/** What the sites list, where the inventory can tell which of them are silent. */
export async function listingOf(inventory: Inventory, signal: AbortSignal): Promise<Listing> {
  return (await inventory.listing?.(signal)) ?? { vms: await inventory.vms(signal), unsure: [], silent: [] };
}

/**
 * What `resolve` makes of the VMs that are listed. While a site is silent only what it cannot change stands: a host that is the same
 * VM with and without those that may be there. Any other is no problem of the call but a failure that names the site.
 */
export function whereSure({ vms, unsure, silent }: Listing, resolve: (vms: readonly Vm[]) => Aim): Aim {
  const aim = resolve(vms);
  if (silent.length === 0) return aim;
  const all = resolve([...vms, ...unsure]).hosts ?? [];
  const doubtful = (aim.hosts ?? []).flatMap((host, index) => (isSure(host, all[index]) ? [] : [nameOf(host)]));
  if (doubtful.length === 0) return aim;
  throw mayBeThere([...new Set(doubtful)], silent);
}

/** What is ambiguous without the silent sites stays so; what was not found, or is not protected, may be so there. */
function isSure(host: Resolved, withAll: Resolved | undefined): boolean {
  if (host.kind === 'problem') return host.problem.kind === 'ambiguous';
  return withAll?.kind === 'target' && withAll.target.vm.vmIdentifier === host.target.vm.vmIdentifier;
}

function nameOf(host: Resolved): string {
  return host.kind === 'target' ? host.target.host : host.problem.host;
}

function mayBeThere(hosts: readonly string[], silent: Listing['silent']): ProxyError {
  const first = silent[0]?.error;
  const named = hosts.map((host) => (host === '' ? 'the host of the call' : quote(host, 80))).join(', ');
  const sites = silent.map(({ site }) => quote(site, 80)).join(', ');
  const why = silent.map(({ error }) => (error instanceof ProxyError ? error.message : 'It failed.')).join(' ');
  return new ProxyError(
    first instanceof ProxyError ? first.code : 'ZVM_UNREACHABLE',
    `It cannot be told which VM is meant by ${named}: it may be at site ${sites}, whose ZVM cannot be asked. ${why} The call was not sent. Calls on VMs of the other sites go on.`,
    { details: first instanceof ProxyError ? first.details : {}, cause: first },
  );
}
