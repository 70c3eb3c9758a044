import { createHmac, randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Logger } from '../domain/ports.js';
import { ensureDirectory, errnoOf, NOFOLLOW } from './directory.js';

/** Turns a secret into the text that stands for it in records. */
export type Mark = (secret: string) => string;

/**
 * Marks with a key that the directory holds (`redaction.key`, made at the first secret), so that equal secrets have equal
 * marks over all files of it. Where the key cannot be kept or is open to others, this process uses one of its own.
 */
export function createMark(dir: string, log: Logger): Mark {
  let key: Uint8Array | undefined;
  return (secret) => {
    key ??= keyOf(dir, log);
    return `[redacted:${createHmac('sha256', key).update(secret).digest('hex').slice(0, 8)}]`;
  };
}

function keyOf(dir: string, log: Logger): Uint8Array {
  const path = join(dir, 'redaction.key');
  try {
    ensureDirectory(dir);
    return readKey(path) ?? makeKey(path);
  } catch (error) {
    log.warn(
      { path, errno: errnoOf(error) },
      'the redaction key cannot be used: marks of this process compare with no other',
    );
    return randomBytes(32);
  }
}

function makeKey(path: string): Uint8Array {
  const mine = `${path}.${randomBytes(8).toString('hex')}`;
  writeFileSync(mine, `${randomBytes(32).toString('hex')}\n`, { flag: 'wx', mode: 0o600, flush: true });
  try {
    linkSync(mine, path);
  } catch (error) {
    // A file system without hard links: two processes that start at the same moment may end with different keys.
    if (errnoOf(error) !== 'EEXIST') renameSync(mine, path);
  } finally {
    rmSync(mine, { force: true });
  }
  const key = readKey(path);
  if (key === undefined) throw new Error('the redaction key is gone');
  return key;
}

function readKey(path: string): Uint8Array | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | NOFOLLOW);
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const stat = fstatSync(file);
    const open = process.platform !== 'win32' && ((stat.mode & 0o077) !== 0 || stat.uid !== process.geteuid?.());
    const text = stat.isFile() && stat.size < 100 ? readFileSync(file, 'utf8').trim() : '';
    if (open || !/^[0-9a-f]{64}$/.test(text)) throw new Error('the redaction key is open to others or damaged');
    return Buffer.from(text, 'hex');
  } finally {
    closeSync(file);
  }
}
