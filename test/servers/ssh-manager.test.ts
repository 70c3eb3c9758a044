import { cpSync, mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ServerStart } from '../../src/servers/index.js';
import { fc } from '../support/property.js';
import { programOf } from '../support/real-servers.js';
import { type SshVms, startSshVms, whyNoSshd } from '../support/sshd.js';
import { ask, makeHome, shown, startReal } from './support.js';

const missing = await whyNoSshd();
const skipped = missing === undefined ? '' : ` (skipped: ${missing})`;
const PACKAGE = join(dirname(programOf('mcp-ssh-manager')), '..');

/** A copy of the package, so that its aliases and groups are the test's own. */
function makePackage(home: string): string {
  const to = join(home, 'node_modules', 'mcp-ssh-manager');
  mkdirSync(to, { recursive: true });
  for (const name of ['src', 'package.json', 'profiles'])
    cpSync(join(PACKAGE, name), join(to, name), { recursive: true });
  symlinkSync(join(PACKAGE, '..'), join(to, 'node_modules'));
  return to;
}

const at = (home: string, env: Record<string, string> = {}): ServerStart => ({
  command: process.execPath,
  args: [join(home, 'node_modules', 'mcp-ssh-manager', 'src', 'index.js')],
  env: { HOME: home, PATH: process.env['PATH'], SSH_LOG_FILE: join(home, 'log'), ...env },
  cwd: home,
});
const ENV =
  'SSH_SERVER_WEB_PROD_HOST=10.0.0.5\nSSH_SERVER_WEB_TEST_HOST=10.0.0.6\nSSH_SERVER_DB_HOST=db01.corp\nSSH_SERVER_DB_PORT=2222\n';
const packageFile = (name: string) => `node_modules/mcp-ssh-manager/${name}`;
const SCRIPT = { [packageFile('src/index.js')]: '' };

test('alias, then name, then the only name that holds it, then a host', async () => {
  const home = makeHome({
    ...SCRIPT,
    '.ssh-manager/.env': ENV,
    [packageFile('.server-aliases.json')]: '{"live":"web_prod","web_test":"db","gone":"x"}',
  });
  const { meaning } = ask(at(home.dir), home.dir);
  expect(shown(await meaning('web_prod'))).toBe('web_prod=10.0.0.5:22');
  expect(shown(await meaning('WEB_PROD'))).toBe('web_prod=10.0.0.5:22');
  expect(shown(await meaning('live'))).toBe('web_prod=10.0.0.5:22');
  expect(shown(await meaning('web_test'))).toBe('db=db01.corp:2222');
  expect(shown(await meaning('WEB_TEST'))).toBe('web_test=10.0.0.6:22');
  expect(shown(await meaning('prod'))).toBe('web_prod=10.0.0.5:22');
  expect(await meaning('web')).toMatchObject({ kind: 'stop', found: ['web_prod', 'web_test'] });
  expect(shown(await meaning('10.0.0.6'))).toBe('web_test=10.0.0.6:22');
  expect(shown(await meaning('db01.corp.example'))).toBe('db=db01.corp:2222');
  expect(await meaning('10.0.0.')).toMatchObject({ kind: 'stop', found: ['web_prod', 'web_test'] });
  for (const name of ['gone', 'nowhere', '10.9.9.9', 'constructor', '__proto__'])
    expect(shown(await meaning(name)), name).toBe('stop');
  home.remove();
});

test('the environment over .env over TOML; jump hosts and proxy commands', async () => {
  const toml =
    '[ssh_servers.A]\nhost = "toml"\n[ssh_servers.b]\nhost = "toml"\nproxy_jump = "A"\n[ssh_servers.c]\nhost = "toml"\nproxy_command = "nc -x p:1 %h %p"\n[ssh_servers.d]\nhost = "toml"\nproxy_command = "run %h"\n';
  const home = makeHome({
    ...SCRIPT,
    'ssh.toml': toml,
    '.env': 'SSH_SERVER_A_HOST=file\nSSH_SERVER_E_HOST=file\nSSH_CONFIG_PATH=ssh.toml\n',
  });
  const { meaning } = ask(at(home.dir, { SSH_SERVER_E_HOST: 'environment' }), home.dir);
  expect(shown(await meaning('a'))).toBe('a=file:22');
  expect(shown(await meaning('b'))).toBe('b=toml:22 via file');
  expect(shown(await meaning('c'))).toBe('c=toml:22 via a proxy');
  expect(await meaning('d')).toMatchObject({ kind: 'stop', why: expect.stringContaining('proxy command') });
  expect(shown(await meaning('e'))).toBe('e=environment:22');
  home.remove();
});

