import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readText } from '../../../src/servers/read-text.js';
import { placesOf, sshMeaning, typedHost } from '../../../src/servers/ssh-config/index.js';
import { fc } from '../../support/property.js';
import { configDir, meaningBy, read } from './support.js';

const home = mkdtempSync(join(tmpdir(), 'rewind-home-'));
afterAll(() => rmSync(home, { recursive: true, force: true }));

test.each([
  ['Match exec', 'Match exec "true"\nHostName x\n', /Match exec/],
  ['Match exec before the alias', 'Match exec "true"\nHostName x\nHost a\nHostName y\n', /Match exec/],
  ['Match user', 'Match user root\nProxyJump b\n', /Match user/],
  ['Match localuser', 'Match localuser root\nHostName x\n', /Match localuser/],
  ['a criterion that is not known', 'Match moon full\nHostName x\n', /Match moon/],
  ['Match final', 'Match final\nPort 2201\n', /Match final/],
  ['an Include in a part that may count', 'Match exec true\nInclude @/i\n', /Match exec/],
  ['a name that hangs on one that is not sure', 'Match exec true\nHostName x\nMatch host x\nPort 1\n', /Match exec/],
  ['CanonicalizeHostname', 'CanonicalizeHostname yes\n', /CanonicalizeHostname/],
  ['a program that connects', 'ProxyCommand /usr/bin/connect --any\n', /ProxyCommand/],
  ['a program and its arguments', 'ProxyCommand ssh -W 10.0.0.9:22 b\n', /ProxyCommand/],
  ['one more command behind it', 'ProxyCommand ssh -W %h:%p b; nc other 22\n', /ProxyCommand/],
  ['a shared connection', 'ControlPath ~/.ssh/one\n', /ControlPath/],
  ['a shared connection by a name that is none', 'ControlPath ~/.ssh/%%h:%%p\n', /ControlPath/],
  ['a shared connection of all ports', 'ControlPath ~/.ssh/%r@%h\n', /ControlPath/],
  ['a NUL', 'Host a\0\nHostName x\n', /cannot be read/],
  ['an equals sign behind a quoted keyword', 'Host a\n"HostName"="x"\n', /cannot be read/],
  ['a command behind no jump host', 'ProxyJump none\nProxyCommand /usr/bin/connect\n', /ProxyCommand/],
  ['a class of characters', 'Include @/[i]\n', /Include/],
  ['a variable', `Include $${'{HOME}'}/i\n`, /Include/],
  ['a file that is none', 'Include @/dir\n', /regular file/],
])('%s is a stop with its reason', async (_, config, why) => {
  const { main, remove } = configDir({ config, i: 'HostName x\n', 'dir/file': '' });
  try {
    const meaning = await meaningBy(main, 'a');
    expect(meaning.kind === 'stop' && meaning.why).toMatch(why);
  } finally {
    remove();
  }
});

test.each([
  ['what may count comes after what surely does', 'Host a\nHostName y\nMatch exec true\nHostName x\n', 'y 22'],
  ['nothing about where', 'Match exec true\nUser u\n', 'a 22'],
  ['CanonicalizeHostname no', 'CanonicalizeHostname no\n', 'a 22'],
  ['no shared connection', 'ControlPath none\n', 'a 22'],
  ['a connection for each name', 'ControlPath ~/.ssh/%%%n\n', 'a 22'],
  ['a connection for each hash', 'ControlPath ~/.ssh/%C\n', 'a 22'],
  ['no jump host, nor a later one', 'ProxyJump none\nProxyJump b\n', 'a 22'],
  ['a command after no jump host', 'ProxyJump none\nProxyCommand ssh -W %h:%p b\n', 'a 22 via b'],
  ['a connection for each host', 'ControlPath ~/.ssh/%r@%h:%p\n', 'a 22'],
  ['ssh as a proxy', 'ProxyCommand ssh -q -W %h:%p me@b:2222\n', 'a 22 via b'],
  ['ssh as a proxy, the host first', 'ProxyCommand ssh b -W %h:%p\n', 'a 22 via b'],
  ['netcat', 'ProxyCommand nc -X 5 -x p:1080 %h %p\n', 'a 22 via a proxy'],
  ['no command', 'ProxyCommand none\nProxyJump b\n', 'a 22'],
  ['a jump host before a command', 'ProxyJump b\nProxyCommand nc %h %p\n', 'a 22 via b'],
])('%s is none', async (_, config, expected) => {
  const { main, remove } = configDir({ config });
  try {
    expect(read(await meaningBy(main, 'a'))).toContain(expected);
  } finally {
    remove();
  }
});

