import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import type { Recovered } from '../../src/domain/recovered.js';
import { recoverFile } from '../../src/zerto/recover.js';
import type { RecoverRequest, RecoveryClient } from '../../src/zerto/recover-types.js';
import { fc } from '../support/property.js';
import { bind, type Lab, lab } from './recover-support.js';

type Asked = Partial<RecoverRequest> & { readonly path: string };

function recover(
  lab: Lab,
  vm: string,
  point: { vpgIdentifier: string; checkpointIdentifier: string },
  asked: Asked,
): Promise<Recovered> {
  const request = { ...point, vmIdentifier: lab.vmId(vm), recoverySite: lab.site, maxBytes: 1_048_576, ...asked };
  return recoverFile(lab.client, request, lab.tools, new AbortController().signal);
}

async function nothingLeft(lab: Lab): Promise<void> {
  await expect.poll(() => lab.world.sessions.length).toBe(0);
  expect(await lab.tools.mounts.list()).toEqual([]);
  expect(lab.tools.active.size).toBe(0);
}

describe('a Linux file', () => {
  it('comes back as it was at the checkpoint, to the byte', async () => {
    const it = await lab();
    const bytes = randomBytes(70_000);
    it.world.write('app01', '/etc/app.conf', bytes);
    const point = it.pin('app');
    it.world.write('app01', '/etc/app.conf', 'changed');
    it.pin('app');
    const result = await recover(it, 'app01', point, { path: '/etc//./app.conf' });
    expect(result).toMatchObject({ kind: 'file', size: 70_000, volumePath: 'Volume1-Ext4/etc/app.conf' });
    expect(result.kind === 'file' && result.bytes.equals(bytes)).toBe(true);
    await nothingLeft(it);
  });

  it('is found case by case only, and an empty one is a file too', async () => {
    const it = await lab();
    it.world.write('app01', '/etc/A', '');
    const point = it.pin('app');
    expect(await recover(it, 'app01', point, { path: '/etc/a' })).toEqual({
      kind: 'not_found',
      looked: ['Volume1-Ext4'],
      maybe: [],
    });
    expect(await recover(it, 'app01', point, { path: '/etc/A' })).toMatchObject({ kind: 'file', size: 0 });
    expect(await recover(it, 'app01', point, { path: '/etc/A/b' })).toMatchObject({ kind: 'not_found' });
    await nothingLeft(it);
  });

  it('is found among more entries than one page, however pages count', async () => {
    const it = await lab();
    for (let n = 0; n < 1_200; n += 1) it.world.write('app01', `/d/${String(n).padStart(4, '0')}`, `${n}`);
    const point = it.pin('app');
    for (const path of ['/d/0000', '/d/0600', '/d/1199']) {
      expect(await recover(it, 'app01', point, { path })).toMatchObject({ kind: 'file' });
    }
    const fromZero: RecoveryClient = {
      ...bind(it),
      browse: (session, path, page, signal) =>
        it.client.browse(session, path, { ...page, number: page.number + 1 }, signal),
    };
    const request = { ...point, vmIdentifier: it.vmId('app01'), recoverySite: it.site, maxBytes: 99, path: '/d/0000' };
    expect(await recoverFile(fromZero, request, it.tools, new AbortController().signal)).toMatchObject({
      kind: 'file',
    });
    const last = await recover(it, 'app01', point, { path: '/d', page: 6 });
    expect(last).toMatchObject({ kind: 'folder', page: 6, more: false });
    expect(last.kind === 'folder' && last.entries.length).toBe(200);
    expect(last.kind === 'folder' && last.entries.at(-1)).toMatchObject({ name: '1199', type: 'file', size: 4 });
    await nothingLeft(it);
  });

  it('on a volume that is mounted inside another is found, and says so', async () => {
    const it = await lab();
    it.world.write('db01', '/etc/x', 'x');
    it.world.write('db01', '/var/log/app.log', 'lines');
    const before = it.pin('db');
    expect(await recover(it, 'db01', before, { path: '/var/log/app.log' })).toMatchObject({
      kind: 'not_found',
      maybe: ['Volume2-XFS:/log/app.log'],
    });
    it.world.write('db01', '/etc/fstab', 'UUID=1 / ext4 defaults 0 1\nUUID=2 /var xfs defaults 0 2\n');
    const point = it.pin('db');
    const result = await recover(it, 'db01', point, { path: '/var/log/app.log' });
    expect(result).toMatchObject({ kind: 'file', volumePath: 'Volume2-XFS/log/app.log', mountedAt: '/var' });
    await nothingLeft(it);
  });

  it('that one of several other volumes may hold is named, not guessed', async () => {
    const it = await lab();
    it.world.write('big01', '/etc/x', 'x');
    it.world.write('big01', '/srv/log/app.log', 'wrong one');
    it.world.write('big01', '/var/lib/y', 'y');
    const point = it.pin('db');
    const result = await recover(it, 'big01', point, { path: '/var/log/app.log' });
    expect(result).toMatchObject({ kind: 'not_found', maybe: ['Volume3-XFS:/log/app.log'] });
    const named = await recover(it, 'big01', point, { path: 'Volume3-XFS:/log/app.log' });
    expect(named).toMatchObject({ kind: 'file', volumePath: 'Volume3-XFS/log/app.log' });
    await nothingLeft(it);
  });

  it('that two volumes hold is a stop that names both', async () => {
    const it = await lab();
    it.world.write('db01', '/etc/app.conf', 'root');
    it.world.write('db01', '/var/etc/app.conf', 'other');
    const point = it.pin('db');
    expect(await recover(it, 'db01', point, { path: '/etc/app.conf' })).toEqual({
      kind: 'ambiguous',
      found: ['Volume1-Ext4:/etc/app.conf', 'Volume2-XFS:/etc/app.conf'],
    });
    await nothingLeft(it);
  });

  it('behind a link is not followed', async () => {
    const it = await lab();
    it.world.write('app01', '/etc/real', 'x');
    it.world.link('app01', '/etc/link', '/etc/real');
    const point = it.pin('app');
    expect(await recover(it, 'app01', point, { path: '/etc/link' })).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('Links'),
    });
    await nothingLeft(it);
  });
});

