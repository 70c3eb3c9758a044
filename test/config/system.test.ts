import { chmod, chown, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.js';
import { addUserConfig, withAbsolutePaths } from '../../src/config/override.js';
import { stateDir } from '../../src/config/paths.js';
import { readSystemFile, systemPlace } from '../../src/config/system-file.js';
import { verifies } from '../e2e/requirements.js';
import { fc } from '../support/property.js';
import { directory, site } from './support.js';

const posixTest = test.runIf(process.platform !== 'win32');
const owner = process.geteuid?.() ?? 0;

async function machine(system: unknown, user?: unknown) {
  const home = await directory();
  const path = join(home, 'system.json');
  const file = join(home, 'user.json');
  await writeFile(path, typeof system === 'string' ? system : JSON.stringify(system), { mode: 0o644 });
  if (user !== undefined) await writeFile(file, typeof user === 'string' ? user : JSON.stringify(user));
  const place = { path, owner, platform: process.platform };
  const env = user === undefined ? {} : { ZERTO_REWIND_CONFIG: file };
  const load = () =>
    loadConfig({ env, platform: process.platform, home, system: place, isFixed: true, secrets: 'later' });
  return { home, path, file, place, load };
}

test.each([
  ['linux', '/etc/zerto-rewind-proxy/config.json'],
  ['darwin', '/Library/Application Support/zerto-rewind-proxy/config.json'],
  ['win32', 'C:\\Program Files\\zerto-rewind-proxy\\config.json'],
] as const)('on %s it lies at %s', (platform, path) => {
  expect(systemPlace(platform).path).toBe(path);
});

const SYSTEM = {
  policy: { unknown: 'refuse' },
  guard: { reuseSeconds: 0 },
  targets: { web1: 'app01' },
  exempt: [{ hosts: ['lab-*'], reason: 'lab' }],
  mcpServers: { ssh: { command: '/usr/bin/node', args: ['/opt/ssh.js'], target: 'app01' } },
};

posixTest.each<[string, object, readonly string[], object, readonly string[]]>([
  ['nothing is named', { mode: 'observe', zvm: 'simulator' }, [], { mode: 'enforce', zvm: undefined }, []],
  ['another key', { mode: 'observe' }, ['agent'], { mode: 'enforce' }, ['mode']],
  ['the key itself', { agent: 'me', mode: 'observe' }, ['agent'], { agent: 'me', mode: 'enforce' }, ['mode']],
  [
    'a key below',
    { guard: { answerWithinSeconds: 20, reuseSeconds: 3600 } },
    ['guard.answerWithinSeconds'],
    { guard: { answerWithinSeconds: 20, reuseSeconds: 0 } },
    ['guard.reuseSeconds'],
  ],
  ['a whole group', { guard: { reuseSeconds: 9 } }, ['guard'], { guard: { reuseSeconds: 9 } }, []],
  [
    'a map: names are added and none replaced, in any letter case',
    { targets: { web2: 'app02', WEB1: 'lab01' } },
    ['targets'],
    { targets: { web1: 'app01', web2: 'app02' } },
    ['targets.WEB1'],
  ],
  [
    'servers: the system’s own stays as it is, with its target, environment and command',
    { mcpServers: { ssh: { command: 'evil', env: { A: '1' }, target: 'lab' }, mine: { command: 'x' } } },
    ['mcpServers'],
    { mcpServers: { ssh: { target: 'app01', start: { command: '/usr/bin/node' } }, mine: { name: 'mine' } } },
    ['mcpServers.ssh'],
  ],
  [
    'one key of one server',
    { mcpServers: { ssh: { target: 'app02', command: 'evil' } } },
    ['mcpServers.ssh.target'],
    { mcpServers: { ssh: { target: 'app02', start: { command: '/usr/bin/node' } } } },
    ['mcpServers.ssh.command'],
  ],
  [
    'a list: added to',
    { exempt: [{ hosts: ['10.9.0.0/16'], reason: 'mine' }] },
    ['exempt'],
    { exempt: [{ reason: 'lab' }, { reason: 'mine' }] },
    [],
  ],
  ['the simulator', { zvm: 'simulator' }, ['zvm'], { zvm: undefined }, ['zvm']],
  ['sites', { zvm: { sites: [site()] } }, ['zvm'], { zvm: { kind: 'sites' } }, []],
])(
  `${verifies('F-1')} what a user sets, where allowOverride names %s`,
  async (_, user, allowOverride, wanted, ignored) => {
    const { load, path } = await machine({ ...SYSTEM, allowOverride }, user);
    const config = await load();
    expect(config).toMatchObject(wanted);
    expect(config.system).toMatchObject({ path, ignored });
    expect(config.file).toBe(path);
  },
);

posixTest(
  'the simulator may be allowed; a server on the command line is where servers or this command may be added',
  async () => {
    const allowed = { allowOverride: ['zvm'], allowSimulator: true };
    expect((await (await machine(allowed, { zvm: 'simulator' })).load()).zvm).toEqual({ kind: 'simulator' });
    expect((await (await machine({ allowOverride: ['mcpServers'] })).load()).system?.mayWrapAll).toBe(true);
    const { system } = await (await machine({ allowCommands: [['npx', '-y', 'x']] })).load();
    expect(system).toMatchObject({ mayWrapAll: false, allowCommands: [['npx', '-y', 'x']] });
  },
);

posixTest(
  'a user’s file that may add nothing is not read: a broken one stops nothing; one that may add is an error',
  async () => {
    expect((await (await machine(SYSTEM, 'no JSON')).load()).system?.ignored).toEqual([]);
    const { load } = await machine({ ...SYSTEM, allowOverride: ['agent'] }, '{ "agentt": "x" }');
    await expect(load()).rejects.toMatchObject({ code: 'CONFIG_INVALID', message: expect.stringContaining('agentt') });
  },
);

posixTest('relative paths of a user’s file start there, those of the system’s at its own', async () => {
  const user = { audit: { dir: 'log' }, zvm: { sites: [site({ tls: { caFile: 'ca.pem' } })] } };
  const { home, load } = await machine({ allowOverride: ['zvm', 'audit.dir'] }, user);
  const config = await load();
  expect(config.audit.dir).toBe(join(home, 'log'));
  expect(config.zvm).toMatchObject({ sites: [{ tls: { caFile: join(home, 'ca.pem') } }] });
  expect(withAbsolutePaths({ audit: { headsTo: 'heads' } }, home)).toEqual({ audit: { headsTo: join(home, 'heads') } });
  expect(withAbsolutePaths({ mcpServers: { a: { args: ['file'], env: { file: 'x' } } } }, '/b')).toEqual({
    mcpServers: { a: { args: ['file'], env: { file: 'x' } } },
  });
});

const LOCKS: readonly [string, (made: Awaited<ReturnType<typeof machine>>) => Promise<unknown>][] = [
  ['no JSON', ({ path }) => writeFile(path, '{')],
  ['an unknown key', ({ path }) => writeFile(path, '{ "polic": {} }')],
  ['a wrong value', ({ path }) => writeFile(path, '{ "mode": "off" }')],
  ['allowOverride of a key that is none', ({ path }) => writeFile(path, '{ "allowOverride": ["targetz"] }')],
  ['allowOverride of a part of zvm', ({ path }) => writeFile(path, '{ "allowOverride": ["zvm.sites"] }')],
  ['others can write it', ({ path }) => chmod(path, 0o666)],
  ['a group can write it, as an ACL shows', ({ path }) => chmod(path, 0o664)],
  ['others can write its directory', ({ home }) => chmod(home, 0o777)],
  [
    'a relative caFile',
    ({ path }) => writeFile(path, JSON.stringify({ zvm: { sites: [site({ tls: { caFile: 'ca.pem' } })] } })),
  ],
  ...[
    { otlp: { url: 'https://c.example', tls: { caFile: 'ca.pem' } } },
    { otlp: { url: 'https://c.example', headersFile: { authorization: 'login' } } },
    { syslog: { host: 's.example', tls: { certFile: '/etc/c.pem', keyFile: 'k.pem' } } },
    { ocsf: { dir: 'events' } },
  ].map((exported): (typeof LOCKS)[number] => [
    `a relative path under export: ${JSON.stringify(exported)}`,
    ({ path }) => writeFile(path, JSON.stringify({ export: exported })),
  ]),
  [
    'a caFile that others can write',
    async ({ path, home }) => {
      await writeFile(join(home, 'ca.pem'), '', { mode: 0o666 });
      await chmod(join(home, 'ca.pem'), 0o666);
      await writeFile(path, JSON.stringify({ zvm: { sites: [site({ tls: { caFile: join(home, 'ca.pem') } })] } }));
    },
  ],
  [
    'an inventory that is not there',
    ({ path, home }) => writeFile(path, JSON.stringify({ ansible: { inventorySnapshot: join(home, 'gone') } })),
  ],
];

posixTest.each(LOCKS)(
  `${verifies('F-1')} a system config that cannot be used locks, and the user’s does not take its place: %s`,
  async (_, spoil) => {
    const made = await machine(SYSTEM, { mode: 'observe', zvm: 'simulator', mcpServers: { mine: { command: 'x' } } });
    await spoil(made);
    const config = await made.load();
    expect(config.locked).toContain(made.path);
    expect(config).toMatchObject({ mode: 'enforce', zvm: undefined, exempt: [], mcpServers: { mine: {} } });
  },
);

posixTest('links: at its place, and above it', async () => {
  const { home, path } = await machine(SYSTEM);
  await symlink(path, join(home, 'link.json'));
  const read = (at: string) => readSystemFile({ path: at, owner, platform: process.platform });
  expect(() => read(join(home, 'link.json'))).toThrow(/ELOOP/);
  await mkdir(join(home, 'real'));
  await writeFile(join(home, 'real', 'config.json'), '{}');
  await symlink(join(home, 'real'), join(home, 'above'));
  expect(() => read(join(home, 'above', 'config.json'))).toThrow(/is a link/);
  expect(read(join(home, 'real', 'config.json'))?.config.allowOverride).toEqual([]);
  expect(read(join(home, 'none', 'config.json'))).toBeUndefined();
  if (owner === 0) await chown(path, 12_345, 0);
  expect(() => readSystemFile({ path, owner: owner === 0 ? 0 : owner + 1, platform: process.platform })).toThrow(
    /others/,
  );
});

test('where only writing can be tried, a file that this account can write is none of an administrator', async () => {
  const { place } = await machine(SYSTEM);
  expect(() => readSystemFile({ ...place, platform: 'win32' })).toThrow(/written by this account/);
});

test('no variable moves the state where a system config is there', () => {
  const env = { XDG_STATE_HOME: '/tmp/x', LOCALAPPDATA: 'C:\\x' };
  expect(stateDir({ env, platform: 'linux', home: '/home/a', isFixed: true })).toBe(
    '/home/a/.local/state/zerto-rewind-proxy',
  );
  expect(stateDir({ env, platform: 'win32', home: 'C:\\Users\\a', isFixed: true })).not.toContain('C:\\x');
});

const KEYS = ['mode', 'agent', 'policy', 'guard', 'targets', 'exempt', 'zvm', 'unknown', 'a', 'A'];
const values = fc.letrec((tie) => ({
  value: fc.oneof({ depthSize: 'small' }, fc.integer(), fc.string(), fc.array(fc.integer()), tie('object')),
  object: fc.dictionary(fc.constantFrom(...KEYS), tie('value'), { maxKeys: 4 }),
}));
const objects = values['object'] as fc.Arbitrary<Record<string, unknown>>;

/** Every leaf by its path. */
function leaves(value: unknown, path = ''): readonly (readonly [string, string])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, JSON.stringify(value)]];
  return Object.entries(value).flatMap(([key, each]) => leaves(each, path === '' ? key : `${path}.${key}`));
}

test(`${verifies('F-1')} property: what differs from the system’s config lies under a key that allowOverride names`, () => {
  const paths = fc.array(
    fc.array(fc.constantFrom(...KEYS), { minLength: 1, maxLength: 3 }).map((steps) => steps.join('.')),
    { maxLength: 3 },
  );
  fc.assert(
    fc.property(objects, objects, paths, (system, user, allow) => {
      const { value } = addUserConfig(system, user, allow);
      const before = new Map(leaves(system));
      const isUnder = (path: string) => allow.some((each) => path === each || path.startsWith(`${each}.`));
      const changed = leaves(value).filter(
        ([path, leaf]) => before.get(path) !== leaf && !path.split('.').every((step) => step === ''),
      );
      const gone = [...before.keys()].filter((path) => !leaves(value).some(([each]) => each === path));
      // An empty object that a user adds above a named key holds nothing.
      return changed.every(([path]) => isUnder(path)) && gone.every(isUnder);
    }),
  );
});
