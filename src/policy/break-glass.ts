import type { BreakGlass } from '../domain/break-glass.js';
import type { Settled } from '../domain/decision.js';
import type { Judged } from '../domain/ports.js';

/**
 * The waiver of a call under break-glass: only where every VM and every host of the call is among its VMs. Where nothing can be looked up,
 * the names that the call itself uses decide, or the server's own target. Undefined for every other call: policy goes on as ever.
 */
export function underBreakGlass(
  { aim, reading, call }: Judged,
  grant: BreakGlass | undefined,
  vmOf: (host: string) => string,
): Settled | undefined {
  if (grant === undefined) return undefined;
  const named = new Set(grant.vms.map(fold));
  const isNamed = (...names: readonly string[]) => names.some((name) => named.has(fold(name)));
  const { targets, problems, failure } = aim;
  const asked = reading.hosts.map(({ value }) => value);
  const hosts = asked.length === 0 && call.server.target !== undefined ? [call.server.target] : asked;
  const unknown = reading.ansible !== undefined || (reading.handles ?? []).length > 0;
  const all =
    failure === undefined
      ? targets.length + problems.length > 0 &&
        targets.every(({ vm }) => isNamed(vm.name, vm.vmIdentifier)) &&
        problems.every(({ host }) => host !== '' && isNamed(host, vmOf(host)))
      : !unknown && hosts.length > 0 && hosts.every((host) => isNamed(host, vmOf(host)));
  if (!all) return undefined;
  const { id, by, until, reason } = grant;
  return { kind: 'waive', rule: 'break-glass', by: `break-glass ${id} by ${by} until ${until}: ${reason}` };
}

function fold(name: string): string {
  return name.trim().toLowerCase();
}
