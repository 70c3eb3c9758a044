import { ProxyError } from '../domain/errors.js';
import type { MountView } from '../zerto/recover.js';
import type { TreeFile } from './recover-tree.js';

/** The bytes of one file. */
export type ReadFile = (file: TreeFile) => AsyncIterable<Uint8Array>;

const MOST_FILES = 200;
const MOST_BYTES = 4 << 20;
/** Files above it are streamed by themselves. */
const SMALL = 1 << 20;
/** After so many batches in a row that brought something else, the appliance is asked for single files alone. */
const PATIENCE = 2;

/**
 * Reads files in the order in which they are given. Small files of one folder come by one download where the appliance packs
 * exactly them; else each by its own.
 */
export function inBatches(view: Pick<MountView, 'bytes' | 'together'>, files: readonly TreeFile[]): ReadFile {
  const batches = batchesOf(files);
  let failures = 0;
  let held: ReadonlyMap<string, Buffer> = new Map();
  const fetch = async (batch: readonly TreeFile[]): Promise<void> => {
    for (const { item } of batch) batches.delete(item.path);
    if (failures === PATIENCE) return;
    const got = await view.together(batch.map(({ item, size }) => ({ path: item.path, size })));
    failures = got === undefined ? failures + 1 : 0;
    held = got ?? new Map();
  };
  return async function* (file) {
    const { path } = file.item;
    const batch = batches.get(path);
    if (batch !== undefined) await fetch(batch);
    const bytes = held.get(path);
    if (bytes === undefined) yield* view.bytes({ path, size: file.size });
    else yield bytes;
  };
}

/** By the path of each file the batch that it belongs to; files that come alone have none. */
function batchesOf(files: readonly TreeFile[]): Map<string, readonly TreeFile[]> {
  const all: TreeFile[][] = [];
  for (const file of files.filter(isSmall)) {
    const last = all.at(-1);
    if (last !== undefined && fits(last, file)) last.push(file);
    else all.push([file]);
  }
  return new Map(
    all.filter((batch) => batch.length > 1).flatMap((batch) => batch.map((file) => [file.item.path, batch] as const)),
  );
}

/** Names that an archive may write in another way are left out. */
function isSmall({ item, size }: TreeFile): boolean {
  return size <= SMALL && !/[\p{Cc}\\]/u.test(item.path);
}

function fits(batch: readonly TreeFile[], file: TreeFile): boolean {
  const bytes = batch.reduce((sum, { size }) => sum + size, file.size);
  const [first] = batch;
  return batch.length < MOST_FILES && bytes <= MOST_BYTES && folderOf(first) === folderOf(file);
}

function folderOf(file: TreeFile | undefined): string | undefined {
  return file?.item.path.slice(0, file.item.path.lastIndexOf('/'));
}

/** A file that the appliance does not give, or gives wrongly; the recovery of the others goes on. */
export class NotGiven extends Error {
  override readonly name = 'NotGiven';
}

/** So many files in a row, and nothing more is to be had. */
const ENOUGH = 5;

/** Rejects with NotGiven for single files; with what the appliance said where it gives nothing any more. */
export function patient(read: ReadFile): ReadFile {
  let failures = 0;
  return async function* (file) {
    try {
      yield* read(file);
      failures = 0;
    } catch (error) {
      failures += 1;
      if (!(error instanceof ProxyError) || error.code !== 'ZVM_REJECTED' || failures === ENOUGH) throw error;
      throw new NotGiven(error.message, { cause: error });
    }
  };
}
