import { describe, expect, it } from 'vitest';
import { readExactly } from '../../src/zerto/recover-read.js';

async function* chunks(...parts: string[]): AsyncGenerator<Buffer> {
  for (const part of parts) yield Buffer.from(part);
}

describe('readExactly', () => {
  it('joins what arrives', async () => {
    expect((await readExactly({ stream: chunks('ab', '', 'c') }, 'f', 3)).toString()).toBe('abc');
    expect((await readExactly({ stream: chunks(), length: 0 }, 'f', 0)).length).toBe(0);
  });

  it('rejects fewer bytes, also where none were announced', async () => {
    await expect(readExactly({ stream: chunks('ab') }, 'f', 3)).rejects.toThrow('2 of the file’s 3'.replace('’', "'"));
    await expect(readExactly({ stream: chunks('abc'), length: 4 }, 'f', 3)).rejects.toThrow('announced 4');
  });

  it('stops at the first byte too many, however much would follow', async () => {
    let sent = 0;
    async function* endless(): AsyncGenerator<Buffer> {
      for (;;) {
        sent += 1;
        yield Buffer.alloc(10);
      }
    }
    await expect(readExactly({ stream: endless() }, 'f', 25)).rejects.toThrow('more than');
    expect(sent).toBe(3);
  });

  it.each([
    { disposition: 'attachment; filename="download.zip"' },
    { disposition: "attachment; filename*=UTF-8''x.zip" },
    { contentType: 'application/zip' },
    { contentType: 'application/x-zip-compressed; x=y' },
  ])('an archive in place of a file is refused: %j', async (headers) => {
    await expect(readExactly({ stream: chunks('PK'), ...headers }, 'app.conf', 2)).rejects.toThrow('archive');
    expect((await readExactly({ stream: chunks('PK'), ...headers }, 'backup.ZIP', 2)).length).toBe(2);
  });
});
