import { hash, randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { auditSpool } from './audit-spool.js';
import type { ExportTargets } from './domain/export-targets.js';
import type { AuditLog, Logger } from './domain/ports.js';
import type { Destination } from './export/destinations.js';
import type { Exporter } from './export/exporter.js';
import type { Spool } from './export/spool.js';

export interface ExportingOptions {
  readonly config: ExportTargets;
  readonly stateDir: string;
  readonly auditDir: string;
  readonly version: string;
  readonly log: Logger;
}

/** The export of this process's machine, as far as this process does it. */
export interface Exporting {
  /** Begins it, where that was not done. */
  wake(): void;
  /** The same audit log; its first record begins the export. */
  watched(audit: AuditLog): AuditLog;
  /** The audit files that some destination has not acknowledged in full. */
  readonly held: () => Promise<ReadonlySet<string>>;
  close(): Promise<void>;
}

/** What is left when the process ends gets so long; the rest is sent by the next one. */
const GRACE_MS = 500;

/** Nothing is loaded, taken or written before the first record; undefined where no destination is configured. */
export function openExporting(options: ExportingOptions): Exporting | undefined {
  if (!exportsRecords(options.config)) return undefined;
  const { log } = options;
  let exporter: Exporter | undefined;
  let starting: Promise<unknown> | undefined;
  const start = async (): Promise<void> => {
    exporter = await begin(options);
  };
  const wake = (): void => {
    exporter?.wake();
    starting ??= start().catch((error: unknown) => log.error({ error: String(error) }, 'the export cannot begin'));
  };
  return {
    wake,
    watched: (audit) => ({
      open: (judged, decision) => {
        wake();
        return audit.open(judged, decision);
      },
      degrade: (error) => audit.degrade(error),
    }),
    held: async () => {
      const [{ heldFiles }, { dir, spool, destinations }] = await Promise.all([
        import('./export/lag.js'),
        viewExport(options),
      ]);
      return heldFiles(
        dir,
        spool,
        destinations.map(({ name }) => name),
      );
    },
    close: async () => {
      await starting;
      await exporter?.close(GRACE_MS);
    },
  };
}

/** What `status`, `doctor` and `audit export` need of the export: its destinations, its spool, and where its positions lie. */
export interface ExportView {
  readonly destinations: readonly Destination[];
  /** Where metrics go; a test event can be sent there. */
  readonly metrics: Destination | undefined;
  readonly spool: Spool;
  readonly dir: string;
}

export async function viewExport({ config, stateDir, auditDir, version, log }: ExportingOptions): Promise<ExportView> {
  const { destinationsOf, metricsDestination } = await import('./export/destinations.js');
  const about = { version, hostname: hostname(), log };
  return {
    destinations: destinationsOf(config, about),
    metrics: metricsDestination(config, about),
    spool: auditSpool(auditDir),
    // Positions are about one audit directory: another one has its own.
    dir: join(stateDir, 'export', hash('sha256', auditDir).slice(0, 12)),
  };
}

async function begin(options: ExportingOptions): Promise<Exporter> {
  const [{ startExporter }, view] = await Promise.all([import('./export/exporter.js'), viewExport(options)]);
  return startExporter({
    ...view,
    host: hostname(),
    pid: process.pid,
    unique: randomBytes(8).toString('hex'),
    log: options.log,
  });
}

/** Metrics go their own way. */
function exportsRecords({ otlp, syslog, ocsf }: ExportTargets): boolean {
  return otlp?.logs === true || otlp?.traces === true || syslog !== undefined || ocsf !== undefined;
}
