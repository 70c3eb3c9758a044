import type { Readable, Writable } from 'node:stream';
import type { Logger } from '../domain/ports.js';
import { exitCode } from './child.js';
import { delay } from './child-group.js';
import type { DownstreamEnd, DownstreamExit } from './downstream-end.js';
import { LineWriter, takeLines } from './pipe.js';
import type { Ends, Relay } from './relay.js';
import { goneText } from './relay-messages.js';
import type { StdioTimer } from './stdio-timer.js';

/** What a client that closed its end may still have answered; with the child's own end in all below 3 seconds. */
const GRACE_MS = 1000;
/** A client that starts a command which cannot run writes its first request a moment later, and gets an answer to it. */
const FIRST_REQUEST_MS = 2000;
/** A downstream that takes no more requests but lives on is ended after this, so that what waits for it gets an answer. */
const UNREACHABLE_MS = 1000;
/** How long the records of the last calls may take once nothing more can come. */
const SETTLE_MS = 1000;

export interface StdioClient {
  readonly input: Readable;
  readonly output: Writable;
}

export interface StdioDeps {
  readonly client: StdioClient;
  readonly child: DownstreamEnd;
  /** The downstream's name, for what is said of its end. */
  readonly server: string;
  readonly log: Logger;
  readonly open: (ends: Ends) => Relay;
  /** Where requests are timed. */
  readonly timer?: StdioTimer | undefined;
}

/**
 * Passes messages between a client that speaks over two streams and one downstream, until either end is gone or the signal stops it;
 * then everything pending is answered and the downstream ended. Resolves to the exit code for the proxy: its own (see
 * `exitCode`), or 0 where the client's end came first.
 */
export async function runStdio(
  { client, child, server, log, open, timer }: StdioDeps,
  signal: AbortSignal,
): Promise<number> {
  const writer = new LineWriter(client.output);
  const toClient = timer?.watching(writer) ?? writer;
  const toServer = new LineWriter(child.input);
  const unreachable = () => void delay(UNREACHABLE_MS).then(() => child.stop());
  child.input.once('error', unreachable);
  const relay = open({ toClient, toServer, unreachable });
  child.onUnanswered?.((unanswered) => relay.unanswered(unanswered));
  const why = child.exit.then((exit) => {
    const text = exit.why ?? goneText(server, exitCode(exit), exit.spawnError === undefined);
    relay.downstreamClosed(text);
    return text;
  });
  const fromServer = takeLines(child.output, (line) => relay.fromServer(line));
  const fromClient = takeLines(client.input, (line) => {
    timer?.fromClient(line);
    relay.fromClient(line);
    return toServer.ready();
  });
  const left = Promise.race([fromClient, toClient.gone]);
  const stopped = aborted(signal);
  const over = Promise.race([left, stopped]);
  const early = await Promise.race([child.exit, over.then(() => undefined)]);
  if (early === undefined) await stop(relay, child, stopped);
  const exit = await child.exit;
  if (exit.spawnError === undefined || exit.why !== undefined)
    log.info({ ...ending(exit), server }, 'the downstream ended');
  // A slow client still gets everything; one that is gone, or a signal, bounds the wait.
  const patience = over.then(() => delay(SETTLE_MS));
  await Promise.race([fromServer.then(() => relay.delivered()), patience]);
  relay.downstreamGone(await why);
  if (early !== undefined) await Promise.race([relay.firstRequest, over, delay(FIRST_REQUEST_MS)]);
  await Promise.race([relay.settled(), delay(SETTLE_MS)]);
  await Promise.race([toClient.flushed(), patience]);
  client.input.destroy();
  return early === undefined ? 0 : exitCode(exit);
}

async function stop(relay: Relay, child: DownstreamEnd, stopped: Promise<void>): Promise<void> {
  await Promise.race([idle(relay), stopped, delay(GRACE_MS)]);
  relay.clientLeaving();
  await child.stop();
}

/** A client that closed its end after its last request still gets the answers of a moment. */
async function idle(relay: Relay): Promise<void> {
  while (!relay.idle) await delay(10);
}

/** Resolves when the signal aborts, or at once where it has. */
export function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function ending(exit: DownstreamExit): Record<string, unknown> {
  return { code: exit.code, signal: exit.signal, error: exit.spawnError?.message };
}
