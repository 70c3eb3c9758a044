import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach } from 'vitest';
import { type AuditFile, openAuditLog } from '../../src/audit/log.js';
import { auditSpool } from '../../src/audit-spool.js';

import type { Destination } from '../../src/export/destinations.js';
import { Lease } from '../../src/export/lease.js';
import type { Exported } from '../../src/export/records.js';
import { Shipper, type Timings } from '../../src/export/shipper.js';
import type { Sink } from '../../src/export/sink.js';
import { judged, logger, PIN, receipt, type Said } from '../audit/support.js';

const made: string[] = [];
afterAll(() => {
  for (const dir of made) rmSync(dir, { recursive: true, force: true });
});

/** A state directory with an audit directory to be in it. */
export function stateDir(): { readonly state: string; readonly audit: string; readonly export: string } {
  const state = realpathSync(mkdtempSync(join(tmpdir(), 'export-')));
  made.push(state);
  return { state, audit: join(state, 'audit'), export: join(state, 'export') };
}

const opened: AuditFile[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((audit) => audit.close()));
});

export function auditIn(dir: string): AuditFile {
  const audit = openAuditLog({
    dir,
    level: 'all',
    now: () => new Date(),
    log: logger(),
    process: { version: '0.1.0', pid: process.pid, platform: process.platform, transport: 'pipe' },
  });
  opened.push(audit);
  return audit;
}

/** Writes calls that were pinned and forwarded: three records each. */
export async function writeCalls(audit: AuditFile, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const entry = await audit.open(judged(name), PIN);
    const granted = receipt(`r_${name}`);
    await entry.permit(granted);
    await entry.close({ kind: 'forwarded', result: 'ok', receipt: granted });
  }
}

/** A destination that keeps what it took; `fail` says what goes wrong with a batch. */
export function keeping(): {
  readonly sink: Sink;
  readonly taken: Exported[];
  readonly fail: { with: ((batch: readonly Exported[]) => Error | undefined) | undefined };
} {
  const taken: Exported[] = [];
  const fail: { with: ((batch: readonly Exported[]) => Error | undefined) | undefined } = { with: undefined };
  const send = async (batch: readonly Exported[]) => {
    const error = fail.with?.(batch);
    if (error !== undefined) throw error;
    taken.push(...batch);
  };
  return { sink: { send, close: async () => undefined }, taken, fail };
}

const FAST: Timings = { idleMs: 20, firstMs: 10, longestMs: 40 };

export interface Running {
  readonly shipper: Shipper;
  readonly said: Said[];
  /** Ends it after what is there was sent. */
  stop(): Promise<void>;
  /** Ends it as a kill would, as far as one process can show that: the lease stays. */
  abandon(): Promise<void>;
}

let holders = 0;

/** A running shipper, as a process of its own has it. */
export function ship(
  dirs: { readonly audit: string; readonly export: string },
  destination: Pick<Destination, 'open' | 'mostRecords'> & { readonly name?: string },
): Running {
  holders += 1;
  const unique = `u${holders}`;
  const stop = new AbortController();
  const abort = new AbortController();
  const said: Said[] = [];
  const name = destination.name ?? 'kept';
  const lease = new Lease(dirs.export, name, { host: 'here', pid: 1_000_000 + holders, unique }, () => true);
  const shipper = new Shipper({
    name,
    dir: dirs.export,
    spool: auditSpool(dirs.audit),
    lease,
    open: destination.open,
    ...(destination.mostRecords !== undefined && { mostRecords: destination.mostRecords }),
    log: logger(said),
    unique,
    pauseMs: 0,
    timings: FAST,
  });
  const running = shipper.run(stop.signal, abort.signal);
  return {
    shipper,
    said,
    stop: async () => {
      stop.abort();
      await running;
    },
    abandon: async () => {
      abort.abort();
      await running;
    },
  };
}
