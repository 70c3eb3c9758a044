import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Certificate, makeCertificate } from '../../src/simulator/certificate.js';
import { freePort, skipReason } from './loopback.js';

const RSYSLOGD = '/usr/sbin/rsyslogd';
const LIBRARIES = '/usr/lib';

/** A throw-away rsyslogd that takes RFC 5425 from clients whose certificate it knows. */
export interface Rsyslog {
  readonly port: number;
  /** The files for `tls` in the proxy's config. */
  readonly tls: { readonly caFile: string; readonly certFile: string; readonly keyFile: string };
  /** The messages that it has written so far, as they came. */
  messages(): readonly string[];
  close(): Promise<void>;
}

/** Why a real rsyslogd cannot run here; undefined where it can. Where CI says that all real parts are there, it throws instead. */
export function whyNoRsyslog(): string | undefined {
  const isThere = existsSync(RSYSLOGD);
  return skipReason(
    'a real syslog receiver',
    isThere && hasDriver()
      ? undefined
      : `${RSYSLOGD} with its TLS driver is not installed (Debian: rsyslog, rsyslog-gnutls)`,
  );
}

function hasDriver(): boolean {
  return readdirSync(LIBRARIES).some((name) => existsSync(join(LIBRARIES, name, 'rsyslog', 'lmnsd_gtls.so')));
}

export async function startRsyslog(): Promise<Rsyslog> {
  const dir = mkdtempSync(join(tmpdir(), 'rewind-rsyslog-'));
  const [server, client, port] = await Promise.all([
    makeCertificate('rsyslog'),
    makeCertificate('client'),
    freePort('127.0.0.1'),
  ]);
  const files = { server: filesOf(dir, 'server', server), client: filesOf(dir, 'client', client) };
  const out = join(dir, 'messages');
  const config = join(dir, 'rsyslog.conf');
  writeFileSync(
    config,
    [
      `global(workDirectory="${dir}" maxMessageSize="64k" defaultNetstreamDriver="gtls"`,
      `  defaultNetstreamDriverCAFile="${files.client.certificate}"`,
      `  defaultNetstreamDriverCertFile="${files.server.certificate}" defaultNetstreamDriverKeyFile="${files.server.key}")`,
      'module(load="imtcp" streamDriver.name="gtls" streamDriver.mode="1" streamDriver.authMode="x509/certvalid")',
      `input(type="imtcp" port="${port}" address="127.0.0.1")`,
      'template(name="raw" type="string" string="%rawmsg%\\n")',
      `action(type="omfile" file="${out}" template="raw")`,
      '',
    ].join('\n'),
  );
  const child = spawn(RSYSLOGD, ['-n', '-i', join(dir, 'pid'), '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  const gone = new Promise((resolve) => child.once('exit', resolve));
  while (!(await listens(port))) {
    if (child.exitCode !== null) throw new Error(`rsyslogd ended: ${said}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    port,
    tls: { caFile: files.server.certificate, certFile: files.client.certificate, keyFile: files.client.key },
    messages: () => (existsSync(out) ? readFileSync(out, 'utf8').split('\n').slice(0, -1) : []),
    close: async () => {
      child.kill('SIGTERM');
      await gone;
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

function filesOf(dir: string, name: string, { certificate, key }: Certificate) {
  const files = { certificate: join(dir, `${name}.pem`), key: join(dir, `${name}.key`) };
  writeFileSync(files.certificate, certificate);
  writeFileSync(files.key, key, { mode: 0o600 });
  return files;
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('close', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
