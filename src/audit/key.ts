import { createHmac, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Logger } from '../domain/ports.js';
import { ensureDirectory, errnoOf } from './directory.js';
import { makePrivate, readPrivate } from './private-file.js';

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
    const text = (readPrivate(path) ?? makePrivate(path, `${randomBytes(32).toString('hex')}\n`)).trim();
    if (!/^[0-9a-f]{64}$/.test(text)) throw new Error('the redaction key is damaged');
    return Buffer.from(text, 'hex');
  } catch (error) {
    log.warn(
      { path, errno: errnoOf(error) },
      'the redaction key cannot be used: marks of this process compare with no other',
    );
    return randomBytes(32);
  }
}
