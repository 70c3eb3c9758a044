import { expect, test } from 'vitest';
import type { Role, Server } from '../../src/domain/call.js';
import { NO_HOST } from '../../src/domain/call.js';
import type { MeantHost } from '../../src/domain/ports.js';
import type { Machine, Meaning, Vm, Vpg } from '../../src/domain/target.js';
import { type AimOptions, createAim } from '../../src/targets/aim.js';
import { verifies } from '../e2e/requirements.js';

const vpg = (name: string): Vpg => ({ name, vpgIdentifier: `g-${name}`, site: 'site-a', profile: 'vsphere' });
const vm = (name: string, vmIdentifier: string, addresses: readonly string[] = []): Vm => ({
  name,
  vmIdentifier,
  site: 'site-a',
  addresses,
  vpgs: [vpg(`vpg-${vmIdentifier}`)],
});

const VMS: readonly Vm[] = [
  vm('app01', 'id-app', ['10.0.0.5', 'fe80::5', '2001:db8::5']),
  vm('db01.corp.example', 'id-db', ['10.0.0.6']),
  vm('clone', 'id-clone-a', ['10.0.0.7']),
  vm('clone', 'id-clone-b', ['10.0.0.8']),
  vm('twin-a', 'id-twin-a', ['172.17.0.1', '10.0.0.19', '10.0.0.20']),
  vm('twin-b', 'id-twin-b', ['172.17.0.1', '10.0.0.19', '10.0.0.21']),
  vm('docked', 'id-docked', ['172.18.0.1', '192.168.122.1', '10.0.0.22']),
  vm('silent', 'id-silent'),
  { ...vm('bare', 'id-bare', ['10.0.0.9']), vpgs: [] },
];

type Options = Partial<AimOptions> & { readonly server?: Server; readonly word?: string; readonly role?: Role };

const takeAim = (
  meaning: Meaning,
  { server = { name: 'ssh', family: 'ssh' }, word = 'word', role = 'host', ...rest }: Options = {},
) => {
  const host = word === '' ? NO_HOST : { value: word, argument: 'host' };
  const names = async (): Promise<readonly MeantHost[]> => [{ host, meaning }];
  const aim = createAim({ inventory: { vms: async () => VMS }, targets: {}, exempt: [], names, ...rest });
  const hosts = word === '' ? [] : [host];
  return aim({ interceptor: 'x', roles: { host: role }, operations: [], hosts }, server, AbortSignal.timeout(1000));
};
const aimAt = async (machine: Machine | readonly Machine[], options?: Options) => {
  const machines = Array.isArray(machine) ? machine : [machine as Machine];
  const { targets, problems } = await takeAim({ kind: 'machines', machines }, options);
  return [...targets.map((target) => target.vm.vmIdentifier), ...problems.map((problem) => problem.kind)];
};

test.each<[string, Machine, string]>([
  ['both agree', { name: 'app01', address: '10.0.0.5' }, 'id-app'],
  ['a full name and the address', { name: 'app01.corp.example', address: '10.0.0.5' }, 'id-app'],
  ['an address with a trailing dot on its name', { name: 'prod', address: 'app01.' }, 'id-app'],
  ['a short name of a VM with a full one', { name: 'prod', address: 'db01' }, 'id-db'],
  ['another spelling of an IPv6 address', { name: 'app01', address: '2001:DB8:0::5' }, 'id-app'],
  ['IPv4 in IPv6', { name: 'db01', address: '::ffff:10.0.0.6' }, 'id-db'],
  ['a VM of which no address is known: its name alone', { name: 'silent', address: '10.9.9.9' }, 'id-silent'],
  ['no address: the name is what is connected to', { name: 'app01' }, 'id-app'],
  ['the address is the name', { name: 'APP01', address: 'app01.' }, 'id-app'],
  ['two VMs of one name, one of the address', { name: 'clone', address: '10.0.0.8' }, 'id-clone-b'],
  ['an address of a VM’s own, beside one that it shares', { name: 'twin-a', address: '10.0.0.20' }, 'id-twin-a'],
  [
    'a name in another domain, the address of the VM of its first label',
    { name: 'app01.far.example', address: '10.0.0.5' },
    'id-app',
  ],
])('%s', async (_, machine, expected) => {
  expect(await aimAt(machine)).toEqual([expected]);
});

