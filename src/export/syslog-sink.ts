import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import type { PeerTls } from '../domain/export-targets.js';
import type { Exported } from './records.js';
import { type Sink, Undelivered } from './sink.js';
import { framed, type SyslogOptions, syslogMessage } from './syslog.js';
import { connectTrusted } from './tls.js';

/** How long the receiver may take nothing, or not close its end, in milliseconds. */
const PATIENCE = 30_000;

export interface SyslogTarget {
  readonly host: string;
  readonly port: number;
  readonly trust: PeerTls;
  readonly patienceMs?: number | undefined;
}

/**
 * Between the last message and our end, in milliseconds: long enough for it to have arrived. A receiver that goes away by itself
 * is seen in that time; one that goes away later with something unread resets the connection.
 */
const SETTLE = 50;

/**
 * Syslog over TLS. The protocol has no acknowledgement, so each batch has a connection of its own: the receiver closes its end
 * after it has read everything up to ours, and only that orderly end counts as taken.
 */
export function syslogSink({ host, port, trust, patienceMs = PATIENCE }: SyslogTarget, options: SyslogOptions): Sink {
  return {
    send: async (batch, signal) => {
      const begun = performance.now();
      const socket = await connectTrusted({ host, port }, trust, signal);
      const settleMs = SETTLE + performance.now() - begun;
      const abort = () => socket.destroy(new Error('the export is ending'));
      signal.addEventListener('abort', abort, { once: true });
      try {
        if (signal.aborted) abort();
        await deliver(socket, batch, options, { patienceMs, settleMs });
      } catch (error) {
        const why = error instanceof Error ? error.message : String(error);
        throw new Undelivered(`${host}:${port}: ${why}`, { cause: error });
      } finally {
        signal.removeEventListener('abort', abort);
        socket.destroy();
      }
    },
    close: async () => undefined,
  };
}

async function deliver(
  socket: TLSSocket,
  batch: readonly Exported[],
  options: SyslogOptions,
  { patienceMs, settleMs }: { readonly patienceMs: number; readonly settleMs: number },
): Promise<void> {
  socket.setTimeout(patienceMs, () => socket.destroy(new Error('the receiver took nothing for too long')));
  let isOver = false;
  const failed = new Promise<never>((_, reject) => {
    socket.once('error', reject);
    socket.once('close', () => reject(new Error('the connection was cut')));
    socket.once('end', () => {
      if (!isOver) reject(new Error('the receiver closed the connection before it had everything'));
    });
  });
  failed.catch(() => undefined);
  const ended = once(socket, 'end');
  ended.catch(() => undefined);
  // What a receiver says is nothing of the protocol, but its end must be seen.
  socket.resume();
  for (const record of batch) {
    if (!socket.write(framed(syslogMessage(record, options)))) await Promise.race([once(socket, 'drain'), failed]);
  }
  await Promise.race([delay(settleMs), failed]);
  isOver = true;
  socket.end();
  await Promise.race([ended, failed]);
}
