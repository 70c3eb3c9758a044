import { crc32, deflateRawSync } from 'node:zlib';
import type { Blob } from '../content.js';

/** A zip archive of the files, deflated, names in UTF-8. */
export function zip(files: readonly { readonly name: string; readonly blob: Blob }[]): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const { name, blob } of files) {
    const content = blob.read();
    const packed = deflateRawSync(content);
    const label = Buffer.from(name, 'utf8');
    const common = header(crc32(content), packed.length, content.length, label.length);
    const local = Buffer.concat([number(0x04034b50, 4), common, label, packed]);
    centrals.push(
      Buffer.concat([number(0x02014b50, 4), number(20, 2), common, Buffer.alloc(10), number(offset, 4), label]),
    );
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.concat([
    number(0x06054b50, 4),
    Buffer.alloc(4),
    number(files.length, 2),
    number(files.length, 2),
    number(directory.length, 4),
    number(offset, 4),
    number(0, 2),
  ]);
  return Buffer.concat([...locals, directory, end]);
}

const MIDNIGHT_1980 = Buffer.from([0, 0, 0x21, 0]);

/** Version, UTF-8 flag, deflate, date, checksum, sizes, length of the name, no extra field. */
function header(checksum: number, packed: number, size: number, label: number): Buffer {
  return Buffer.concat([
    number(20, 2),
    number(0x0800, 2),
    number(8, 2),
    MIDNIGHT_1980,
    number(checksum, 4),
    number(packed, 4),
    number(size, 4),
    number(label, 2),
    number(0, 2),
  ]);
}

function number(value: number, bytes: 2 | 4): Buffer {
  const buffer = Buffer.alloc(bytes);
  buffer.writeUIntLE(value, 0, bytes);
  return buffer;
}
