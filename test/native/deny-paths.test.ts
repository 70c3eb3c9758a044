import { describe, expect, it } from 'vitest';
import { DATABASE_RULES } from '../../src/native/database-rules.js';
import { allowedByName, databaseOf, denyPaths } from '../../src/native/deny-paths.js';
import { DENY_RULES } from '../../src/native/deny-rules.js';
import { glob } from '../../src/native/glob.js';
import { parseGuestPath } from '../../src/zerto/recover-path.js';
import { verifies } from '../e2e/requirements.js';
import { fc } from '../support/property.js';

const deny = denyPaths({ denyPaths: [], allowPaths: [] });

describe(`${verifies('N-5')} rules for secrets`, () => {
  for (const rule of DENY_RULES) {
    it.each(rule.denied)(`${rule.why}: %s is denied`, (path) => expect(deny(path)).toContain('may hold'));
    it.each(rule.free)(`${rule.why}: %s is free`, (path) => expect(deny(path)).toBeUndefined());
    it.each(rule.denied)(`${rule.why}: %s is denied by this rule`, (path) => expect(deny(path)).toContain(rule.why));
  }

  it.each([
    '/ETC/Shadow',
    '//etc///shadow',
    '/etc/./shadow',
    '/proc/self/root/etc/shadow',
    '/proc/1/root/proc/self/cwd/etc/shadow',
    '/var/lib/docker/overlay2/4f/diff/etc/shadow',
    '/var/lib/containerd/io.containerd.snapshotter.v1.overlayfs/snapshots/7/fs/etc/shadow',
    '/etc/shadow~',
    '/etc/shadow.dpkg-old',
    '/etc/ѕhadow/../shadow',
    '/ｅｔｃ/ｓｈａｄｏｗ',
    'Volume1-Ext4:/etc/shadow',
    '\\\\?\\C:\\Windows\\System32\\config\\SAM',
    'C:/Windows/System32/config/SAM',
    'Volume1-NTFS:/Windows/System32/config/SAM',
    'Volume1-NTFS:/temp/sam',
    'Volume1-NTFS:/WINDOW~1/System32/config/SAM',
    'etc/app.conf',
    'file:etc',
    `/srv/server.key${'.1'.repeat(100)}`,
    `/${'a\uff0f'.repeat(200)}`,
    'C:\\Windows\\System32\\config\\SAM.',
    'C:\\Windows\\System32\\config\\SAM ',
    'C:\\Windows\\System32\\config\\SAM::$DATA',
    'C:\\WINDOW~1\\System32\\config\\SAM',
    'C:\\x\\..\\Windows\\System32\\config\\SAM',
    '/etc/app/../shadow',
    '/etc/shadow\0.txt',
    '/etc/shadow\n',
    '/etc/sha\u0007dow',
    '/srv/server.key\n',
    '/etc\\shadow',
    '/srv/etc\\shadow',
    '/srv/x\\..\\etc\\shadow',
    '/root/.ssh\\id_rsa',
    '/srv/\\proc\\self\\root\\etc\\shadow',
    '/srv/a\uff3cb',
    'Volume1-Ext4:/etc\\shadow',
    'C:\\temp\nx',
    '/.snapshots/1/snapshot/etc/shadow',
    '/@/.snapshots/2/snapshot/root/.ssh/id_ed25519',
    '/mnt/backup/etc/shadow',
    '/var/lib/docker/overlay2/4f/merged/etc/shadow',
    '/var/lib/kubelet/pods/1/volumes/kubernetes.io~secret/db/password',
    '/var/lib/kubelet/pods/1/volumes/kubernetes.io~projected/token/token',
    '/var/lib/kubelet/pods/1/volume-subpaths/x/etc/shadow',
    '/System Volume Information/{3808876b-c176-4e48-b7ae-04046e6cc752}',
    'C:\\System Volume Information\\x',
    '\\\\?\\GLOBALROOT\\Device\\HarddiskVolumeShadowCopy1\\Windows\\System32\\config\\SAM',
    'D:\\mnt\\c\\Windows\\System32\\config\\SYSTEM',
    '/mnt/c/Windows/System32/config/SAM',
    '/mnt/c/Windows/NTDS/ntds.dit',
  ])('%j is denied', (path) => expect(deny(path)).toBeDefined());

  it.each([
    '/etc/app.conf',
    '/etc/nginx/nginx.conf',
    'C:\\inetpub\\wwwroot\\web.config',
    '/etc/hosts',
    '/',
    'C:\\',
    '/var/log/syslog.1',
    '/srv/line\nbreak',
    '/srv/a\\b',
  ])('%j is free', (path) => expect(deny(path)).toBeUndefined());

  it('no spelling of a denied path is free', () => {
    const all = DENY_RULES.flatMap((rule) => rule.denied);
    const spell = fc.constantFrom<(path: string) => string>(
      (path) => path.toUpperCase(),
      (path) => path.toLowerCase(),
      (path) => path.replaceAll('/', '//'),
      (path) => path.replaceAll('/', '/./'),
      (path) => path.replaceAll('\\', '\\\\'),
      (path) => (path.startsWith('/') ? `/proc/self/root${path}` : `\\\\?\\${path.replaceAll('/', '\\')}`),
      (path) => `${path}~`,
      (path) => `${path}.bak`,
      (path) => `${path}.2.gz`,
      (path) => (path.startsWith('/') ? `/srv/copy${path}` : path),
    );
    fc.assert(
      fc.property(fc.constantFrom(...all), fc.array(spell, { maxLength: 4 }), (path, spells) => {
        expect(deny(spells.reduce((text, next) => next(text), path))).toBeDefined();
      }),
    );
  });

  it('a path that cannot be looked up is denied, so that nobody is asked about it', () => {
    const piece = fc.constantFrom(
      '..',
      '.',
      '/',
      '\\',
      'a',
      'C:',
      'vol:',
      ':',
      '\\\\?\\',
      ' ',
      '~1',
      '*',
      '\u2025',
      '\uff0f',
      '\uff3c',
    );
    const text = fc.oneof(
      fc.array(piece).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
      fc.constant(`/${'a'.repeat(256)}`),
      fc.constant('/a'.repeat(200)),
    );
    fc.assert(
      fc.property(text, (path) => {
        if (parseGuestPath(path).kind === 'malformed') expect(deny(path)).toBeDefined();
      }),
      { numRuns: 2_000 },
    );
  });

  it('answers for any text', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (text) => void deny(text)));
  });
});