test('a changed alias counts at once; a changed address may still be the former machine', async () => {
  const home = makeHome({ ...SCRIPT, '.env': ENV });
  const { meaning } = ask(at(home.dir), home.dir);
  expect(shown(await meaning('live'))).toBe('stop');
  home.write(packageFile('.server-aliases.json'), '{"live":"web_prod"}');
  expect(shown(await meaning('live'))).toBe('web_prod=10.0.0.5:22');
  home.write(packageFile('.server-aliases.json'), '{"live":"web_test"}');
  expect(shown(await meaning('live'))).toBe('web_test=10.0.0.6:22');
  home.write('.env', ENV.replace('10.0.0.6', '10.0.0.7'));
  expect(await meaning('live')).toMatchObject({
    kind: 'stop',
    found: ['web_test at 10.0.0.7:22', 'web_test at 10.0.0.6:22'],
  });
  expect(shown(await meaning('prod'))).toBe('web_prod=10.0.0.5:22');
  home.remove();
});

test('groups: labels of servers and stored lists, all of them', async () => {
  const labels = 'SSH_SERVER_WEB_PROD_GROUP=Front\nSSH_SERVER_DB_GROUP=back\n';
  const groups = '{"back":{"servers":["web_test","nowhere"]},"empty":{"servers":[]}}';
  const home = makeHome({ ...SCRIPT, '.env': `${ENV}${labels}`, [packageFile('.server-groups.json')]: groups });
  const { meaning } = ask(at(home.dir), home.dir);
  const group = async (name: string) => shown(await meaning(name, { argument: 'group' }));
  expect(await group('front')).toBe('web_prod=10.0.0.5:22');
  expect(await group('BACK')).toBe('web_test=10.0.0.6:22 db=db01.corp:2222');
  expect(await group('all')).toBe('web_prod=10.0.0.5:22 web_test=10.0.0.6:22 db=db01.corp:2222');
  expect(await group('empty')).toBe('stop');
  expect(await group('production')).toBe('stop');
  home.write(packageFile('.server-groups.json'), '{"back":{"servers":["web_prod"]}}');
  expect(await group('back')).toBe('web_prod=10.0.0.5:22 db=db01.corp:2222 web_test=10.0.0.6:22');
  home.remove();
});

test('what cannot be read in one way stops every name', async () => {
  const bare = makeHome({ '.env': ENV });
  const elsewhere: ServerStart = {
    command: 'npx',
    args: ['-y', 'mcp-ssh-manager'],
    env: { HOME: bare.dir },
    cwd: bare.dir,
  };
  expect(await ask(elsewhere, bare.dir).meaning('db')).toMatchObject({ why: expect.stringContaining('aliases') });
  bare.write('.npm/_npx/0123/node_modules/mcp-ssh-manager/package.json', '{}');
  expect(shown(await ask(elsewhere, bare.dir).meaning('db'))).toBe('db=db01.corp:2222');
  bare.write('.npm/_npx/4567/node_modules/mcp-ssh-manager/.server-aliases.json', '{"db":"web_prod"}');
  expect(shown(await ask(elsewhere, bare.dir).meaning('db'))).toBe('web_prod=10.0.0.5:22');
  bare.remove();
  for (const files of [
    { '.env': 'A="secret\nSSH_SERVER_DB_HOST=x"' },
    { '.env': `${ENV}SSH_CONFIG_PATH=a.toml`, 'a.toml': 'secret' },
  ]) {
    const home = makeHome({ ...SCRIPT, ...files });
    const meaning = await ask(at(home.dir), home.dir).meaning('db');
    expect(meaning.kind).toBe('stop');
    expect(JSON.stringify(meaning)).not.toContain('secret');
    home.remove();
  }
});

