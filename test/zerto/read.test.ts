import { describe, expect, it } from 'vitest';
import { ProxyError } from '../../src/domain/errors.js';
import { asDate, messageOf, readAnswer } from '../../src/zerto/read.js';
import * as wire from '../../src/zerto/wire.js';
import { fc } from '../support/property.js';

/** A row as a 10.x appliance sends it; every key can be rewritten. */
const ROW = {
  VmIdentifier: 'd4a6.vm-38',
  VmName: 'app01',
  VpgIdentifier: '57f5',
  VpgName: 'Production',
  ActualRPO: -1,
  Status: 1,
  SubStatus: 0,
  ProtectedSite: { href: 'https://zvm/v1/localsite', identifier: '9e09', rel: null, type: 'LocalSiteApi' },
  RecoverySite: { href: 'https://zvm/v1/peersites/057c', identifier: '057c', rel: null, type: 'PeerSiteApi' },
  Entities: { Protected: 0, Recovery: 0, Source: 0, Target: 0 },
  EnabledActions: { IsFlrEnabled: true },
  LastTest: null,
  OrganizationName: 'ZORG-1',
  VmNetworkInformation: { NetworkAdapters: [{ IpAddresses: ['10.0.0.5', 'fe80::1'] }, { IpAddresses: ['10.0.0.5'] }] },
  Link: { href: 'https://zvm/v1/vms/d4a6.vm-38?VpgIdentifier=57f5', identifier: 'd4a6.vm-38?VpgIdentifier=57f5' },
};
const READ = {
  vmIdentifier: 'd4a6.vm-38',
  vmName: 'app01',
  vpgIdentifier: '57f5',
  vpgName: 'Production',
  protectedSite: '9e09',
  recoverySite: '057c',
  protectedEntity: 0,
  isFlrEnabled: true,
  organization: 'ZORG-1',
  status: 1,
  subStatus: 0,
  addresses: ['10.0.0.5', 'fe80::1'],
};

function rekey(value: unknown, fold: (key: string) => string): unknown {
  if (Array.isArray(value)) return value.map((item) => rekey(item, fold));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [fold(key), rekey(member, fold)]));
}

describe('objects of the wire', () => {
  it.each([
    ['PascalCase', (key: string) => key],
    ['camelCase', (key: string) => key[0]?.toLowerCase() + key.slice(1)],
    ['lower case', (key: string) => key.toLowerCase()],
    ['upper case', (key: string) => key.toUpperCase()],
  ])('reads a VM row in %s', (_name, fold) => {
    expect(wire.readVmRows([rekey(ROW, fold)])).toEqual([READ]);
  });

  it('takes ids from the link where the row has none, and never a VM id with a query', () => {
    const { VmIdentifier: _vm, VpgIdentifier: _vpg, ...bare } = ROW;
    expect(wire.readVmRows([bare])).toEqual([READ]);
    const encoded = { ...bare, Link: { href: '/v1/vms/a%2Fb.vm-1?x=1&vpgIdentifier=57f5', identifier: 'a?x' } };
    expect(wire.readVmRows([encoded])[0]).toMatchObject({ vmIdentifier: 'a/b.vm-1', vpgIdentifier: '57f5' });
  });

  it('reads what may be null as absent', () => {
    const row = { ...ROW, Entities: null, EnabledActions: null, VmNetworkInformation: null, RecoverySite: null };
    const [read] = wire.readVmRows([row]);
    expect(read).toMatchObject({ addresses: [], protectedEntity: undefined, recoverySite: undefined });
    expect(wire.readVmRows(null)).toEqual([]);
    expect(wire.readJournal({ Earliest: null, Latest: null })).toEqual({ oldest: undefined, newest: undefined });
    expect(wire.readJournal(null)).toEqual({ oldest: undefined, newest: undefined });
  });

  it('reads checkpoints with numbers or text as ids, and an empty tag as none', () => {
    const list = [
      { CheckpointIdentifier: 786, TimeStamp: '2019-07-20T19:30:19Z', Tag: null, Type: 0 },
      { checkpointIdentifier: '787', timeStamp: '/Date(1479726853000)/', tag: '', vss: false },
      { CheckpointIdentifier: '788', TimeStamp: '2019-07-20T19:30:29', Tag: 'x' },
    ];
    expect(wire.readCheckpoints(list)).toEqual([
      { checkpointIdentifier: '786', timestamp: '2019-07-20T19:30:19Z', tag: undefined },
      { checkpointIdentifier: '787', timestamp: '2016-11-21T11:14:13Z', tag: undefined },
      { checkpointIdentifier: '788', timestamp: '2019-07-20T19:30:29Z', tag: 'x' },
    ]);
  });

  it('reads a session as an object, a list or nothing', () => {
    const session = { FlrSessionIdentifier: 's.1', FlrSessionStatus: 'MountInProgress', MountTime: null };
    const read = { sessionIdentifier: 's.1', status: 'MountInProgress' };
    expect(wire.readSessions(session)).toMatchObject([read]);
    expect(wire.readSessions([session])).toMatchObject([read]);
    expect(wire.readSessions([])).toEqual([]);
    expect(wire.readSessions(null)).toEqual([]);
  });

  it('reads a quoted string and one quoted twice', () => {
    expect(wire.readString('v1/downloads/a')).toBe('v1/downloads/a');
    expect(wire.readString('"v1/downloads/a"')).toBe('v1/downloads/a');
  });
});

