import type { CoveredTarget } from '../coverage.js';
import type { Vm } from '../domain/target.js';

/** A name for `targets`, the VM that it would lead to, and why. `sure`: it leads there already, or by the very same letters and digits. */
export interface Proposal {
  readonly host: string;
  readonly vm: string;
  readonly why: string;
  readonly sure: boolean;
}

/** Entries for `targets`: hosts of the servers that lead to a VM of another name, or to none although one VM is called nearly the same. */
export function proposeTargets(covered: readonly CoveredTarget[], vms: readonly Vm[]): readonly Proposal[] {
  const proposals = covered
    .filter(({ namedBy, host }) => namedBy === 'server' && host !== '')
    .flatMap((target): Proposal[] => {
      const { host, vm, reportedBy } = target;
      if (vm !== undefined) return same(host, vm) ? [] : [{ host, vm, why: 'its name leads there', sure: true }];
      if (reportedBy !== undefined) return [{ host, vm: reportedBy, why: 'it reports the address', sure: true }];
      const alike = byPlain(host, vms);
      return alike === undefined
        ? []
        : [{ host, vm: alike.name, why: 'the same letters and digits', sure: alike.vpgs.length > 0 }];
    });
  return [...new Map(proposals.map((proposal) => [proposal.host.toLowerCase(), proposal])).values()];
}

/** The only VM whose first label has the same letters and digits. A name of digits alone says nothing. */
function byPlain(host: string, vms: readonly Vm[]): Vm | undefined {
  const wanted = plain(host);
  if (!/[a-z]/.test(wanted)) return undefined;
  const [only, another] = vms.filter(({ name }) => plain(name) === wanted);
  return another === undefined ? only : undefined;
}

function plain(name: string): string {
  return (name.split('.')[0] ?? '').toLowerCase().replace(/[^a-z0-9]/g, '');
}

function same(left: string, right: string): boolean {
  return left.toLowerCase() === right.toLowerCase();
}
