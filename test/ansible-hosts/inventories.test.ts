import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { verifies } from '../e2e/requirements.js';
import { fc } from '../support/property.js';
import { directoryOf, hostsOf, type Tree } from './support.js';

/** The one word that a stop must say. */
async function stops(files: Tree, source: string, pattern = 'all'): Promise<string> {
  const found = await hostsOf({ pattern }, [join(directoryOf(files), source)]);
  return 'stop' in found ? found.stop : `none: ${JSON.stringify(found.machines)}`;
}

const STOPS: readonly (readonly [what: string, files: Tree, source: string, why: RegExp, pattern?: string])[] = [
  ['a program', { 'inv!': 'web1\n' }, 'inv', /program/],
  ['a script without the right to run', { inv: '#!/bin/sh\necho {}\n' }, 'inv', /program/],
  ['a program in a directory', { 'd/a': 'web1\n', 'd/b!': '{}' }, 'd', /program/],
  ['settings of a plugin', { 'aws.yml': 'plugin: amazon.aws.aws_ec2\nregions: [x]\n' }, 'aws.yml', /plugin/],
  ['an encrypted inventory', { inv: '$ANSIBLE_VAULT;1.1;AES256\n6162\n' }, 'inv', /encrypted/],
  ['TOML', { 'inv.toml': '[web.hosts]\nweb1 = {}\n' }, 'inv.toml', /TOML/],
  ['no file', {}, 'nothing', /not there/],
  ['an address that is a template', { inv: "web1 ansible_host='{{ x }}'\n" }, 'inv', /template/],
  [
    'an address without quotes that is a template',
    { inv: '[a]\nweb1\n[a:vars]\nansible_host={{ x }}\n' },
    'inv',
    /template/,
  ],
  [
    'an encrypted address',
    {
      'inv.yml':
        'all:\n  hosts:\n    web1:\n      ansible_host: !vault |\n        $ANSIBLE_VAULT;1.1;AES256\n        61\n',
    },
    'inv.yml',
    /encrypted/,
  ],
  [
    'an encrypted file of variables',
    { inv: '[web]\nweb1\n', 'group_vars/web/vault.yml': '$ANSIBLE_VAULT;1.1;AES256\n61\n' },
    'inv',
    /encrypted/,
  ],
  [
    'a connection that is none by address',
    { inv: 'web1 ansible_connection=community.docker.docker\n' },
    'inv',
    /connection/,
  ],
  ['two addresses', { inv: 'web1 ansible_host=10.0.0.1 ansible_ssh_host=10.0.0.2\n' }, 'inv', /several/],
  [
    'an option of ssh that names a host',
    { inv: "web1 ansible_ssh_common_args='-o HostName=10.0.0.9'\n" },
    'inv',
    /ssh/,
  ],
  ['a connection that hosts share', { inv: "web1 ansible_ssh_common_args='-o ControlPath=/tmp/one'\n" }, 'inv', /ssh/],
  ['a program for ssh', { inv: 'web1 ansible_ssh_executable=/tmp/ssh\n' }, 'inv', /program/],
  ['a number in hex for an address', { inv: 'web1 ansible_host=0x7f000001\n' }, 'inv', /more than one way/],
  [
    'a date for an address',
    { 'inv.yml': 'all: {hosts: {web1: {ansible_host: 2001-01-01}}}\n' },
    'inv.yml',
    /more than one way/,
  ],
  ['tags of YAML', { 'inv.yml': 'all: !!python/object:x {hosts: {web1: }}\n' }, 'inv.yml', /read/],
  ['anchors', { 'inv.yml': 'all:\n  hosts: &h\n    web1:\nx:\n  hosts: *h\n' }, 'inv.yml', /anchors/],
  ['two keys alike', { 'inv.yml': 'all:\n  hosts:\n    web1:\n  hosts:\n    web2:\n' }, 'inv.yml', /alike/],
  ['a host that is a number', { 'inv.yml': 'all:\n  hosts:\n    10:\n' }, 'inv.yml', /key/],
  ['characters that cannot be seen', { inv: 'web1\u200b ansible_host=10.0.0.1\n' }, 'inv', /seen/],
  ['a line end that only Python knows', { inv: 'web1 ansible_host=10.0.0.1\u2028web2\n' }, 'inv', /seen/],
  ['a group within itself', { inv: '[a:children]\nb\n[b:children]\na\n' }, 'inv', /child of itself/],
  ['a group and a host of one name', { inv: 'web\n[web]\nw1\n' }, 'inv', /name/],
  ['an unknown section', { inv: '[web:hostz]\n' }, 'inv', /kind/],
  ['a group that is nowhere', { inv: '[a:children]\nb\n' }, 'inv', /group/],
  ['a range without end', { inv: 'web[1:]\n' }, 'inv', /range/],
  ['a range that is too long', { inv: 'web[1:999999]\n' }, 'inv', /too long/],
  ['a host that is a path', { inv: 'web1\n../../x\n', 'host_vars/a': '' }, 'inv', /name/],
  ['text that may be YAML or INI', { inv: 'web1 note="a: b"\n' }, 'inv', /read/],
  [
    'an order that is by chance',
    { inv: '[a:children]\nx\n[b:children]\ny\n[x]\nx1\n[y]\ny1\n' },
    'inv',
    /order/,
    'all[0]',
  ],
  ['a regular expression of Python alone', { inv: 'web1\n' }, 'inv', /Python/, '~(?i)WEB1'],
  ['a look-ahead', { inv: 'web1\n' }, 'inv', /Python/, '~web(?!2)'],
];

