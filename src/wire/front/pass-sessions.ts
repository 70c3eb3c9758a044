import type { Meters } from '../../domain/meters.js';
import type { Logger } from '../../domain/ports.js';
import type { Ends, Relay } from '../relay.js';
import { PassSession, type Sharing } from './pass-session.js';
import type { PassUp } from './pass-up.js';

export interface PassSessionsDeps {
  readonly log: Logger;
  readonly meters?: Pick<Meters, 'operation' | 'session'> | undefined;
  readonly up: PassUp;
  readonly maxSessions: number;
  readonly idleMs: number;
  /** What the path of a call needs for one session, of one client or of many; `release` ends it. */
  readonly session: (clients: 'one' | 'many') => {
    readonly open: (ends: Ends) => Relay;
    readonly release: () => Promise<void>;
  };
}

const ENDED = 'The session was ended.';

/** What the relays of a server behind HTTP remember: one for each of its sessions, one for all that is asked without a session. */
export class PassSessions {
  readonly #deps: PassSessionsDeps;
  readonly #byId = new Map<string, PassSession>();
  /** That the upstream knows, or gives, a session of this id is not shown yet. */
  readonly #trial = new Map<PassSession, string | undefined>();
  readonly #sweeper: NodeJS.Timeout;
  #nameless: PassSession | undefined;
  #stateless: PassSession | undefined;

  constructor(deps: PassSessionsDeps) {
    this.#deps = deps;
    this.#sweeper = setInterval(() => this.#endIdle(), Math.min(30_000, Math.max(50, deps.idleMs / 4)));
    this.#sweeper.unref();
  }

  get size(): number {
    return this.#byId.size;
  }

  all(): readonly PassSession[] {
    const shared = [this.#nameless, this.#stateless].filter((session) => session !== undefined);
    return [...this.#byId.values(), ...this.#trial.keys(), ...shared];
  }

  /** The one of all requests of revision 2026-07-28. */
  stateless(): PassSession {
    this.#stateless ??= this.#begin('stateless');
    return this.#stateless;
  }

  /** The one of all requests of earlier revisions to an upstream that gives no session ids. */
  nameless(): PassSession {
    if (this.#nameless === undefined) {
      this.#nameless = this.#begin('nameless');
      this.#nameless.relay.joined();
    }
    return this.#nameless;
  }

  /** One that the upstream may give an id; undefined where there are too many. */
  beginning(): PassSession | undefined {
    return this.#try(undefined);
  }

  /** The one of that id, which may be older than this process; undefined where there are too many. */
  of(id: string): PassSession | undefined {
    const known = this.#byId.get(id) ?? [...this.#trial].find(([, claimed]) => claimed === id)?.[0];
    if (known !== undefined) return known;
    const session = this.#try(id);
    session?.relay.joined();
    return session;
  }

  /** The upstream said that it has no such session any more. */
  end(id: string): void {
    const session = this.#byId.get(id);
    if (session === undefined) return;
    this.#byId.delete(id);
    this.#counted(session);
    void session.close(ENDED);
  }

  /** A request is over: where the upstream has shown no session for it, nothing is kept. */
  release(session: PassSession): void {
    if (session.busy || !this.#trial.delete(session)) return;
    void session.close(ENDED);
  }

  async endAll(): Promise<void> {
    clearInterval(this.#sweeper);
    const all = this.all();
    for (const session of this.#byId.values()) this.#counted(session);
    this.#byId.clear();
    this.#trial.clear();
    this.#nameless = undefined;
    this.#stateless = undefined;
    await Promise.all(all.map((session) => session.close('The proxy is ending.')));
  }

  #try(id: string | undefined): PassSession | undefined {
    if (this.#byId.size + this.#trial.size >= this.#deps.maxSessions) return undefined;
    const session = this.#begin('none');
    this.#trial.set(session, id);
    session.onAnswer = (status, given) => {
      const shown = given ?? id;
      if (status < 200 || status > 299 || shown === undefined || this.#byId.has(shown)) return;
      if (this.#trial.delete(session)) this.#byId.set(shown, session);
    };
    return session;
  }

  #counted({ begun }: PassSession): void {
    this.#deps.meters?.session((Date.now() - begun) / 1000);
  }

  #begin(sharing: Sharing): PassSession {
    const { log, meters, up, session } = this.#deps;
    return new PassSession({ log, meters, up, sharing, ...session(sharing === 'none' ? 'one' : 'many') });
  }

  #endIdle(): void {
    const now = Date.now();
    for (const [id, session] of [...this.#byId]) if (session.idleFor(now) >= this.#deps.idleMs) this.end(id);
    for (const session of [...this.#trial.keys()]) this.release(session);
  }
}