describe('a Windows file', () => {
  it('is found in any letter case and below any drive letter', async () => {
    const it = await lab();
    it.world.write('win01', 'C:\\ProgramData\\App\\Web.config', 'old');
    const point = it.pin('win');
    for (const path of [
      'C:\\ProgramData\\App\\Web.config',
      'c:/programdata/APP/web.CONFIG',
      '\\\\?\\D:\\ProgramData\\App\\Web.config',
    ]) {
      expect(await recover(it, 'win01', point, { path })).toMatchObject({
        kind: 'file',
        volumePath: 'Volume1-NTFS/ProgramData/App/Web.config',
      });
    }
    await nothingLeft(it);
  });

  it('that two volumes hold is a stop that names both, and one of them is read by name', async () => {
    const it = await lab();
    it.world.write('win02', 'C:\\data\\f.txt', 'on C');
    it.world.write('win02', 'C:\\D\\data\\f.txt', 'on D');
    const point = it.pin('win');
    expect(await recover(it, 'win02', point, { path: 'C:\\data\\f.txt' })).toEqual({
      kind: 'ambiguous',
      found: ['Volume1-NTFS:/data/f.txt', 'Volume2-NTFS:/data/f.txt'],
    });
    const named = await recover(it, 'win02', point, { path: 'Volume2-NTFS:/DATA/f.txt' });
    expect(named.kind === 'file' && named.bytes.toString()).toBe('on D');
    await nothingLeft(it);
  });

  it('is not looked for on a Linux volume, nor a Linux file on NTFS', async () => {
    const it = await lab();
    it.world.write('app01', '/etc/x', 'x');
    it.world.write('win01', 'C:\\etc\\x', 'x');
    const [app, win] = [it.pin('app'), it.pin('win')];
    expect(await recover(it, 'app01', app, { path: 'C:\\etc\\x' })).toEqual({
      kind: 'not_found',
      looked: [],
      maybe: [],
      note: 'the mount shows no volume for this drive letter',
    });
    expect(await recover(it, 'win01', win, { path: '/etc/x' })).toEqual({ kind: 'not_found', looked: [], maybe: [] });
    await nothingLeft(it);
  });
});

