import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { denyPaths } from '../../src/native/deny-paths.js';
import { secretIn } from '../../src/native/secret-archive.js';
import { tarEntries } from '../../src/native/tar.js';
import { createStore } from '../../src/simulator/content.js';
import { zip } from '../../src/simulator/http/zip.js';
import { verifies } from '../e2e/requirements.js';
import { fc } from '../support/property.js';

const deny = denyPaths({ denyPaths: ['/srv/private/**'], allowPaths: [] });
const KEY = '-----BEGIN PRIVATE KEY-----\nAAAA\n';
const dir = mkdtempSync(join(tmpdir(), 'archive-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

let count = 0;
/** A tar as the machine's own program makes it. */
function tar(files: Readonly<Record<string, string>>, ...options: string[]): Buffer {
  count += 1;
  const root = join(dir, String(count));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), text);
  }
  execFileSync('tar', [...options, '-cf', join(dir, `${count}.tar`), '-C', root, '.']);
  return readFileSync(join(dir, `${count}.tar`));
}

function zipped(files: Readonly<Record<string, string | Buffer>>): Buffer {
  const store = createStore();
  return zip(Object.entries(files).map(([name, text]) => ({ name, blob: store.add(Buffer.from(text)) })));
}

const long = `${'long-name/'.repeat(20)}app.conf`;
const harmless = { 'etc/app.conf': 'port=1', [long]: 'x' };

describe(`${verifies('N-5')} an archive`, () => {
  it.each([
    ['tar', tar(harmless)],
    ['tar, GNU', tar(harmless, '--format=gnu')],
    ['tar, pax', tar(harmless, '--format=pax')],
    ['tar.gz', gzipSync(tar(harmless))],
    ['zip', zipped(harmless)],
    ['gzip', gzipSync('lines')],
    ['nothing of the kind', Buffer.from('port=1')],
    ['an empty file', Buffer.alloc(0)],
  ])('without secrets is free: %s', async (_, bytes) => {
    expect(await secretIn(bytes, deny, '/')).toBeUndefined();
  });

  it.each([
    ['a shadow file by name', tar({ 'etc/shadow': 'x' }), /"\.\/etc\/shadow" .*password hashes/],
    ['a long name', tar({ [`${'x/'.repeat(90)}.ssh/id_rsa`]: 'x' }, '--format=gnu'), /private keys of ssh/],
    ['a pax name', tar({ [`${'xxx/'.repeat(90)}.ssh/id_rsa`]: 'x' }, '--format=pax'), /private keys of ssh/],
    ['the operator’s folder', zipped({ 'srv/private/x': 'x' }), /denyPaths/],
    ['a key by content', tar({ notes: KEY }), /a private key/],
    ['a key in a zip', zipped({ notes: KEY }), /a private key/],
    ['a key in a gzip', gzipSync(KEY), /a private key/],
    ['a zip in a tar in a gzip', gzipSync(tar({ 'a.zip': zipped({ k: KEY }).toString('latin1') })), /archive|key/],
    ['a traversal', zipped({ '../x': 'x' }), /cannot be looked through/],
    ['a bomb', gzipSync(Buffer.alloc(40 << 20)), /cannot be looked through/],
    ['what nobody opens', Buffer.from('fd377a585a0000', 'hex'), /cannot be looked into/],
    ['a torn tar', tar(harmless).subarray(0, 700), /cannot be looked through/],
    ['a torn zip', zipped(harmless).subarray(0, 60), /cannot be looked through/],
    ['too many layers', gzipSync(gzipSync(gzipSync(gzipSync('x')))), /too many/],
  ] as const)('with %s is not', async (_, bytes, words) => {
    expect(await secretIn(bytes, deny, '/')).toMatch(words);
  });

  it('of Windows is judged by Windows names', async () => {
    expect(await secretIn(zipped({ 'temp/SAM': 'x' }), deny, 'C:/')).toMatch(/account databases/);
    expect(await secretIn(zipped({ 'temp/SAM': 'x' }), deny, '/')).toBeUndefined();
  });

  it('of any bytes is answered', async () => {
    const magic = fc.constantFrom('1f8b08', '504b0304', '504b0506', '');
    await fc.assert(
      fc.asyncProperty(magic, fc.uint8Array({ maxLength: 2_000 }), async (head, rest) => {
        const bytes = Buffer.concat([Buffer.from(head, 'hex'), rest]);
        const found = await secretIn(bytes, deny, '/');
        if (head !== '') expect(found).toBeDefined();
      }),
    );
    const archive = tar(harmless);
    fc.assert(
      fc.property(fc.nat(archive.length - 1), fc.nat(255), (at, value) => {
        const changed = Buffer.from(archive);
        changed[at] = value;
        try {
          for (const { content } of tarEntries(changed)) expect(content.length).toBeLessThanOrEqual(archive.length);
        } catch (error) {
          expect(String(error)).toContain('no tar');
        }
      }),
    );
  });
});

describe(`${verifies('N-5')} what is written in another way`, () => {
  const base64 = Buffer.from(KEY.repeat(3)).toString('base64');
  const wrapped = base64.replace(/(.{76})/g, '$1\r\n    ');
  it.each([
    ['in base64', base64],
    ['in wrapped base64', `data: |\n    ${wrapped}\n`],
    ['as a kubeconfig has it', `users:\n- user:\n    client-key-data: ${base64}\n`],
    ['in hexadecimal', Buffer.from(KEY).toString('hex')],
    ['in base64 and UTF-16', Buffer.from(base64, 'utf16le')],
  ])('%s is a key all the same', async (_, text) => {
    expect(await secretIn(Buffer.from(text), deny, '/')).toBe('a private key');
  });

  it.each([
    ['a certificate', Buffer.from('-----BEGIN CERTIFICATE-----\nMIIB\n').toString('base64')],
    ['sums', `${'0f'.repeat(32)}  file\n`.repeat(100)],
    ['a long line', 'x'.repeat(1 << 20)],
    ['many short lines', 'abcdefgh\n'.repeat(100_000)],
  ])('%s is free', async (_, text) => {
    expect(await secretIn(Buffer.from(text), deny, '/')).toBeUndefined();
  });
});
