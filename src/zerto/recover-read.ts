import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProxyError } from '../domain/errors.js';
import { explained } from './recover-backslash.js';
import type { Mounted } from './recover-list.js';
import type { Download } from './recover-types.js';

/**
 * The bytes of one file of a mount, exactly `size` of them. Rejects with ZVM_REJECTED for more, for less, and where the
 * download breaks off; whoever reads must stop at the first error. An archive that came in place of the file is opened.
 */
export async function* bytesOf(
  { client, session, signal }: Mounted,
  file: { readonly path: string; readonly size: number },
): AsyncGenerator<Uint8Array> {
  const name = file.path.split('/').at(-1) ?? '';
  const link = await client.download(session, [file.path], signal).catch((error: unknown) => {
    throw explained(error, file.path);
  });
  const download = await client.openDownload(link, signal);
  try {
    yield* exactly(download, name, file.size);
  } catch (error) {
    if (signal.aborted || error instanceof ProxyError) throw error;
    throw new ProxyError('ZVM_REJECTED', 'The download broke off; nothing was recovered. Try again.', { cause: error });
  } finally {
    download.stream.destroy?.();
  }
}

/** The same of a download that is open. Never holds more than one chunk of a file, or a small archive. */
export async function* exactly(download: Download, name: string, size: number): AsyncGenerator<Uint8Array> {
  if (mayBeArchive(download, name, size)) return yield* fromArchive(download, name, size);
  let received = 0;
  for await (const chunk of download.stream) {
    received += chunk.byteLength;
    if (received > size) throw wrong(`The appliance sent more than the file's ${size} bytes`);
    yield chunk;
  }
  if (received !== size) throw wrong(`The appliance sent ${received} of the file's ${size} bytes`);
}

/** By its headers, or since it is not as long as the file. A zip of the right length is the file itself. */
function mayBeArchive({ disposition, contentType, length }: Download, name: string, size: number): boolean {
  const named = /filename\*?=(?:UTF-8'')?"?[^";]*\.zip"?\s*(?:;|$)/i.test(disposition ?? '');
  const typed = /^application\/(x-)?zip(-compressed)?\b/i.test(contentType ?? '');
  const zipItself = /\.zip$/i.test(name) && (length === undefined || length === size);
  return (length !== undefined && length !== size) || ((named || typed) && !zipItself);
}

/** The bytes of files by their path. */
export type Together = ReadonlyMap<string, Buffer>;

/**
 * Several files of one folder by a single download, which the appliance packs into an archive. `undefined` unless exactly
 * these files came, each with its name, size and check sum: then they are to be had one by one. Rejects when cancelled.
 */
export async function together(
  { client, session, signal }: Mounted,
  files: readonly { readonly path: string; readonly size: number }[],
): Promise<Together | undefined> {
  const [{ allFiles, longestArchive }, { fromBufferPromise }] = await Promise.all([
    import('./recover-archive.js'),
    import('yauzl'),
  ]);
  const paths = files.map(({ path }) => path);
  const size = files.reduce((sum, file) => sum + file.size, 0);
  let download: Download | undefined;
  try {
    download = await client.openDownload(await client.download(session, paths, signal), signal);
    const all = await joined(capped(download, size, longestArchive(size) + paths.join().length * 8));
    return await allFiles(await fromBufferPromise(all, STRICT), files);
  } catch {
    signal.throwIfAborted();
    return undefined;
  } finally {
    download?.stream.destroy?.();
  }
}

const MAGIC = Buffer.from('PK\u0003\u0004');
/** Backslashes in names are refused, not turned round. */
const STRICT = { strictFileNames: true };
/** Larger archives wait in a file of the machine's temporary directory. */
const IN_MEMORY = 8 << 20;

async function* fromArchive(download: Download, name: string, size: number): AsyncGenerator<Uint8Array> {
  const [{ longestArchive, onlyFile }, { fromBufferPromise, fromFdPromise }] = await Promise.all([
    import('./recover-archive.js'),
    import('yauzl'),
  ]);
  const parts = capped(download, size, longestArchive(size));
  if ((download.length ?? size) <= IN_MEMORY && size <= IN_MEMORY) {
    const all = await joined(parts);
    return yield* onlyFile(await readable(() => fromBufferPromise(all, STRICT)), name, size);
  }
  const dir = await mkdtemp(join(tmpdir(), 'zerto-rewind-'));
  const file = await open(join(dir, 'archive'), 'wx+', 0o600);
  try {
    for await (const part of parts) await file.write(part);
    yield* onlyFile(await readable(() => fromFdPromise(file.fd, STRICT)), name, size);
  } finally {
    await file.close();
    await rm(dir, { recursive: true, force: true });
  }
}

/** Stops at what is no archive by its first bytes, and at more than any archive of the file can have. */
async function* capped(download: Download, size: number, most: number): AsyncGenerator<Uint8Array> {
  if ((download.length ?? 0) > most) throw announced(download.length ?? 0, size);
  let head = Buffer.alloc(0);
  let received = 0;
  for await (const chunk of download.stream) {
    received += chunk.byteLength;
    if (head.length < MAGIC.length) head = Buffer.concat([head, chunk]).subarray(0, MAGIC.length);
    if (!MAGIC.subarray(0, head.length).equals(head)) throw announced(download.length ?? received, size);
    if (received > most) throw wrong('The appliance sent an archive that is longer than the file can be packed');
    yield chunk;
  }
  if (head.length < MAGIC.length) throw announced(received, size);
}

/** All of it in memory: for what is known to be small. */
export async function joined(parts: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  for await (const part of parts) chunks.push(part);
  return Buffer.concat(chunks);
}

async function readable<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (cause) {
    throw new ProxyError('ZVM_REJECTED', 'The appliance sent an archive that cannot be read; nothing was recovered.', {
      cause,
    });
  }
}

function announced(length: number, size: number): ProxyError {
  return wrong(`The appliance announced ${length} bytes for a file of ${size}`);
}

function wrong(what: string): ProxyError {
  return new ProxyError(
    'ZVM_REJECTED',
    `${what}; nothing was recovered. Try again, or recover the VM at this checkpoint.`,
  );
}
