import { crc32 } from 'node:zlib';
import type { Entry, ZipFile } from 'yauzl';
import { ProxyError } from '../domain/errors.js';

const ENCRYPTED = 1;
const FILE_TYPE = 0o170000;
const PLAIN = [0, 0o100000];

/** The longest archive that one file of so many bytes can be in, however badly it packs. */
export function longestArchive(size: number): number {
  return size + Math.ceil(size / 1_000) + 65_536;
}

/**
 * The bytes of the one file in an archive that came in place of it. Rejects with ZVM_REJECTED unless the archive holds exactly
 * one plain file of that name, size and check sum; what it claims otherwise is never written nor unpacked beyond `size`.
 */
export async function* onlyFile(zip: ZipFile, name: string, size: number): AsyncGenerator<Uint8Array> {
  yield* contentOf(zip, await onlyEntry(zip, name, size), size);
}

/** The files of one folder, by their paths. Rejects with ZVM_REJECTED unless the archive holds exactly these, as `onlyFile` says. */
export async function allFiles(
  zip: ZipFile,
  files: readonly { readonly path: string; readonly size: number }[],
): Promise<ReadonlyMap<string, Buffer>> {
  const named = new Map(files.map((file) => [nameOf(file.path), file]));
  const all = new Map<string, Buffer>();
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue;
    const name = nameOf(entry.fileName);
    const file = named.get(name);
    if (file === undefined || all.has(file.path)) throw refused('holds a file that was not asked for');
    const why = flawOf(entry, name, file.size);
    if (why !== undefined) throw refused(why);
    const parts: Uint8Array[] = [];
    for await (const part of contentOf(zip, entry, file.size)) parts.push(part);
    all.set(file.path, Buffer.concat(parts));
  }
  if (named.size !== files.length || all.size !== files.length) throw refused('lacks a file');
  return all;
}

function nameOf(path: string): string {
  return path.split('/').at(-1) ?? '';
}

async function* contentOf(zip: ZipFile, entry: Entry, size: number): AsyncGenerator<Uint8Array> {
  let [received, sum] = [0, 0];
  for await (const part of await zip.openReadStreamPromise(entry)) {
    const chunk = part as Buffer;
    received += chunk.byteLength;
    if (received > size) throw refused('unpacks to more than the file’s size');
    sum = crc32(chunk, sum);
    yield chunk;
  }
  if (received !== size || sum !== entry.crc32) throw refused('does not match its own size or check sum');
}

async function onlyEntry(zip: ZipFile, name: string, size: number): Promise<Entry> {
  let found: Entry | undefined;
  // It refuses absolute names, `..` and backslashes by itself.
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue;
    if (found !== undefined) throw refused('holds more than the one file');
    found = entry;
  }
  if (found === undefined) throw refused('holds no file');
  const why = flawOf(found, name, size);
  if (why !== undefined) throw refused(why);
  return found;
}

function flawOf(entry: Entry, name: string, size: number): string | undefined {
  if (nameOf(entry.fileName) !== name) return 'holds a file of another name';
  if (!PLAIN.includes((entry.externalFileAttributes >>> 16) & FILE_TYPE)) return 'holds a link or a device';
  if ((entry.generalPurposeBitFlag & ENCRYPTED) !== 0) return 'is encrypted';
  if (entry.uncompressedSize !== size) return `holds a file of ${entry.uncompressedSize} bytes, not of ${size}`;
  return undefined;
}

function refused(why: string): ProxyError {
  return new ProxyError('ZVM_REJECTED', `The appliance sent an archive that ${why}; nothing was recovered.`);
}
