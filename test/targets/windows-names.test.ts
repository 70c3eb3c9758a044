import { describe, expect, test } from 'vitest';
import { readCall } from '../../interceptors/index.js';
import type { Server } from '../../src/domain/call.js';
import type { Aim, Vm, Vpg } from '../../src/domain/target.js';
import { bareHost } from '../../src/targets/address.js';
import { type AimOptions, createAim } from '../../src/targets/aim.js';
import { verifies } from '../e2e/requirements.js';
import { fc } from '../support/property.js';

const vpg = (name: string): Vpg => ({ name, vpgIdentifier: `g-${name}`, site: 'site-a', profile: 'vsphere' });
const vm = (name: string, vmIdentifier: string, address: string, vpgs: readonly Vpg[]): Vm => ({
  name,
  vmIdentifier,
  site: 'site-a',
  addresses: [address],
  vpgs,
});
const VMS: readonly Vm[] = [
  vm('app01', 'id-app', '10.0.0.5', [vpg('app'), vpg('app-far')]),
  vm('DB01.corp.example', 'id-db', '10.0.0.6', [vpg('db')]),
  vm('files', 'id-files', '2001:db8::5', [vpg('files')]),
  vm('twin', 'id-twin-a', '10.0.0.7', [vpg('a')]),
  vm('twin', 'id-twin-b', '10.0.0.8', [vpg('b')]),
  vm('bare', 'id-bare', '10.0.0.9', []),
];
const TARGETS = { '10.0.0.5': 'app01', '2001:db8::5': 'files', 'web.internal:5986': 'app01' };

interface Asked extends Partial<AimOptions> {
  readonly server?: Server;
}

const aimOf = (tool: string, args: Record<string, unknown>, asked: Asked): Promise<Aim> => {
  const { server = { name: 'it', family: 'winrm' }, ...rest } = asked;
  const reading = readCall({ server, tool, arguments: args, description: undefined });
  const aim = createAim({ inventory: { vms: async () => VMS }, targets: TARGETS, exempt: [], ...rest });
  return aim(reading, server, AbortSignal.timeout(5_000));
};
/** The VPGs that a call would be pinned on, or why it stops. */
const led = async (tool: string, args: Record<string, unknown>, asked: Asked = {}): Promise<string> => {
  const { targets, problems } = await aimOf(tool, args, asked);
  return [
    ...targets.map(({ vm: { vmIdentifier, vpgs } }) => `${vmIdentifier}: ${vpgs.map(({ name }) => name).join(', ')}`),
    ...problems.map(({ kind, why, found }) => `${kind}: ${why}; ${found.join()}`),
  ].join('\n');
};

const computer = (name: unknown, asked?: Asked) =>
  led('run_powershell', { computer: name, script: 'Stop-Service x' }, asked);
const share = (path: unknown, asked?: Asked) =>
  led('write_network_file', { path, content: 'x' }, { server: { name: 'it', family: 'smb' }, ...asked });

const APP = 'id-app: app, app-far';
const DB = 'id-db: db';
const FILES = 'id-files: files';

