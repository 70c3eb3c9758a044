import { gunzipSync } from 'node:zlib';
import { quote } from '../domain/text.js';
import { secretContent } from './secret-content.js';
import { tarEntries } from './tar.js';

/** Judges a path, as `denyPaths` does. */
type Deny = (path: string) => string | undefined;

const MOST = 32 << 20;
const DEEPEST = 3;

/** By their first bytes: what no library here opens. */
const OPAQUE = [
  'fd377a585a00',
  '425a68',
  '28b52ffd',
  '377abcaf271c',
  '526172211a07',
  '04224d18',
  '303730373031',
  '213c617263683e0a',
  '68737173',
];

/**
 * What secret some bytes hold, also inside of archives (zip, tar, gzip, one in another), or `undefined`. `root` stands before
 * the names in an archive. An archive that cannot be looked through is not free of secrets.
 */
export async function secretIn(bytes: Buffer, deny: Deny, root: '/' | 'C:/', depth = 0): Promise<string | undefined> {
  const plain = secretContent(bytes);
  if (plain !== undefined) return plain;
  const kind = kindOf(bytes);
  if (kind === undefined) return undefined;
  if (kind === 'opaque') return 'an archive that cannot be looked into';
  if (depth === DEEPEST) return 'an archive in too many others';
  try {
    if (kind === 'gzip') return await secretIn(gunzipSync(bytes, { maxOutputLength: MOST }), deny, root, depth + 1);
    for await (const { name, content } of kind === 'tar' ? tarEntries(bytes) : zipEntries(bytes)) {
      const why = deny(root + name.replace(/^(\.?\/)+/, '')) ?? (await secretIn(content, deny, root, depth + 1));
      if (why !== undefined) return `an archive with ${quote(name, 100)} (${why})`;
    }
    return undefined;
  } catch {
    return 'an archive that cannot be looked through';
  }
}

function kindOf(bytes: Buffer): 'gzip' | 'zip' | 'tar' | 'opaque' | undefined {
  const head = bytes.subarray(0, 8).toString('hex');
  if (head.startsWith('1f8b')) return 'gzip';
  if (/^504b0(304|506)/.test(head)) return 'zip';
  if (bytes.subarray(257, 262).toString('latin1') === 'ustar') return 'tar';
  return OPAQUE.some((magic) => head.startsWith(magic)) ? 'opaque' : undefined;
}

async function* zipEntries(bytes: Buffer): AsyncGenerator<{ readonly name: string; readonly content: Buffer }> {
  const { fromBufferPromise } = await import('yauzl');
  const zip = await fromBufferPromise(bytes);
  let left = MOST;
  for await (const entry of zip.eachEntry()) {
    left -= entry.uncompressedSize;
    if (left < 0) throw new Error('too much');
    if (entry.fileName.endsWith('/')) continue;
    const chunks: Buffer[] = [];
    for await (const chunk of await zip.openReadStreamPromise(entry)) chunks.push(chunk as Buffer);
    yield { name: entry.fileName, content: Buffer.concat(chunks) };
  }
}
