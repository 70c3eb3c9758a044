import { constants } from 'node:fs';
import { open } from 'node:fs/promises';

/** A configuration file's text at this moment. `why` never holds any of its content. */
export type TextFile =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'absent' }
  | { readonly kind: 'unreadable'; readonly why: string };

/** Reads one file; never rejects and never hangs. */
export type ReadText = (path: string) => Promise<TextFile>;

const MOST = 1024 * 1024;

/** Regular files of up to 1 MiB alone, read anew each time: a configuration may have changed since the last call. */
export const readText: ReadText = async (path) => {
  if (path.includes('\0')) return { kind: 'absent' };
  try {
    // Without O_NONBLOCK the open itself waits for ever on a FIFO that nobody writes to. Windows has neither.
    const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    try {
      const { size, isRegular } = await file.stat().then((stats) => ({ size: stats.size, isRegular: stats.isFile() }));
      if (!isRegular) return { kind: 'unreadable', why: 'it is no regular file' };
      if (size > MOST) return { kind: 'unreadable', why: 'it is larger than 1 MiB' };
      const buffer = Buffer.alloc(MOST + 1);
      let length = 0;
      for (;;) {
        const { bytesRead } = await file.read(buffer, length, buffer.length - length, length);
        if (bytesRead === 0) break;
        length += bytesRead;
        if (length > MOST) return { kind: 'unreadable', why: 'it is larger than 1 MiB' };
      }
      return { kind: 'text', text: buffer.toString('utf8', 0, length) };
    } finally {
      await file.close();
    }
  } catch (error) {
    return failed(error);
  }
};

function failed(error: unknown): TextFile {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'absent' };
  return { kind: 'unreadable', why: `it cannot be read (${typeof code === 'string' ? code : 'unknown error'})` };
}
