import { expect, test } from 'vitest';
import type { HostName, Role, Server } from '../../src/domain/call.js';
import type { Vm, Vpg } from '../../src/domain/target.js';
import { type AimOptions, createAim } from '../../src/targets/aim.js';
import { findVm } from '../../src/targets/find-vm.js';
import { verifies } from '../e2e/requirements.js';
import { fc } from '../support/property.js';

const vpg = (name: string): Vpg => ({ name, vpgIdentifier: `g-${name}`, site: 'site-a', profile: 'vsphere' });
const vm = (
  name: string,
  vmIdentifier: string,
  addresses: readonly string[] = [],
  vpgs: readonly Vpg[] = [vpg(`vpg-${name}`)],
): Vm => ({
  name,
  vmIdentifier,
  site: 'site-a',
  addresses,
  vpgs,
});

const VMS: readonly Vm[] = [
  vm('app01', 'id-app', ['10.0.0.5', '127.0.0.1', 'fe80::1', '2001:DB8::5']),
  vm('db01.corp.example', 'id-db', ['10.0.0.6']),
  vm('web', 'id-web1', ['10.0.0.7']),
  vm('web', 'id-web2', ['10.0.0.8']),
  vm('bare', 'id-bare', ['10.0.0.9'], []),
  vm('lab-7', 'id-lab7', ['10.9.0.7']),
  vm('lab-8', 'id-lab8', ['10.9.0.8'], []),
  vm('SQL Server 1', 'id-sql'),
];

const aimAt = async (
  hosts: readonly (string | HostName)[],
  options: Partial<AimOptions> & { server?: Server; vms?: readonly Vm[]; role?: Role } = {},
) => {
  const { server = { name: 'ssh', family: 'ssh' }, vms = VMS, role = 'host', ...rest } = options;
  const names = hosts.map((host) => (typeof host === 'string' ? { value: host, argument: 'host' } : host));
  const aim = await createAim({ inventory: { vms: async () => vms }, targets: {}, exempt: [], ...rest })(
    { interceptor: 'generic', roles: { host: role }, operations: [], hosts: names },
    server,
    AbortSignal.timeout(1000),
  );
  return [...aim.targets.map((target) => target.vm.vmIdentifier), ...aim.problems.map((problem) => problem.kind)];
};

test.each([
  ['app01', 'id-app'],
  ['APP01', 'id-app'],
  ['id-app', 'id-app'],
  ['app01.corp.example', 'id-app'],
  ['app01.', 'id-app'],
  ['db01', 'id-db'],
  ['DB01.corp.example', 'id-db'],
  ['SQL Server 1', 'id-sql'],
  ['ssh://root@app01:22/', 'id-app'],
])('%s is one VM', async (host, identifier) => {
  expect(await aimAt([host])).toEqual([identifier]);
});

test.each([
  ['web', 'ambiguous'],
  ['bare', 'unprotected'],
  ['10.0.0.9', 'unresolved'],
  ['10.0.0.5', 'unresolved'],
  ['root@10.0.0.5:22', 'unresolved'],
  ['2001:db8:0:0::5', 'unresolved'],
  ['db01.other.example', 'unresolved'],
  ['app01.evil.example', 'unresolved'],
  ['app01.sub.corp.example', 'unresolved'],
  ['app01.example', 'unresolved'],
  ['app01..corp.example', 'unresolved'],
  ['ssh://root@app01.evil.example:22/', 'unresolved'],
  ['nowhere', 'unresolved'],
  ['10.0.0.250', 'unresolved'],
  ['10', 'unresolved'],
  ['010.0.0.5', 'unresolved'],
  ['167772165', 'unresolved'],
  ['0x0a.0.0.5', 'unresolved'],
  ['127.0.0.1', 'unresolved'],
  ['localhost', 'unresolved'],
  ['::1', 'unresolved'],
  ['fe80::1', 'unresolved'],
  ['аpp01', 'unresolved'],
  ['ａｐｐ01', 'unresolved'],
  ['app01\u200b', 'unresolved'],
  ['app01\0', 'unresolved'],
  ['app01 ; id', 'unresolved'],
  ['app01,db01', 'unresolved'],
  ['app0*', 'unresolved'],
  ['all', 'unresolved'],
  ['', 'unresolved'],
  ['__proto__', 'unresolved'],
  ['constructor', 'unresolved'],
])('%j is %s', async (host, kind) => {
  expect(await aimAt([host])).toEqual([kind]);
});