test.each<[string, Machine, string]>([
  ['name and address of two VMs', { name: 'app01', address: '10.0.0.6' }, 'ambiguous'],
  ['two VMs of one name, the address of a third', { name: 'clone', address: '10.0.0.5' }, 'ambiguous'],
  ['two VMs of one name and an address that nobody has', { name: 'clone', address: '10.9.9.9' }, 'ambiguous'],
  ['an alias that no VM has, an address that one reports', { name: 'prod', address: '10.0.0.5' }, 'unresolved'],
  ['two VMs of one address, one of the name', { name: 'twin-a', address: '10.0.0.19' }, 'ambiguous'],
  ['two VMs of one address, neither of the name', { name: 'prod', address: '10.0.0.19' }, 'unresolved'],
  ['two VMs of one address, a third of the name', { name: 'silent', address: '10.0.0.19' }, 'ambiguous'],
  [
    'two VMs of one address, the first label of one in another domain',
    { name: 'twin-a.far.example', address: '10.0.0.19' },
    'unresolved',
  ],
  ['a bridge that every docker host has', { name: 'twin-a', address: '172.17.0.1' }, 'unresolved'],
  ['a bridge of docker that one VM alone reports', { name: 'docked', address: '172.18.0.1' }, 'unresolved'],
  ['a bridge of libvirt that one VM alone reports', { name: 'docked', address: '192.168.122.1' }, 'unresolved'],
  ['no known address, a bridge', { name: 'silent', address: '172.17.0.1' }, 'unresolved'],
  [
    'a name in another domain, an address that nobody has',
    { name: 'app01.far.example', address: '10.9.9.9' },
    'unresolved',
  ],
  [
    'a name in another domain, the address of another VM',
    { name: 'app01.far.example', address: '10.0.0.6' },
    'unresolved',
  ],
  [
    'a VM’s name whose connection goes to that label in another domain',
    { name: 'app01', address: 'app01.far.example' },
    'unresolved',
  ],
  ['a VM of no known address, in another domain', { name: 'silent.far.example', address: '10.9.9.9' }, 'unresolved'],
  ['no known address, a loopback one', { name: 'silent', address: '127.0.0.1' }, 'unresolved'],
  ['no known address, the name of another host', { name: 'silent', address: 'far.example' }, 'unresolved'],
  ['no known address, that of another VM', { name: 'silent', address: '10.0.0.5' }, 'ambiguous'],
  ['a VM’s name with an address that it does not report', { name: 'app01', address: '10.9.9.9' }, 'unresolved'],
  ['a VM’s name with a loopback address', { name: 'app01', address: '127.0.0.1' }, 'unresolved'],
  ['link-local addresses tell nothing', { name: 'prod', address: 'fe80::5' }, 'unresolved'],
  ['neither is known', { name: 'prod', address: '10.9.9.9' }, 'unresolved'],
  ['the server’s own machine', { name: 'here', local: true }, 'unresolved'],
  ['a VM’s name for the server’s own machine', { name: 'app01', local: true }, 'unresolved'],
  ['an unprotected VM', { name: 'bare', address: '10.0.0.9' }, 'unprotected'],
  ['octal', { name: 'prod', address: '010.0.0.5' }, 'unresolved'],
])('%s: stop', async (_, machine, kind) => {
  expect(await aimAt(machine)).toEqual([kind]);
});

