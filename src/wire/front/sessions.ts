import { randomBytes } from 'node:crypto';
import type { Meters } from '../../domain/meters.js';
import type { Logger } from '../../domain/ports.js';
import { delay } from '../child-group.js';
import type { LineSink } from '../pipe.js';
import type { Bridge } from './bridge.js';
import { HttpSession } from './session.js';
import { SharedSession } from './shared.js';

export interface SessionsDeps {
  readonly log: Logger;
  readonly meters?: Pick<Meters, 'operation' | 'session'> | undefined;
  /** Starts a downstream whose messages go to that sink; it serves one client, or all that are stateless. */
  readonly connect: (toClient: LineSink, clients: 'one' | 'many') => Bridge;
  readonly maxSessions: number;
  /** A session in which nothing happened for so long is ended. */
  readonly idleMs: number;
}

/** The open sessions of one server, and the child that stateless clients share. */
export class Sessions {
  readonly #deps: SessionsDeps;
  readonly #open = new Map<string, HttpSession>();
  readonly #ending = new Set<Promise<void>>();
  readonly #sweeper: NodeJS.Timeout;
  #shared: SharedSession | undefined;

  constructor(deps: SessionsDeps) {
    this.#deps = deps;
    this.#sweeper = setInterval(() => this.#endIdle(), Math.min(30_000, Math.max(50, deps.idleMs / 4)));
    this.#sweeper.unref();
  }

  get size(): number {
    return this.#open.size;
  }

  /** Requests that wait for an answer. */
  get pending(): number {
    return [...this.#open.values()].reduce((sum, { pending }) => sum + pending, this.#shared?.pending ?? 0);
  }

  find(id: string): HttpSession | undefined {
    return this.#open.get(id);
  }

  /** A new session with a child of its own; undefined where there are as many as may be. */
  begin(): HttpSession | undefined {
    const { maxSessions } = this.#deps;
    // Those that are still ending have a child too.
    if (this.#open.size + this.#ending.size >= maxSessions) return undefined;
    const id = randomBytes(24).toString('base64url');
    const connect = (toClient: LineSink) => this.#deps.connect(toClient, 'one');
    const session = new HttpSession({ ...this.#deps, connect, id });
    this.#open.set(id, session);
    void session.bridge.over.then(() => this.end(session));
    return session;
  }

  /** The session of all stateless clients; its child is started when one comes. */
  shared(): SharedSession {
    if (this.#shared === undefined) {
      const connect = (toClient: LineSink) => this.#deps.connect(toClient, 'many');
      const session = new SharedSession({ ...this.#deps, connect });
      this.#shared = session;
      void session.bridge.over.then(() => this.#endShared(session));
    }
    return this.#shared;
  }

  /** From now on nobody finds it; resolves when its child is gone. */
  end(session: HttpSession): Promise<void> {
    if (!this.#open.delete(session.id)) return Promise.resolve();
    return this.#ended(session);
  }

  endListening(): void {
    for (const session of this.#open.values()) session.endListening();
  }

  async endAll(): Promise<void> {
    clearInterval(this.#sweeper);
    for (const session of [...this.#open.values()]) void this.end(session);
    if (this.#shared !== undefined) void this.#endShared(this.#shared);
    await Promise.all(this.#ending);
  }

  /** Resolves when no request waits for an answer. */
  async settled(): Promise<void> {
    while (this.pending > 0) await delay(20);
  }

  #endShared(session: SharedSession): Promise<void> {
    if (this.#shared !== session) return Promise.resolve();
    this.#shared = undefined;
    return this.#ended(session);
  }

  #ended(session: HttpSession | SharedSession): Promise<void> {
    const ending = session.close().finally(() => this.#ending.delete(ending));
    this.#ending.add(ending);
    return ending;
  }

  #endIdle(): void {
    const now = Date.now();
    const { idleMs, log } = this.#deps;
    for (const session of [...this.#open.values()]) {
      if (session.idleFor(now) < idleMs) continue;
      log.info({}, 'a session in which nothing happened was ended');
      void this.end(session);
    }
    if (this.#shared !== undefined && this.#shared.idleFor(now) >= idleMs) void this.#endShared(this.#shared);
  }
}