test(`${verifies('R-1')} a full name stands for a VM of its first label only in a domain that is known to be the VMs’`, async () => {
  const vms = [vm('app01', 'id-app'), vm('web', 'id-web')];
  expect(await aimAt(['app01.corp.example'], { vms })).toEqual(['unresolved']);
  for (const domains of [['corp.example'], ['CORP.example'], ['far.example', 'corp.example']])
    expect(await aimAt(['app01.corp.example'], { vms, domains }), domains.join()).toEqual(['id-app']);
  expect(await aimAt(['app01.corp.example'], { vms, domains: ['example', 'eu.corp.example'] })).toEqual(['unresolved']);
  expect(await aimAt(['app01.corp.example'], { vms: [...vms, vm('db01.corp.example', 'id-db')] })).toEqual(['id-app']);
  // The octets of an address are no domain.
  expect(await aimAt(['app01.0.0.5'], { vms: [...vms, vm('10.0.0.5', 'id-ip')] })).toEqual(['unresolved']);
  const aim = createAim({ inventory: { vms: async () => vms }, targets: {}, exempt: [] });
  const hosts = [{ value: 'app01.corp.example', argument: 'host' }];
  const reading = { interceptor: 'x', roles: {}, operations: [], hosts };
  const { problems } = await aim(reading, { name: 'ssh' }, AbortSignal.timeout(1000));
  expect(problems).toMatchObject([{ found: ['app01'], why: expect.stringMatching(/"domains".*"targets"/) }]);
  const server: Server = { name: 'ssh', family: 'ssh', target: 'app01' };
  expect(await aimAt(['app01.corp.example'], { vms, server })).toEqual(['unresolved']);
  expect(await aimAt(['app01.corp.example'], { vms, exempt: [{ hosts: ['*'], reason: 'lab' }] })).toEqual([
    'unresolved',
  ]);
});

test('an address alone proves no VM, and names those that report it; the operator’s entry for it counts', async () => {
  const vms = [vm('a', 'id-a', ['10.1.0.1']), vm('b', 'id-b', ['10.1.0.1'])];
  const aim = createAim({ inventory: { vms: async () => vms }, targets: {}, exempt: [] });
  const hosts = [{ value: '10.1.0.1', argument: 'host' }];
  const { targets, problems } = await aim(
    { interceptor: 'x', roles: {}, operations: [], hosts },
    { name: 'ssh' },
    AbortSignal.timeout(1000),
  );
  expect(targets).toEqual([]);
  expect(problems).toMatchObject([{ kind: 'unresolved', why: expect.stringContaining('alone'), found: ['a', 'b'] }]);
  for (const host of ['10.0.0.5', 'root@10.0.0.5:22', '[10.0.0.5]:22'])
    expect(await aimAt([host], { targets: { '10.0.0.5': 'app01' } }), host).toEqual(['id-app']);
});

test('a VM that two sites list is one, with the VPGs of both', async () => {
  const vms = [vm('a', 'id-a', [], [vpg('x')]), { ...vm('a', 'id-a', [], [vpg('x'), vpg('y')]), site: 'site-b' }];
  const found = findVm('a', vms);
  expect(found.kind === 'one' && found.vm.vpgs.map(({ name }) => name)).toEqual(['x', 'y']);
});

test('problems say what was found', async () => {
  const aim = await createAim({ inventory: { vms: async () => VMS }, targets: {}, exempt: [] })(
    {
      interceptor: 'generic',
      roles: {},
      operations: [],
      hosts: ['web', 'app0l', 'bare'].map((value) => ({ value, argument: 'host' })),
    },
    { name: 'ssh' },
    AbortSignal.timeout(1000),
  );
  expect(aim.problems).toEqual([
    {
      host: 'web',
      kind: 'ambiguous',
      why: expect.any(String),
      found: ['web (id-web1, site site-a, VPG vpg-web)', 'web (id-web2, site site-a, VPG vpg-web)'],
    },
    { host: 'app0l', kind: 'unresolved', why: expect.any(String), found: ['app01'] },
    { host: 'bare', kind: 'unprotected', why: expect.any(String), found: ['bare (id-bare, site site-a, no VPG)'] },
  ]);
});