describe(`${verifies('R-1')} a computer of WinRM`, () => {
  test.each([
    ['app01', APP],
    ['APP01', APP],
    ['app01.corp.example', APP],
    ['app01.', APP],
    ['app01:5985', APP],
    ['http://app01:5985/wsman', APP],
    ['https://APP01.corp.example:5986/wsman?PSVersion=5.1', APP],
    ['http://corp%5Cme:secret@app01:5985/wsman', APP],
    ['id-app', APP],
    ['db01', DB],
    ['db01.corp.example:5986', DB],
    ['10.0.0.5', APP],
    ['10.0.0.5:5985', APP],
    ['http://10.0.0.5:5985/wsman', APP],
    ['2001:db8::5', FILES],
    ['[2001:db8::5]:5985', FILES],
    ['http://[2001:DB8:0::5]:5985/wsman', FILES],
    ['https://web.internal:5986/wsman', APP],
  ])('%s is one VM, with every VPG of it', async (name, expected) => {
    expect(await computer(name)).toBe(expected);
  });

  test.each([
    ['10.0.0.6', /^unresolved: an address alone does not prove .*; DB01\.corp\.example$/],
    ['db01.other.example', /^unresolved: no VM/],
    ['app1', /^unresolved: no VM.*; app01/],
    ['CORP\\app01', /^unresolved/],
    ['app01$', /^unresolved/],
    ['localhost', /^unresolved: it names whatever machine looks it up/],
    ['.', /^unresolved: it names whatever machine looks it up/],
    ['127.0.0.1:5985', /^unresolved: it names whatever machine looks it up/],
    ['[::1]:5985', /^unresolved: it names whatever machine looks it up/],
    ['http://localhost:5985/wsman', /^unresolved: it names whatever machine looks it up/],
    ['$env:COMPUTERNAME', /^unresolved/],
    ['twin', /^ambiguous: 2 VMs .*id-twin-a.*id-twin-b/],
    ['bare', /^unprotected: no VPG protects the VM/],
    ['http://app01\\@db01:5985/wsman', /^unresolved/],
    ['http://app01@db01\\x', /^unresolved/],
    ['app0*', /^unresolved/],
    ['http://app01 db01/', /^unresolved/],
    ['web.internal', /^unresolved/],
    ['ａｐｐ01', /^unresolved/],
  ])('%s stops, and says what was found', async (name, expected) => {
    expect(await computer(name)).toMatch(expected);
  });

  test('the machine itself is the VM of a server that serves one', async () => {
    const server: Server = { name: 'it', family: 'winrm', target: 'db01.corp.example' };
    for (const name of ['localhost', '.', '127.0.0.1']) expect(await computer(name, { server }), name).toBe(DB);
    expect(await computer('app01', { server })).toMatch(/^ambiguous: it names another VM than the one/);
  });

  test('a list names each of its VMs, and one that is none stops the whole call', async () => {
    const many = (computers: unknown) => led('run_powershell', { computers, script: 'Stop-Service x' });
    expect(await many(['app01', 'http://db01:5985/wsman', 'APP01:5985'])).toBe(`${APP}\n${DB}`);
    expect(await many('app01, db01')).toBe(`${APP}\n${DB}`);
    const { problems } = await aimOf('run_powershell', { computers: ['app01', 'nowhere'], script: 'rm x' }, {});
    expect(problems.map(({ host }) => host)).toEqual(['nowhere']);
    expect(await many([])).toMatch(/unresolved: it stands for many hosts/);
  });
});

