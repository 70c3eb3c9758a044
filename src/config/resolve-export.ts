import { resolve } from 'node:path';
import type { ExportTargets, PeerTls } from '../domain/export-targets.js';
import type { Surroundings } from './paths.js';
import type { ConfigFile } from './schema.js';
import { secret } from './secret.js';

type FileExport = ConfigFile['export'];
type FileTls = NonNullable<FileExport['syslog']>['tls'];

/** Where the audit log goes, with secrets as functions and absolute paths. */
export function exportConfig(
  { otlp, syslog, ocsf }: FileExport,
  env: Surroundings['env'],
  base: string,
): ExportTargets {
  return {
    ...(otlp !== undefined && {
      otlp: {
        url: otlp.url,
        headers: headersOf(otlp, env, base),
        tls: peerTls(otlp.tls, base),
        logs: otlp.logs,
        traces: otlp.traces,
        metrics: otlp.metrics,
        metricsEverySeconds: otlp.metricsEverySeconds,
      },
    }),
    ...(syslog !== undefined && { syslog: { ...syslog, tls: peerTls(syslog.tls, base) } }),
    ...(ocsf !== undefined && { ocsf: { dir: resolve(base, ocsf.dir) } }),
  };
}

function headersOf(
  { headers = {}, headersEnv = {}, headersFile = {} }: NonNullable<FileExport['otlp']>,
  env: Surroundings['env'],
  base: string,
): () => Promise<Readonly<Record<string, string>>> {
  const key = (header: string) => `header ${header} of export.otlp`;
  const secrets = [
    ...Object.entries(headersEnv).map(
      ([header, variable]) => [header, secret({ key: key(header), variable }, env, base)] as const,
    ),
    ...Object.entries(headersFile).map(
      ([header, file]) => [header, secret({ key: key(header), file }, env, base)] as const,
    ),
  ];
  return async () => ({
    ...headers,
    ...Object.fromEntries(await Promise.all(secrets.map(async ([header, fetch]) => [header, await fetch()] as const))),
  });
}

function peerTls(given: FileTls, base: string): PeerTls {
  const { fingerprint256, ...files } = given ?? {};
  const paths = Object.entries(files).flatMap(([key, file]) =>
    file === undefined ? [] : [[key, resolve(base, file)] as const],
  );
  return { ...Object.fromEntries(paths), ...(fingerprint256 !== undefined && { fingerprint256 }) };
}