test('a VM that the call does not name says where in the config it stands', async () => {
  const unnamed = async (server: Server, options: Partial<AimOptions> = {}, hosts: readonly HostName[] = []) => {
    const aim = createAim({ inventory: { vms: async () => VMS }, targets: {}, exempt: [], ...options });
    const { targets, problems } = await aim(
      { interceptor: 'generic', roles: {}, operations: [], hosts },
      server,
      AbortSignal.timeout(1000),
    );
    return [...targets, ...problems].map((each) => each.unnamed);
  };
  expect(await unnamed({ name: 'ssh', target: 'app01' })).toEqual(['target']);
  expect(await unnamed({ name: 'ssh', target: 'gone' })).toEqual(['target']);
  expect(await unnamed({ name: 'ssh' }, { targets: { web: 'app01' }, defaultTarget: 'app01' })).toEqual(['targets']);
  expect(await unnamed({ name: 'ssh' }, { targets: { web: 'app01', front: { vmIdentifier: 'id-app' } } })).toEqual([
    'targets',
  ]);
  expect(await unnamed({ name: 'ssh' }, { targets: { a: 'app01', b: 'lab-7' } })).toEqual([undefined]);
  const named = [{ value: 'app01', argument: 'host' }];
  expect(await unnamed({ name: 'ssh' }, { targets: { web: 'app01' } }, named)).toEqual([undefined]);
});

test('the operator’s own names decide before any other, and alone', async () => {
  const targets = { Frontend: 'app01', web: { vmIdentifier: 'id-web2' }, db01: 'gone', '127.0.0.1:2201': 'lab-7' };
  expect(await aimAt(['frontend'], { targets })).toEqual(['id-app']);
  expect(await aimAt(['root@frontend:22'], { targets })).toEqual(['id-app']);
  expect(await aimAt(['web'], { targets })).toEqual(['id-web2']);
  expect(await aimAt(['127.0.0.1:2201'], { targets })).toEqual(['id-lab7']);
  expect(await aimAt(['db01'], { targets })).toEqual(['unresolved']);
});

test('the operator’s entry for a host with its port counts where the call gives the port beside it', async () => {
  const targets = { 'gw:2202': 'app01', '[2001:db8::9]:2202': 'app01', gw: 'lab-7' };
  const at = (value: string, port?: number) => aimAt([{ value, argument: 'host', port }], { targets });
  expect(await at('gw', 2202)).toEqual(['id-app']);
  expect(await at('root@GW', 2202)).toEqual(['id-app']);
  expect(await at('2001:db8::9', 2202)).toEqual(['id-app']);
  expect(await at('gw', 22)).toEqual(['id-lab7']);
  expect(await at('gw')).toEqual(['id-lab7']);
  expect(await at('nowhere', 2202)).toEqual(['unresolved']);
  const server: Server = { name: 'ssh', family: 'ssh', target: 'lab-7' };
  expect(await aimAt([{ value: 'gw', argument: 'host', port: 2202 }], { targets, server })).toEqual(['ambiguous']);
});

test('each VM is aimed at once, however it is called', async () => {
  expect(await aimAt(['app01', 'id-app', 'APP01', 'db01', 'nowhere', 'nowhere'])).toEqual([
    'id-app',
    'id-db',
    'unresolved',
  ]);
});

test('a server that serves one VM: no name and its own names mean that VM, another VM is a conflict', async () => {
  const server: Server = { name: 'ssh', family: 'ssh', target: 'app01' };
  expect(await aimAt([], { server })).toEqual(['id-app']);
  expect(await aimAt(['10.0.0.5'], { server })).toEqual(['id-app']);
  expect(await aimAt(['10.0.0.6'], { server })).toEqual(['ambiguous']);
  expect(await aimAt(['10.0.0.6'], { server, role: 'connection' })).toEqual(['ambiguous']);
  expect(await aimAt(['localhost'], { server })).toEqual(['id-app']);
  expect(await aimAt(['prod-profile'], { server, role: 'connection' })).toEqual(['id-app']);
  expect(await aimAt(['prod-profile'], { server, role: 'host' })).toEqual(['unresolved']);
  expect(await aimAt(['db01'], { server })).toEqual(['ambiguous']);
  expect(await aimAt(['db01'], { server, role: 'connection' })).toEqual(['ambiguous']);
  expect(await aimAt(['web'], { server, role: 'connection' })).toEqual(['ambiguous']);
  expect(await aimAt([], { server: { ...server, target: 'nowhere' } })).toEqual(['unresolved']);
  expect(await aimAt(['localhost'], { server: { ...server, family: 'shell' } })).toEqual(['unresolved']);
});

