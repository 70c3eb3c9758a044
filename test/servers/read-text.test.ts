import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readText } from '../../src/servers/read-text.js';

const dir = mkdtempSync(join(tmpdir(), 'rewind-read-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test('a file is read anew each time', async () => {
  const file = join(dir, 'config');
  writeFileSync(file, 'one');
  expect(await readText(file)).toEqual({ kind: 'text', text: 'one' });
  writeFileSync(file, 'two');
  expect(await readText(file)).toEqual({ kind: 'text', text: 'two' });
  expect(await readText(join(dir, 'missing'))).toEqual({ kind: 'absent' });
  expect(await readText(join(file, 'below'))).toEqual({ kind: 'absent' });
  expect(await readText('a\0b')).toEqual({ kind: 'absent' });
});

test('what is no file of a reasonable size is not read, and no content is told', async () => {
  expect(await readText(dir)).toMatchObject({ kind: 'unreadable' });
  const large = join(dir, 'large');
  writeFileSync(large, 'secret'.repeat(300_000));
  expect(await readText(large)).toEqual({ kind: 'unreadable', why: 'it is larger than 1 MiB' });
});

test.skipIf(process.platform === 'win32')('a pipe that nobody writes to and a device do not hang it', async () => {
  const fifo = join(dir, 'fifo');
  execFileSync('mkfifo', [fifo]);
  expect(await readText(fifo)).toEqual({ kind: 'unreadable', why: 'it is no regular file' });
  expect(await readText('/dev/zero')).toEqual({ kind: 'unreadable', why: 'it is no regular file' });
});
