import { constants } from 'node:fs';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { join } from 'node:path';
import { ocsfEvent } from './ocsf.js';
import type { Exported } from './records.js';
import { reasonOf, type Sink, Undelivered } from './sink.js';

const FLAGS =
  constants.O_CREAT | constants.O_RDWR | constants.O_APPEND | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** OCSF events as JSON lines, in a file (0600) for each day (UTC) of writing; what is acknowledged was synced. */
export function ocsfFileSink(dir: string, version: string, now: () => Date = () => new Date()): Sink {
  return {
    send: async (batch) => {
      const path = join(dir, `zerto-rewind-proxy-${now().toISOString().slice(0, 10)}.ocsf.jsonl`);
      try {
        await mkdir(dir, { recursive: true, mode: 0o700 });
        await append(path, batch, version);
      } catch (error) {
        throw new Undelivered(`${path}: ${reasonOf(error)}`, { cause: error });
      }
    },
    close: async () => undefined,
  };
}

async function append(path: string, batch: readonly Exported[], version: string): Promise<void> {
  const handle = await open(path, FLAGS, 0o600);
  try {
    if (!(await handle.stat()).isFile()) throw new Error('it is no plain file');
    const lines = batch.map((record) => `${JSON.stringify(ocsfEvent(record, version))}\n`).join('');
    await handle.writeFile(`${(await isTorn(handle)) ? '\n' : ''}${lines}`);
    await handle.datasync();
  } finally {
    await handle.close();
  }
}

/** A line that a crash cut off gets its end: what follows is a line of its own. */
async function isTorn(handle: FileHandle): Promise<boolean> {
  const { size } = await handle.stat();
  if (size === 0) return false;
  const { buffer } = await handle.read({ buffer: Buffer.alloc(1), position: size - 1 });
  return buffer[0] !== 10;
}
