import { type HostName, NO_HOST, type Operation, type Role } from '../src/domain/call.js';
import { readShareName } from '../src/domain/share-name.js';
import { isEmpty } from './commands.js';
import { remoteHosts } from './remote.js';
import type { Slot } from './roles.js';

/** The hosts that a call names, as the caller wrote them, and the argument of each. An empty list stays as `''`: some servers take it for all. */
export function hostNames(slots: readonly Slot[]): readonly HostName[] {
  const share = slots.find(isShare);
  const others = slots.filter((slot) => slot !== share);
  const theirs = hostsOf(others);
  return isTheirs(share, others, theirs) ? theirs.map(sharing(share.value)) : hostsOf(slots);
}

function hostsOf(slots: readonly Slot[]): readonly HostName[] {
  const port = portBeside(slots);
  return slots.flatMap((slot) =>
    valuesOf(slot).map((value) =>
      port !== undefined && slot.role === 'host' ? { ...named(value, slot), port } : named(value, slot),
    ),
  );
}

function isShare({ name, role }: Slot): boolean {
  return role === 'host' && /^share(?:_?name)?$/i.test(name);
}

/** A share that stands by its own name alone beside the hosts of a call (`host`, `share`) is a share of theirs, and no host. */
function isTheirs(
  share: Slot | undefined,
  others: readonly Slot[],
  theirs: readonly HostName[],
): share is Slot & { readonly value: string } {
  if (typeof share?.value !== 'string' || !/^[\w.-]+\$?$/.test(share.value) || others.some(isShare)) return false;
  const named = others.every(({ role, value }) => role !== 'connection' || isEmpty(value));
  return named && theirs.length > 0 && theirs.every(({ value }) => /^[\w.:-]+$/.test(value));
}

function sharing(share: string): (host: HostName) => HostName {
  return (host) => ({ ...host, value: `\\\\${host.value}\\${share}` });
}

const PORT = /^(?:ssh|remote|winrm)?[_-]?port$/i;

/** The port of the call's only host. */
function portBeside(slots: readonly Slot[]): number | undefined {
  const [slot, another] = slots.filter(({ name, value }) => PORT.test(name) && !isEmpty(value));
  const port = another === undefined ? Number(slot?.value) : Number.NaN;
  const hosts = slots.filter(({ role, value }) => role === 'host' && !isEmpty(value));
  return hosts.length === 1 && Number.isInteger(port) && port > 0 && port < 65_536 ? port : undefined;
}

/** The names of sessions and the like that a call gives. */
export function handleNames(slots: readonly Slot[]): readonly HostName[] {
  return slots.flatMap((slot) =>
    slot.role === 'session' && !isEmpty(slot.value) ? texts(slot.value).map((value) => named(value, slot)) : [],
  );
}

function named(value: string, { argument, name, role }: Slot): HostName {
  return name === argument ? { value, argument } : { value, argument, role };
}

/** The hosts of a call to the machine that the server runs on: those that its commands reach out to, else that machine. */
export function localHosts(named: readonly HostName[], operations: readonly Operation[]): readonly HostName[] {
  if (named.length > 0) return named;
  const sources = operations.flatMap((operation) => (operation.kind === 'command' ? [operation.source] : []));
  const here: HostName = { value: 'localhost', argument: '' };
  const hosts = sources.length === 0 ? [here] : sources.flatMap((source) => remoteHosts(source) ?? [here]);
  return [...new Map(hosts.map((host) => [`${host.value} ${host.role ?? ''}`, host])).values()];
}

function valuesOf({ role, value }: Slot): readonly string[] {
  if (role === 'path') return texts(value).flatMap((path) => shareIn(path) ?? []);
  if (role === 'host' || role === 'connection') return isEmpty(value) ? [] : texts(value).map(plainShare);
  return role === 'host_list' && value !== null && value !== undefined ? listed(value).map(plainShare) : [];
}

/** The machine and share of a path, in one spelling, without a login; the whole text where readers differ on its machine. */
function shareIn(path: string): string | undefined {
  const name = readShareName(path);
  if (name.kind === 'unclear') return path;
  if (name.kind !== 'share') return undefined;
  const { host, share, port } = name;
  return `\\\\${host}${port === undefined ? '' : `@${port}`}${share === '' ? '' : `\\${share}`}`;
}

function plainShare(value: string): string {
  return readShareName(value).kind === 'share' ? (shareIn(value) ?? value) : value;
}

/** A directory to work in, or an argument that is not known, may lie on a share too. */
const BESIDE: ReadonlySet<Role> = new Set(['option', 'unknown', 'local_path']);
const WHOLE =
  /^(?:(?:smb|cifs|file):|(?:[\w.]+\\)?FileSystem::)?\s*(?:\\\\|\/\/)(?:[?.][\\/]UNC[\\/])?[\w.-]+(?:@[\w@]+)?[\\/]\S/i;

/** The machines whose shares stand in arguments that are no paths of the call's own host. */
function sharesBeside(slots: readonly Slot[]): readonly HostName[] {
  return slots
    .filter(({ role }) => BESIDE.has(role))
    .flatMap((slot) =>
      texts(slot.value)
        .filter((text) => WHOLE.test(text.trim()))
        .flatMap((text) => shareIn(text) ?? [])
        .map((value) => named(value, slot)),
    );
}

/**
 * The hosts of a call that has shares beside them. Where it runs a command, or has a share in an argument that is no path, and names no host but
 * the machines of shares, it works on its server's own host as well.
 */
export function withShares(hosts: readonly HostName[], slots: readonly Slot[], runs: boolean): readonly HostName[] {
  const beside = sharesBeside(slots);
  const paths = new Set(slots.filter(({ role }) => role === 'path').map(({ argument }) => argument));
  const isPlaced =
    hosts.some(({ argument, role = 'path' }) => role !== 'path' || !paths.has(argument)) ||
    slots.some(({ role, value }) => role === 'session' && !isEmpty(value));
  const isWhole = isPlaced || (beside.length === 0 && (hosts.length === 0 || !runs));
  return [...(isWhole ? [] : [NO_HOST]), ...hosts, ...beside];
}

function listed(value: unknown): readonly string[] {
  const items = typeof value === 'string' ? value.split(/[\s,]+/).filter((text) => text !== '') : texts(value);
  return items.length === 0 ? [''] : items;
}

function texts(value: unknown): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : [value];
  return items.flatMap((item) =>
    typeof item === 'string' ? [item] : typeof item === 'number' || typeof item === 'boolean' ? [String(item)] : [],
  );
}