test('the account’s file comes before the system’s; relative and ~ names lie where ssh looks for them', async () => {
  const system = join(home, 'system');
  mkdirSync(join(home, '.ssh', 'more'), { recursive: true });
  mkdirSync(join(system, 'ssh_config.d'), { recursive: true });
  writeFileSync(join(home, '.ssh', 'config'), 'Include more/*.conf ~/extra\nHost a\nHostName from-user\n');
  writeFileSync(join(home, '.ssh', 'more', 'b.conf'), 'Host b\nHostName from-more\n');
  writeFileSync(join(home, 'extra'), 'Host c\nHostName from-home\n');
  writeFileSync(join(system, 'ssh_config'), 'Include ssh_config.d/*.conf\nHost *\nHostName from-system\n');
  writeFileSync(join(system, 'ssh_config.d', 'd.conf'), 'Host d\nHostName from-dir\n');
  const places = { ...placesOf('linux', home, {}, readText), systemDir: system };
  const at = async (host: string) => read(await sshMeaning(host, places));
  expect(await at('a')).toBe('from-user 22');
  expect(await at('b')).toBe('from-more 22');
  expect(await at('c')).toBe('from-home 22');
  expect(await at('d')).toBe('from-dir 22');
  expect(await at('e')).toBe('from-system 22');
  expect(read(await sshMeaning('e', places, { options: ['HostName=given'] }))).toBe('given 22');
  expect(read(await sshMeaning('a', places, { file: 'none' }))).toBe('a 22');
});

test('Windows has its own places', async () => {
  const { systemDir, path } = placesOf('win32', 'C:\\Users\\u', { PROGRAMDATA: 'D:\\Data' }, readText);
  expect(systemDir).toBe('D:\\Data\\ssh');
  expect(path.join('a', 'b')).toBe('a\\b');
});

test('a host as ssh takes it', () => {
  expect(typedHost('root@a')).toEqual({ host: 'a' });
  expect(typedHost('a@b@c')).toEqual({ host: 'c' });
  expect(typedHost('ssh://u@[2001:db8::5]:2222/')).toEqual({ host: '2001:db8::5', port: 2222 });
  for (const none of ['', '-oProxyCommand=x', 'a b', 'root@', 'http://a', 'a\0'])
    expect(typedHost(none)).toBeUndefined();
});

test('nothing makes it fail or hang, and an answer is one host or a stop', async () => {
  const piece = fc.constantFrom(
    'Host',
    'Match',
    'Include',
    'HostName',
    ' ',
    '=',
    '"',
    "'",
    '\\',
    '\n',
    '\r',
    '*',
    '!',
    '%h',
    '#',
    'a',
    ',',
    '\0',
    '\t',
  );
  const text = fc.oneof(
    fc.array(piece, { maxLength: 40 }).map((all) => all.join('')),
    fc.string({ unit: 'binary' }),
  );
  await fc.assert(
    fc.asyncProperty(text, fc.constantFrom('a', 'b'), async (config, host) => {
      const { main, remove } = configDir({ config });
      try {
        expect((await meaningBy(main, host)).kind).toMatch(/^(machines|stop)$/);
      } finally {
        remove();
      }
    }),
    { numRuns: 300 },
  );
});

test('a name that is not in ASCII is a stop: patterns go by bytes', async () => {
  const { main, remove } = configDir({ config: 'Host caf?\nHostName x\n' });
  try {
    expect(await meaningBy(main, 'café')).toMatchObject({ kind: 'stop' });
  } finally {
    remove();
  }
});
