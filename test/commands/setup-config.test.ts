import { expect, test } from 'vitest';
import { newConfigText, siteName, withSite, withTargets } from '../../src/commands/setup-config.js';
import { proposeTargets } from '../../src/commands/setup-targets.js';
import { parseConfigFile } from '../../src/config/problems.js';
import type { CoveredTarget } from '../../src/coverage.js';
import type { Vm } from '../../src/domain/target.js';

const site = (url: string, name = 'hq') => ({
  name,
  url,
  auth: { grant: 'password', clientId: 'zerto-client', username: 'u', passwordEnv: 'P' },
  tls: { fingerprint256: `${'AA:'.repeat(31)}AA` },
});

test('a new file is valid, commented, and holds no secret', () => {
  const text = withTargets(withSite(newConfigText('/x/schema.json'), { sites: [] }, site('https://zvm')), {
    web: 'app01',
  });
  expect(parseConfigFile(text, 'f')).toMatchObject({
    zvm: { sites: [{ name: 'hq', url: 'https://zvm', auth: { passwordEnv: 'P' } }] },
    targets: { web: 'app01' },
  });
  expect(text).toContain('// The Zerto appliances.');
});

const EXISTING = `{
  // mine
  "zvm": { "sites": [ { "name": "old", "url": "https://zvm:443/", "auth": { "grant": "password", "username": "x", "passwordEnv": "X" } } ] },
  "targets": { "a": "b" }, // kept
  "mode": "observe",
}
`;

test('a file that is there keeps its comments and other keys; a site of the same URL is replaced, another one added', () => {
  const { zvm } = parseConfigFile(EXISTING, 'f');
  const same = withSite(EXISTING, zvm, site('https://zvm', siteName(zvm, 'https://zvm', 'hq')));
  expect(parseConfigFile(same, 'f')).toMatchObject({
    zvm: { sites: [{ name: 'old', auth: { passwordEnv: 'P' } }] },
    mode: 'observe',
  });
  expect(same).toContain('// mine');
  expect(same).toContain('// kept');
  const other = withTargets(withSite(EXISTING, zvm, site('https://zvm2')), { web: 'app01' });
  const parsed = parseConfigFile(other, 'f');
  expect(parsed.targets).toEqual({ a: 'b', web: 'app01' });
  expect(parsed.zvm).toMatchObject({ sites: [{ name: 'old' }, { name: 'hq' }] });
  expect(siteName(zvm, 'https://zvm2', 'OLD')).toBe('OLD-2');
});

test('the simulator gives way, and CRLF stays', () => {
  const text = '{\r\n  "zvm": "simulator"\r\n}\r\n';
  const changed = withSite(text, 'simulator', site('https://zvm'));
  expect(parseConfigFile(changed, 'f').zvm).toMatchObject({ sites: [{ name: 'hq' }] });
  expect(changed.replaceAll('\r\n', '')).not.toContain('\n');
});

const vm = (name: string, isProtected = true): Vm => ({
  name,
  vmIdentifier: name,
  site: 'hq',
  addresses: [],
  vpgs: isProtected ? [{ name: 'v', vpgIdentifier: 'v', site: 'hq', profile: 'vsphere' }] : [],
});
const covered = (host: string, parts: Partial<CoveredTarget> = {}): CoveredTarget => ({
  host,
  server: 'ssh',
  namedBy: 'server',
  vpgs: [],
  rewindable: false,
  why: [],
  ...parts,
});

test('targets are proposed for hosts that lead to a VM of another name, or to one of the same letters and digits', () => {
  const vms = [vm('app01'), vm('WEB_01'), vm('lab01', false), vm('twin-1'), vm('twin1'), vm('10')];
  const proposals = proposeTargets(
    [
      covered('profile', { vm: 'app01' }),
      covered('APP01', { vm: 'app01' }),
      covered('by-address', { reportedBy: 'lab01' }),
      covered('web-01.example.com'),
      covered('lab.01'),
      covered('lab-01'),
      covered('twin_1'),
      covered('10.'),
      covered('nowhere'),
      covered('other', { vm: 'app01', namedBy: 'targets' }),
    ],
    vms,
  );
  expect(proposals.map(({ host, vm: name, sure }) => [host, name, sure])).toEqual([
    ['profile', 'app01', true],
    ['by-address', 'lab01', true],
    ['web-01.example.com', 'WEB_01', true],
    ['lab-01', 'lab01', false],
  ]);
});