describe('the operator’s lists', () => {
  const lists = {
    denyPaths: ['/srv/secret/**', '*.sql', 'C:\\data\\hr\\*', 'conf/local.yaml'],
    allowPaths: ['/srv/app/.env', 'D:\\keys\\app.key', '*.sql'],
  };
  const both = denyPaths(lists);

  it.each([
    '/srv/secret/a/b',
    '/SRV/secret/a',
    '/x/dump.sql',
    '/x/dump.sql.gz',
    'C:\\data\\hr\\pay.xlsx',
    'E:\\data\\hr\\pay.xlsx',
    'v-NTFS:/data/hr/pay.xlsx',
    '/a/conf/local.yaml',
  ])('denyPaths: %s', (path) => expect(both(path)).toContain('denyPaths'));
  it.each(['/srv/other', '/x/conf/local.yml', 'C:\\data\\hr2\\pay.xlsx'])('not in denyPaths: %s', (path) =>
    expect(both(path)).toBeUndefined(),
  );
  it('allowPaths lift a rule for exactly what they name', () => {
    expect(both('/srv/app/.env')).toBeUndefined();
    expect(both('D:\\keys\\app.key')).toBeUndefined();
    expect(both('/srv/app/.env.bak')).toBeDefined();
    expect(both('E:\\keys\\app.key')).toBeDefined();
    expect(both('/srv/app2/.env')).toBeDefined();
    expect(allowedByName(lists)('/srv/app/.env')).toBe(true);
    expect(allowedByName(lists)('/srv/app/.env2')).toBe(false);
  });
  it('a name with odd characters is allowed only where each of its readings is', () => {
    expect(both('/srv/app\\.env')).toBeDefined();
    expect(allowedByName(lists)('/srv/app\\.env')).toBe(false);
    expect(both('/srv/x\\/srv/secret/a')).toBeUndefined();
    expect(both('/srv\\secret\\a')).toContain('denyPaths');
    expect(both('/srv/\nsecret/a')).toContain('denyPaths');
  });
  it('allowPaths never lift denyPaths', () => expect(both('/x/dump.sql')).toContain('denyPaths'));
});

