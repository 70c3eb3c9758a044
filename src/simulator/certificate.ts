import { X509Certificate } from 'node:crypto';
import { generate } from 'selfsigned';

export interface Certificate {
  readonly key: string;
  readonly certificate: string;
  /** SHA-256 over the certificate, as `AA:BB:…`. */
  readonly fingerprint256: string;
}

const DAY = 86_400_000;

/** A self-signed certificate for the loopback names, made anew for each server; its subject says what it is. */
export async function makeCertificate(siteName: string): Promise<Certificate> {
  const names = [
    { type: 2, value: 'localhost' },
    { type: 7, ip: '127.0.0.1' },
    { type: 7, ip: '::1' },
  ] as const;
  const made = await generate([{ name: 'commonName', value: `simulated ZVM ${siteName}`.slice(0, 64) }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(Date.now() - DAY),
    notAfterDate: new Date(Date.now() + 365 * DAY),
    extensions: [
      { name: 'basicConstraints', cA: true },
      { name: 'keyUsage', digitalSignature: true, keyCertSign: true },
      { name: 'subjectAltName', altNames: [...names] },
    ],
  });
  return { key: made.private, certificate: made.cert, fingerprint256: new X509Certificate(made.cert).fingerprint256 };
}
