import { crc32, deflateRawSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { exactly, joined, together } from '../../src/zerto/recover-read.js';
import type { Download, RecoveryClient } from '../../src/zerto/recover-types.js';
import { fc } from '../support/property.js';

async function* chunks(...parts: (string | Buffer)[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Buffer.from(part);
}

const read = (download: Download, name: string, size: number): Promise<Buffer> => joined(exactly(download, name, size));

interface Packed {
  readonly name: string;
  readonly bytes: Buffer;
  /** What the archive claims, where that is not the truth. */
  readonly size?: number;
  readonly sum?: number;
  readonly mode?: number;
  readonly flags?: number;
}

/** A zip as `entries` describe it, also a false one. */
function zip(...entries: readonly Packed[]): Buffer {
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  for (const { name, bytes, size, sum, mode = 0o100644, flags = 0x800 } of entries) {
    const packed = deflateRawSync(bytes);
    const label = Buffer.from(name);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(flags, 2);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(sum ?? crc32(bytes), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(size ?? bytes.length, 18);
    common.writeUInt16LE(label.length, 22);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(0x031e, 4);
    common.copy(central, 6);
    central.writeUInt32LE((mode << 16) >>> 0, 38);
    central.writeUInt32LE(
      locals.reduce((sum_, part) => sum_ + part.length, 0),
      42,
    );
    centrals.push(Buffer.concat([central, label]));
    locals.push(Buffer.concat([Buffer.from('PK\u0003\u0004'), common, label, packed]));
  }
  const directory = Buffer.concat(centrals);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(directory.length, 12);
  end.writeUInt32LE(
    locals.reduce((sum, part) => sum + part.length, 0),
    16,
  );
  return Buffer.concat([...locals, directory, end]);
}

const HEADERS: Partial<Download> = { contentType: 'application/zip' };

describe('a download', () => {
  it('is passed on as it arrives', async () => {
    expect((await read({ stream: chunks('ab', '', 'c') }, 'f', 3)).toString()).toBe('abc');
    expect((await read({ stream: chunks(), length: 0 }, 'f', 0)).length).toBe(0);
  });

  it('of fewer bytes is refused, also where none were announced', async () => {
    await expect(read({ stream: chunks('ab') }, 'f', 3)).rejects.toThrow("2 of the file's 3");
    await expect(read({ stream: chunks('abcd'), length: 4 }, 'f', 3)).rejects.toThrow('announced 4');
  });

  it('stops at the first byte too many, however much would follow', async () => {
    let sent = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) {
        sent += 1;
        yield Buffer.alloc(10);
      }
    }
    await expect(read({ stream: endless() }, 'f', 25)).rejects.toThrow('more than');
    expect(sent).toBe(3);
  });
});

describe('an archive in place of a file', () => {
  const bytes = Buffer.from('port = 1\n'.repeat(50));

  it.each([
    { disposition: 'attachment; filename="download.zip"' },
    { disposition: "attachment; filename*=UTF-8''x.zip" },
    { contentType: 'application/x-zip-compressed; x=y' },
    { length: 1 },
  ])('is opened, however the appliance says so: %j', async (headers) => {
    const archive = zip({ name: 'etc/', bytes: Buffer.alloc(0) }, { name: 'etc/app.conf', bytes });
    const length = 'length' in headers ? { length: archive.length } : {};
    const download = { stream: chunks(archive.subarray(0, 2), archive.subarray(2)), ...headers, ...length };
    expect((await read(download, 'app.conf', bytes.length)).equals(bytes)).toBe(true);
  });

  it('that is large is opened from disk', async () => {
    const large = Buffer.alloc(9 << 20, 'x');
    const archive = zip({ name: 'large', bytes: large });
    expect((await read({ stream: chunks(archive), length: archive.length }, 'large', large.length)).equals(large)).toBe(
      true,
    );
  });

  it('is the file itself where that is what was asked for', async () => {
    const archive = zip({ name: 'x', bytes });
    const whole = { stream: chunks(archive), ...HEADERS, length: archive.length };
    expect((await read(whole, 'backup.ZIP', archive.length)).equals(archive)).toBe(true);
    const packed = zip({ name: 'backup.zip', bytes: archive });
    const twice = { stream: chunks(packed), length: packed.length };
    expect((await read(twice, 'backup.zip', archive.length)).equals(archive)).toBe(true);
  });

  const hostile: [string, Buffer, RegExp][] = [
    ['more than one file', zip({ name: 'f', bytes }, { name: 'g', bytes }), /more than the one file/],
    ['no file', zip({ name: 'd/', bytes: Buffer.alloc(0) }), /holds no file/],
    ['another file', zip({ name: 'other', bytes }), /another name/],
    ['a traversal', zip({ name: '../../f', bytes }), /archive|broke off|invalid relative path/],
    ['an absolute name', zip({ name: '/f', bytes }), /archive|broke off|absolute path/],
    ['a backslash', zip({ name: 'a\\f', bytes }), /archive|another name|invalid/],
    ['a link', zip({ name: 'f', bytes, mode: 0o120777 }), /link or a device/],
    ['a device', zip({ name: 'f', bytes, mode: 0o020666 }), /link or a device/],
    ['an encrypted file', zip({ name: 'f', bytes, flags: 0x801 }), /encrypted/],
    ['a wrong size', zip({ name: 'f', bytes: bytes.subarray(1) }), /not of 450/],
    ['a bomb', zip({ name: 'f', bytes: Buffer.alloc(5 << 20), size: 450 }), /./],
    ['a wrong check sum', zip({ name: 'f', bytes, sum: 1 }), /check sum/],
    ['nothing behind its first bytes', Buffer.from('PK\u0003\u0004 and no more'), /cannot be read/],
    ['no archive', Buffer.from('<html>not found</html>'), /announced 22 bytes/],
    ['too little', Buffer.from('PK'), /announced 2 bytes/],
  ];
  it.each(hostile)('with %s is refused', async (_, archive, words) => {
    const download = { stream: chunks(archive), ...HEADERS, length: archive.length };
    await expect(read(download, 'f', bytes.length)).rejects.toThrow(words);
  });

  it('that never ends is cut off', async () => {
    let sent = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      yield Buffer.from('PK\u0003\u0004');
      for (;;) {
        sent += 1;
        yield Buffer.alloc(65_536);
      }
    }
    await expect(read({ stream: endless(), ...HEADERS }, 'f', 100)).rejects.toThrow('longer than');
    expect(sent).toBeLessThan(4);
    await expect(read({ stream: endless(), ...HEADERS, length: 1e12 }, 'f', 100)).rejects.toThrow('announced');
  });

  it('whatever it is, gives the file or nothing', async () => {
    const whole = zip({ name: 'f', bytes });
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.nat(255), async (at, value) => {
        const archive = Buffer.from(whole);
        archive[at] = value;
        const download = { stream: chunks(archive), ...HEADERS, length: archive.length };
        const result = await read(download, 'f', bytes.length).catch(() => undefined);
        expect(result === undefined || result.equals(bytes)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});

describe('several files by one download', () => {
  const files = [
    { path: 'V/d/a', size: 1 },
    { path: 'V/d/b', size: 2 },
  ];
  const a = { name: 'a', bytes: Buffer.from('A') };
  const b = { name: 'b', bytes: Buffer.from('BB') };

  async function of(archive: Buffer | Error, wanted = files): Promise<ReadonlyMap<string, Buffer> | undefined> {
    const client = {
      download: async (_: string, paths: readonly string[]) => {
        expect(paths).toEqual(wanted.map(({ path }) => path));
        if (archive instanceof Error) throw archive;
        return 'link';
      },
      openDownload: async () => ({ stream: chunks(archive instanceof Error ? '' : archive) }),
    } as unknown as RecoveryClient;
    return together({ client, session: 's', signal: new AbortController().signal }, wanted);
  }

  it.each([
    ['flat', zip(a, b)],
    ['in any order', zip(b, a)],
    ['below their folders', zip({ ...a, name: 'V/d/a' }, { ...b, name: 'V/d/b' })],
    [
      'with a folder of its own',
      zip({ name: 'd/', bytes: Buffer.alloc(0) }, { ...a, name: 'd/a' }, { ...b, name: 'd/b' }),
    ],
  ])('come %s', async (_, archive) => {
    const got = await of(archive);
    expect([...(got ?? [])].map(([path, bytes]) => [path, bytes.toString()]).sort()).toEqual([
      ['V/d/a', 'A'],
      ['V/d/b', 'BB'],
    ]);
  });

  it.each([
    ['one is missing', zip(a)],
    ['there is one more', zip(a, b, { name: 'c', bytes: Buffer.from('C') })],
    ['one is there twice', zip(a, b, a)],
    ['one has another name', zip(a, { ...b, name: 'B' })],
    ['one has another size', zip(a, { ...b, bytes: Buffer.from('BBB') })],
    ['one lies about its size', zip(a, { ...b, bytes: Buffer.from('BBB'), size: 2 })],
    ['one has a wrong sum', zip(a, { ...b, sum: 1 })],
    ['one is a link', zip(a, { ...b, mode: 0o120777 })],
    ['one is encrypted', zip(a, { ...b, flags: 0x801 })],
    ['one leads out', zip(a, { ...b, name: '../b' })],
    ['one is absolute', zip(a, { ...b, name: '/b' })],
    ['one has a backslash', zip(a, { ...b, name: 'd\\b' })],
    ['it is a bomb', zip(a, { name: 'b', bytes: Buffer.alloc(64 << 20), size: 2 })],
    ['it is the first file alone', Buffer.from('A')],
    ['it is empty', Buffer.alloc(0)],
    ['it is cut', zip(a, b).subarray(0, 60)],
    ['it is too long', Buffer.concat([zip(a, b), Buffer.alloc(200_000)])],
    ['the appliance refuses', new Error('no')],
  ])('are not had where %s', async (_, archive) => expect(await of(archive)).toBeUndefined());

  it('of the same name are not told apart', async () => {
    const same = [
      { path: 'V/d/a', size: 1 },
      { path: 'V/e/a', size: 1 },
    ];
    expect(await of(zip({ ...a, name: 'd/a' }, { ...a, name: 'e/a' }), same)).toBeUndefined();
  });
});