describe('dates', () => {
  it.each([
    ['2019-07-20T19:30:19Z', '2019-07-20T19:30:19Z'],
    ['2019-07-11T16:51:07.022Z', '2019-07-11T16:51:07.022Z'],
    ['2019-07-11T16:51:07.0220000Z', '2019-07-11T16:51:07.022Z'],
    ['2019-07-11T16:51:07', '2019-07-11T16:51:07Z'],
    ['2019-07-11T16:51:07+02:00', '2019-07-11T14:51:07Z'],
    ['/Date(1479726853000)/', '2016-11-21T11:14:13Z'],
    ['/Date(1479726853123+0200)/', '2016-11-21T11:14:13.123Z'],
    ['/Date(-1000)/', '1969-12-31T23:59:59Z'],
  ])('reads %s', (text, expected) => {
    expect(asDate(text, 'x')).toBe(expected);
  });

  it.each(['', 'yesterday', '2019', '2019-13-01T00:00:00Z', '/Date(99999999999999999)/', '1/2/2021', null, 5, {}])(
    'refuses %j',
    (value) => {
      expect(() => asDate(value, 'x')).toThrow('x is no date');
    },
  );

  it('takes a time without zone as UTC wherever the machine stands', () => {
    const zone = process.env['TZ'];
    process.env['TZ'] = 'America/New_York';
    try {
      expect(new Date('2019-07-11T16:51:07').getUTCHours()).not.toBe(16);
      expect(asDate('2019-07-11T16:51:07', 'x')).toBe('2019-07-11T16:51:07Z');
    } finally {
      if (zone === undefined) delete process.env['TZ'];
      else process.env['TZ'] = zone;
    }
  });

  it('reads every time alike in both forms', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (millis) => {
        const iso = new Date(millis).toISOString();
        expect(asDate(`/Date(${millis})/`, 'x')).toBe(asDate(iso, 'x'));
        expect(Date.parse(asDate(iso, 'x'))).toBe(millis);
      }),
    );
  });
});

describe('answers that are not understood', () => {
  const { readUnprotectedVms, ...one } = wire;
  const READERS = Object.entries({ ...one, readUnprotectedVms: (value: unknown) => readUnprotectedVms('a', value) });

  it.each(READERS)('%s answers or rejects with ZVM_REJECTED for any JSON', (_name, read) => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), (text) => {
        try {
          readAnswer('site-a', 'GET /v1/x', 200, text, read as (value: unknown) => unknown);
        } catch (error) {
          expect(error).toBeInstanceOf(ProxyError);
          expect(error).toMatchObject({ code: 'ZVM_REJECTED' });
          expect(String(error)).toContain('GET /v1/x');
        }
      }),
      { numRuns: 60 },
    );
  });

  it('stops at one bad row rather than losing a VM', () => {
    const rows = JSON.stringify([ROW, { ...ROW, VmName: undefined }]);
    expect(() => readAnswer('site-a', 'GET /v1/vms', 200, rows, wire.readVmRows)).toThrow(/VmName.*GET \/v1\/vms/);
  });

  it('is not fooled by keys of the prototype', () => {
    const row = JSON.parse('{"__proto__":{"VmIdentifier":"evil","VmName":"evil"},"VpgIdentifier":"1","VpgName":"2"}');
    expect(() => readAnswer('a', 'e', 200, JSON.stringify([row]), wire.readVmRows)).toThrow(ProxyError);
  });
});

describe('the appliance’s own words', () => {
  it.each([
    ['{"Message":"Valid License is not provided "}', 'Valid License is not provided'],
    ['{"message":"x"}', 'x'],
    ['\uFEFF{"Message":"x"}', 'x'],
    ['{"error":"invalid_grant","error_description":"Invalid user credentials"}', 'Invalid user credentials'],
    ['{"error":"invalid_grant"}', 'invalid_grant'],
    ['{"Message":{"a":1}}', undefined],
    ['{"Message":""}', undefined],
    ['<html>secret</html>', undefined],
    ['', undefined],
    ['[]', undefined],
    ['null', undefined],
  ])('in %s', (text, expected) => {
    expect(messageOf(text)).toBe(expected);
  });
});