test('the word that the caller used counts as a name too', async () => {
  expect(await aimAt({ name: 'prod', address: '10.0.0.5' }, { word: 'db01' })).toEqual(['ambiguous']);
  expect(await aimAt({ name: 'prod', address: '10.0.0.5' }, { word: 'app01' })).toEqual(['id-app']);
});

test('a contradiction names both VMs', async () => {
  const { problems } = await takeAim({ kind: 'machines', machines: [{ name: 'app01', address: '10.0.0.6' }] });
  expect(problems[0]?.why).toContain('10.0.0.6');
  expect(problems[0]?.found.join()).toMatch(/id-app.*id-db/);
});

test('an operator’s entry replaces the look-up of that name or address', async () => {
  const unknown: Machine = { name: 'prod', address: '10.9.9.9', port: 2201 };
  expect(await aimAt(unknown, { targets: { word: 'app01' } })).toEqual(['id-app']);
  expect(await aimAt(unknown, { targets: { prod: 'app01' } })).toEqual(['id-app']);
  expect(await aimAt(unknown, { targets: { '10.9.9.9': 'app01' } })).toEqual(['id-app']);
  expect(await aimAt(unknown, { targets: { '10.9.9.9:2201': 'app01', '10.9.9.9': 'db01.corp.example' } })).toEqual([
    'id-app',
  ]);
  expect(await aimAt({ ...unknown, port: 2202 }, { targets: { '10.9.9.9:2201': 'app01' } })).toEqual(['unresolved']);
  const loop: Machine = { name: 'app01', address: '127.0.0.1' };
  expect(await aimAt(loop, { targets: { '127.0.0.1': 'app01' } })).toEqual(['id-app']);
  expect(await aimAt(loop, { targets: { app01: 'app01' } })).toEqual(['id-app']);
  expect(await aimAt({ name: 'here', local: true }, { targets: { localhost: 'app01' } })).toEqual(['id-app']);
});

test('an operator’s entry for a name does not outweigh the address of another VM, unless that lies behind a jump host', async () => {
  const moved: Machine = { name: 'prod', address: '10.0.0.6' };
  expect(await aimAt(moved, { targets: { prod: 'app01' } })).toEqual(['ambiguous']);
  expect(await aimAt({ ...moved, via: ['bastion'] }, { targets: { prod: 'app01' } })).toEqual(['id-app']);
  expect(await aimAt(moved, { targets: { prod: 'app01', '10.0.0.6': 'app01' } })).toEqual(['id-app']);
  expect(await aimAt(moved, { targets: { prod: 'app01', word: 'silent' } })).toEqual(['ambiguous']);
  expect(await aimAt({ name: 'prod' }, { targets: { prod: 'app01', word: 'silent' } })).toEqual(['ambiguous']);
  expect(await aimAt({ name: 'prod', address: '10.9.9.9' }, { targets: { prod: 'gone' } })).toEqual(['unresolved']);
});

test('an operator’s entry for a name does not outweigh an address that several VMs report; one for the address does', async () => {
  const floating: Machine = { name: 'cluster', address: '10.0.0.19' };
  expect(await aimAt(floating, { targets: { cluster: 'twin-a' } })).toEqual(['ambiguous']);
  expect(await aimAt({ ...floating, via: ['bastion'] }, { targets: { cluster: 'twin-a' } })).toEqual(['id-twin-a']);
  expect(await aimAt(floating, { targets: { '10.0.0.19': 'twin-a' } })).toEqual(['id-twin-a']);
  expect(await aimAt({ ...floating, name: 'twin-a' }, { targets: { '10.0.0.19': 'twin-a' } })).toEqual(['id-twin-a']);
});