test.each(STOPS.map(([what, files, source, why, pattern]) => ({ what, files, source, why, pattern })))(
  `${verifies('R-4')} $what is a stop, and nothing is run or rendered`,
  async ({ files, source, why, pattern }) => {
    expect(await stops(files, source, pattern)).toMatch(why);
  },
);

test('a template or an encrypted value that decides nothing is no matter', async () => {
  const directory = directoryOf({
    hosts: 'web1 ansible_host=10.0.0.1 greeting=\'{{ lookup("pipe", "id") }}\'\nweb2 ansible_host=\'{{ x }}\'\n',
    'host_vars/web1.yml': 'secret: !vault |\n  $ANSIBLE_VAULT;1.1;AES256\n  61\nnested: {a: *b}\n'.replace(
      '*b',
      '[1, {2: x}]',
    ),
  });
  expect(await hostsOf({ pattern: 'web1' }, [join(directory, 'hosts')])).toEqual({
    machines: [{ name: 'web1', address: '10.0.0.1' }],
  });
});

test("a FIFO, a device, the kernel's files and links that go round are stops, and nobody waits", {
  timeout: 20_000,
}, async () => {
  const directory = directoryOf({ 'd/a': 'web1\n' });
  execFileSync('mkfifo', [join(directory, 'fifo')]);
  symlinkSync('/dev/zero', join(directory, 'zero'));
  symlinkSync(join(directory, 'round'), join(directory, 'round'));
  symlinkSync(directory, join(directory, 'd', 'up'));
  writeFileSync(join(directory, 'large'), Buffer.alloc(3_000_000, 'a'));
  for (const name of ['fifo', 'zero', 'round', 'd', 'large', '/proc/kmsg', '/dev/stdin', '/proc/self/environ'])
    expect(
      await hostsOf({ pattern: 'all' }, [name.startsWith('/') ? name : join(directory, name)]),
      name,
    ).toHaveProperty('stop');
});

test('nothing of a file stands in a stop', async () => {
  const hostile = 'S3cret-word"\u0007 x';
  const files: Tree[] = [
    { inv: `${hostile}\n` },
    { inv: `web1 ansible_host="${hostile}"\n` },
    { inv: `web1 ansible_connection='${hostile}'\n` },
    { inv: `[${hostile}]\n` },
    { inv: `[a:children]\n${hostile}\n` },
  ];
  for (const each of files) expect(await stops(each, 'inv')).not.toContain('cret-word');
});

