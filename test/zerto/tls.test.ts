import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProxyError } from '../../src/domain/errors.js';
import type { ZvmClient } from '../../src/zerto/client.js';
import { presentedFingerprint, type TlsTrust } from '../../src/zerto/tls.js';
import { clientOf, type FakeZvm, fakeZvm, never } from './fake-zvm.js';

let zvm: FakeZvm;
let other: FakeZvm;
const open: ZvmClient[] = [];

beforeAll(async () => {
  [zvm, other] = await Promise.all([fakeZvm(), fakeZvm(['zvm.example'])]);
  for (const one of [zvm, other]) one.routes.set('GET /v1/localsite', { SiteIdentifier: 'guid-a', SiteName: 'A' });
});
afterAll(async () => {
  await Promise.all(open.map((client) => client.close()));
  await Promise.all([zvm.close(), other.close()]);
});

async function ask(tls: TlsTrust, to: FakeZvm = zvm): Promise<unknown> {
  const client = clientOf(to, { tls });
  open.push(client);
  return client.localSite(never).catch((error: unknown) => error);
}

function refused(answer: unknown): ProxyError {
  expect(answer).toBeInstanceOf(ProxyError);
  const error = answer as ProxyError;
  expect(error.code).toBe('ZVM_UNREACHABLE');
  expect(error.details['sent']).toBe('no');
  return error;
}

describe('trust in a ZVM', () => {
  it('refuses a self-signed certificate by default and hands its fingerprint to the details alone', async () => {
    const before = zvm.got.length;
    const error = refused(await ask({ kind: 'verify' }));
    expect(error.details['fingerprint256']).toBe(zvm.fingerprint256);
    expect(error.message).not.toContain(zvm.fingerprint256.slice(0, 8));
    expect(error.message).not.toContain('localhost');
    expect(zvm.got.length).toBe(before);
  });

  it('refuses it also where the environment turns verification off', async () => {
    process.env['NODE_TLS_REJECT_UNAUTHORIZED'] = '0';
    try {
      refused(await ask({ kind: 'verify' }));
      refused(await ask({ kind: 'fingerprint', fingerprint256: other.fingerprint256 }));
      refused(await ask({ kind: 'ca', pem: other.certificate }));
    } finally {
      delete process.env['NODE_TLS_REJECT_UNAUTHORIZED'];
    }
  });

  it('accepts the pinned certificate, however the fingerprint is written', async () => {
    const pin = zvm.fingerprint256;
    for (const fingerprint256 of [pin, pin.toLowerCase(), pin.replaceAll(':', '')]) {
      expect(await ask({ kind: 'fingerprint', fingerprint256 })).toMatchObject({ siteIdentifier: 'guid-a' });
    }
  });

  it('accepts a pinned certificate that names another host', async () => {
    expect(await ask({ kind: 'fingerprint', fingerprint256: other.fingerprint256 }, other)).toMatchObject({
      siteName: 'A',
    });
  });

  it('refuses a certificate other than the pinned one before anything is sent', async () => {
    const before = zvm.got.length;
    const error = refused(await ask({ kind: 'fingerprint', fingerprint256: other.fingerprint256 }));
    expect(error.details['fingerprint256']).toBe(zvm.fingerprint256);
    expect(zvm.got.length).toBe(before);
  });

  it.each(['', 'AA:BB', 'not hex', `${'AA:'.repeat(32)}AA`])('refuses to start with the pin %j', (fingerprint256) => {
    expect(() => clientOf(zvm, { tls: { kind: 'fingerprint', fingerprint256 } })).toThrow(/SHA-256/);
  });

  it('accepts a certificate of the configured authority and checks its name', async () => {
    expect(await ask({ kind: 'ca', pem: zvm.certificate })).toMatchObject({ siteIdentifier: 'guid-a' });
    refused(await ask({ kind: 'ca', pem: other.certificate }));
    const wrongName = refused(await ask({ kind: 'ca', pem: other.certificate }, other));
    expect(wrongName.details['reason']).toContain('ERR_TLS_CERT_ALTNAME_INVALID');
  });

  it('verifies nothing where that is configured, for this client only', async () => {
    expect(await ask({ kind: 'off' })).toMatchObject({ siteIdentifier: 'guid-a' });
    refused(await ask({ kind: 'verify' }));
  });

  it('shows a fingerprint without a request', async () => {
    const before = zvm.got.length;
    expect(await presentedFingerprint('localhost', Number(new URL(zvm.url).port), 5_000)).toBe(zvm.fingerprint256);
    expect(zvm.got.length).toBe(before);
  });

  it.each(['http://localhost', 'ftp://x', 'localhost', 'https://user:pw@localhost', ''])(
    'refuses the URL %j',
    (url) => {
      expect(() => clientOf(zvm, { url })).toThrow(ProxyError);
    },
  );
});