test('a name for several machines gives several targets, and what one of them does not resolve to', async () => {
  const group = [
    { name: 'app01' },
    { name: 'db01', address: '10.0.0.6' },
    { name: 'lost', address: '10.9.9.9' },
    { name: 'bare' },
  ];
  expect(await aimAt(group, { word: 'web' })).toEqual(['id-app', 'id-db', 'unresolved', 'unprotected']);
  const { hosts, problems } = await takeAim({ kind: 'machines', machines: group }, { word: 'web' });
  expect(hosts).toHaveLength(4);
  expect(problems.map(({ host }) => host)).toEqual(['lost', 'bare']);
  expect(await aimAt([], { word: 'web' })).toEqual(['unresolved']);
});

test('what the server itself would refuse or cannot be told is a stop with what was found', async () => {
  const one = await takeAim({ kind: 'stop', why: 'Match exec runs a program', found: [] });
  expect(one.problems).toEqual([{ host: 'word', kind: 'unresolved', why: 'Match exec runs a program', found: [] }]);
  const two = await takeAim({ kind: 'stop', why: 'two servers match', found: ['web1', 'web2'] });
  expect(two.problems).toMatchObject([{ kind: 'ambiguous', found: ['web1', 'web2'] }]);
});

test('a server of one VM: its names stand for that VM, unless they lead to another', async () => {
  const server: Server = { name: 'ssh', family: 'ssh', target: 'app01' };
  const far: Machine = { name: 'default', address: '10.9.9.9' };
  expect(await aimAt({ name: 'default', address: '127.0.0.1' }, { server, word: '' })).toEqual(['id-app']);
  expect(await aimAt({ name: 'default', address: '10.0.0.5' }, { server, word: '' })).toEqual(['id-app']);
  expect(await aimAt({ name: 'default', address: '10.0.0.6' }, { server, word: '' })).toEqual(['ambiguous']);
  expect(await aimAt(far, { server })).toEqual(['unresolved']);
});

test(`${verifies('R-1')} a server of one VM whose configuration connects to an address that the VM does not report: stop, until the operator says that it is the VM`, async () => {
  const server: Server = { name: 'ssh', family: 'ssh', target: 'app01' };
  for (const far of [
    { name: 'default', address: '10.9.9.9' },
    { name: 'default', address: 'prod.far.example' },
    { name: '10.9.9.9' },
    { name: 'default', address: '172.17.0.1' },
  ] satisfies Machine[]) {
    const address = far.address ?? far.name;
    for (const options of [{ word: '' }, { word: 'prod', role: 'connection' }] as const) {
      const { targets, problems } = await takeAim({ kind: 'machines', machines: [far] }, { server, ...options });
      expect(targets, address).toEqual([]);
      expect(problems, address).toMatchObject([{ kind: 'unresolved', why: expect.stringContaining(address) }]);
      expect(await aimAt(far, { server, ...options, targets: { [address]: 'app01' } }), address).toEqual(['id-app']);
      expect(await aimAt(far, { server, ...options, targets: { [address]: 'silent' } })).toEqual(['ambiguous']);
    }
  }
  const silent: Server = { ...server, target: 'silent' };
  expect(await aimAt({ name: 'default', address: '10.9.9.9' }, { server: silent, word: '' })).toEqual(['id-silent']);
  expect(await aimAt({ name: 'default', address: 'far.example' }, { server: silent, word: '' })).toEqual([
    'unresolved',
  ]);
  expect(
    await aimAt({ name: 'default', address: '10.9.9.9' }, { server: { ...server, target: 'gone' }, word: '' }),
  ).toEqual(['unresolved']);
});

test('a name in a domain that is not the VMs’ is never exempt where a protected VM has its first label', async () => {
  const exempt = [{ hosts: ['*.far.example'], reason: 'lab' }];
  expect(await aimAt({ name: 'app01.far.example', address: '10.9.9.9' }, { exempt })).toEqual(['unresolved']);
  expect(await aimAt({ name: 'app77.far.example', address: '10.9.9.9' }, { exempt })).toEqual(['exempt']);
});