test('any configuration and name: the server that the package’s own code finds, or a stop', async () => {
  const { resolveServerName } = (await import(pathToFileURL(join(PACKAGE, 'src', 'server-aliases.js')).href)) as {
    resolveServerName(name: string, servers: Record<string, { host: string }>): string | null;
  };
  const name = fc.constantFrom('WEB', 'WEB1', 'DB', 'A', 'A_B', 'APP');
  const host = fc.constantFrom('10.0.0.5', '10.0.0.50', 'app.corp', 'corp', 'web.corp.example', 'x');
  const word = fc.constantFrom(
    'web',
    'WEB',
    'eb',
    '1',
    'db',
    'a',
    'a_b',
    '_',
    '10.0.0.5',
    '10.0',
    'app.corp',
    '.',
    'corp.example',
    'nowhere',
    'toString',
  );
  const home = makeHome(SCRIPT);
  let found = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.tuple(name, host), { selector: ([each]) => each, maxLength: 5 }),
      word,
      async (all, asked) => {
        home.write('.env', all.map(([each, address]) => `SSH_SERVER_${each}_HOST=${address}\n`).join(''));
        const servers = Object.fromEntries(all.map(([each, address]) => [each.toLowerCase(), { host: address }]));
        const theirs = ((): string | null => {
          try {
            return resolveServerName(asked, servers);
          } catch {
            return null;
          }
        })();
        const meaning = await ask(at(home.dir), home.dir).meaning(asked);
        if (meaning.kind !== 'machines') return;
        found += 1;
        const address = Object.hasOwn(servers, theirs ?? '') ? servers[theirs ?? '']?.host : undefined;
        expect(meaning.machines[0]?.address).toBe(address);
      },
    ),
    { numRuns: 300 },
  );
  expect(found).toBeGreaterThan(80);
  home.remove();
});

describe.skipIf(missing !== undefined)(`the server itself goes to the same machine${skipped}`, () => {
  let ssh: SshVms;
  beforeAll(async () => {
    ssh = await startSshVms(['app01', 'db01']);
  });
  afterAll(() => ssh?.close());

  test('for names, parts of names, hosts, aliases and groups, also after its files were edited', async () => {
    const [app, db] = ssh.vms;
    const home = makeHome();
    makePackage(home.dir);
    const entry = (name: string, vm = app, more = '') =>
      `SSH_SERVER_${name}_HOST=${vm?.host}\nSSH_SERVER_${name}_PORT=${vm?.port}\nSSH_SERVER_${name}_USER=${ssh.user}\nSSH_SERVER_${name}_KEYPATH=${ssh.key}\n${more}`;
    const env = `${entry('WEB_PROD', app, 'SSH_SERVER_WEB_PROD_GROUP=front\n')}${entry('WEB_TEST', db)}`;
    home.write('.ssh-manager/.env', env);
    const start = at(home.dir);
    const asked = ask(start, home.dir);
    const real = await startReal(start);
    const compare = async (name: string) => {
      const meaning = await asked.meaning(name);
      const machine = meaning.kind === 'machines' ? meaning.machines[0] : undefined;
      const expected = ssh.vms.find((vm) => vm.host === machine?.address && vm.port === machine?.port)?.name;
      const landed = await real.call('ssh_execute', { server: name, command: 'printenv VMNAME' });
      if (expected === undefined) expect(landed, name).not.toMatch(/"stdout": ?"(app01|db01)/);
      else expect(landed, name).toContain(expected);
      return expected;
    };
    try {
      expect(await compare('web_prod')).toBe('app01');
      expect(await compare('test')).toBe('db01');
      expect(await compare('web')).toBeUndefined();
      expect(await compare(db?.host ?? '')).toBe('db01');
      expect(await compare('live')).toBeUndefined();
      await real.call('ssh_alias', { action: 'add', alias: 'live', server: 'web_test' });
      expect(await compare('live')).toBe('db01');
      await real.call('ssh_alias', { action: 'add', alias: 'web_prod', server: 'web_test' });
      expect(await compare('web_prod')).toBe('db01');
      home.write('.ssh-manager/.env', `${env}${entry('NEW', app, 'SSH_SERVER_NEW_GROUP=front\n')}`);
      expect(await compare('new')).toBe('app01');
      const front = await asked.meaning('front', { argument: 'group' });
      // web_prod is an alias of web_test by now.
      expect(front.kind === 'machines' && front.machines.map(({ name }) => name)).toEqual(['web_test', 'new']);
      const landed = await real.call('ssh_execute_group', { group: 'front', command: 'printenv VMNAME' });
      expect(landed).toContain('db01');
      expect(landed).toContain('app01');
      // An address that changed: the server keeps its connection to the former machine, which is why the name is a stop.
      home.write(
        '.ssh-manager/.env',
        env.replaceAll(db?.host ?? '-', app?.host ?? '-').replaceAll(String(db?.port), String(app?.port)),
      );
      expect(shown(await asked.meaning('web_test'))).toBe('stop');
      expect(await real.call('ssh_execute', { server: 'WEB_TEST', command: 'printenv VMNAME' })).toContain('db01');
    } finally {
      await real.close();
      home.remove();
    }
  });
});
