import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { PeerTls } from '../domain/export-targets.js';
import { fingerprintHex } from '../domain/fingerprint.js';
import { Undelivered } from './sink.js';

const CONNECT_MS = 10_000;

/**
 * A connection whose certificate was checked: by the machine's authorities, by those of `caFile`, or by its fingerprint. Whatever
 * NODE_TLS_REJECT_UNAUTHORIZED says, and anew each time: no session is resumed. Rejects with Undelivered, also once `abort` says that
 * nobody waits for it any more.
 */
export async function connectTrusted(
  { host, port }: { readonly host: string; readonly port: number },
  trust: PeerTls,
  abort?: AbortSignal,
): Promise<TLSSocket> {
  const [ca, cert, key] = await Promise.all([trust.caFile, trust.certFile, trust.keyFile].map(read));
  const pinned = trust.fingerprint256 === undefined ? undefined : fingerprintHex(trust.fingerprint256);
  const socket = connect({
    host,
    port,
    rejectUnauthorized: pinned === undefined,
    minVersion: 'TLSv1.2',
    ...(isIP(host) === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && key !== undefined && { cert, key }),
  });
  const ending = () => socket.destroy(new Error('the export is ending'));
  abort?.addEventListener('abort', ending, { once: true });
  try {
    if (abort?.aborted === true) ending();
    await secured(socket);
    const presented = socket.getPeerX509Certificate()?.fingerprint256 ?? '';
    if (pinned !== undefined && fingerprintHex(presented) !== pinned)
      throw new Undelivered(`the certificate of ${host}:${port} is not the pinned one: it is ${presented}`);
    return socket;
  } catch (error) {
    socket.destroy();
    throw error instanceof Undelivered ? error : new Undelivered(failure(host, port, error), { cause: error });
  } finally {
    abort?.removeEventListener('abort', ending);
  }
}

function secured(socket: TLSSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    const late = () => socket.destroy(new Error('no answer in time'));
    socket.setTimeout(CONNECT_MS, late);
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was closed before it was secure')));
    socket.once('secureConnect', () => {
      socket.setTimeout(0).off('timeout', late);
      socket.removeAllListeners('close').off('error', reject);
      resolve();
    });
  });
}

async function read(file: string | undefined): Promise<string | undefined> {
  if (file === undefined) return undefined;
  return readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw new Undelivered(`the file ${file} cannot be read (${cause.code ?? 'error'})`, { cause });
  });
}

function failure(host: string, port: number, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return `${host}:${port}: ${[message, code].filter((part) => part !== undefined && part !== '').join(' ')}`;
}