test('no name: the server’s default decides, and the only VM that the operator knows where that leads nowhere', async () => {
  const far: Machine = { name: 'default', address: '127.0.0.1' };
  expect(await aimAt({ name: 'default', address: '10.0.0.6' }, { word: '', defaultTarget: 'app01' })).toEqual([
    'unresolved',
  ]);
  expect(await aimAt(far, { word: '', defaultTarget: 'app01' })).toEqual(['id-app']);
  expect(await aimAt(far, { word: '' })).toEqual(['unresolved']);
});

test('exempt holds for the names and the address, never for a protected VM', async () => {
  const exempt = [{ hosts: ['lab-*', '10.9.0.0/16'], reason: 'lab' }];
  expect(await aimAt({ name: 'lab-1', address: '10.8.0.1' }, { exempt })).toEqual(['exempt']);
  expect(await aimAt({ name: 'x', address: '10.9.0.1' }, { exempt })).toEqual(['exempt']);
  expect(await aimAt({ name: 'lab-1', address: '10.0.0.5' }, { exempt })).toEqual(['unresolved']);
  expect(await aimAt({ name: 'x', address: '10.8.0.1' }, { exempt })).toEqual(['unresolved']);
});

test('where nothing is known of the configuration, names mean what they say', async () => {
  const aim = createAim({ inventory: { vms: async () => VMS }, targets: {}, exempt: [], names: async () => undefined });
  const hosts = [{ value: 'app01', argument: 'host' }];
  const reading = { interceptor: 'x', roles: {}, operations: [], hosts };
  expect((await aim(reading, { name: 's' }, AbortSignal.timeout(1000))).targets).toHaveLength(1);
});

test('an operator’s entry lifts a stop that tells nothing, not one that tells of several machines', async () => {
  const targets = { word: 'app01' };
  const lifted = await takeAim({ kind: 'stop', why: 'Match exec runs a program', found: [] }, { targets });
  expect(lifted.targets.map(({ vm }) => vm.vmIdentifier)).toEqual(['id-app']);
  const changed = await takeAim({ kind: 'stop', why: 'it changed', found: ['word at a', 'word at b'] }, { targets });
  expect(changed.problems).toMatchObject([{ kind: 'ambiguous', why: 'it changed' }]);
  const unknown = await takeAim({ kind: 'stop', why: 'no such', found: ['a', 'b'], unknown: true }, { targets: {} });
  expect(unknown.problems).toMatchObject([{ kind: 'unresolved', found: ['a', 'b'] }]);
});

test('an operator’s entry for a name with its port comes before the one for the name alone', async () => {
  const targets = { gw: 'app01', 'gw:2202': 'clone-x', 'gw:2203': { vmIdentifier: 'id-db' }, word: 'app01' };
  expect(await aimAt({ name: 'gw' }, { targets, word: 'gw' })).toEqual(['id-app']);
  expect(await aimAt({ name: 'gw', port: 22 }, { targets, word: 'gw' })).toEqual(['id-app']);
  expect(await aimAt({ name: 'gw', port: 2203 }, { targets, word: 'ssh://gw:2203' })).toEqual(['id-db']);
  expect(await aimAt({ name: 'gw', port: 2203 }, { targets, word: 'word' })).toEqual(['ambiguous']);
  const { targets: found } = await takeAim({ kind: 'as_written' }, { targets, word: 'ssh://me@gw:2203' });
  expect(found.map(({ vm }) => vm.vmIdentifier)).toEqual(['id-db']);
});

test('a VM that is called like an address of another one leaves it open which one is meant', async () => {
  const vms = [vm('10.0.0.5', 'id-named', ['10.0.0.99']), vm('app01', 'id-app', ['10.0.0.5'])];
  const inventory = { vms: async () => vms };
  expect(await aimAt({ name: '10.0.0.5' }, { inventory, word: '10.0.0.5' })).toEqual(['ambiguous']);
  expect(await aimAt({ name: 'app01', address: '10.0.0.5' }, { inventory, word: 'app01' })).toEqual(['id-app']);
});
