import { listAll, type Mounted, nameIn } from './recover-list.js';
import type { FlrItem } from './recover-types.js';

/** Every item at a path of a volume: one, none, or several where only the case differs. */
export interface Walk {
  readonly volume: FlrItem;
  readonly items: readonly FlrItem[];
  /** How many names led to an empty folder, where that ended the walk. */
  readonly emptyAfter?: number | undefined;
  /** The item on the way that is neither file nor folder, where that ended the walk: a link. */
  readonly link?: FlrItem | undefined;
}

/** Goes down a volume by listing one folder after the other. */
export async function walk(
  mounted: Mounted,
  volume: FlrItem,
  segments: readonly string[],
  folding: boolean,
): Promise<Walk> {
  let here = [volume];
  for (const [depth, segment] of segments.entries()) {
    const folders = here.filter((item) => item.browsable);
    const link = here.find((item) => !item.browsable && !item.downloadable && item.unsure !== true);
    const listings = await inOrder(folders, async (folder) => ({ folder, items: await listAll(mounted, folder.path) }));
    here = listings.flatMap(({ folder, items }) => named(items, folder.path, segment, folding));
    if (here.length === 0) {
      const empty = depth > 0 && (await areEmpty(mounted, listings));
      return { volume, items: [], link, ...(empty ? { emptyAfter: depth } : {}) };
    }
  }
  return { volume, items: here };
}

/** A second look, since much is concluded from an empty folder. */
async function areEmpty(
  mounted: Mounted,
  listings: readonly { readonly folder: FlrItem; readonly items: readonly FlrItem[] }[],
): Promise<boolean> {
  if (listings.length === 0 || listings.some(({ items }) => items.length > 0)) return false;
  const again = await inOrder(listings, ({ folder }) => listAll(mounted, folder.path));
  return again.every((items) => items.length === 0);
}

function named(items: readonly FlrItem[], folder: string, segment: string, folding: boolean): FlrItem[] {
  const exact = items.filter((item) => nameIn(folder, item) === segment);
  if (exact.length > 0 || !folding) return exact;
  return items.filter((item) => nameIn(folder, item)?.toLowerCase() === segment.toLowerCase());
}

/** One after the other: an appliance is not flooded. */
export async function inOrder<T, R>(items: readonly T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const item of items) results.push(await run(item));
  return results;
}
