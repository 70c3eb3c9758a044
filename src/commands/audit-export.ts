import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { stateDir } from '../config/paths.js';
import { quote, visible } from '../domain/text.js';
import type { Destination } from '../export/destinations.js';
import { type Exported, testRecord } from '../export/records.js';
import { batches, replay } from '../export/replay.js';
import { reasonOf, type Sink } from '../export/sink.js';
import { type ExportView, viewExport } from '../exporting.js';
import { auditDirOf, type Context } from './context.js';
import { readArguments } from './options.js';
import { timeAgo } from './times.js';

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy audit export --to jsonl|ocsf|syslog [--since TIME]
       zerto-rewind-proxy audit export --to otlp|syslog|ocsf --send [--since TIME]
       zerto-rewind-proxy audit export --test-event [--to otlp|syslog|ocsf]

Writes the audit log's records to stdout in a format, or sends them once more to the destination that the config names. What the
proxy itself exports, and how far, is not changed by it. --test-event sends one harmless event to the configured destinations.
TIME is a date (2026-01-31, 2026-01-31T08:00:00Z) or an age (30m, 2h, 7d).

Exit codes: 0 ok, 1 a destination did not take it, 2 wrong usage or none is configured.
`;

const FORMATS = ['jsonl', 'ocsf', 'syslog', 'otlp'] as const;
type Format = (typeof FORMATS)[number];

/** Its options. */
export const OPTIONS = {
  to: { type: 'string', value: FORMATS },
  since: { type: 'string' },
  send: { type: 'boolean', default: false },
  'test-event': { type: 'boolean', default: false },
} as const;

interface Wanted {
  readonly to: Format | undefined;
  readonly since: number;
  readonly send: boolean;
  readonly test: boolean;
}

/** `audit export`: by hand, to stdout or to a configured destination. */
export async function auditExportCommand(args: readonly string[], context: Context): Promise<number> {
  const { io } = context;
  const wanted = read(args);
  if (typeof wanted === 'string') {
    io.stderr.write(`audit export: ${wanted}\n${USAGE}`);
    return 2;
  }
  const view = await viewOf(context);
  if (wanted.to !== undefined && !wanted.send && !wanted.test) return print(wanted.to, wanted.since, view, context);
  const metrics = wanted.test && view.metrics !== undefined ? [view.metrics] : [];
  const chosen = [...view.destinations, ...metrics].filter(
    ({ name }) => wanted.to === undefined || name.split('-')[0] === wanted.to,
  );
  if (chosen.length === 0) {
    io.stderr.write(`audit export: the config names no such destination under "export"; see docs/export.md\n`);
    return 2;
  }
  let ok = true;
  for (const destination of chosen) ok = (await sendTo(destination, wanted, view, context)) && ok;
  return ok ? 0 : 1;
}

async function viewOf(context: Context): Promise<ExportView> {
  const config = await context.config();
  return viewExport({
    config: config.export,
    stateDir: stateDir(context.surroundings),
    auditDir: await auditDirOf(context),
    version: await context.version(),
    log: context.log,
  });
}

async function print(to: Format, since: number, { spool }: ExportView, { io, version }: Context): Promise<number> {
  const line = await writerOf(to, await version());
  for await (const record of replay(spool, since)) {
    if (!io.stdout.write(`${line(record)}\n`)) await once(io.stdout, 'drain');
  }
  return 0;
}

async function writerOf(to: Format, version: string): Promise<(record: Exported) => string> {
  if (to === 'jsonl') return ({ text }) => text;
  const [{ ocsfEvent }, { syslogMessage }] = await Promise.all([
    import('../export/ocsf.js'),
    import('../export/syslog.js'),
  ]);
  if (to === 'ocsf') return (record) => JSON.stringify(ocsfEvent(record, version));
  return (record) => syslogMessage(record, { facility: 13, hostname: hostname() });
}

async function sendTo(
  { name, where, open, mostRecords = 128 }: Destination,
  { test, since }: Wanted,
  { spool }: ExportView,
  { io, signal, version }: Context,
): Promise<boolean> {
  let sink: Sink | undefined;
  let count = 0;
  try {
    sink = await open();
    const id = randomBytes(8).toString('hex');
    const event = testRecord(id, new Date().toISOString(), await version());
    const parts = test ? [[event]] : batches(replay(spool, since), mostRecords);
    for await (const batch of parts) {
      await sink.send(batch, signal);
      count += batch.length;
    }
    io.stdout.write(
      `ok    ${name}  ${visible(where)}  ${test ? `took the test event ${event.id}` : `took ${count} records`}\n`,
    );
    return true;
  } catch (error) {
    const after = count > 0 ? ` after ${count} records` : '';
    io.stdout.write(`FAIL  ${name}  ${visible(where)}  ${visible(reasonOf(error))}${after}\n`);
    return false;
  } finally {
    await sink?.close();
  }
}

function read(args: readonly string[]): Wanted | string {
  const given = readArguments(args, OPTIONS);
  if (typeof given === 'string') return given;
  const { values } = given;
  const to = FORMATS.find((format) => format === values.to);
  const since = values.since === undefined ? Number.NEGATIVE_INFINITY : timeAgo(values.since);
  if (values.to !== undefined && to === undefined) return `--to ${quote(values.to)} is none of ${FORMATS.join(', ')}`;
  if (since === undefined) return `--since ${quote(values.since ?? '')} is neither a date nor an age`;
  const wanted = { to, since, send: values.send || to === 'otlp', test: values['test-event'] };
  return contradiction(wanted, values.send || values.since !== undefined) ?? wanted;
}

function contradiction({ to, send, test }: Wanted, asksForRecords: boolean): string | undefined {
  if (test && asksForRecords) return '--test-event sends nothing but its event';
  if (to === undefined && !test) return '--to says in which format, or where to; --test-event tries every destination';
  return to === 'jsonl' && (send || test) ? 'jsonl is written to stdout alone' : undefined;
}