describe('a path in a volume, wherever the guest mounts it', () => {
  const lists = { denyPaths: ['/var/secret/**', 'C:\\data\\hr\\*.xlsx'], allowPaths: [] };
  const named = denyPaths(lists);
  it.each([
    'v-XFS:/lib/etcd/member/snap/db',
    'v-XFS:/etcd/member/snap/db',
    'v-XFS:/cloud/seed/x',
    'v-XFS:/instances/i/user-data.txt',
    'v-NTFS:/System32/config/SAM',
    'v-NTFS:/config/SAM',
    'v-XFS:/kubernetes/admin.conf',
    'v-XFS:/.ssh/id_work',
    'v-XFS:/id_rsa',
  ])('%s may be a secret', (path) => expect(deny(path)).toContain('may hold'));
  it.each([
    'v-XFS:/etc/app.conf',
    'v-XFS:/www/site/nginx/nginx.conf',
    'v-XFS:/log/app.log',
    'v-NTFS:/inetpub/wwwroot/web.config',
  ])('%s is free', (path) => expect(deny(path)).toBeUndefined());
  it.each(['v-XFS:/secret/a', 'v-XFS:/var/secret/a', 'v-NTFS:/hr/pay.xlsx', 'v-NTFS:/pay.xlsx', 'v-XFS:/anything'])(
    '%s may be what the operator denies',
    (path) => expect(named(path)).toContain('denyPaths'),
  );
});

describe('glob', () => {
  it.each([
    ['a/*.conf', 'a/x.conf', true],
    ['a/*.conf', 'a/b/x.conf', false],
    ['a/**/x', 'a/x', true],
    ['a/**/x', 'a/b/c/x', true],
    ['{a,b*}/c', 'b2/c', true],
    ['a?c', 'a/c', false],
    ['a.c', 'abc', false],
    ['a+(x)[y]', 'a+(x)[y]', true],
    ['a{b', 'a{b', true],
  ])('%s on %s: %s', (pattern, text, fits) => expect(glob(pattern).test(text)).toBe(fits));

  it('compiles any pattern', () => {
    fc.assert(fc.property(fc.string({ maxLength: 50 }), (pattern) => void glob(pattern)));
  });
});

describe('files of databases', () => {
  for (const rule of DATABASE_RULES) {
    it.each(rule.denied)(`${rule.why}: %s`, (path) => {
      expect(databaseOf(path)).toEqual({ what: rule.why, domain: rule.domain === true });
    });
    it.each(rule.free)(`not ${rule.why}: %s`, (path) => expect(databaseOf(path)).toBeUndefined());
  }

  it('are known in any spelling, and any text is answered', () => {
    expect(databaseOf('d:/mssql/DATA/Sales.MDF')?.what).toContain('SQL Server');
    expect(databaseOf('/var/lib/docker/overlay2/4f/diff/var/lib/mysql/a/b.ibd')?.what).toContain('MySQL');
    expect(databaseOf('Volume1-NTFS:/Windows/NTDS/edb.log')).toMatchObject({ domain: true });
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (any) => void databaseOf(any)));
  });
});