describe('limits', () => {
  it('a file over maxBytes is refused by its size, before a byte is asked for', async () => {
    const it = await lab();
    it.world.write('app01', '/big', Buffer.alloc(2_000));
    const point = it.pin('app');
    expect(await recover(it, 'app01', point, { path: '/big', maxBytes: 1_999 })).toMatchObject({
      kind: 'too_large',
      size: 2_000,
    });
    expect(it.simulator.requests.some(({ path }) => path.includes('download'))).toBe(false);
    expect(await recover(it, 'app01', point, { path: '/big', maxBytes: 2_000 })).toMatchObject({ kind: 'file' });
    await nothingLeft(it);
  });

  it('a preview tells the size and reads nothing', async () => {
    const it = await lab();
    it.world.write('app01', '/etc/f', '12345');
    const point = it.pin('app');
    expect(await recover(it, 'app01', point, { path: '/etc/f', preview: true })).toMatchObject({
      kind: 'preview',
      type: 'file',
      size: 5,
    });
    expect(await recover(it, 'app01', point, { path: '/etc', preview: true })).toMatchObject({
      kind: 'preview',
      type: 'folder',
    });
    expect(it.simulator.requests.some(({ path }) => path.includes('download'))).toBe(false);
    await nothingLeft(it);
  });

  it('the path that was found is judged, in the guest’s form', async () => {
    const it = await lab();
    it.world.write('win01', 'C:\\Secret\\F', 'x');
    it.world.write('db01', '/var/log/f', 'x');
    it.world.write('db01', '/etc/fstab', '/dev/sda1 / ext4\n/dev/sdb1 /var xfs\n');
    const [win, db] = [it.pin('win'), it.pin('db')];
    const seen: string[] = [];
    const deny = (path: string): string | undefined => {
      seen.push(path);
      return 'named';
    };
    expect(await recover(it, 'win01', win, { path: 'c:\\secret\\f', deny })).toEqual({ kind: 'refused', why: 'named' });
    expect(await recover(it, 'db01', db, { path: '/var/log/f', deny })).toEqual({ kind: 'refused', why: 'named' });
    expect(seen).toEqual(['C:/Secret/F', '/var/log/f']);
    const asked = it.simulator.requests.filter(({ path }) => path.includes('downloads/'));
    expect(asked).toHaveLength(1); // the fstab
    await nothingLeft(it);
  });

  it('a recovery elsewhere than at the recovery site is refused without a mount', async () => {
    const it = await lab({
      world: {
        sites: [{ name: 'site-a' }, { name: 'site-b' }],
        vpgs: [{ name: 'app', vms: ['app01'], protectedSite: 'site-a', recoverySite: 'site-b' }],
      },
    });
    const point = it.pin('app');
    const elsewhere = it.world.vpg('app').recoverySite.siteIdentifier;
    expect(await recover(it, 'app01', point, { path: '/x', recoverySite: elsewhere })).toMatchObject({
      kind: 'refused',
      why: expect.stringContaining('recovery site'),
    });
    expect(await recover(it, 'app01', point, { path: '/x', recoverySite: undefined })).toMatchObject({
      kind: 'refused',
    });
    expect(it.simulator.requests.some(({ path }) => path.includes('/flrs'))).toBe(false);
    await nothingLeft(it);
  });
});

describe('hostile paths', () => {
  it('never leave the VM’s mount and never reach the appliance as anything but a browsed path', async () => {
    const it = await lab();
    it.world.write('app01', '/etc/app.conf', 'x');
    const point = it.pin('app');
    const listed = new Set(['', 'Volume1-Ext4', 'Volume1-Ext4/etc']);
    const asked: string[] = [];
    const watching: RecoveryClient = {
      ...bind(it),
      browse: (session, path, page, signal) => {
        asked.push(path);
        return it.client.browse(session, path, page, signal);
      },
      download: (session, paths, signal) => {
        asked.push(...paths);
        return it.client.download(session, paths, signal);
      },
    };
    const piece = fc.constantFrom(
      '..',
      '.',
      '/',
      '\\',
      'etc',
      'app.conf',
      'C:',
      'Volume1-Ext4',
      ':',
      '%2e%2e',
      '\0',
      '\n',
      '~',
      '//',
      '?',
      '*',
      'https://evil/',
      '\u202e',
      '..\\',
      '::$DATA',
      'PROGRA~1',
      ' ',
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
          fc.string({ unit: 'binary', maxLength: 40 }),
        ),
        async (path) => {
          const request = { ...point, vmIdentifier: it.vmId('app01'), recoverySite: it.site, maxBytes: 99, path };
          const result = await recoverFile(watching, request, it.tools, new AbortController().signal);
          if (result.kind === 'file') expect(result.volumePath).toBe('Volume1-Ext4/etc/app.conf');
        },
      ),
      { numRuns: 60 },
    );
    expect(asked.filter((path) => !listed.has(path) && path !== 'Volume1-Ext4/etc/app.conf')).toEqual([]);
    await nothingLeft(it);
  });
});
