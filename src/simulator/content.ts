import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  copyFileSync,
  createReadStream,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';

/** Bytes by their hash: small ones in memory, large ones in a private temporary file. */
export interface Blob {
  readonly sha256: string;
  readonly size: number;
  read(): Buffer;
  stream(): Readable;
}

/** Keeps each content once, for as long as an image or a session refers to it. */
export interface Store {
  add(bytes: Uint8Array): Blob;
  /** Takes a file of the host as it is now. Throws what reading it throws. */
  addFile(path: string, size: number): Blob;
  close(): void;
}

const IN_MEMORY = 1024 * 1024;

/** An empty store. `close` removes its temporary files; so does the end of the process. */
export function createStore(): Store {
  const known = new Map<string, WeakRef<Blob>>();
  let directory: string | undefined;

  function remove(): void {
    if (directory !== undefined) rmSync(directory, { recursive: true, force: true });
    directory = undefined;
    process.off('exit', remove);
  }

  const gone = new FinalizationRegistry<{ sha256: string; path?: string }>(({ sha256, path }) => {
    if (known.get(sha256)?.deref() === undefined) known.delete(sha256);
    if (path !== undefined) rmSync(path, { force: true });
  });

  function keep(sha256: string, make: () => Blob, path?: string): Blob {
    const blob = make();
    known.set(sha256, new WeakRef(blob));
    gone.register(blob, path === undefined ? { sha256 } : { sha256, path });
    return blob;
  }

  function spill(source: string): string {
    if (directory === undefined) {
      directory = mkdtempSync(join(tmpdir(), 'zerto-simulator-'));
      process.on('exit', remove);
    }
    const path = join(directory, randomUUID());
    copyFileSync(source, path);
    return path;
  }

  function add(bytes: Uint8Array): Blob {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    return known.get(sha256)?.deref() ?? keep(sha256, () => memoryBlob(sha256, Buffer.from(bytes)));
  }

  return {
    add,
    addFile(source, size) {
      if (size <= IN_MEMORY) return add(readFileSync(source));
      const path = spill(source);
      const { sha256, length } = digest(path);
      const same = known.get(sha256)?.deref();
      if (same === undefined) return keep(sha256, () => fileBlob(sha256, length, path), path);
      rmSync(path, { force: true });
      return same;
    },
    close: remove,
  };
}

function memoryBlob(sha256: string, bytes: Buffer): Blob {
  return {
    sha256,
    size: bytes.length,
    read: () => bytes,
    stream: () => Readable.from(bytes.length > 0 ? [bytes] : []),
  };
}

function fileBlob(sha256: string, size: number, path: string): Blob {
  return { sha256, size, read: () => readFileSync(path), stream: () => createReadStream(path) };
}

function digest(path: string): { sha256: string; length: number } {
  const hash = createHash('sha256');
  const chunk = Buffer.alloc(IN_MEMORY);
  const file = openSync(path, 'r');
  let length = 0;
  try {
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk)) {
      hash.update(chunk.subarray(0, read));
      length += read;
    }
  } finally {
    closeSync(file);
  }
  return { sha256: hash.digest('hex'), length };
}
