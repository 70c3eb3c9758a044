import { ProxyError } from '../domain/errors.js';
import type { ApplianceEvent, ApplianceRecords, JournalTags, SiteEvents } from '../domain/evidence.js';
import type { Inventory, Listing } from '../domain/ports.js';
import type { Checkpoint } from '../domain/receipt.js';
import type { Vm, Vpg } from '../domain/target.js';
import type { ZvmClient } from './client.js';
import type { Clock } from './clock.js';
import { allEvents, DAY_MS } from './event-log.js';
import { Gate } from './gate.js';
import type { ZvmEvent } from './shapes.js';

/** Times in milliseconds on this machine's clock; `stamps` on the appliances': the first and the last that has to be within. */
export interface EvidenceRange {
  readonly since: number | undefined;
  readonly until: number | undefined;
  readonly stamps: readonly [first: number, last: number] | undefined;
  /** The first call of the log: nothing is of use from before both it and the journals. */
  readonly oldest: number | undefined;
  readonly wants: (vm: Vm, vpg: Vpg) => boolean;
}

/** Clocks drift, and a stamp may lie half a minute after its insert: so much more is read at both ends. */
const SLACK_MS = 10 * 60_000;
const MAX_TIME = 8_640_000_000_000_000 / 2;
const AT_A_TIME = 4;
const KINDS: Readonly<Record<number, ApplianceEvent['kind']>> = { 12: 'tag', 58: 'mount' };

type Bounds = Pick<EvidenceRange, 'since' | 'until' | 'stamps'>;

interface SiteClock {
  readonly siteIdentifier: string | undefined;
  readonly aheadMs: number;
}

/** What the appliances of all sites recorded by themselves. Read only; a site that does not answer is named, and rejects nothing. */
export class Evidence {
  readonly #clients: ReadonlyMap<string, ZvmClient>;
  readonly #inventory: Required<Inventory>;
  readonly #clock: Clock;
  readonly #gate = new Gate(AT_A_TIME);

  constructor(clients: readonly ZvmClient[], inventory: Required<Inventory>, clock: Clock) {
    this.#clients = new Map(clients.map((client) => [client.site, client]));
    this.#inventory = inventory;
    this.#clock = clock;
  }

