import type { ExportTargets } from '../domain/export-targets.js';
import type { Logger } from '../domain/ports.js';
import type { Sink } from './sink.js';

type DestinationName = 'otlp-logs' | 'otlp-traces' | 'otlp-metrics' | 'syslog' | 'ocsf';

/** One destination: its name in files and reports, where it is for people, and how it is opened. Nothing is loaded before. */
export interface Destination {
  readonly name: DestinationName;
  readonly where: string;
  readonly pauseMs: number;
  readonly mostRecords?: number | undefined;
  readonly open: () => Promise<Sink>;
}

interface About {
  readonly version: string;
  readonly hostname: string;
  readonly log: Logger;
}

/** The destinations of a config; what is not configured is neither opened nor loaded. */
export function destinationsOf({ otlp, syslog, ocsf }: ExportTargets, about: About): readonly Destination[] {
  const all: Destination[] = [];
  for (const signal of ['logs', 'traces'] as const) {
    if (otlp?.[signal] === true)
      all.push({
        name: `otlp-${signal}`,
        where: otlp.url,
        pauseMs: 200,
        open: async () =>
          (await import('./otlp-sink.js')).otlpSink(
            signal,
            { url: otlp.url, headers: otlp.headers, trust: otlp.tls },
            about,
          ),
      });
  }
  if (syslog !== undefined)
    all.push({
      name: 'syslog',
      where: `${syslog.host}:${syslog.port}`,
      pauseMs: 1000,
      // Each batch has a connection of its own.
      mostRecords: 512,
      open: () => openSyslog(syslog, about),
    });
  if (ocsf !== undefined)
    all.push({
      name: 'ocsf',
      where: ocsf.dir,
      pauseMs: 200,
      open: async () => (await import('./ocsf-file.js')).ocsfFileSink(ocsf.dir, about.version),
    });
  return all;
}

/** Where metrics go, which are no records: only a test event is sent there. */
export function metricsDestination({ otlp }: ExportTargets, about: About): Destination | undefined {
  if (otlp?.metrics !== true) return undefined;
  const target = { url: otlp.url, headers: otlp.headers, trust: otlp.tls };
  return {
    name: 'otlp-metrics',
    where: otlp.url,
    pauseMs: 0,
    open: async () => (await import('./otlp-metrics.js')).otlpMetricsTest(target, about),
  };
}

async function openSyslog(
  { host, port, tls, format, facility }: NonNullable<ExportTargets['syslog']>,
  { hostname, version }: About,
): Promise<Sink> {
  const [{ syslogSink }, { ocsfEvent }] = await Promise.all([import('./syslog-sink.js'), import('./ocsf.js')]);
  const body =
    format === 'ocsf'
      ? { body: (record: Parameters<typeof ocsfEvent>[0]) => JSON.stringify(ocsfEvent(record, version)) }
      : {};
  return syslogSink({ host, port, trust: tls }, { facility, hostname, ...body });
}