test('options of ssh that go nowhere else are known, and those that pass another host name it', async () => {
  const directory = directoryOf({
    inv: [
      "web1 ansible_ssh_common_args='-o StrictHostKeyChecking=no -o ProxyJump=ops@bastion -C'",
      'web2 ansible_ssh_common_args=\'-o ProxyCommand="ssh -q -W %h:%p jump.example.com"\'',
      "web3 ansible_ssh_extra_args='-J a,b:22' ansible_port=2201",
      '',
    ].join('\n'),
  });
  expect(await hostsOf({ pattern: 'all' }, [join(directory, 'inv')])).toEqual({
    machines: [
      { name: 'web1', via: ['ops@bastion'] },
      { name: 'web2', via: ['jump.example.com'] },
      { name: 'web3', port: 2201, via: ['a', 'b:22'] },
    ],
  });
});

test('a limit of a file has one pattern on each line', async () => {
  const directory = directoryOf({ inv: '[web]\nweb1\nweb2\nweb3\n', 'site.retry': 'web1\r\nweb3\r\n\n', empty: '\n' });
  const names = async (limit: string) => {
    const found = await hostsOf({ pattern: 'web', limit }, [join(directory, 'inv')], directory);
    return 'stop' in found ? found.stop : found.machines.map(({ name }) => name);
  };
  expect(await names(`@${join(directory, 'site.retry')}`)).toEqual(['web1', 'web3']);
  expect(await names('@site.retry')).toEqual(['web1', 'web3']);
  expect(await names('@empty')).toEqual(['web1', 'web2', 'web3']);
  expect(await names('@nothing')).toMatch(/not there/);
  mkdirSync(join(directory, 'dir'));
  expect(await names('@dir')).toMatch(/not there/);
});

test('variables for the run that say where a host is are a stop', async () => {
  const inv = join(directoryOf({ inv: 'web1\n' }), 'inv');
  const stop = async (value: unknown) => 'stop' in (await hostsOf({ pattern: 'all', extraVars: [value] }, [inv]));
  for (const value of [
    { ansible_host: 'x' },
    'ansible_connection=local',
    '{"a": {"ansible_ssh_host": 1}}',
    '@file.yml',
    'x=1 @y',
    '{"ansible\\u005fhost": "x"}',
    [{ ansible_port: 1 }],
  ])
    expect(await stop(value), JSON.stringify(value)).toBe(true);
  for (const value of [{ version: '1.2' }, 'version=1.2', undefined, '{"a": [1]}', 5])
    expect(await stop(value), JSON.stringify(value)).toBe(false);
});

const HOSTILE = fc.string({
  unit: fc.constantFrom(
    ...'ab1[]{}:-,!&~*?\\\'"=#;\n\t %@$().|+^<>/_',
    'web',
    'all',
    'hosts',
    'ansible_host',
    '\u2028',
    '\u0000',
  ),
  maxLength: 60,
});

test('whatever an inventory holds and a pattern says, the hosts are told or there is a stop', {
  timeout: 60_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(HOSTILE, fc.constantFrom('inv', 'inv.yml', 'inv.json'), HOSTILE, async (text, name, pattern) => {
      const found = await hostsOf({ pattern, limit: pattern }, [join(directoryOf({ [name]: text }), name)]);
      expect('stop' in found || found.machines.every(({ name: host }) => /^[\w.:-]+$/.test(host))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('a regular expression never takes long', async () => {
  const inv = join(directoryOf({ inv: `${'a'.repeat(200)}\n` }), 'inv');
  for (const pattern of ['~(a+)+$x', '~(a|a)*b', '~(a*)*(a*)*c', '~(?:a{1,50}){1,50}b', '~a*a*a*a*a*a*a*b'])
    expect(await hostsOf({ pattern }, [inv])).not.toEqual({ machines: [{ name: 'a'.repeat(200) }] });
});

test('an inventory of very many hosts and groups does not hold up other calls', { timeout: 15_000 }, async () => {
  const names = Array.from({ length: 60_000 }, (_, index) => `h${index}`);
  const groups = names.slice(0, 20_000).map((name) => `[g-${name}]\n${name}`);
  const directory = directoryOf({
    'inv.yml': `all:\n  hosts:\n${names.map((name) => `    ${name}:`).join('\n')}\n`,
    groups: groups.join('\n'),
  });
  for (const name of ['inv.yml', 'groups'])
    expect(await hostsOf({ pattern: 'h7' }, [join(directory, name)])).toEqual({ machines: [{ name: 'h7' }] });
});
