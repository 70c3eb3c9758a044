import { ProxyError } from '../domain/errors.js';
import { statusOf } from './failure.js';
import type { FlrItem } from './recover-types.js';

/** The appliance's API has `/` alone between names, and says that it does not support backslashes in a path. */
const BACKSLASH = '\\';

const UNSURE =
  'The appliance could read the backslash in its name as the way to something else, so it is not asked for it.';

/**
 * A row whose name has a backslash, where an appliance that takes that for a separator would find something else under it:
 * then its content is asked for by nobody. Every other row is given back as it is.
 */
export function guarded(item: FlrItem, name: string, siblings: ReadonlySet<string>): FlrItem {
  if (!name.includes(BACKSLASH)) return item;
  const parts = name.split(BACKSLASH).filter((part) => part !== '' && part !== '.');
  const [first] = parts;
  const sure = first !== undefined && !parts.includes('..') && !siblings.has(first.toLowerCase());
  return sure ? item : { ...item, browsable: false, downloadable: false, unsure: true, note: UNSURE };
}

/** The appliance's refusal of a path, with the reason where its backslash is the likely one. */
export function explained(error: unknown, path: string): unknown {
  const status = statusOf(error);
  if (!path.includes(BACKSLASH) || status === undefined || status >= 500) return error;
  const why =
    'The appliance does not take the backslash in this name, so it cannot be asked for it; a test failover of the VPG shows it.';
  return new ProxyError('ZVM_REJECTED', why, { cause: error, details: { status } });
}
