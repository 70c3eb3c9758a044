import { exitCode } from '../child.js';
import type { DownstreamExit } from '../downstream-end.js';
import { goneText } from '../relay-messages.js';
import type { Core } from './core.js';
import type { Greeting } from './greeting.js';
import type { Link } from './link.js';
import type { ServerRequests } from './server-requests.js';
import type { Subscriptions } from './subscriptions.js';

/** How long to wait before a server is started again: this, then twice as long each time. */
const RESTART_MS = 500;
/** Starts in a row that did not help, after which a server stays away. */
const MAX_RESTARTS = 5;
/** A server that ran this long starts with a clean slate. */
const STEADY_MS = 60_000;

/** What happens when servers end: they are started again with growing delays, until they do not come back or the session is over. */
export class Life {
  readonly #core: Core;
  readonly #greeting: Greeting;
  readonly #requests: ServerRequests;
  readonly #subscriptions: Subscriptions;
  readonly #restartMs: number;
  readonly #attempts = new Map<Link, number>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #isStopping = false;
  #over: ((exit: DownstreamExit) => void) | undefined;
  /** Resolves when no server runs any more, to how the last one ended. */
  readonly over: Promise<DownstreamExit>;

  constructor(
    core: Core,
    greeting: Greeting,
    requests: ServerRequests,
    subscriptions: Subscriptions,
    restartMs = RESTART_MS,
  ) {
    this.#core = core;
    this.#greeting = greeting;
    this.#requests = requests;
    this.#subscriptions = subscriptions;
    this.#restartMs = restartMs;
    this.over = new Promise((resolve) => {
      this.#over = resolve;
    });
  }

  ended(link: Link, exit: DownstreamExit): void {
    const { links, log } = this.#core;
    const why = exit.why ?? goneText(link.name, exitCode(exit), exit.spawnError === undefined);
    const delay = this.#delay(link, exit);
    log.warn({ server: link.name, code: exit.code, signal: exit.signal, again: delay !== undefined }, 'a server ended');
    if (link.state !== 'over') link.gone(delay === undefined ? 'over' : 'down', why);
    for (const id of this.#requests.gone(link)) this.#withdraw(id);
    if (links.every(({ state }) => state !== 'up')) {
      this.#end(exit);
      return;
    }
    if (delay !== undefined) {
      this.#later(delay, () => this.#restart(link));
    } else if (!this.#isStopping) {
      this.#greeting.tell(`${why} The other servers go on.`);
      this.#greeting.listsChanged(link);
    }
  }

  /** Ends every server at once; resolves to how the last one ended. */
  async stop(): Promise<DownstreamExit> {
    this.#isStopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
    const exits = await Promise.all(this.#core.links.map((link) => link.stop()));
    this.#end(exits.at(-1) ?? { code: 0, signal: null });
    return this.over;
  }

  /** Undefined where it is not started again: it never worked, or did not come back several times. */
  #delay(link: Link, exit: DownstreamExit): number | undefined {
    if (this.#isStopping || link.state === 'over' || !link.hasAnswered || exit.spawnError !== undefined)
      return undefined;
    const steady = Date.now() - link.startedAt > STEADY_MS;
    const attempts = steady ? 0 : (this.#attempts.get(link) ?? 0);
    this.#attempts.set(link, attempts + 1);
    return attempts >= MAX_RESTARTS ? undefined : this.#restartMs * 2 ** attempts;
  }

  #restart(link: Link): void {
    link.restart();
    this.#greeting.again(link, (isBack) => {
      if (!isBack) {
        void link.stop();
        return;
      }
      this.#core.log.info({ server: link.name }, 'a server is back');
      link.books.changed();
      this.#subscriptions.renew(link);
    });
  }

  #later(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      run();
    }, ms);
    this.#timers.add(timer);
  }

  #withdraw(idText: string): void {
    const params = `{"requestId":${idText},"reason":"the server that asked has ended"}`;
    this.#core.out(Buffer.from(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`));
  }

  #end(exit: DownstreamExit): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#over?.(exit);
  }
}
