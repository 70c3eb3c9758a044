import { createHash } from 'node:crypto';
import type { Recovered } from '../domain/recovered.js';
import { quote } from '../domain/text.js';
import { type Found, findPath } from './recover-find.js';
import { isFile, listAll, listFolder, type Mounted } from './recover-list.js';
import { type GuestPath, parseGuestPath } from './recover-path.js';
import { bytesOf, joined, type Together, together } from './recover-read.js';
import { type RecoverTools, withMount } from './recover-session.js';
import type { FlrItem, MountRequest, RecoverRequest, RecoveryClient } from './recover-types.js';

/** Rows in one page of a folder's listing. */
const LISTING_PAGE = 200;

/** A mount, as long as it stands. Paths of items count from the mount's root. */
export interface MountView {
  /** Where a path of the guest is; `guestPath` is the found one in the guest's own form. */
  find(path: string): Promise<LookedUp>;
  list(folder: string): Promise<readonly FlrItem[]>;
  /** Exactly the file's bytes; rejects with ZVM_* where the appliance sends others. */
  bytes(file: MountFile): AsyncIterable<Uint8Array>;
  /** The same of several files of one folder by one download; `undefined` where they must be had one by one. */
  together(files: readonly MountFile[]): Promise<Together | undefined>;
}

/** A file of a mount by its path from the mount's root, with its size in bytes as the folder lists it. */
export interface MountFile {
  readonly path: string;
  readonly size: number;
}

export type LookedUp =
  | (Extract<Found, { kind: 'item' }> & { readonly guestPath: string })
  | Exclude<Found, { kind: 'item' }>
  | { readonly kind: 'refused'; readonly why: string };

/** Mounts at the recovery site, runs `use`, and unmounts in every case. Rejects with ZVM_* where the appliance fails. */
export async function withView<T>(
  client: RecoveryClient,
  request: MountRequest & { readonly recoverySite: string | undefined },
  tools: RecoverTools,
  signal: AbortSignal,
  use: (view: MountView) => Promise<T>,
): Promise<{ readonly kind: 'done'; readonly value: T } | { readonly kind: 'refused'; readonly why: string }> {
  const elsewhere = await notHere(client, request.recoverySite, signal);
  if (elsewhere !== undefined) return { kind: 'refused', why: elsewhere };
  const value = await withMount(client, request, tools, signal, (session) => use(viewOf({ client, session, signal })));
  return { kind: 'done', value };
}

function viewOf(mounted: Mounted): MountView {
  return {
    find: async (text) => {
      const path = parseGuestPath(text);
      if (path.kind === 'malformed') return { kind: 'refused', why: path.why };
      const found = await findPath(mounted, path);
      return found.kind === 'item' ? { ...found, guestPath: inGuest(found, path) } : found;
    },
    list: (folder) => listAll(mounted, folder),
    bytes: (file) => bytesOf(mounted, file),
    together: (files) => together(mounted, files),
  };
}

/**
 * Brings one file, or one page of a folder's listing, back from a checkpoint. Looks the path up by browsing, reads at most
 * `maxBytes`, and unmounts in every case. Rejects with ZVM_* where the appliance fails.
 */
export async function recoverFile(
  client: RecoveryClient,
  request: RecoverRequest,
  tools: RecoverTools,
  signal: AbortSignal,
): Promise<Recovered> {
  const path = parseGuestPath(request.path);
  if (path.kind === 'malformed') return { kind: 'refused', why: path.why };
  const elsewhere = await notHere(client, request.recoverySite, signal);
  if (elsewhere !== undefined) return { kind: 'refused', why: elsewhere };
  return withMount(client, request, tools, signal, async (session) => {
    const mounted = { client, session, signal };
    const found = await findPath(mounted, path);
    return found.kind === 'item' ? take(mounted, found, path, request) : found;
  });
}

/** Why this appliance cannot mount the VPG's journal, or `undefined` where it is the recovery site. */
async function notHere(
  client: Pick<RecoveryClient, 'localSite'>,
  recoverySite: string | undefined,
  signal: AbortSignal,
): Promise<string | undefined> {
  if (recoverySite === undefined)
    return 'the appliance does not say where the VPG recovers to, and a recovery runs only there';
  const local = (await client.localSite(signal)).siteIdentifier;
  return local === recoverySite
    ? undefined
    : 'a recovery runs at the VPG’s recovery site, and that site is not configured here';
}

async function take(
  mounted: Mounted,
  found: Extract<Found, { kind: 'item' }>,
  path: GuestPath,
  request: RecoverRequest,
): Promise<Recovered> {
  const { item, mountedAt } = found;
  const denied = request.deny?.(inGuest(found, path)) ?? request.deny?.(inVolume(found, path));
  if (denied !== undefined) return { kind: 'refused', why: denied };
  const place = { volumePath: item.path, ...(mountedAt === undefined ? {} : { mountedAt }) };
  if (item.browsable) return { ...place, ...(await folder(mounted, item.path, request)) };
  if (!isFile(item))
    return { kind: 'refused', why: `it is no file that can be downloaded (${quote(item.note ?? item.type, 400)})` };
  const { sizeInBytes: size, lastWriteTime: modifiedAt } = item;
  if (request.preview) return { ...place, kind: 'preview', type: 'file', size, modifiedAt };
  if (size === undefined) return { kind: 'refused', why: 'the appliance does not say how large the file is' };
  if (size > request.maxBytes) return { ...place, kind: 'too_large', size, modifiedAt };
  const bytes = await joined(bytesOf(mounted, { path: item.path, size }));
  return {
    ...place,
    kind: 'file',
    bytes,
    size,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    modifiedAt,
  };
}

async function folder(
  mounted: Mounted,
  volumePath: string,
  request: RecoverRequest,
): Promise<Recovered & { kind: 'preview' | 'folder' }> {
  if (request.preview) return { kind: 'preview', type: 'folder', volumePath };
  const number = request.page ?? 1;
  const listing = await listFolder(mounted, volumePath, { number, size: LISTING_PAGE });
  return { kind: 'folder', volumePath, page: number, ...listing };
}

/** The same by its place in the volume: a guest's fstab is the guest's word, and may give a folder another name. */
function inVolume(found: Extract<Found, { kind: 'item' }>, path: GuestPath): string {
  const [, ...inside] = found.item.path.split('/');
  return path.kind === 'windows' ? inGuest(found, path) : `/${inside.join('/')}`;
}

/** The found path in the guest's form, as the deny rules read it. */
function inGuest({ item, base, mountedAt = '' }: Extract<Found, { kind: 'item' }>, path: GuestPath): string {
  const inside = item.path.slice(base.length) || '/';
  return path.kind === 'windows' ? `${path.drive}:${inside}` : `${mountedAt}${inside}`;
}
