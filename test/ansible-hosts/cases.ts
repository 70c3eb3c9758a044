import type { Tree } from './support.js';

/** Inventories as people write them, and what is asked of each. `sources`: of the files, or lists of hosts. */
export interface Case {
  readonly name: string;
  readonly files: Tree;
  readonly sources: readonly string[];
  readonly queries: readonly (string | readonly [pattern: string, limit: string])[];
}

const PLAIN = `
mail.example.com ansible_host=10.0.0.25

[web]
web[01:07]
web08.example.com:2222 ansible_host=10.1.0.8
web09 ansible_host='10.1.0.9' # a comment

[db]
db-[a:c] ansible_host=10.2.0.1
10.2.0.99

[staging]
web01
web02
db-a

[prod:children]
web
db

[web:vars]
ansible_port=2200
note="a b"
`;

const YAML = `
all:
  hosts:
    lone:
  children:
    web:
      hosts:
        web[1:3].example.com:
          ansible_host: 192.0.2.7
        web4: {ansible_host: "192.0.2.4", ansible_port: 2204}
      vars:
        ansible_connection: ssh
    db:
      hosts:
        db1:
        db2:
      children:
        replicas:
          hosts:
            db3: {ansible_connection: local}
    empty:
`;

export const CASES: readonly Case[] = [
  {
    name: 'INI: groups, ranges, ports, variables',
    files: { hosts: PLAIN },
    sources: ['hosts'],
    queries: [
      'all',
      '*',
      'web',
      'db',
      'prod',
      'ungrouped',
      'web:db',
      'web,db',
      'prod:&staging',
      'prod:!web',
      'prod:!web:&staging',
      '!web',
      '&staging',
      'all:!prod',
      'web*',
      'web0?',
      'web0[1-3]',
      'web[0]',
      'web[1:]',
      'web[-1]',
      'web[0:2]',
      'web[2:0]',
      'web[7:3]',
      'web[20]',
      'db[1:2]:&prod',
      '~web0[1-3]',
      '~(web|db).*',
      '~^db-[ab]$',
      '~\\d+',
      '10.2.0.99',
      '10.2.0.*',
      'db-a',
      'mail.example.com',
      '*.example.com',
      'nothing',
      'web,!web0*',
      'localhost',
      '127.0.0.1',
      '::1',
      'web01:localhost',
      'staging:!db-a',
      ' web , db ',
      'web db',
      'w*:&st*',
      '~.*:!web',
      'web[01:03]',
      'db-[a:b]',
      ['all', 'web01'],
      ['all', 'web:!web0*'],
      ['web', 'db'],
      ['all', '!web'],
      ['all', '~db.*'],
      ['localhost', 'web'],
      ['all', 'web[0]'],
      ['prod', 'staging,mail*'],
      'web08.example.com',
      'all[0]',
      'all[-1]',
      'w??01',
      '[!w]*',
      'PROD',
      'Web*',
      'web0',
      'prod[0]',
      'a:b:c',
      'web:',
      ':web',
      ',,web,,',
      '!',
      '&',
      '~',
      '~web(?=0)',
      '~[',
      'web01:!web01',
    ],
  },
  {
    name: 'YAML: nested groups, variables, a host beside the groups',
    files: { 'site.yml': YAML },
    sources: ['site.yml'],
    queries: [
      'all',
      'web',
      'db',
      'replicas',
      'lone',
      'ungrouped',
      'web[0]',
      'web4',
      'db:!replicas',
      'web?.example.com',
      'empty',
      'all:!web',
      '~db[13]',
      ['all', 'db'],
    ],
  },
  {
    name: 'JSON in the form of YAML inventories',
    files: {
      'hosts.json': '{"all": {"children": {"app": {"hosts": {"a1": {"ansible_host": "10.9.0.1"}, "a2": null}}}}}',
    },
    sources: ['hosts.json'],
    queries: ['all', 'app', 'a1', 'a*'],
  },
  {
    name: 'files of variables beside the inventory',
    files: {
      hosts: '[web]\nw1\nw2\nw3 ansible_host=10.0.0.3\n[web:children]\ninner\n[inner]\nw4\nw5\n',
      'group_vars/all.yml': 'ansible_host: 10.0.9.9\nother: {a: 1}\n',
      'group_vars/web/main.yml': 'ansible_host: 10.0.1.1\n',
      'group_vars/web/zz.yml': 'ansible_port: 22\n80: x\n',
      'group_vars/inner': 'ansible_host: 10.0.4.4\n',
      'host_vars/w1.yml': 'ansible_host: 10.0.0.1\n',
      'host_vars/w5.json': '{"ansible_connection": "local"}',
    },
    sources: ['hosts'],
    queries: ['all', 'web', 'w1', 'w2', 'w3', 'w4', 'w5', 'inner'],
  },
  {
    name: 'a directory: order of the files, what is left out',
    files: {
      'inv/10-web': '[web]\nw1 ansible_host=10.0.0.1\n',
      'inv/20-more.yml': 'web:\n  hosts:\n    w1: {ansible_host: 10.0.0.2}\n    w2:\n',
      'inv/30-old.ini': '[web]\nleftout\n',
      'inv/40.bak': '[web]\nleftout2\n',
      'inv/.hidden': '[web]\nleftout3\n',
      'inv/50~': '[web]\nleftout4\n',
      'inv/sub/x': '[db]\nd1\n',
      'inv/group_vars/db.yml': 'ansible_host: 10.3.0.1\n',
      'inv/sub/group_vars/db.yml': 'ansible_host: 10.3.0.2\n',
    },
    sources: ['inv'],
    queries: ['all', 'web', 'db', 'leftout'],
  },
  {
    name: 'several sources: the last word of a variable, groups joined',
    files: {
      one: '[g]\na ansible_host=10.0.0.1\nb\n',
      two: '[g]\na ansible_host=10.0.0.2\nc\n[g:vars]\nansible_port=99\n',
      'two_vars/x': '',
      'group_vars/g.yml': 'ansible_port: 77\n',
    },
    sources: ['one', 'two'],
    queries: ['all', 'g', 'g[0]', 'g[-1]', 'a'],
  },
  {
    name: 'a list of hosts',
    files: {},
    sources: ['h1,h2:2222,10.0.0.1, web[1:3],'],
    queries: ['all', 'h1', 'h2', 'h*', '10.0.0.1', 'h1[0]'],
  },
  {
    name: 'localhost in the inventory',
    files: { hosts: 'localhost ansible_connection=local\nh1\n' },
    sources: ['hosts'],
    queries: ['all', 'localhost', '127.0.0.1', '::1', 'all:!localhost'],
  },
  {
    name: 'localhost over ssh',
    files: { hosts: 'localhost\n127.0.0.1\n' },
    sources: ['hosts'],
    queries: ['all', 'localhost', '127.0.0.1', '::1'],
  },
  {
    name: 'priority and depth of groups',
    files: {
      hosts:
        '[a]\nh\n[b]\nh\n[c:children]\na\n[a:vars]\nansible_host=10.0.0.1\n[b:vars]\nansible_host=10.0.0.2\nansible_group_priority=10\n[c:vars]\nansible_host=10.0.0.3\n',
    },
    sources: ['hosts'],
    queries: ['all', 'a:b', 'c'],
  },
  {
    name: 'priority alone',
    files: {
      hosts:
        '[a]\nh\n[b]\nh\n[a:vars]\nansible_host=10.0.0.1\nansible_group_priority=10\n[b:vars]\nansible_host=10.0.0.2\n',
    },
    sources: ['hosts'],
    queries: ['h'],
  },
  {
    name: 'ranges with steps, letters, addresses',
    files: { hosts: 'n[1:10:3]\n[x]\nr[a:e:2]-[08:10]\n10.0.[1:2].[5:6]\n[v6]\nfe80::1\n[2001:db8::5]:22\n' },
    sources: ['hosts'],
    queries: ['all', 'x', 'n*', 'n4', '10.0.1.5', 'ra-08', 'v6', 'fe80::1', 'fe80::1,n1', '2001:db8::5', '10.0.*'],
  },
];
