import { ProxyError } from '../domain/errors.js';
import type { RecoveredEntry } from '../domain/recovered.js';
import { explained, guarded } from './recover-backslash.js';
import type { FlrItem, RecoveryClient } from './recover-types.js';

/** A mount that is ready, and the call that reads from it. */
export interface Mounted {
  readonly client: RecoveryClient;
  readonly session: string;
  readonly signal: AbortSignal;
}

const PAGE = 500;
const MAX_PAGES = 400;

/**
 * Every row of a folder. Whether pages count from 0 or from 1 is not known, nor whether a page may be short: so it asks from
 * 1 until a page brings nothing new, and for page 0 at the end.
 */
export async function listAll({ client, session, signal }: Mounted, path: string): Promise<FlrItem[]> {
  const all = new Map<string, FlrItem>();
  const addPage = async (number: number): Promise<number> => {
    const known = all.size;
    const { items } = await client.browse(session, path, { number, size: PAGE }, signal).catch((error: unknown) => {
      throw explained(error, path);
    });
    for (const item of items) all.set(item.path, item);
    return all.size - known;
  };
  for (let number = 1; (await addPage(number)) > 0; number += 1) {
    if (number > MAX_PAGES) {
      throw new ProxyError(
        'ZVM_REJECTED',
        'A folder on the way has too many entries to search; nothing was recovered.',
      );
    }
  }
  await addPage(0).catch((error: unknown) => {
    // Refused where pages count from 1.
    if (signal.aborted || all.size === 0) throw error;
  });
  const names = new Set([...all.values()].map((item) => (nameIn(path, item) ?? '').toLowerCase()));
  return [...all.values()]
    .map((item) => guarded(item, nameIn(path, item) ?? '', names))
    .sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** `undefined` for a row that is not directly in the folder that was listed. */
export function nameIn(folder: string, item: FlrItem): string | undefined {
  const name = item.path.startsWith(`${folder}/`) ? item.path.slice(folder.length + 1) : undefined;
  return name === undefined || name === '' || name.includes('/') ? undefined : name;
}

/** A file whose content the appliance gives. Links are files that it does not. */
export function isFile(item: FlrItem): boolean {
  return !item.browsable && item.downloadable && /^file$/i.test(item.type);
}

/** One page of a folder's listing, `size` rows each; pages start at 1. */
export async function listFolder(
  mounted: Mounted,
  folder: string,
  page: { readonly number: number; readonly size: number },
): Promise<{ readonly entries: readonly RecoveredEntry[]; readonly more: boolean }> {
  const items = await listAll(mounted, folder);
  const from = (page.number - 1) * page.size;
  const entries = items.slice(from, from + page.size).map((item) => entryOf(folder, item));
  return { entries, more: items.length > from + page.size };
}

function entryOf(folder: string, item: FlrItem): RecoveredEntry {
  const note = isFile(item) || item.browsable ? undefined : (item.note ?? 'The appliance gives no content of it.');
  return {
    name: nameIn(folder, item) ?? item.path,
    type: isFile(item) ? 'file' : /^folder$/i.test(item.type) ? 'folder' : 'other',
    ...(item.sizeInBytes === undefined ? {} : { size: item.sizeInBytes }),
    ...(item.lastWriteTime === undefined ? {} : { modifiedAt: item.lastWriteTime }),
    ...(note === undefined ? {} : { note }),
  };
}
