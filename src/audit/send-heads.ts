import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { Logger } from '../domain/ports.js';
import { errnoOf, NOFOLLOW } from './directory.js';

/**
 * Takes signed heads to a place that this account cannot rewrite. A head vouches for all records of its chain before it,
 * so only the newest counts.
 */
export interface HeadSink {
  /** The line of a signed record that is on disk. Returns at once and never throws. */
  send(line: Buffer): void;
  /** Resolves when the last head is there, or cannot be brought there soon. */
  close(): Promise<void>;
}

/** How long the end of the process waits for the last one, in milliseconds. */
const PATIENCE = 1000;

/** Appends heads to a file, best on another mount. A head that cannot be written is tried again with the next; calls never wait for it. */
export function headsFile(path: string, log: Logger): HeadSink {
  let waiting: Buffer | undefined;
  let running: Promise<void> | undefined;
  let failing = false;
  const write = async (): Promise<void> => {
    while (waiting !== undefined) {
      const line = waiting;
      try {
        await append(path, line);
      } catch (error) {
        if (!failing) log.warn({ path, errno: errnoOf(error) }, 'heads of the audit log cannot be copied');
        failing = true;
        return;
      }
      failing = false;
      if (waiting === line) waiting = undefined;
    }
  };
  const start = () => {
    running ??= write().finally(() => {
      running = undefined;
    });
    return running;
  };
  return {
    send: (line) => {
      waiting = line;
      void start();
    },
    close: async () => {
      const late = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE).unref());
      await Promise.race([start().then(() => (waiting === undefined ? undefined : start())), late]);
    },
  };
}

async function append(path: string, line: Buffer): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND | NOFOLLOW;
  const file = await open(path, flags, 0o600);
  try {
    // Behind the rest of a line that was cut off by a crash, a line end must come first.
    await file.write((await endsWhole(path)) ? line : Buffer.concat([Buffer.from('\n'), line]));
    await file.datasync();
  } finally {
    await file.close();
  }
}

async function endsWhole(path: string): Promise<boolean> {
  const file = await open(path, constants.O_RDONLY | NOFOLLOW).catch(() => undefined);
  // A file that may only be written cannot be looked at.
  if (file === undefined) return true;
  try {
    const { size } = await file.stat();
    if (size === 0) return true;
    const { buffer } = await file.read({ buffer: Buffer.alloc(1), position: size - 1 });
    return buffer[0] === 10;
  } finally {
    await file.close();
  }
}