  async read(range: EvidenceRange, signal: AbortSignal): Promise<ApplianceRecords> {
    const { vms, silent } = await this.#listing(signal);
    const wanted = vms.flatMap((vm) => vm.vpgs.filter((vpg) => range.wants(vm, vpg)));
    const vpgs = new Map(wanted.map((vpg) => [vpg.vpgIdentifier, vpg]));
    const clocks = new Map<string, SiteClock>();
    for (const client of this.#clients.values()) clocks.set(client.site, await this.#clockOf(client, signal));
    const journals = await Promise.all(
      [...vpgs.values()].map((vpg) =>
        this.#gate.through(() => this.#journal(vpg, range, clocks.get(vpg.site)?.aheadMs ?? 0, signal), signal),
      ),
    );
    const from = eventsFrom(range, journals, this.#clock.now());
    const sites = await Promise.all(
      [...this.#clients.values()].map((client) => this.#events(client, from, range, clocks.get(client.site), signal)),
    );
    return { vms, journals, sites, silent };
  }

  async #listing(signal: AbortSignal) {
    const listing = await this.#inventory.listing(signal).catch((error: unknown): Listing => {
      signal.throwIfAborted();
      return { vms: [], unsure: [], silent: [...this.#clients.keys()].map((site) => ({ site, error })) };
    });
    return { vms: listing.vms, silent: listing.silent.map(({ site, error }) => ({ site, why: whyOf(error) })) };
  }

  async #clockOf(client: ZvmClient, signal: AbortSignal): Promise<SiteClock> {
    try {
      const { siteIdentifier } = await client.localSite(signal);
      const time = await client.serverTime(signal);
      return { siteIdentifier, aheadMs: time.getTime() - this.#clock.now() };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof ProxyError)) throw error;
      return { siteIdentifier: undefined, aheadMs: 0 };
    }
  }

  async #journal(vpg: Vpg, range: EvidenceRange, aheadMs: number, signal: AbortSignal): Promise<JournalTags> {
    const client = this.#clients.get(vpg.site);
    if (client === undefined) return { vpg, answer: { kind: 'unread', why: 'its site is not configured' } };
    try {
      return { vpg, answer: await journalOf(client, vpg.vpgIdentifier, range, aheadMs, signal) };
    } catch (error) {
      signal.throwIfAborted();
      return { vpg, answer: { kind: 'unread', why: whyOf(error) } };
    }
  }

  async #events(
    client: ZvmClient,
    from: number,
    range: EvidenceRange,
    clock: SiteClock | undefined,
    signal: AbortSignal,
  ): Promise<SiteEvents> {
    const { siteIdentifier, aheadMs } = clock ?? { siteIdentifier: undefined, aheadMs: 0 };
    // One day more than asked for: an older event shows that the appliance still knows that time.
    const since = new Date(from + aheadMs - DAY_MS);
    const until = new Date(Math.min(endOf(range, aheadMs), this.#clock.now() + aheadMs + SLACK_MS));
    try {
      const all = await allEvents(client, { since, until }, signal);
      const oldest = all.map(({ occurredOn }) => occurredOn).sort((a, b) => Date.parse(a) - Date.parse(b))[0];
      const events = all.flatMap((event) => ours(client.site, event));
      return { site: client.site, siteIdentifier, aheadMs, answer: { kind: 'read', events, from: oldest } };
    } catch (error) {
      signal.throwIfAborted();
      return { site: client.site, siteIdentifier, aheadMs, answer: { kind: 'unread', why: whyOf(error) } };
    }
  }
}

/** The end of the journal is read last: what was evicted meanwhile is older than it. */
async function journalOf(
  client: ZvmClient,
  vpgIdentifier: string,
  range: EvidenceRange,
  aheadMs: number,
  signal: AbortSignal,
): Promise<JournalTags['answer'] & { kind: 'read' }> {
  const { oldest, newest } = await client.checkpointStats(vpgIdentifier, signal);
  if (oldest === undefined || newest === undefined) return { kind: 'read', tagged: [] };
  const from = Math.max(Date.parse(oldest.timestamp), startOf(range, aheadMs));
  const end = Math.min(Date.parse(newest.timestamp) + SLACK_MS, endOf(range, aheadMs));
  const tagged = new Map<string, Checkpoint>();
  for (let start = from; start < end; start += DAY_MS) {
    const day = { since: new Date(start), until: new Date(Math.min(start + DAY_MS, end)) };
    for (const point of await client.checkpoints(vpgIdentifier, day, signal)) {
      if ((point.tag?.trim() ?? '') !== '') tagged.set(point.checkpointIdentifier, point);
    }
  }
  const after = await client.checkpointStats(vpgIdentifier, signal);
  return { kind: 'read', tagged: [...tagged.values()], oldest: after.oldest };
}

/** The start and the end of a range on the appliance's clock, with slack. */
function startOf({ since = 0, stamps }: Bounds, aheadMs: number): number {
  const start = since + aheadMs;
  return Math.min(start, stamps?.[0] ?? start) - SLACK_MS;
}

function endOf({ until = MAX_TIME, stamps }: Bounds, aheadMs: number): number {
  const end = until + aheadMs;
  return Math.max(end, stamps?.[1] ?? end) + SLACK_MS;
}

function eventsFrom(range: EvidenceRange, journals: readonly JournalTags[], now: number): number {
  const ends = journals.flatMap(({ answer }) =>
    answer.kind === 'read' && answer.oldest !== undefined ? [Date.parse(answer.oldest.timestamp)] : [],
  );
  const known = ends.reduce((least, end) => Math.min(least, end), Math.min(now, range.oldest ?? now));
  return Math.max(startOf(range, 0), Math.min(known, range.stamps?.[0] ?? known) - SLACK_MS);
}

/** An insert or a mount that did not succeed left nothing. */
function ours(site: string, event: ZvmEvent): readonly ApplianceEvent[] {
  const kind = KINDS[event.eventType ?? -1];
  if (kind === undefined || event.succeeded === false) return [];
  const { occurredOn: at, description: text, userName: user, vpgIdentifiers: vpgs } = event;
  return [{ kind, site, at, text, user, vpgs }];
}

function whyOf(error: unknown): string {
  if (error instanceof ProxyError) return error.message;
  throw error;
}
