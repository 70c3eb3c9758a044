import { setTimeout as wait } from 'node:timers/promises';
import { ProxyError } from '../domain/errors.js';
import type { Logger } from '../domain/ports.js';
import type { Checkpoint } from '../domain/receipt.js';
import type { Recovered } from '../domain/recovered.js';
import type { Vpg } from '../domain/target.js';
import { type MountView, recoverFile, withView } from './recover.js';
import {
  type CheckpointState,
  checkpointState,
  type JournalClient,
  newestBefore,
  type WantedCheckpoint,
} from './recover-journal.js';
import type { MountJournal } from './recover-mounts.js';
import { endOrphans } from './recover-orphans.js';
import { type Mountable, mountable, type PointsClient } from './recover-point.js';
import type { RecoverTools } from './recover-session.js';
import { type KnownSession, knownSessions } from './recover-sessions.js';
import type { RecoverRequest, RecoveryClient } from './recover-types.js';
import { endMount, endSession, RECOVER_LIMITS, type RecoverLimits } from './recover-unmount.js';

export interface RecoveryOptions {
  /** By the config's name of the site. */
  readonly clients: ReadonlyMap<string, SiteClient>;
  readonly mounts: MountJournal;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  readonly now: () => Date;
  readonly limits?: Partial<RecoverLimits> | undefined;
}

type SiteClient = RecoveryClient & JournalClient & PointsClient;
type SiteRequest = Omit<RecoverRequest, 'vpgIdentifier' | 'recoverySite'> & { readonly vpg: Vpg };

/** One VM at one checkpoint. */
export interface MountPoint {
  readonly vpg: Vpg;
  readonly vmIdentifier: string;
  readonly checkpointIdentifier: string;
}

const AT_ONCE = 2;
/** A signal ends the proxy within 3 seconds, whatever the appliance does. */
const CLOSE_MS = 500;

/** Recovery over all configured sites: each request goes to the VPG's recovery site, at most two mounts at a time. */
export class Recovery {
  readonly #options: RecoveryOptions;
  readonly #limits: RecoverLimits;
  readonly #active = new Set<string>();
  readonly #waiting: (() => void)[] = [];
  #running = 0;
  #sweep: Promise<unknown> | undefined;

  constructor(options: RecoveryOptions) {
    this.#options = options;
    this.#limits = { ...RECOVER_LIMITS, ...options.limits };
  }

  /** Whether the VPG's recovery site is configured and answers. */
  async recoverable(vpg: Vpg, signal: AbortSignal): Promise<{ kind: 'yes' } | { kind: 'no'; why: string }> {
    const found = await this.#recoverySite(vpg, signal);
    return found.kind === 'found' ? { kind: 'yes' } : { kind: 'no', why: found.why };
  }

  /** Ends what broken recoveries left, in the background; at most one sweep at a time. */
  sweep(): void {
    this.#sweep ??= this.endOrphans()
      .catch(() => undefined)
      .finally(() => {
        this.#sweep = undefined;
      });
  }

  /** Recovers at the VPG's recovery site; meanwhile what broken recoveries left is ended. */
  async recover(request: SiteRequest, signal: AbortSignal): Promise<Recovered> {
    const found = await this.#recoverySite(request.vpg, signal);
    if (found.kind === 'no') return { kind: 'refused', why: found.why };
    this.sweep();
    const { vpg, ...rest } = request;
    const asked = { ...rest, vpgIdentifier: vpg.vpgIdentifier, recoverySite: vpg.recoverySite };
    return this.#inTurn(signal, () => recoverFile(found.client, asked, this.#tools(found.site), signal));
  }

  /** Mounts at the VPG's recovery site and shows the mount to `use`; unmounts in every case. */
  async within<T>(
    { vpg, vmIdentifier, checkpointIdentifier }: MountPoint,
    signal: AbortSignal,
    use: (view: MountView) => Promise<T>,
  ): Promise<{ readonly kind: 'done'; readonly value: T } | { readonly kind: 'refused'; readonly why: string }> {
    const found = await this.#recoverySite(vpg, signal);
    if (found.kind === 'no') return { kind: 'refused', why: found.why };
    this.sweep();
    const { vpgIdentifier, recoverySite } = vpg;
    const request = { vpgIdentifier, vmIdentifier, checkpointIdentifier, recoverySite };
    return this.#inTurn(signal, () => withView(found.client, request, this.#tools(found.site), signal, use));
  }