test('a call that names no host goes to the one VM that is known, or is not resolved', async () => {
  expect(await aimAt([], { targets: { a: 'app01', b: { vmIdentifier: 'id-app' } } })).toEqual(['id-app']);
  expect(await aimAt([], { targets: { a: 'app01', b: 'db01.corp.example' } })).toEqual(['unresolved']);
  expect(await aimAt([])).toEqual(['unresolved']);
  expect(await aimAt([], { defaultTarget: 'app01' })).toEqual(['id-app']);
});

test('a name for many hosts is never taken for one', async () => {
  for (const argument of ['group', 'hostPattern', 'host_pattern', 'inventory']) {
    expect(await aimAt([{ value: 'app01', argument }]), argument).toEqual(['unresolved']);
  }
});

test('exempt holds for the caller’s names, never for one that is also a protected VM', async () => {
  const exempt = [
    { hosts: ['lab-*', '10.9.0.0/16', 'fd00::/8'], reason: 'lab' },
    { hosts: ['*.test'], reason: 'throw-away' },
  ];
  const at = (host: string) => aimAt([host], { exempt });
  expect(await at('lab-9')).toEqual(['exempt']);
  expect(await at('LAB-9')).toEqual(['exempt']);
  expect(await at('root@10.9.3.4:22')).toEqual(['exempt']);
  expect(await at('fd00::7')).toEqual(['exempt']);
  expect(await at('a.test')).toEqual(['exempt']);
  expect(await at('lab-8')).toEqual(['exempt']);
  expect(await at('lab-7')).toEqual(['id-lab7']);
  expect(await at('10.9.0.7')).toEqual(['unresolved']);
  expect(await at('10.10.0.1')).toEqual(['unresolved']);
  // Who logs in is not where.
  expect(await at('lab-1@nowhere')).toEqual(['unresolved']);
  // Patterns may cover more than the rule.
  expect(await at('lab-*')).toEqual(['unresolved']);
  expect(await at('lab-9:app01')).toEqual(['unresolved']);
  expect(await at('lab-9/../app01')).toEqual(['unresolved']);
});

test('the reason of an exemption is the operator’s', async () => {
  const aim = await createAim({
    inventory: { vms: async () => VMS },
    targets: {},
    exempt: [{ hosts: ['*'], reason: 'all mine' }],
  })(
    { interceptor: 'generic', roles: {}, operations: [], hosts: [{ value: 'x', argument: 'host' }] },
    { name: 'ssh' },
    AbortSignal.timeout(1000),
  );
  expect(aim.problems).toEqual([{ host: 'x', kind: 'exempt', why: 'all mine', found: [] }]);
});

test('what the sites cannot be asked is passed on', async () => {
  const aim = createAim({ inventory: { vms: () => Promise.reject(new Error('down')) }, targets: {}, exempt: [] });
  await expect(
    aim({ interceptor: 'g', roles: {}, operations: [], hosts: [] }, { name: 's' }, AbortSignal.timeout(1000)),
  ).rejects.toThrow('down');
});

test('no text resolves to a VM that bears neither its name, its first label nor its address', async () => {
  const alphabet = fc.constantFrom(...'app01db.corp@:[]/\\ \u0430\u202e10.0.0.5*~-_'.split(''));
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(fc.string({ unit: alphabet, maxLength: 24 }), fc.string({ unit: 'binary' })),
      async (host) => {
        const [result] = await aimAt([host]);
        if (result?.startsWith('id-') !== true) return;
        const bearer = VMS.find(({ vmIdentifier }) => vmIdentifier === result);
        const traces = [
          bearer?.name,
          bearer?.vmIdentifier,
          bearer?.name.split('.')[0],
          ...(bearer?.addresses ?? []),
        ].map((trace) => trace?.toLowerCase() ?? '-');
        expect(traces.some((trace) => host.toLowerCase().includes(trace) || trace.includes(':'))).toBe(true);
      },
    ),
    { numRuns: 2000 },
  );
});
