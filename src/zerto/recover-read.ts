import { ProxyError } from '../domain/errors.js';
import type { Download } from './recover-types.js';

/**
 * Reads a download of exactly `size` bytes. Rejects with ZVM_REJECTED for more, for less, and for an archive that came in
 * place of the file; never holds more than `size` bytes and one chunk.
 */
export async function readExactly(download: Download, name: string, size: number): Promise<Buffer> {
  if (isArchiveOf(download, name)) throw wrong('The appliance sent an archive in place of the file');
  if (download.length !== undefined && download.length !== size) {
    throw wrong(`The appliance announced ${download.length} bytes for a file of ${size}`);
  }
  const chunks: Uint8Array[] = [];
  let received = 0;
  for await (const chunk of download.stream) {
    received += chunk.byteLength;
    if (received > size) throw wrong(`The appliance sent more than the file's ${size} bytes`);
    chunks.push(chunk);
  }
  if (received !== size) throw wrong(`The appliance sent ${received} of the file's ${size} bytes`);
  return Buffer.concat(chunks, received);
}

/** A zip by its headers, where the file that was asked for is none. */
function isArchiveOf(download: Download, name: string): boolean {
  if (/\.zip$/i.test(name)) return false;
  const named = /filename\*?=(?:UTF-8'')?"?[^";]*\.zip"?\s*(?:;|$)/i.test(download.disposition ?? '');
  return named || /^application\/(x-)?zip(-compressed)?\b/i.test(download.contentType ?? '');
}

function wrong(what: string): ProxyError {
  return new ProxyError(
    'ZVM_REJECTED',
    `${what}; nothing was recovered. Try again, or recover the VM at this checkpoint.`,
  );
}
