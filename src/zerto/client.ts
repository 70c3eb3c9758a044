import type { Meters } from '../domain/meters.js';
import type { Checkpoint } from '../domain/receipt.js';
import { Api } from './api.js';
import { TokenSource, type ZvmLogin } from './auth.js';
import { type Clock, systemClock } from './clock.js';
import { rejected, statusOf } from './failure.js';
import { type Exchange, type Http, SiteHttp } from './http.js';
import { dates, type Route, route } from './paths.js';
import type {
  DateRange,
  Download,
  FlrItem,
  FlrSession,
  Journal,
  LocalSite,
  PeerSite,
  PointInTime,
  Task,
  UnprotectedVm,
  VmRow,
  VpgState,
  ZvmEvent,
} from './shapes.js';
import type { TlsTrust } from './tls.js';
import { rolesOf } from './token-roles.js';
import * as wire from './wire.js';

export interface ZvmClientOptions {
  /** The config's name of the site. */
  readonly site: string;
  readonly url: string;
  readonly login: ZvmLogin;
  readonly tls: TlsTrust;
  readonly simulated?: boolean | undefined;
  readonly clock?: Clock | undefined;
  readonly timeoutMs?: number | undefined;
  readonly connectTimeoutMs?: number | undefined;
  readonly meters?: Pick<Meters, 'zvmRequest'> | undefined;
  /** Told of each request and its answer. */
  readonly observe?: ((exchange: Exchange) => void) | undefined;
  /** Else HTTPS to `url`. */
  readonly http?: Http | undefined;
}

// A mount may be prepared before it is answered; an insert is answered at once, and what is lost is searched in the list.
const MOUNT_TIMEOUT_MS = 60_000;
const INSERT_TIMEOUT_MS = 10_000;
const DOWNLOAD = 'GET of a download';

/** One site's ZVM. Each method rejects with ZVM_UNREACHABLE, ZVM_REJECTED or the signal's reason. Nothing is sent before the first call. */
export class ZvmClient {
  readonly site: string;
  readonly simulated: boolean;
  readonly #http: Http;
  readonly #tokens: TokenSource;
  readonly #api: Api;

  constructor(options: ZvmClientOptions) {
    this.site = options.site;
    this.simulated = options.simulated ?? false;
    this.#http = options.http ?? new SiteHttp(options);
    this.#tokens = new TokenSource(this.#http, options.login, options.clock ?? systemClock);
    this.#api = new Api(this.#http, this.#tokens);
  }

  /** Whether a connection is opened under the trust given; nothing is sent but a request without a login. Rejects where nothing answers. */
  reaches(signal: AbortSignal): Promise<boolean> {
    return this.#http.reaches(signal);
  }

