import { expect, test } from 'vitest';
import type { Reading } from '../../src/domain/call.js';
import { ProxyError } from '../../src/domain/errors.js';
import type { Listing } from '../../src/domain/ports.js';
import type { Vm } from '../../src/domain/target.js';
import { createAim } from '../../src/targets/aim.js';
import { verifies } from '../e2e/requirements.js';
import { vpg } from '../support/calls.js';

const never = new AbortController().signal;
const vm = (name: string, more: Partial<Vm> = {}): Vm => ({
  name,
  vmIdentifier: `id-${name}`,
  site: 'a',
  addresses: [],
  vpgs: [vpg(`vpg-${name}`)],
  ...more,
});
const down = new ProxyError('ZVM_UNREACHABLE', 'The ZVM of site "b" did not answer GET /v1/vms (timeout).');

function aimOn(listing: Partial<Listing>, targets: Record<string, { vmIdentifier: string }> = {}) {
  const whole: Listing = { vms: [], unsure: [], silent: [{ site: 'b', error: down }], ...listing };
  const inventory = { vms: () => Promise.reject(down), listing: async () => whole };
  const aim = createAim({ inventory, targets, exempt: [{ hosts: ['lab*'], reason: 'lab' }] });
  return (...hosts: string[]) => {
    const reading: Reading = {
      interceptor: 'test',
      roles: {},
      operations: [],
      hosts: hosts.map((value) => ({ value, argument: 'host' })),
    };
    return aim(reading, { name: 'ssh' }, never);
  };
}

test(`${verifies('R-1')} while a site is silent, VMs of the others are aimed at as ever`, async () => {
  const aim = aimOn({ vms: [vm('app01')], unsure: [vm('db01', { site: 'b' })] });
  expect((await aim('app01')).targets.map(({ vm }) => vm.name)).toEqual(['app01']);
});

test.each([
  ['is not found elsewhere', 'db01', {}],
  ['may be there by the word of another site', 'db01', { unsure: [vm('db01', { site: 'b' })] }],
  ['has a namesake that may be there', 'app01', { unsure: [vm('app01', { vmIdentifier: 'id-2', site: 'b' })] }],
  ['is known elsewhere as unprotected', 'web01', { vms: [vm('web01', { vpgs: [] })] }],
  ['is exempt only where no protected VM has its name', 'lab01', {}],
])(
  `${verifies('R-1', 'G-5')} a host that %s is no problem of the call but a failure that names the site`,
  async (_why, host, more) => {
    const aim = aimOn({ vms: [vm('app01')], ...more });
    const error = await aim(host, 'app01').catch((caught: unknown) => caught as ProxyError);
    expect(error).toMatchObject({ code: 'ZVM_UNREACHABLE', message: expect.stringContaining(`"${host}"`) });
    expect((error as ProxyError).message).toMatch(/site "b".*did not answer.*not sent/);
  },
);

test('two VMs that are there for sure stay two', async () => {
  const aim = aimOn({ vms: [vm('app01'), vm('app01', { vmIdentifier: 'id-2' })] });
  expect((await aim('app01')).problems).toMatchObject([{ kind: 'ambiguous' }]);
});

test(`${verifies('R-1')} a VM that was failed over or moved is told with where it is now, never as not found`, async () => {
  const moved = vm('app01', { vmIdentifier: 'new', site: 'dr', formerly: ['old'] });
  for (const [targets, host] of [
    [{ web: { vmIdentifier: 'old' } }, 'web'],
    [{}, 'old'],
  ] as const) {
    const { problems } = await aimOn({ vms: [moved], silent: [] }, targets)(host);
    expect(problems).toMatchObject([
      {
        kind: 'unresolved',
        why: expect.stringMatching(/failed over or moved.*"app01 \(new, site dr, VPG vpg-app01\)"/),
      },
    ]);
  }
  // Nothing is remembered after a restart; the name says where it may be.
  const { problems } = await aimOn(
    { vms: [{ ...moved, formerly: undefined }], silent: [] },
    { app01: { vmIdentifier: 'old' } },
  )('app01');
  expect(problems[0]?.why).toMatch(/is no VM now.*failover.*"app01 \(new, site dr/);
  // By its name it is just that VM.
  expect((await aimOn({ vms: [moved], silent: [] })('app01')).targets[0]?.vm.site).toBe('dr');
});

test('a VM that nothing protects since its failover says so', async () => {
  const { problems } = await aimOn({ vms: [vm('app01', { vpgs: [], formerly: ['old'], site: 'dr' })], silent: [] })(
    'app01',
  );
  expect(problems).toMatchObject([
    { kind: 'unprotected', why: expect.stringContaining('failed over'), found: [expect.stringContaining('site dr')] },
  ]);
});

test(`${verifies('R-1')} VMs of one name in two organisations are a stop that says both`, async () => {
  const twins = [
    vm('app01', { organization: 'tenant-1' }),
    vm('app01', { vmIdentifier: 'id-2', organization: 'tenant-2' }),
  ];
  const { problems } = await aimOn({ vms: twins, silent: [] })('app01');
  expect(problems).toMatchObject([
    { kind: 'ambiguous', found: [expect.stringContaining('tenant-1'), expect.stringContaining('tenant-2')] },
  ]);
});
