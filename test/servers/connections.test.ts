import { expect, test } from 'vitest';
import type { ServerStart } from '../../src/servers/index.js';
import { ask, makeHome, shown } from './support.js';

const npx = (name: string, home: string, ...args: readonly string[]): ServerStart => ({
  command: 'npx',
  args: ['-y', name, ...args],
  env: { HOME: home },
  cwd: home,
});
const FANG = '@fangjunjie/ssh-mcp-server';
const UARL = '@uarlouski/ssh-mcp-server@1.5.0';
const WIN = '@simonb97/server-win-cli';
const named = { argument: 'connectionName', role: 'connection' } as const;

test('fangjunjie: a file as list or as object, else the command line; the first is the default', async () => {
  const list =
    '[{"name":"dev","host":"10.0.0.5","port":22,"username":"u"},{"name":"prod","host":"10.0.0.6","port":"2222","username":"u","socksProxy":"socks://p:1"}]';
  const object = '{"prod":{"host":"10.0.0.6","port":22},"dev":{"host":"10.0.0.5","port":22}}';
  const home = makeHome({ 'list.json': list, 'object.json': object, 'none.json': '{}', 'bad.json': '{' });
  const of = (...args: readonly string[]) => ask(npx(FANG, home.dir, ...args), home.dir);
  expect(shown(await of('--config-file', 'list.json').meaning('prod', named))).toBe('prod=10.0.0.6:2222 via a proxy');
  expect(shown(await of('--config-file', 'list.json').meaning(''))).toBe('dev=10.0.0.5:22');
  expect(shown(await of('--config-file=object.json').meaning(''))).toBe('prod=10.0.0.6:22');
  expect(await of('--config-file=object.json').meaning('Prod', named)).toMatchObject({
    kind: 'stop',
    found: ['prod', 'dev'],
  });
  expect(shown(await of('--config-file', 'bad.json').meaning(''))).toBe('stop');
  expect(shown(await of('--config-file', 'missing.json').meaning(''))).toBe('stop');
  expect(shown(await of('--nonsense').meaning(''))).toBe('stop');
  const both = [
    '--ssh',
    'name=a,host=10.0.0.7,port=22,user=u,password=x=y',
    '--ssh',
    '{"name":"b","host":"10.0.0.8","port":22,"username":"u"}',
  ];
  expect(shown(await of(...both).meaning('b', named))).toBe('b=10.0.0.8:22');
  expect(shown(await of(...both).meaning(''))).toBe('a=10.0.0.7:22');
  expect(shown(await of('--config-file', 'none.json', ...both).meaning(''))).toBe('a=10.0.0.7:22');
  expect(shown(await of('--host', '10.0.0.9', '-p', '2201', '-u', 'u').meaning(''))).toBe('default=10.0.0.9:2201');
  expect(shown(await of('10.0.0.9', '2201', 'u', 'secret').meaning(''))).toBe('default=10.0.0.9:2201');
  home.remove();
});

test('fangjunjie: one host may be a name of an ssh config, where that is read in one way only', async () => {
  const home = makeHome({ '.ssh/config': '# mine\nHost prod\n  HostName 10.0.0.5\n  Port 2222\n  ProxyJump b\n' });
  const of = () => ask(npx(FANG, home.dir, '--host', 'prod', '-u', 'u'), '/nowhere');
  expect(shown(await of().meaning(''))).toBe('default=10.0.0.5:2222');
  for (const odd of [
    'Match all\nHostName x\n',
    'Include more\n',
    'Host prod\nHostName "x"\n',
    'Host\tprod\nHostName x\n',
    'Host prod\nHostName x#y\n',
  ]) {
    home.write('.ssh/config', odd);
    expect(shown(await of().meaning('')), odd).toBe('stop');
  }
  home.remove();
});

test('uarlouski: servers of the named file, or of the working directory; imports are not followed', async () => {
  const home = makeHome({
    'own.json': '{"servers":{"vm1":{"host":"10.0.0.5"}}}',
    'ssh-mcp-config.json': '{"servers":{"vm2":{"host":"10.0.0.6","port":2222}},"sshConfigImport":{"hosts":["*"]}}',
  });
  const own = ask(npx(UARL, home.dir, '--configPath=own.json'), home.dir);
  expect(shown(await own.meaning('vm1', named))).toBe('vm1=10.0.0.5:22');
  expect(await own.meaning('vm2', named)).toMatchObject({ kind: 'stop', found: ['vm1'] });
  expect(shown(await own.meaning(''))).toBe('stop');
  const found = ask(npx(UARL, home.dir), home.dir);
  expect(shown(await found.meaning('vm2', named))).toBe('vm2=10.0.0.6:2222');
  expect(await found.meaning('vm3', named)).toMatchObject({ why: expect.stringContaining('imports') });
  home.remove();
});

test('both call themselves alike: the command line or the tools tell which one it is', async () => {
  const home = makeHome({ 'ssh-mcp-config.json': '{"servers":{"vm1":{"host":"10.0.0.5"}}}' });
  const server = { name: 'it', info: { name: 'ssh-mcp-server', version: '1.5.0' } };
  const built: ServerStart = { command: 'node', args: ['dist/index.js'], env: { HOME: home.dir }, cwd: home.dir };
  expect(shown(await ask(built, home.dir, server, 'ssh-uarlouski').meaning('vm1', named))).toBe('vm1=10.0.0.5:22');
  expect(shown(await ask(built, home.dir, server, 'ssh-zibdie').meaning('vm1', named))).toBe('as_written');
  expect(shown(await ask(npx(FANG, home.dir, '--host', 'h'), '/nowhere', server).meaning(''))).toBe('default=h:22');
  home.remove();
});

test('win-cli: connections of the first file that holds JSON; other calls are about its own machine', async () => {
  const file = '{"ssh":{"enabled":true,"connections":{"pi":{"host":"10.0.0.5","port":2222,"username":"u"}}}}';
  const home = makeHome({
    'own.json': file,
    'broken.json': '{',
    '.win-cli-mcp/config.json': file.replace('10.0.0.5', '10.0.0.6'),
  });
  const id = { argument: 'connectionId', role: 'connection' } as const;
  expect(shown(await ask(npx(WIN, home.dir, '--config', 'own.json'), home.dir).meaning('pi', id))).toBe(
    'pi=10.0.0.5:2222',
  );
  expect(shown(await ask(npx(WIN, home.dir, '-c', 'broken.json'), home.dir).meaning('pi', id))).toBe(
    'pi=10.0.0.6:2222',
  );
  expect(shown(await ask(npx(WIN, home.dir), home.dir).meaning('localhost', { argument: '' }))).toBe('as_written');
  expect(shown(await ask(npx(WIN, home.dir), home.dir).meaning('other', id))).toBe('stop');
  home.write('.win-cli-mcp/config.json', file.replace('true', 'false'));
  expect(shown(await ask(npx(WIN, home.dir), home.dir).meaning('pi', id))).toBe('stop');
  home.remove();
});
