import { ProxyError } from '../domain/errors.js';
import type { Target, Vpg } from '../domain/target.js';
import { quote } from '../domain/text.js';
import { limitWithout } from './narrower.js';

/** The hosts of a call, and for an ansible call the pattern by which it names them. */
export interface Named {
  readonly targets: readonly Target[];
  readonly pattern?: string | undefined;
}

interface Failed {
  readonly vpg: Vpg;
  readonly error: unknown;
}

const SHOWN = 12;

/** Throws where a VPG takes no tag now: before the first insert, so that nothing is left behind. Names what would pass. */
export function throwBlocked(call: Named, vpgs: readonly Vpg[], looks: readonly PromiseSettledResult<unknown>[]): void {
  const failed = failedOf(vpgs, looks);
  const [first] = failed;
  if (first === undefined) return;
  const { passing, failing } = divide(call.targets, failed);
  const text = [
    "Not every VPG of this call's VMs takes a checkpoint now, so none was taken and the call was not sent.",
    ...reasons(call.targets, failed),
    wouldPass(passing, limitWithout(call.pattern, failing)),
  ];
  throw new ProxyError(codeOf(first), text.join(' '), { cause: first.error, details: detailsOf(failed) });
}

/**
 * Throws where a pin failed: its own error if it is the only VPG, else one that names each, and the tags left behind. Nothing is
 * forwarded; those tags serve the session's next call to these VMs.
 */
export function throwFailed(
  call: Named,
  vpgs: readonly Vpg[],
  pins: readonly PromiseSettledResult<{ readonly name: string }>[],
): void {
  const failed = failedOf(vpgs, pins);
  const [first] = failed;
  if (first === undefined) return;
  if (vpgs.length === 1) throw first.error;
  const tags = [...new Set(pins.flatMap((pin) => (pin.status === 'fulfilled' ? [pin.value.name] : [])))];
  const left =
    tags.length === 0
      ? []
      : [`Tags left behind on other VPGs: ${listed(tags, 140)}; your next call to these VMs uses them.`];
  const { passing, failing } = divide(call.targets, failed);
  const text = [
    "Not every VPG of this call's VMs has its checkpoint, so the call was not sent.",
    ...reasons(call.targets, failed),
    ...left,
    wouldPass(passing, limitWithout(call.pattern, failing)),
  ];
  throw new ProxyError(codeOf(first), text.join(' '), { cause: first.error, details: { ...detailsOf(failed), tags } });
}

/** Says when the VPG may take a tag again; `oldest` and `now` are milliseconds. */
export function tooManyTags(vpg: Vpg, oldest: number, now: number): ProxyError {
  const minutes = Math.max(1, Math.ceil((oldest + 3_600_000 - now) / 60_000));
  return new ProxyError(
    'CHECKPOINT_NOT_PINNED',
    `VPG ${quote(vpg.name)} has taken as many tags as it may in one hour. The call was not sent. Send it again in ${minutes} min, and put several changes into one command.`,
  );
}

function failedOf(vpgs: readonly Vpg[], results: readonly PromiseSettledResult<unknown>[]): readonly Failed[] {
  return vpgs.flatMap((vpg, index) => {
    const result = results[index];
    return result?.status === 'rejected' ? [{ vpg, error: result.reason as unknown }] : [];
  });
}

function divide(targets: readonly Target[], failed: readonly Failed[]) {
  const down = new Set(failed.map(({ vpg }) => vpg.vpgIdentifier));
  const isDown = ({ vm }: Target): boolean => vm.vpgs.some((vpg) => down.has(vpg.vpgIdentifier));
  const hosts = (of: readonly Target[]): readonly string[] => [...new Set(of.map(({ host }) => host))];
  return {
    failing: hosts(targets.filter(isDown)),
    passing: hosts(targets.filter((target) => !isDown(target))),
  };
}

function reasons(targets: readonly Target[], failed: readonly Failed[]): readonly string[] {
  const shown = failed.slice(0, SHOWN).map(({ vpg, error }) => {
    const on = targets.filter(({ vm }) => vm.vpgs.some((of) => of.vpgIdentifier === vpg.vpgIdentifier));
    const hosts = on.map(({ host, vm }) =>
      host === vm.name ? quote(host, 80) : `${quote(host, 80)} (VM ${quote(vm.name, 80)})`,
    );
    const why =
      error instanceof ProxyError
        ? error.message.replaceAll(/ The call was not sent\./g, '')
        : 'the proxy failed on its own.';
    return `Host ${hosts.slice(0, SHOWN).join(', ')}${more(hosts.length)}: VPG ${quote(vpg.name, 80)}: ${why}`;
  });
  return failed.length > SHOWN ? [...shown, `${failed.length - SHOWN} more VPGs failed.`] : shown;
}

function wouldPass(hosts: readonly string[], limit: string | undefined): string {
  if (hosts.length === 0) return 'Without these VPGs no host of the call is left.';
  const ansible = limit === undefined ? '' : ` (ansible: ${limit})`;
  return `It would pass for ${listed(hosts, 80)} alone${ansible}: send it for ${hosts.length === 1 ? 'that' : 'those'}, and for the rest later.`;
}

function listed(items: readonly string[], max: number): string {
  return `${items
    .slice(0, SHOWN)
    .map((item) => quote(item, max))
    .join(', ')}${more(items.length)}`;
}

function more(count: number): string {
  return count > SHOWN ? ` and ${count - SHOWN} more` : '';
}

function codeOf({ error }: Failed): ProxyError['code'] {
  return error instanceof ProxyError ? error.code : 'CHECKPOINT_NOT_PINNED';
}

function detailsOf(failed: readonly Failed[]): { readonly failed: readonly unknown[] } {
  return {
    failed: failed.map(({ vpg, error }) => ({
      vpg: vpg.name,
      site: vpg.site,
      ...(error instanceof ProxyError && { code: error.code, ...error.details }),
    })),
  };
}
