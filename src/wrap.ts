import type { Metrics } from './domain/meters.js';
import type { Started } from './downstream.js';
import type { Parts } from './parts.js';
import { createSession } from './session.js';
import { runStdio, type StdioClient } from './wire/relay-stdio.js';
import { StdioTimer } from './wire/stdio-timer.js';

/** Passes messages between a client on stdio and its downstream until either end is gone; resolves to the exit code. */
export async function wrap(
  parts: Parts,
  { child, servers, name }: Started,
  client: StdioClient,
  metrics: Metrics | undefined,
  signal: AbortSignal,
): Promise<number> {
  const session = createSession(parts, servers);
  const { log } = parts;
  const timer = metrics && timerOf(parts, metrics);
  try {
    return await runStdio({ client, child, server: name, log, open: session.open, timer }, signal);
  } finally {
    timer?.sessionOver();
    await session.close();
  }
}

function timerOf({ auditFile }: Parts, metrics: Metrics): StdioTimer {
  const timer = new StdioTimer(metrics);
  metrics.watch(() => ({
    sessions: Number(timer.established),
    pending: timer.pending,
    auditQueue: auditFile.queued,
    auditWritable: auditFile.writable,
  }));
  return timer;
}
