import type { Config } from '../config/config.js';
import { ownDomains } from '../config/domains.js';
import type { Inventory } from '../domain/ports.js';
import type { Target } from '../domain/target.js';
import { quote } from '../domain/text.js';
import { fromFound, lookUp } from '../targets/resolve.js';

/** The one protected VM that a person means, as a call's host would be looked up; else why not. */
export async function findTarget(
  host: string,
  config: Pick<Config, 'targets' | 'domains' | 'zvm'>,
  inventory: Inventory,
  signal: AbortSignal,
): Promise<{ readonly kind: 'target'; readonly target: Target } | { readonly kind: 'none'; readonly why: string }> {
  const vms = await inventory.vms(signal);
  const resolved = fromFound(
    host,
    lookUp(host, { targets: config.targets, exempt: [], domains: ownDomains(config), vms }),
  );
  if (resolved.kind === 'target') return resolved;
  const { why, found } = resolved.problem;
  const near = found.length === 0 ? '' : `; found ${found.map((name) => quote(name)).join(', ')}`;
  return { kind: 'none', why: `${quote(host)}: ${why}${near}` };
}
