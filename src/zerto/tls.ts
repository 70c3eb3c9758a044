import { isIP } from 'node:net';
import { connect as openTls, type TLSSocket } from 'node:tls';
import { buildConnector } from 'undici';
import { ProxyError } from '../domain/errors.js';
import { fingerprintHex } from '../domain/fingerprint.js';

/** How one site's certificate is judged. `ca` holds PEM text that replaces the machine's own authorities. */
export type TlsTrust =
  | { readonly kind: 'verify' }
  | { readonly kind: 'ca'; readonly pem: string }
  | { readonly kind: 'fingerprint'; readonly fingerprint256: string }
  | { readonly kind: 'off' };

/** The certificate was presented and not accepted. `fingerprint256` is what was presented, where it could be read. */
export class CertificateRefused extends Error {
  override readonly name = 'CertificateRefused';
  readonly fingerprint256: string | undefined;

  constructor(message: string, fingerprint256: string | undefined, cause?: unknown) {
    super(message, { cause });
    this.fingerprint256 = fingerprint256;
  }
}

/**
 * A connector for undici that opens a connection only under the given trust. `rejectUnauthorized` always stands explicitly,
 * since NODE_TLS_REJECT_UNAUTHORIZED may be in the environment, and no session is resumed, so that each connection shows a certificate.
 */
export function trustingConnector(trust: TlsTrust, timeoutMs: number): buildConnector.connector {
  const options = { timeout: timeoutMs, maxCachedSessions: 0, allowH2: false };
  switch (trust.kind) {
    case 'verify':
      return verified(buildConnector({ ...options, rejectUnauthorized: true }), timeoutMs);
    case 'ca':
      return verified(buildConnector({ ...options, rejectUnauthorized: true, ca: trust.pem }), timeoutMs);
    case 'fingerprint':
      return pinned(buildConnector({ ...options, rejectUnauthorized: false }), trust.fingerprint256);
    case 'off':
      return buildConnector({ ...options, rejectUnauthorized: false });
  }
}

/** The SHA-256 fingerprint (`AA:BB:…`) of the certificate that a host presents, whoever signed it. Sends nothing. */
export function presentedFingerprint(host: string, port: number, timeoutMs: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const names = isIP(host) === 0 ? { servername: host } : {};
    const socket = openTls({ host, port, rejectUnauthorized: false, ...names });
    const done = (fingerprint: string | undefined): void => {
      socket.destroy();
      resolve(fingerprint);
    };
    socket.setTimeout(timeoutMs, () => done(undefined));
    socket.on('error', () => done(undefined));
    socket.on('secureConnect', () => done(socket.getPeerX509Certificate()?.fingerprint256));
  });
}

function verified(connect: buildConnector.connector, timeoutMs: number): buildConnector.connector {
  return (options, callback) => {
    connect(options, (...outcome) => {
      const [error] = outcome;
      if (error === null || !isCertificateError(error)) return callback(...outcome);
      void presentedFingerprint(options.hostname, Number(options.port || 443), timeoutMs).then((fingerprint) =>
        callback(new CertificateRefused(`certificate not trusted (${codeOf(error)})`, fingerprint, error), null),
      );
    });
  };
}

function pinned(connect: buildConnector.connector, fingerprint256: string): buildConnector.connector {
  const expected = fingerprintHex(fingerprint256);
  if (!/^[0-9A-F]{64}$/.test(expected)) {
    throw new ProxyError('CONFIG_INVALID', 'tls.fingerprint256 is not a SHA-256 fingerprint (32 bytes in hex).');
  }
  return (options, callback) => {
    connect(options, (...outcome) => {
      const [error, socket] = outcome;
      if (error !== null) return callback(...outcome);
      const presented = (socket as TLSSocket).getPeerX509Certificate()?.fingerprint256;
      if (presented !== undefined && fingerprintHex(presented) === expected) return callback(null, socket);
      socket.destroy();
      callback(new CertificateRefused('the certificate is not the pinned one', presented), null);
    });
  };
}

/** Node passes OpenSSL's names of verification errors as codes. Too wide a match costs one more handshake, nothing else. */
function isCertificateError(error: Error): boolean {
  return /^(CERT_|CRL_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|INVALID_|PATH_LENGTH|HOSTNAME_MISMATCH|ERR_TLS_CERT)/.test(
    codeOf(error),
  );
}

/** The `code` of a Node or undici error, or an empty text. */
export function codeOf(error: unknown): string {
  const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}