  /** The roles that the account's token names; undefined where it names none, or is not to be read. */
  async roles(signal: AbortSignal): Promise<readonly string[] | undefined> {
    return rolesOf(await this.#tokens.token(signal));
  }

  localSite(signal: AbortSignal): Promise<LocalSite> {
    return this.#get(route`v1/localsite`, wire.readLocalSite, signal);
  }

  peerSites(signal: AbortSignal): Promise<readonly PeerSite[]> {
    return this.#get(route`v1/peersites`, wire.readPeerSites, signal);
  }

  /** A row for each VM and VPG, outgoing and incoming. */
  vms(signal: AbortSignal): Promise<readonly VmRow[]> {
    return this.#get(route`v1/vms`, wire.readVmRows, signal);
  }

  /** The VMs that no VPG protects, of this site and of those paired with it. */
  async unprotectedVms(signal: AbortSignal): Promise<readonly UnprotectedVm[]> {
    const sites = await this.#get(route`v1/virtualizationsites`, wire.readSiteIds, signal);
    const lists = await Promise.all(
      sites.map((site) =>
        this.#get(route`v1/virtualizationsites/${site}/vms`, (value) => wire.readUnprotectedVms(site, value), signal),
      ),
    );
    return lists.flat();
  }

  async vpg(vpgIdentifier: string, signal: AbortSignal): Promise<VpgState> {
    return this.#get(route`v1/vpgs/${vpgIdentifier}`, wire.readVpg, signal);
  }

  /** The oldest and the newest checkpoint of a VPG. */
  async checkpointStats(vpgIdentifier: string, signal: AbortSignal): Promise<Journal> {
    return this.#get(route`v1/vpgs/${vpgIdentifier}/checkpoints/stats`, wire.readJournal, signal);
  }

  /** Checkpoints since a time of the appliance's clock, in no certain order; without it a day would be 17,000 rows. */
  async checkpoints(
    vpgIdentifier: string,
    range: DateRange & { readonly since: Date },
    signal: AbortSignal,
  ): Promise<readonly Checkpoint[]> {
    return this.#get(route`v1/vpgs/${vpgIdentifier}/checkpoints`, wire.readCheckpoints, signal, dates(range));
  }

  /** Asks for a tagged checkpoint and answers the task's id. Not idempotent: never repeated here, except after a 401. */
  async insertTag(vpgIdentifier: string, name: string, signal: AbortSignal): Promise<string> {
    const request = {
      method: 'POST',
      ...route`v1/vpgs/${vpgIdentifier}/checkpoints`,
      json: { checkpointName: name },
      timeoutMs: INSERT_TIMEOUT_MS,
    } as const;
    return this.#api.call(request, wire.readString, signal);
  }

  async task(taskIdentifier: string, signal: AbortSignal): Promise<Task> {
    return this.#get(route`v1/tasks/${taskIdentifier}`, wire.readTask, signal);
  }

  /** The appliance's clock. */
  serverTime(signal: AbortSignal): Promise<Date> {
    return this.#get(route`v1/serverDateTime/serverDateTimeUtc`, wire.readDate, signal);
  }

  /** The checkpoints of a VPG as one of its VMs sees them, with leave to mount. */
  async pointsInTime(
    vmIdentifier: string,
    vpgIdentifier: string,
    range: DateRange,
    signal: AbortSignal,
  ): Promise<readonly PointInTime[]> {
    const query = { vpgIdentifier, ...dates(range) };
    return this.#get(route`v1/vms/${vmIdentifier}/pointsInTime`, wire.readPointsInTime, signal, query);
  }

  /** The appliance's own record of what happened. */
  events(
    filter: DateRange & { readonly vpgIdentifier?: string | undefined },
    signal: AbortSignal,
  ): Promise<readonly ZvmEvent[]> {
    const query = { vpgIdentifier: filter.vpgIdentifier, ...dates(filter) };
    return this.#get(route`v1/events`, wire.readEvents, signal, query);
  }

  /** Mounts a VM's disks at a checkpoint for reading; answers the session's id. No path is ever named to the appliance here. */
  mount(
    what: { readonly vpgIdentifier: string; readonly vmIdentifier: string; readonly checkpointIdentifier: string },
    signal: AbortSignal,
  ): Promise<string> {
    const { vpgIdentifier, vmIdentifier, checkpointIdentifier } = what;
    const json = { jflr: { vpgIdentifier, vmIdentifier, checkpointIdentifier } };
    const request = {
      method: 'POST',
      ...route`v1/flrs`,
      json,
      timeoutMs: MOUNT_TIMEOUT_MS,
    } as const;
    return this.#api.call(request, wire.readString, signal);
  }

  sessions(vmIdentifier: string | undefined, signal: AbortSignal): Promise<readonly FlrSession[]> {
    return this.#get(route`v1/flrs`, wire.readSessions, signal, { vmIdentifier });
  }

  /** Absent where the appliance does not know the session, or not any more. */
  async session(sessionIdentifier: string, signal: AbortSignal): Promise<FlrSession | undefined> {
    try {
      const found = await this.#get(route`v1/flrs/${sessionIdentifier}`, wire.readSessions, signal);
      return found.find((session) => session.sessionIdentifier === sessionIdentifier);
    } catch (error) {
      if (statusOf(error) === 404) return undefined;
      throw error;
    }
  }

  /** One page of a folder in a mounted image; pages start at 0, an empty path lists the volumes. */
  async browse(
    sessionIdentifier: string,
    path: string,
    page: { readonly number: number; readonly size: number },
    signal: AbortSignal,
  ): Promise<{ readonly items: readonly FlrItem[] }> {
    const request = {
      method: 'POST',
      ...route`v1/flrs/${sessionIdentifier}/browse`,
      json: { path, pageNumber: page.number, pageSize: page.size },
    } as const;
    return { items: await this.#api.call(request, wire.readItems, signal) };
  }

  /** Asks for a download of paths of a mounted image; answers the URL as the appliance words it, for `openDownload`. */
  async download(sessionIdentifier: string, paths: readonly string[], signal: AbortSignal): Promise<string> {
    const request = {
      method: 'POST',
      ...route`v1/flrs/${sessionIdentifier}/download`,
      json: { pathList: paths },
      timeoutMs: MOUNT_TIMEOUT_MS,
    } as const;
    return this.#api.call(request, wire.readString, signal);
  }

  /** Opens what `download` named. A URL on another host is refused before anything is sent. */
  async openDownload(url: string, signal: AbortSignal): Promise<Download> {
    const { headers, stream } = await this.#api.open(DOWNLOAD, url, signal);
    if ((headers['content-encoding'] ?? 'identity') !== 'identity') {
      stream.on('error', () => undefined);
      stream.destroy();
      throw rejected(this.site, DOWNLOAD, 'sent an encoded download although none was accepted');
    }
    const length = headers['content-length'];
    return {
      stream,
      contentType: headers['content-type'],
      disposition: headers['content-disposition'],
      length: length !== undefined && /^\d{1,15}$/.test(length) ? Number(length) : undefined,
    };
  }

  /** Ends a session. One that the appliance does not know is ended. */
  async unmount(sessionIdentifier: string, signal: AbortSignal): Promise<void> {
    try {
      await this.#api.answer({ method: 'DELETE', ...route`v1/flrs/${sessionIdentifier}` }, signal);
    } catch (error) {
      if (statusOf(error) !== 404) throw error;
    }
  }

  /** Ends all connections; requests under way reject. */
  async close(): Promise<void> {
    this.#tokens.close();
    await this.#http.close();
  }

  #get<T>(
    where: Route,
    read: (value: unknown) => T,
    signal: AbortSignal,
    query?: Readonly<Record<string, string | undefined>>,
  ): Promise<T> {
    return this.#api.call({ method: 'GET', ...where, query }, read, signal);
  }
}
