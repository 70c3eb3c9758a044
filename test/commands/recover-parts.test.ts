import { createHash } from 'node:crypto';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { progressOn, sizeText } from '../../src/commands/progress.js';
import { localName, sumLine } from '../../src/commands/recover-names.js';
import { treeOf } from '../../src/commands/recover-tree.js';
import { Destination, NotWritten } from '../../src/commands/recover-write.js';
import { pathsIn } from '../../src/commands/rewind-paths.js';
import type { FlrItem } from '../../src/zerto/recover-types.js';
import { fc } from '../support/property.js';

const root = mkdtempSync(join(tmpdir(), 'recover-parts-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let count = 0;
function fresh(): string {
  count += 1;
  return join(root, String(count));
}

const content = (text: string) =>
  async function* () {
    yield Buffer.from(text);
  };

describe('a destination', () => {
  it('writes files and folders, and says what it wrote', async () => {
    const dir = fresh();
    const to = new Destination(dir, false);
    const sha256 = createHash('sha256').update('abc').digest('hex');
    expect(await to.file(['a', 'b', 'f'], content('abc'))).toEqual({ bytes: 3, sha256 });
    expect(await to.file(['a', 'empty'], content(''))).toMatchObject({ bytes: 0 });
    await to.folder(['a', 'nothing']);
    expect(readFileSync(join(dir, 'a', 'b', 'f'), 'utf8')).toBe('abc');
    expect(readdirSync(join(dir, 'a')).sort()).toEqual(['b', 'empty', 'nothing']);
    if (process.platform !== 'win32') expect(lstatSync(join(dir, 'a', 'b', 'f')).mode & 0o777).toBe(0o600);
  });

  it('replaces nothing, unless it is told to', async () => {
    const dir = fresh();
    mkdirSync(join(dir, 'folder'), { recursive: true });
    writeFileSync(join(dir, 'f'), 'old');
    let asked = false;
    const never = async function* () {
      asked = true;
      yield Buffer.from('x');
    };
    const to = new Destination(dir, false);
    await expect(to.file(['f'], never)).rejects.toThrow(/--force/);
    expect(asked).toBe(false);
    const come = async function* () {
      writeFileSync(join(dir, 'late'), 'somebody else');
      yield Buffer.from('new');
    };
    await expect(to.file(['late'], come)).rejects.toThrow(NotWritten);
    expect(readFileSync(join(dir, 'late'), 'utf8')).toBe('somebody else');
    const forced = new Destination(dir, true);
    await forced.file(['f'], content('new'));
    expect(readFileSync(join(dir, 'f'), 'utf8')).toBe('new');
    await expect(forced.file(['folder'], content('x'))).rejects.toThrow(NotWritten);
    expect(readdirSync(dir).sort()).toEqual(['f', 'folder', 'late']);
  });

  it.skipIf(process.platform === 'win32')('writes through no link', async () => {
    const [dir, outside] = [fresh(), fresh()];
    mkdirSync(dir);
    mkdirSync(outside);
    writeFileSync(join(outside, 'target'), 'theirs');
    symlinkSync(outside, join(dir, 'folder'));
    symlinkSync(join(outside, 'target'), join(dir, 'file'));
    symlinkSync(join(outside, 'none'), join(dir, 'dangling'));
    const forced = new Destination(dir, true);
    await expect(forced.file(['folder', 'x'], content('x'))).rejects.toThrow(/link/);
    await expect(new Destination(dir, false).file(['dangling'], content('x'))).rejects.toThrow(NotWritten);
    await forced.file(['file'], content('mine'));
    expect(readdirSync(outside)).toEqual(['target']);
    expect(readFileSync(join(outside, 'target'), 'utf8')).toBe('theirs');
    expect(lstatSync(join(dir, 'file')).isFile()).toBe(true);
  });

  it('leaves no half file behind', async () => {
    const dir = fresh();
    const broken = async function* () {
      yield Buffer.from('half');
      throw new Error('cut');
    };
    await expect(new Destination(dir, false).file(['f'], broken)).rejects.toThrow('cut');
    expect(readdirSync(dir)).toEqual([]);
    await expect(new Destination(dir, false).file(['x'.repeat(300)], content('x'))).rejects.toThrow(NotWritten);
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)('says why it cannot write', async () => {
    const dir = fresh();
    mkdirSync(dir);
    chmodSync(dir, 0o500);
    await expect(new Destination(dir, false).file(['f'], content('x'))).rejects.toThrow(/EACCES/);
  });
});

describe('a name of the guest', () => {
  it.each(['.', '..', '', 'a/b', 'a\0'])('%j never leads out', (name) => {
    expect(localName(name, 'linux')).toMatchObject({ kind: 'refused' });
    expect(localName(name, 'win32')).toMatchObject({ kind: 'refused' });
  });

  it.each([
    ['a b', 'a b'],
    ['käse', 'käse'],
    ['a:b', 'a%3Ab'],
    ['a\\b', 'a%5Cb'],
    ['..\\x', '..%5Cx'],
    ['line\nbreak', 'line%0Abreak'],
    ['end.', 'end%2E'],
    ['end ', 'end%20'],
    ['CON', '%43ON'],
    ['nul.txt', '%6Eul.txt'],
    ['com1', '%63om1'],
    ['console', 'console'],
    ['50%', '50%25'],
  ])('%j is %j on Windows', (name, expected) => {
    expect(localName(name, 'win32')).toEqual({ kind: 'name', name: expected });
    expect(localName(name, 'linux')).toEqual({ kind: 'name', name });
  });

  it('on Windows is one that Windows keeps, and two names stay two', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (one, other) => {
        const [a, b] = [localName(one, 'win32'), localName(other, 'win32')];
        if (a.kind === 'name') expect(a.name).not.toMatch(/[<>:"|?*\\/]|\p{Cc}|[. ]$|^(con|nul|aux|prn)(\.|$)/iu);
        if (a.kind === 'name' && b.kind === 'name' && one !== other) expect(a.name).not.toBe(b.name);
      }),
    );
  });

  it('stands in a list as sha256sum writes it', () => {
    expect(sumLine('ab', 'x y')).toBe('ab  x y\n');
    expect(sumLine('ab', 'x\ny\\z')).toBe('\\ab  x\\ny\\\\z\n');
  });
});

describe('a tree', () => {
  const item = (path: string, over: Partial<FlrItem> = {}): FlrItem => ({
    path,
    type: 'File',
    browsable: false,
    downloadable: true,
    sizeInBytes: 1,
    ...over,
  });
  const folder = (path: string): FlrItem => item(path, { type: 'Folder', browsable: true });

  it('takes rows of a hostile appliance for nothing but names', async () => {
    const view = {
      list: async () => [
        item('V/etc/ok'),
        item('V/etc/../../up'),
        item('/etc/passwd'),
        item('V/other/x'),
        item('V/etc/..'),
        item('V/etc/link', { downloadable: false, note: 'Links are not supported.' }),
        item('V/etc/odd', { type: 'Socket' }),
        item('V/etc/unknown', { sizeInBytes: undefined }),
      ],
    };
    const kinds: string[] = [];
    const names: string[] = [];
    for await (const entry of treeOf(view, folder('V/etc'), '/etc', 'linux')) {
      kinds.push(entry.kind);
      if ('names' in entry) names.push(entry.names.join('/'));
    }
    expect(kinds).toEqual(['folder', 'file', 'refused', 'refused', 'refused', 'refused', 'link', 'refused', 'refused']);
    expect(names).toEqual(['etc', 'etc/ok']);
  });

  it('that never ends does', async () => {
    const view = { list: async (path: string) => [folder(`${path}/a`)] };
    let last = '';
    for await (const entry of treeOf(view, folder('V'), '/', 'linux')) last = entry.kind;
    expect(last).toBe('refused');
  });
});

describe('progress', () => {
  it('stands on a terminal alone', () => {
    let text = '';
    const stream = { isTTY: true, write: (more: string) => (text += more) };
    const progress = progressOn(stream, { files: 2, bytes: 4_096 }, () => 1_000);
    progress.add(2_048);
    progress.next();
    progress.next();
    progress.clear();
    expect(text).toContain('[##########..........] 50%');
    expect(text).toContain('2/2 files  2.0 KiB');
    expect(text.endsWith('\r\u001b[K')).toBe(true);
    text = '';
    const quiet = progressOn({ write: stream.write }, { files: 1, bytes: 0 });
    quiet.add(1);
    quiet.next();
    quiet.clear();
    expect(text).toBe('');
    expect([0, 1_023, 1_024, 5 << 20, 3 * 2 ** 40].map(sizeText)).toEqual([
      '0 B',
      '1023 B',
      '1.0 KiB',
      '5.0 MiB',
      '3.0 TiB',
    ]);
  });
});

describe('paths in a call', () => {
  it.each([
    [{ command: "sed -i 's/a/b/' /etc/app.conf" }, ['/etc/app.conf']],
    [{ command: 'echo x > /etc/a; rm -rf /srv/b/ && /usr/bin/touch /tmp/c' }, ['/etc/a', '/srv/b/', '/tmp/c']],
    [{ command: 'cat "/srv/my file" > /dev/null; cp \'/srv/x y\' /srv/z' }, ['/srv/my file', '/srv/x y', '/srv/z']],
    [{ command: 'Set-Content -Path C:\\app\\web.config -Value 1' }, ['C:\\app\\web.config']],
    [{ command: 'del "C:\\Program Files\\x.ini"' }, ['C:\\Program Files\\x.ini']],
    [{ module_args: 'dest=/etc/motd content=x' }, ['/etc/motd']],
    [{ remotePath: '/srv/f.txt', nested: { list: ['/srv/g'] } }, ['/srv/f.txt', '/srv/g']],
    [{ command: 'curl https://host/a/b; ls a/b ./c' }, []],
    [{ command: 'systemctl restart nginx; rm /srv/*.log' }, ['/srv/']],
    [{ command: 'cat /etc/../etc/shadow' }, []],
  ])('%j names %j', (given, expected) => expect(pathsIn(given)).toEqual(expected));

  it('of any arguments are found in no time', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => void pathsIn(value)));
    expect(pathsIn('"/'.repeat(50_000)).length).toBeLessThanOrEqual(50);
  });
});
