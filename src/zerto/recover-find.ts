import { listAll, type Mounted } from './recover-list.js';
import type { FlrItem } from './recover-types.js';
import { folds, mayHold, type Place, placesOf, type ReadPath } from './recover-volumes.js';
import { inOrder, type Walk, walk } from './recover-walk.js';

/**
 * Where a path is in the mount. `base`: the folder of the mount that stands for the place of the guest, `mountedAt`: that
 * place by the guest's `/etc/fstab`, if not its root. `found` and `maybe` are paths that `parseGuestPath` reads; `looked` names the volumes that were searched, `note` what else was learnt.
 */
export type Found =
  | { readonly kind: 'item'; readonly base: string; readonly item: FlrItem; readonly mountedAt?: string | undefined }
  | { readonly kind: 'ambiguous'; readonly found: readonly string[] }
  | {
      readonly kind: 'not_found';
      readonly looked: readonly string[];
      readonly maybe: readonly string[];
      readonly note?: string | undefined;
    };

interface Hit {
  readonly volume: FlrItem;
  readonly base: FlrItem;
  readonly item: FlrItem;
  readonly at?: string | undefined;
}

/**
 * Looks a path up by listing one folder after the other, from the volumes down. Nothing is guessed: where the content of the
 * volumes does not prove which of them the guest shows under the path, what they hold is a `maybe` that the caller must name.
 */
export async function findPath(mounted: Mounted, path: ReadPath): Promise<Found> {
  const volumes = (await listAll(mounted, '')).filter((volume) => volume.browsable && mayHold(volume.path, path));
  const { places, sure, note } = await placesOf(mounted, volumes, path);
  const walks = await inOrder(places, async (place) => ({ place, ...(await walkIn(mounted, place, path)) }));
  const hits = walks.flatMap(({ items, place: { volume, base, at } }) =>
    items.map((item) => ({ volume, base: base ?? volume, item, at })),
  );
  const [hit, second] = hits;
  const looked = places.map(({ volume }) => volume.path);
  if (second !== undefined) return { kind: 'ambiguous', found: hits.map(explicit) };
  if (hit === undefined) {
    const maybe = path.kind === 'linux' ? await beyond(mounted, volumes, walks) : [];
    return { kind: 'not_found', looked, maybe: maybe.map(explicit), note: note ?? linkOn(walks) };
  }
  if (!sure) return { kind: 'not_found', looked, maybe: [explicit(hit)], note: note ?? UNPROVED };
  const mountedAt = hit.at === undefined ? {} : { mountedAt: hit.at };
  return { kind: 'item', base: hit.base.path, item: hit.item, ...mountedAt };
}

const UNPROVED = 'the mount does not tell which of its volumes the guest shows under this path';

function walkIn(mounted: Mounted, { volume, base = volume, segments }: Place, path: ReadPath): Promise<Walk> {
  return walk(mounted, base, segments, folds(volume.path, path));
}

/** What other volumes hold of the path beyond an empty folder, where they may be mounted. */
async function beyond(
  mounted: Mounted,
  volumes: readonly FlrItem[],
  walks: readonly (Walk & { readonly place: Place })[],
): Promise<readonly Hit[]> {
  const hits: Hit[] = [];
  for (const { emptyAfter, place } of walks) {
    if (emptyAfter === undefined) continue;
    const others = volumes.filter((other) => other !== place.volume);
    const rest = place.segments.slice(emptyAfter);
    const found = await inOrder(others, (other) => walk(mounted, other, rest, false));
    hits.push(...found.flatMap(({ volume, items }) => items.map((item): Hit => ({ volume, base: volume, item }))));
  }
  return hits;
}

function linkOn(walks: readonly Walk[]): string | undefined {
  const link = walks.flatMap((walked) => walked.link ?? [])[0];
  return link === undefined
    ? undefined
    : `${link.path} is a link, and links are not followed: name the path that it leads to`;
}

/** The path with its volume, as `parseGuestPath` reads it. */
function explicit({ volume, item }: Pick<Hit, 'volume' | 'item'>): string {
  return `${volume.path}:${item.path.slice(volume.path.length) || '/'}`;
}
