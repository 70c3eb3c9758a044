import { expect, test } from 'vitest';
import { readCall } from '../../interceptors/index.js';
import { classifyCommand } from '../../src/classify/index.js';
import { coverage, reachOf } from '../../src/domain/assessment.js';
import type { HostName, Reading, Server } from '../../src/domain/call.js';
import type { ServerNames } from '../../src/domain/ports.js';
import { resolvedNames, type Vm } from '../../src/domain/target.js';
import { type AimOptions, createAim } from '../../src/targets/aim.js';

const VMS: readonly Vm[] = ['app01', 'db01', 'web01'].map((name, index) => ({
  name,
  vmIdentifier: `id-${name}`,
  site: 'site-a',
  addresses: [`10.0.0.${index + 5}`],
  vpgs: [{ name: `vpg-${name}`, vpgIdentifier: `g-${name}`, site: 'site-a', profile: 'vsphere' }],
}));

async function aimAt(
  command: string,
  hosts: readonly string[],
  more: Partial<Reading> & Partial<AimOptions> & { server?: Server } = {},
) {
  const { server = { name: 'ssh', family: 'ssh' }, targets = {}, exempt = [], names, defaultTarget, ...reading } = more;
  const assessment = classifyCommand('bash', command);
  const named = hosts.map((value): HostName => ({ value, argument: 'host' }));
  const aim = await createAim({ inventory: { vms: async () => VMS }, targets, exempt, names, defaultTarget })(
    { interceptor: 'x', roles: { host: 'host' }, operations: [], hosts: named, ...reading },
    server,
    AbortSignal.timeout(1000),
    reachOf(assessment),
  );
  const problems = aim.problems.map(({ host, kind }) => `${kind} ${host}`);
  return [...aim.targets.map(({ vm }) => vm.name), ...problems, coverage(assessment, resolvedNames(aim))];
}

test('a command that changes another VM has both pinned, and both covered', async () => {
  expect(await aimAt("ssh db01 'rm x'", ['app01'])).toEqual(['app01', 'db01', 'vm']);
  expect(await aimAt("rm y; ssh root@db01 'rm x'", ['app01'])).toEqual(['app01', 'db01', 'vm']);
  expect(await aimAt('psql -h db01 -c "drop table t"', ['app01'])).toEqual(['app01', 'db01', 'vm']);
  expect(await aimAt('ssh db01 rm x; ssh web01 rm x', ['app01'])).toEqual(['app01', 'db01', 'web01', 'vm']);
  expect(await aimAt('ssh app01 rm x', ['app01'])).toEqual(['app01', 'vm']);
  expect(await aimAt('ssh db01 cat x; rm y', ['app01'])).toEqual(['app01', 'vm']);
  expect(await aimAt('kubectl delete pod x', ['app01'])).toEqual(['app01', 'elsewhere']);
});

test('one that cannot be resolved is a problem of the call, and not covered', async () => {
  expect(await aimAt('ssh "$h" rm x', ['app01'])).toEqual(['app01', 'unresolved ', 'elsewhere']);
  expect(await aimAt('rm y; ssh nowhere rm x', ['app01'])).toEqual(['app01', 'unresolved nowhere', 'partly']);
  expect(await aimAt('psql -h prod.rds.example -c "drop table t"', ['app01'])).toEqual([
    'app01',
    'unresolved prod.rds.example',
    'elsewhere',
  ]);
  expect(await aimAt('ssh 10.0.0.6 rm x', ['app01'])).toEqual(['app01', 'unresolved 10.0.0.6', 'elsewhere']);
  expect(await aimAt('ssh "db*" rm x', ['app01'])).toEqual(['app01', 'unresolved db*', 'elsewhere']);
  const exempt = [{ hosts: ['lab-*'], reason: 'lab' }];
  expect(await aimAt('ssh lab-1 rm x', ['app01'], { exempt })).toEqual(['app01', 'exempt lab-1', 'elsewhere']);
  expect(await aimAt('ssh x rm y', ['app01'], { targets: { x: 'db01' } })).toEqual(['app01', 'db01', 'vm']);
});

test('a server of one VM: what its commands reach out to is another one', async () => {
  const server: Server = { name: 'ssh', family: 'ssh', target: 'app01' };
  expect(await aimAt('ssh db01 rm x', [], { server })).toEqual(['app01', 'db01', 'vm']);
  expect(await aimAt('ssh nowhere rm x', [], { server })).toEqual(['app01', 'unresolved nowhere', 'elsewhere']);
});

test('commands of the machine that the server runs on: that machine counts where they change something on it', async () => {
  const names: ServerNames = async ({ hosts }) =>
    hosts.map((host) => ({
      host,
      meaning:
        host.client === 'ssh'
          ? { kind: 'machines', machines: [{ name: host.value === 'prod' ? 'db01' : host.value, address: '10.0.0.6' }] }
          : { kind: 'as_written' },
    }));
  const local = async (command: string, more: Partial<AimOptions> = {}) => {
    const call = { server: { name: 'sh' }, tool: 'run_command', arguments: { command }, description };
    const reading = readCall(call);
    expect(reading.local).toBe(true);
    return aimAt(command, [], { ...reading, names, ...more });
  };
  expect(await local("ssh prod 'rm x'")).toEqual(['db01', 'vm']);
  expect(await local('ssh prod rm x; rm y')).toEqual(['db01', 'unresolved localhost', 'vm']);
  expect(await local('ssh prod rm x; rm y', { targets: { localhost: 'web01' } })).toEqual(['web01', 'db01', 'vm']);
  expect(await local('ssh "$h" rm x', { defaultTarget: 'app01' })).toEqual(['unresolved ', 'elsewhere']);
  expect(await local('plink prod rm x', { defaultTarget: 'app01' })).toEqual(['unresolved ', 'elsewhere']);
  expect(await local('rm x')).toEqual(['unresolved localhost', 'vm']);
  expect(await local('kubectl delete pod x')).toEqual(['unresolved localhost', 'elsewhere']);
  expect(await local('psql -h db01 -c "drop table t"')).toEqual(['db01', 'vm']);
});

const description = {
  name: 'run_command',
  inputSchema: { type: 'object', properties: { command: {}, workdir: {}, stdin: {} } },
};
