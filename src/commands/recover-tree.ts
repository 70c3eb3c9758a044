import { ProxyError } from '../domain/errors.js';
import type { MountView } from '../zerto/recover.js';
import type { FlrItem } from '../zerto/recover-types.js';
import { localName } from './recover-names.js';

/** One file or folder of the mount, and where it goes below the destination. `guest`: its path in the VM. */
export interface TreeFile {
  readonly kind: 'file';
  readonly item: FlrItem;
  readonly guest: string;
  readonly names: readonly string[];
  readonly size: number;
}
export type TreeEntry =
  | TreeFile
  | { readonly kind: 'folder'; readonly guest: string; readonly names: readonly string[] }
  /** `link`: links are never recovered. `refused`: the rest. */
  | { readonly kind: 'link'; readonly guest: string; readonly why: string }
  | { readonly kind: 'refused'; readonly guest: string; readonly why: string };

interface Place {
  readonly guest: string;
  readonly names: readonly string[];
}

const DEEPEST = 256;

/** Everything at and below a found item, folders before what is in them. */
export async function* treeOf(
  view: Pick<MountView, 'list'>,
  item: FlrItem,
  guest: string,
  platform: NodeJS.Platform,
): AsyncGenerator<TreeEntry> {
  const name = item.path.split('/').at(-1) ?? '';
  // The root of a volume has no name in the guest.
  const local = localName(item.path.includes('/') ? name : 'root', platform);
  if (local.kind === 'refused') yield { kind: 'refused', guest, why: local.why };
  else yield* below(view, item, { guest, names: [local.name] }, platform);
}

async function* below(
  view: Pick<MountView, 'list'>,
  item: FlrItem,
  place: Place,
  platform: NodeJS.Platform,
): AsyncGenerator<TreeEntry> {
  const { guest, names } = place;
  if (!item.browsable) return yield leafOf(item, place);
  if (names.length > DEEPEST) return yield { kind: 'refused', guest, why: 'it lies too deep' };
  yield { kind: 'folder', guest, names };
  const children = await view.list(item.path).catch(refusedWith);
  if (typeof children === 'string') return yield { kind: 'refused', guest, why: children };
  for (const child of children) {
    const name = child.path.startsWith(`${item.path}/`) ? child.path.slice(item.path.length + 1) : '';
    const local = localName(name, platform);
    const at = `${guest.replace(/\/$/, '')}/${name}`;
    if (local.kind === 'refused') yield { kind: 'refused', guest: at, why: local.why };
    else yield* below(view, child, { guest: at, names: [...names, local.name] }, platform);
  }
}

/** What the appliance says no to is missing, and the rest goes on. Rejects where it says nothing at all. */
function refusedWith(error: unknown): string {
  if (error instanceof ProxyError && error.code === 'ZVM_REJECTED') return error.message;
  throw error;
}

function leafOf(item: FlrItem, { guest, names }: Place): TreeEntry {
  if (item.unsure) return { kind: 'refused', guest, why: item.note ?? 'its name is not sure' };
  if (!item.downloadable) return { kind: 'link', guest, why: item.note ?? 'the appliance gives no content of it' };
  if (!/^file$/i.test(item.type)) return { kind: 'refused', guest, why: `it is a ${item.type}` };
  if (item.sizeInBytes === undefined) return { kind: 'refused', guest, why: 'its size is not told' };
  return { kind: 'file', item, guest, names, size: item.sizeInBytes };
}
