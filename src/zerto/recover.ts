import { createHash } from 'node:crypto';
import { ProxyError } from '../domain/errors.js';
import { quote } from '../domain/text.js';
import { type Found, findPath, listFolder } from './recover-find.js';
import { type GuestPath, parseGuestPath } from './recover-path.js';
import { readExactly } from './recover-read.js';
import { type RecoverTools, withMount } from './recover-session.js';
import type { Recovered, RecoverRequest, RecoveryClient } from './recover-types.js';

/** Rows in one page of a folder's listing. */
const LISTING_PAGE = 200;

/**
 * Brings one file, or one page of a folder's listing, back from a checkpoint. Mounts at the recovery site, looks the path up
 * by browsing, reads at most `maxBytes`, and unmounts in every case. Rejects with ZVM_* where the appliance fails.
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
    const found = await findPath(client, session, path, signal);
    return found.kind === 'item' ? take(client, session, found, path, request, signal) : found;
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
  client: RecoveryClient,
  session: string,
  { item, volume, mountedAt }: Extract<Found, { kind: 'item' }>,
  path: GuestPath,
  request: RecoverRequest,
  signal: AbortSignal,
): Promise<Recovered> {
  const denied = request.deny?.(inGuest(item.path, volume, path, mountedAt));
  if (denied !== undefined) return { kind: 'refused', why: denied };
  const place = { volumePath: item.path, ...(mountedAt === undefined ? {} : { mountedAt }) };
  if (item.browsable) return { ...place, ...(await folder(client, session, item.path, request, signal)) };
  if (!/^file$/i.test(item.type) || !item.downloadable) {
    return { kind: 'refused', why: `it is no file that can be downloaded (${quote(item.note ?? item.type)})` };
  }
  const size = item.sizeInBytes;
  if (request.preview) return { ...place, kind: 'preview', type: 'file', size, modifiedAt: item.lastWriteTime };
  if (size === undefined) return { kind: 'refused', why: 'the appliance does not say how large the file is' };
  if (size > request.maxBytes) return { ...place, kind: 'too_large', size };
  const url = await client.download(session, [item.path], signal);
  const bytes = await readAll(client, url, item.path, size, signal);
  return { ...place, kind: 'file', bytes, size, sha256: createHash('sha256').update(bytes).digest('hex') };
}

async function readAll(
  client: RecoveryClient,
  url: string,
  volumePath: string,
  size: number,
  signal: AbortSignal,
): Promise<Buffer> {
  const download = await client.openDownload(url, signal);
  try {
    return await readExactly(download, volumePath, size);
  } catch (error) {
    if (signal.aborted || error instanceof ProxyError) throw error;
    throw new ProxyError('ZVM_REJECTED', 'The download broke off; nothing was recovered. Try again.', { cause: error });
  }
}

async function folder(
  client: RecoveryClient,
  session: string,
  volumePath: string,
  request: RecoverRequest,
  signal: AbortSignal,
): Promise<Recovered & { kind: 'preview' | 'folder' }> {
  if (request.preview) return { kind: 'preview', type: 'folder', volumePath };
  const number = request.page ?? 1;
  const listing = await listFolder(client, session, volumePath, { number, size: LISTING_PAGE }, signal);
  return { kind: 'folder', volumePath, page: number, ...listing };
}

/** The found path in the guest's form, as the deny rules read it. */
function inGuest(itemPath: string, volume: string, path: GuestPath, mountedAt = ''): string {
  const inside = itemPath.slice(volume.length) || '/';
  return path.kind === 'windows' ? `${path.drive}:${inside}` : `${mountedAt}${inside}`;
}