describe(`${verifies('R-1')} a share of SMB`, () => {
  test.each([
    [String.raw`\\app01\data\x`, APP],
    ['//app01/data/x', APP],
    [String.raw`\\APP01.corp.example\data`, APP],
    [String.raw`\\10.0.0.5\data\x`, APP],
    [String.raw`\\2001-db8--5.ipv6-literal.net\data\x`, FILES],
    [String.raw`\\?\UNC\db01\data\x`, DB],
    ['//?/UNC/db01/data/x', DB],
    [String.raw`\\db01@SSL@443\data\x`, DB],
    [String.raw`\\db01@SSL\DavWWWRoot\data\x`, DB],
    ['smb://corp;me:secret@db01:445/data/x', DB],
    ['cifs://db01/data', DB],
    ['file://db01/data/x', DB],
    [String.raw`Microsoft.PowerShell.Core\FileSystem::\\db01\data\x`, DB],
    [String.raw`\\app01\C$\Windows\x`, APP],
    [String.raw`\\app01\ADMIN$`, APP],
    [String.raw`\\?\UNC\app01\c$\x`, APP],
  ])('%s lies on one VM, with every VPG of it', async (path, expected) => {
    expect(await share(path)).toBe(expected);
    // An argument that is taken for a host says the same.
    expect(await led('delete', { share_name: path }, { server: { name: 'it', family: 'smb' } })).toBe(expected);
  });

  test.each([
    [String.raw`\\nowhere\data\x`, /^unresolved: no VM has the name of its machine.*DFS/],
    [String.raw`\\corp.example\dfs\x`, /^unresolved: no VM has the name of its machine.*DFS/],
    [String.raw`\\app01\SYSVOL\x`, /^unresolved: the share is that of a whole domain/],
    [String.raw`\\app01\netlogon\x`, /^unresolved: the share is that of a whole domain/],
    [String.raw`\\10.0.0.6\data\x`, /^unresolved/],
    [String.raw`\\twin\data\x`, /^ambiguous: 2 VMs/],
    [String.raw`\\bare\data\x`, /^unprotected/],
    [String.raw`\\localhost\data\x`, /^unresolved: it names whatever machine looks it up/],
    [String.raw`\\.\UNC\localhost\data\x`, /^unresolved: it names whatever machine looks it up/],
    [String.raw`\\evil@app01\data\x`, /^unresolved: .*readers differ/],
    ['//me@app01/data/x', /^unresolved: .*readers differ/],
    [String.raw`\\\\app01\\data\\x`, /^unresolved: .*readers differ/],
    [String.raw`\\?\GLOBALROOT\Device\Mup\app01\data`, /^unresolved: .*readers differ/],
    [String.raw`"\\app01\data\x"`, /^unresolved: .*readers differ/],
    [String.raw`\\.\pipe\x`, /^unresolved: the call names no host/],
    [String.raw`C:\x`, /^unresolved: the call names no host/],
  ])('%s stops, and says what was found', async (path, expected) => {
    expect(await share(path)).toMatch(expected);
  });

  test('host and share by themselves are the same as in one name', async () => {
    const by = (host: unknown, name: string) => led('smb_write', { host, share: name, path: 'x', content: 'x' });
    expect(await by('app01', 'data')).toBe(APP);
    expect(await by('10.0.0.5:445', 'data')).toBe(APP);
    expect(await by('2001:db8::5', 'data')).toBe(FILES);
    expect(await led('smb_write', { host: 'web.internal', port: 5986, share: 'data' })).toBe(APP);
    expect(await by('app01', 'C$')).toBe(APP);
    expect(await by('app01', 'SYSVOL')).toMatch(/^unresolved: the share is that of a whole domain/);
    expect(await by('.', 'data')).toMatch(/^unresolved/);
    expect(await led('smb_write', { computers: ['app01', 'db01'], share: 'data' })).toBe(`${APP}\n${DB}`);
  });

  test('a pipe or a disk in place of a machine is none', async () => {
    for (const name of [String.raw`\\.\pipe\x`, String.raw`\\.\PhysicalDrive0`, String.raw`\\?\C:\x`])
      expect(await led('delete', { share_name: name }), name).toMatch(/^unresolved: it names whatever machine/);
  });

  test('what the operator says of a share or of its machine decides', async () => {
    const targets = { '\\\\corp.example\\Files': 'files', nas: 'app01', app01: 'app01' };
    expect(await share(String.raw`\\CORP.example\files\x`, { targets })).toBe(FILES);
    expect(await share('//corp.example/files/x', { targets })).toBe(FILES);
    expect(await share(String.raw`\\corp.example\other\x`, { targets })).toMatch(/^unresolved/);
    expect(await share(String.raw`\\nas\data\x`, { targets })).toBe(APP);
    expect(await share(String.raw`\\app01\C$\x`, { targets })).toBe(APP);
    expect(await share(String.raw`\\app01\sysvol\x`, { targets })).toMatch(/^unresolved/);
    expect(await share(String.raw`\\app01\sysvol\x`, { targets: { '\\\\app01\\SYSVOL': 'app01' } })).toBe(APP);
  });

  test('a path on another machine’s share does not stand for the host of a command', async () => {
    const args = { script: 'Copy-Item a b', working_directory: String.raw`\\db01\data` };
    expect(await led('run', { ...args, computer: 'app01' })).toBe(`${APP}\n${DB}`);
    expect(await led('run', args, { targets: { app01: 'app01' } })).toBe(`${APP}\n${DB}`);
  });
});

const host = fc.constantFrom('app01', 'DB01', 'files', 'nowhere', '10.0.0.5', '');
const other = fc.constantFrom('app01', 'db01', 'files', 'x');
const glue = fc.constantFrom('\\', '/', '@', ':', '?', '#', '.', '%5c', '\\\\', '//', ';', ' ', '\t');

test('whatever stands around a name, a call that leads to a VM was given that VM’s own name or address', async () => {
  const own: Record<string, RegExp> = {
    'id-app': /app01|10\.0\.0\.5/i,
    'id-db': /db01/i,
    'id-files': /files|2001/i,
  };
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('', 'http://', 'smb://', 'file:', '\\\\', '//', '\\\\?\\UNC\\', '\\\\.\\'),
      fc.array(fc.oneof(host, other, glue), { minLength: 1, maxLength: 6 }),
      fc.boolean(),
      async (prefix, parts, isPath) => {
        const text = prefix + parts.join('');
        const { targets } = await aimOf('write_network_file', isPath ? { path: text } : { computer: text }, {
          server: { name: 'it', family: 'smb' },
        });
        expect(targets.length).toBeLessThanOrEqual(1);
        for (const { vm: found } of targets) {
          expect(text).toMatch(own[found.vmIdentifier] ?? /^$/);
          expect(bareHost(text)).toMatch(new RegExp(`^(?:${own[found.vmIdentifier]?.source})`, 'i'));
        }
      },
    ),
    { numRuns: 400 },
  );
});