  async checkpoint(
    vpg: { readonly vpgIdentifier: string; readonly site: string },
    wanted: WantedCheckpoint,
    signal: AbortSignal,
  ): Promise<CheckpointState> {
    return checkpointState(this.#journal(vpg), vpg.vpgIdentifier, wanted, signal);
  }

  /** The newest checkpoint of a VPG; `undefined` for an empty journal. */
  async newest(
    vpg: { readonly vpgIdentifier: string; readonly site: string },
    signal: AbortSignal,
  ): Promise<Checkpoint | undefined> {
    return (await this.#journal(vpg).checkpointStats(vpg.vpgIdentifier, signal)).newest;
  }

  /** The newest checkpoint from before a moment that the VPG's journal still lists. */
  async newestBefore(
    vpg: { readonly vpgIdentifier: string; readonly site: string },
    timestamp: string,
    signal: AbortSignal,
  ): Promise<Checkpoint | undefined> {
    return newestBefore(this.#journal(vpg), vpg.vpgIdentifier, timestamp, signal);
  }

  /** Whether files of the VM can be taken from a checkpoint, before anything is mounted. */
  async mountable(vpg: Vpg, vmIdentifier: string, wanted: WantedCheckpoint, signal: AbortSignal): Promise<Mountable> {
    const found = await this.#recoverySite(vpg, signal);
    if (found.kind === 'no') return found;
    const { vpgIdentifier } = vpg;
    return mountable(this.#journal(vpg), found.client, { vpgIdentifier, vmIdentifier, wanted }, signal);
  }

  async sessions(vmIdentifier: string | undefined, signal: AbortSignal): Promise<readonly KnownSession[]> {
    return knownSessions({ ...this.#options, active: this.#active }, vmIdentifier, signal);
  }

  /** `false` where a site still has the session. A session that no site has is ended. */
  async end(session: string, signal: AbortSignal): Promise<boolean> {
    const mount = (await this.#options.mounts.list()).find((entry) => entry.session === session);
    for (const [site, client] of this.#options.clients) {
      if ((await client.session(session, signal)) === undefined) continue;
      const ended =
        mount?.site === site
          ? (await endMount(client, mount, this.#options, this.#limits, false)) !== 'left'
          : await endSession(client, session, this.#limits);
      if (!ended) return false;
    }
    return true;
  }

  /** Ends the mounts that crashed recoveries left; answers how many were ended and how many are left. */
  endOrphans(): Promise<{ readonly ended: number; readonly left: number }> {
    return endOrphans({ ...this.#options, limits: this.#limits, active: this.#active });
  }

  /** Waits a moment for what runs in the background: a mount that is left stands in the journal, for the next start. */
  async close(): Promise<void> {
    await Promise.race([this.#sweep, wait(CLOSE_MS)]);
  }

  #journal({ site }: { readonly site: string }): JournalClient {
    const client = this.#options.clients.get(site);
    if (client === undefined)
      throw new ProxyError('ZVM_UNREACHABLE', 'The site of this checkpoint is not configured here.');
    return client;
  }

  #tools(site: string): RecoverTools {
    const { mounts, log, now } = this.#options;
    return { site, mounts, log, now, active: this.#active, limits: this.#limits };
  }

  async #recoverySite(
    vpg: Vpg,
    signal: AbortSignal,
  ): Promise<{ kind: 'found'; site: string; client: SiteClient } | { kind: 'no'; why: string }> {
    if (vpg.recoverySite === undefined)
      return { kind: 'no', why: 'the appliance does not say where this VPG recovers to' };
    let silent = false;
    for (const [site, client] of this.#options.clients) {
      const local = await client.localSite(signal).catch(() => undefined);
      signal.throwIfAborted();
      if (local?.siteIdentifier === vpg.recoverySite) return { kind: 'found', site, client };
      silent ||= local === undefined;
    }
    const but = silent ? ', or its ZVM does not answer' : '';
    return {
      kind: 'no',
      why: `a recovery runs at the VPG's recovery site, and that site is not configured here${but}`,
    };
  }

  /** A turn is given away even when the waiting call was cancelled meanwhile. */
  async #inTurn<T>(signal: AbortSignal, run: () => Promise<T>): Promise<T> {
    if (this.#running >= AT_ONCE) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    else this.#running += 1;
    try {
      signal.throwIfAborted();
      return await run();
    } finally {
      const next = this.#waiting.shift();
      if (next === undefined) this.#running -= 1;
      else next();
    }
  }
}
