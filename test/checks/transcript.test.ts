import { expect, test } from 'vitest';
import { createTranscript } from '../../src/checks/transcript.js';
import type { Exchange } from '../../src/zerto/http.js';
import { fc } from '../support/property.js';

const exchange = (parts: Partial<Exchange>): Exchange => ({
  site: 'hq',
  method: 'GET',
  endpoint: '/v1/vms',
  path: '/v1/vms',
  status: 200,
  ...parts,
});

function bodyOf(value: unknown, parts: Partial<Exchange> = {}): unknown {
  const { observe, read } = createTranscript('test');
  observe(exchange({ text: JSON.stringify(value), ...parts }));
  return read().exchanges[0]?.body;
}

const GUID = '3f1c8a52-9d04-4b6e-8c77-0123456789ab';

test('names and ids get stand-ins, the same for the same; forms, numbers, dates and the words of the API stay', () => {
  const body = bodyOf([
    {
      VmIdentifier: `${GUID}.vm-38`,
      VmName: 'payroll01',
      Status: 1,
      SiteType: 'VCenter',
      TimeStamp: '2026-01-01T00:00:00Z',
    },
    { VmIdentifier: `${GUID}.vm-39`, VmName: 'payroll01', ip: '10.1.2.3', id: '786', Tag: null, VpgName: 'Payroll' },
  ]);
  const guid = '00000000-0000-4000-8000-000000000001';
  expect(body).toEqual([
    {
      VmIdentifier: `${guid}.vm-38`,
      VmName: 'text-1',
      Status: 1,
      SiteType: 'VCenter',
      TimeStamp: '2026-01-01T00:00:00Z',
    },
    { VmIdentifier: `${guid}.vm-39`, VmName: 'text-1', ip: '192.0.2.1', id: '786', Tag: null, VpgName: 'text-2' },
  ]);
});

test('a path keeps its form', () => {
  const { observe, read } = createTranscript('test');
  observe(
    exchange({
      endpoint: '/v1/vpgs/{id}/checkpoints',
      path: `/v1/vpgs/${GUID}/checkpoints?startDate=2026-01-01T00:00:00.000Z`,
    }),
  );
  observe(exchange({ endpoint: '/v1/vms/{id}', path: '/v1/vms/azure%2Fpayroll?vmIdentifier=payroll' }));
  expect(read().exchanges.map(({ path }) => path)).toEqual([
    '/v1/vpgs/00000000-0000-4000-8000-000000000001/checkpoints?startDate=2026-01-01T00%3A00%3A00.000Z',
    '/v1/vms/text-1?vmIdentifier=text-2',
  ]);
});

test('of a login only the form is kept', () => {
  const endpoint = '/auth/realms/zerto/protocol/openid-connect/token';
  const body = bodyOf(
    { access_token: 'eyJ.x.y', expires_in: 60, token_type: 'Bearer', scope: 'openid secret' },
    { endpoint, path: endpoint },
  );
  expect(body).toEqual({ access_token: 'withheld', expires_in: 60, token_type: 'Bearer', scope: 'withheld' });
});

test('what is no JSON is a length, and what did not come a reason', () => {
  const { observe, read } = createTranscript('test');
  observe(exchange({ text: '<html>payroll' }));
  observe(exchange({ status: undefined, reason: 'ECONNREFUSED' }));
  observe(exchange({ status: undefined, reason: 'connect to payroll01/10.0.0.1' }));
  expect(read().exchanges).toMatchObject([{ body: { notJson: 13 } }, { reason: 'ECONNREFUSED' }, { reason: 'error' }]);
});

test('no text from outside survives, as a value, a key, a part of a path or a query', () => {
  const secret = 'PAYROLL§01';
  const value = fc.letrec((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      fc.constant(secret),
      fc.constant(`${GUID}.${secret}`),
      fc.constant(`https://zvm/${secret}`),
      fc.integer(),
      fc.array(tie('node'), { maxLength: 3 }),
      fc.dictionary(fc.constantFrom('Type', 'VmName', 'State', secret, `${secret}2`), tie('node'), { maxKeys: 3 }),
    ),
  })).node;
  fc.assert(
    fc.property(value, fc.boolean(), (body, login) => {
      const { observe, read } = createTranscript('test');
      const endpoint = login ? '/auth/openid-connect/token' : '/v1/vms/{id}';
      const path = `/v1/vms/${encodeURIComponent(secret)}?q=${encodeURIComponent(secret)}`;
      observe(exchange({ site: secret, endpoint, path, text: JSON.stringify(body) }));
      const text = JSON.stringify(read());
      return !text.includes(secret) && !decodeURIComponent(text).includes(secret) && !text.includes(GUID);
    }),
  );
});
