import type { Logger } from '../../domain/ports.js';
import { exitCode } from '../child.js';
import { delay } from '../child-group.js';
import type { DownstreamEnd } from '../downstream-end.js';
import { type LineSink, LineWriter, takeLines } from '../pipe.js';
import type { Ends, Relay } from '../relay.js';
import { goneText } from '../relay-messages.js';

/** As between a client on stdio and its child: see there. */
const UNREACHABLE_MS = 1000;
const SETTLE_MS = 1000;

export interface BridgeDeps {
  readonly child: DownstreamEnd;
  /** The downstream's name, for what is said of its end. */
  readonly server: string;
  readonly log: Logger;
  readonly open: (ends: Ends) => Relay;
  readonly toClient: LineSink;
  /** Ends what the session holds beside its child. */
  readonly release: () => Promise<void>;
}

/** One child and the relay in front of it, for a client that speaks over HTTP. Each has its own from its first request to its end. */
export class Bridge {
  readonly relay: Relay;
  /** Resolves when the child is gone and everything that waited for it was answered; never rejects. */
  readonly over: Promise<void>;
  readonly #deps: BridgeDeps;
  readonly #toServer: LineWriter;
  readonly #leaving: Promise<void>;
  #leave: () => void = () => undefined;
  #closing: Promise<void> | undefined;

  constructor(deps: BridgeDeps) {
    const { child, open, toClient } = deps;
    this.#deps = deps;
    this.#leaving = new Promise((resolve) => {
      this.#leave = resolve;
    });
    this.#toServer = new LineWriter(child.input);
    const unreachable = () => void delay(UNREACHABLE_MS).then(() => child.stop());
    child.input.once('error', unreachable);
    this.relay = open({ toClient, toServer: this.#toServer, unreachable });
    child.onUnanswered?.((unanswered) => this.relay.unanswered(unanswered));
    this.over = this.#serve().catch((error: unknown) => {
      deps.log.error({ server: deps.server, error: String(error) }, 'the end of a session failed');
    });
  }

  /** One message of the client, without line end. Resolves when the child takes more; undefined where it does now. */
  fromClient(line: Buffer): Promise<void> | undefined {
    this.relay.fromClient(line);
    return this.#toServer.ready();
  }

  /** Runs when the child has taken what was written to it, or is gone. */
  whenTaken(run: () => void): void {
    const room = this.#toServer.ready();
    if (room === undefined) run();
    else void room.then(run);
  }

  /** Held calls are given up, the child ends, what it had been sent is answered with an error. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    this.#leave();
    this.relay.clientLeaving();
    await this.#deps.child.stop();
    await this.over;
  }

  async #serve(): Promise<void> {
    const { child, server, log, release } = this.#deps;
    const { relay } = this;
    const why = child.exit.then((exit) => {
      const text = exit.why ?? goneText(server, exitCode(exit), exit.spawnError === undefined);
      relay.downstreamClosed(text);
      return text;
    });
    const fromServer = takeLines(child.output, (line) => relay.fromServer(line));
    const exit = await child.exit;
    log.info({ code: exit.code, signal: exit.signal, error: exit.spawnError?.message, server }, 'the downstream ended');
    // Slow clients still get everything; where the session is being ended they have a moment.
    const patience = this.#leaving.then(() => delay(SETTLE_MS));
    await Promise.race([fromServer.then(() => relay.delivered()), this.#deps.toClient.gone, patience]);
    relay.downstreamGone(await why);
    await Promise.race([relay.settled(), delay(SETTLE_MS)]);
    await release();
  }
}
