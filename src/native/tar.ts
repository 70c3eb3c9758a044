/** One file of a tar archive. */
export interface TarEntry {
  readonly name: string;
  readonly content: Buffer;
}

const BLOCK = 512;
const PLAIN = ['0', '\0', '7'];

/** The files of a tar (ustar, GNU and pax names). Throws on what is no tar to its end. */
export function* tarEntries(bytes: Buffer): Generator<TarEntry> {
  let longName: string | undefined;
  for (const { header, type, content } of members(bytes)) {
    const named = NAMES[type];
    if (named === undefined && PLAIN.includes(type)) yield { name: longName ?? nameOf(header), content };
    longName = named === undefined ? undefined : (named(content) ?? longName);
  }
}

/** Members that only name the next one. */
const NAMES: Readonly<Record<string, (content: Buffer) => string | undefined>> = { L: text, x: paxPath };

function* members(
  bytes: Buffer,
): Generator<{ readonly header: Buffer; readonly type: string; readonly content: Buffer }> {
  for (let at = 0; at + BLOCK <= bytes.length; ) {
    const header = bytes.subarray(at, at + BLOCK);
    if (header.every((byte) => byte === 0)) return;
    const size = sizeOf(header);
    const content = bytes.subarray(at + BLOCK, at + BLOCK + size);
    if (header.subarray(257, 262).toString('latin1') !== 'ustar' || content.length < size) break;
    yield { header, type: String.fromCharCode(header[156] ?? 0), content };
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
  }
  throw new Error('no tar');
}

function paxPath(content: Buffer): string | undefined {
  return /(?:^|\n)\d+ path=([^\n]*)\n/.exec(content.toString('utf8'))?.[1];
}

function sizeOf(header: Buffer): number {
  const octal = /^ *([0-7]+)[ \0]*$/.exec(header.subarray(124, 136).toString('latin1'))?.[1];
  if (octal === undefined) throw new Error('no tar');
  return Number.parseInt(octal, 8);
}

function nameOf(header: Buffer): string {
  const prefix = text(header.subarray(345, 500));
  const name = text(header.subarray(0, 100));
  return prefix === '' || header.subarray(257, 263).toString('latin1') !== 'ustar\0' ? name : `${prefix}/${name}`;
}

function text(field: Buffer): string {
  const end = field.indexOf(0);
  return field.subarray(0, end < 0 ? field.length : end).toString('utf8');
}
