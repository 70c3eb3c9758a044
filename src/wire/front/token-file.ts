import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ProxyError } from '../../domain/errors.js';

const TOKEN = /^[\x21-\x7e]{16,1000}$/;
const NOFOLLOW = constants.O_NOFOLLOW ?? 0;

/** The bearer token in that file, which is made (0600) where it is missing. Throws CONFIG_INVALID where it holds none, or is open to others. */
export function readToken(path: string): string {
  try {
    return existing(path) ?? make(path);
  } catch (cause) {
    if (cause instanceof ProxyError) throw cause;
    const code = (cause as NodeJS.ErrnoException).code ?? 'error';
    throw unusable(`cannot be read or made (${code})`, path, cause);
  }
}

function existing(path: string): string | undefined {
  let file: number;
  try {
    file = openSync(path, constants.O_RDONLY | NOFOLLOW);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
  try {
    const stat = fstatSync(file);
    if (process.platform !== 'win32' && ((stat.mode & 0o077) !== 0 || stat.uid !== process.geteuid?.()))
      throw unusable('is open to others or belongs to another user; make it 0600', path);
    const text = stat.isFile() && stat.size < 2000 ? readFileSync(file, 'utf8').trim() : '';
    if (!TOKEN.test(text)) throw unusable('holds no token: one line of 16 or more visible characters', path);
    return text;
  } finally {
    closeSync(file);
  }
}

function make(path: string): string {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const mine = `${path}.${randomBytes(8).toString('hex')}`;
  writeFileSync(mine, `${randomBytes(32).toString('base64url')}\n`, { flag: 'wx', mode: 0o600, flush: true });
  try {
    // Of two processes that start at the same moment the first one's token holds for both.
    linkSync(mine, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    rmSync(mine, { force: true });
  }
  const token = existing(path);
  if (token === undefined) throw unusable('was removed while it was made', path);
  return token;
}

function unusable(what: string, path: string, cause?: unknown): ProxyError {
  const message = `The token file ${path} ${what}. Nothing was started.`;
  return new ProxyError('CONFIG_INVALID', message, { details: { file: path }, cause });
}
