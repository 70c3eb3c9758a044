import { ProxyError } from '../domain/errors.js';
import type { Before, Checkpoints } from '../domain/ports.js';
import type { Checkpoint } from '../domain/receipt.js';
import type { Vpg } from '../domain/target.js';
import { quote } from '../domain/text.js';
import { awaitTag, type Watch } from './await-tag.js';
import { notSupported, readBefore } from './before.js';
import type { ZvmClient } from './client.js';
import { type Clock, withDeadline } from './clock.js';
import { statusOf } from './failure.js';
import { Gate } from './gate.js';
import { notPinned } from './not-pinned.js';
import { TIMINGS, type Timing } from './profiles.js';

export interface ZvmCheckpointsOptions {
  readonly clients: readonly ZvmClient[];
  readonly clock: Clock;
  /** `guard.timeoutSeconds`; null or absent = by profile. */
  readonly timeoutSeconds?: number | null | undefined;
}

// The list is read from a little before the newest checkpoint known, or before the appliance's clock where the journal is empty:
// a stamp may lie before the request.
const SLACK_MS = 20_000;
const CLOCK_SLACK_MS = 120_000;
/** How many VPGs of one site are looked at, or sent their insert, at a time; the wait for their tags is not bounded. */
const AT_A_TIME = 8;

/** Pins tagged checkpoints on the ZVMs of all sites. */
export class ZvmCheckpoints implements Checkpoints {
  readonly #clients: ReadonlyMap<string, ZvmClient>;
  readonly #gates: ReadonlyMap<string, Gate>;
  readonly #clock: Clock;
  readonly #timeoutMs: number | undefined;

  constructor(options: ZvmCheckpointsOptions) {
    this.#clients = new Map(options.clients.map((client) => [client.site, client]));
    this.#gates = new Map(options.clients.map(({ site }) => [site, new Gate(AT_A_TIME)]));
    this.#clock = options.clock;
    this.#timeoutMs = typeof options.timeoutSeconds === 'number' ? options.timeoutSeconds * 1000 : undefined;
  }

  async before(vpg: Vpg, signal: AbortSignal): Promise<Before> {
    const client = this.#client(vpg.site);
    if (vpg.unsupported !== undefined) throw notSupported(vpg, vpg.unsupported);
    const timing = this.#timing(vpg);
    const late = () => notAnswered(vpg, 'did not tell its state', timing);
    return within(timing.timeoutMs, late, signal, (deadline) =>
      this.#gate(vpg).through(() => readBefore(client, vpg, timing, deadline), deadline),
    );
  }

  async pin(vpg: Vpg, tag: string, before: Before, signal: AbortSignal): Promise<Checkpoint> {
    const timing = this.#timing(vpg);
    const late = () => notAnswered(vpg, 'did not list the checkpoint', timing);
    return within(timing.timeoutMs, late, signal, (deadline) => this.#pin(vpg, tag, before, timing, deadline));
  }

  async #pin(vpg: Vpg, tag: string, before: Before, timing: Timing, signal: AbortSignal): Promise<Checkpoint> {
    const client = this.#client(vpg.site);
    const since = await this.#since(client, before, signal);
    const { startedAt, taskIdentifier } = await this.#gate(vpg).through(async () => {
      const now = this.#clock.now();
      return { startedAt: now, taskIdentifier: await insert(client, vpg, tag, signal) };
    }, signal);
    const watch: Watch = {
      client,
      vpg,
      tag,
      before,
      since,
      startedAt,
      taskIdentifier,
      timing,
      clock: this.#clock,
    };
    return awaitTag(watch, signal);
  }

  now(site: string, signal: AbortSignal): Promise<Date> {
    return this.#client(site).serverTime(signal);
  }

  async #since(client: ZvmClient, before: Before, signal: AbortSignal): Promise<Date> {
    if (before.newest !== undefined) return new Date(Date.parse(before.newest.timestamp) - SLACK_MS);
    return new Date((await client.serverTime(signal)).getTime() - CLOCK_SLACK_MS);
  }

  #timing({ profile }: Vpg): Timing {
    const timing = TIMINGS[profile];
    return { ...timing, timeoutMs: this.#timeoutMs ?? timing.timeoutMs };
  }

  #gate({ site }: Vpg): Gate {
    return this.#gates.get(site) ?? new Gate(AT_A_TIME);
  }

  #client(site: string): ZvmClient {
    const client = this.#clients.get(site);
    if (client === undefined) throw new ProxyError('CONFIG_INVALID', `No ZVM is configured for site ${quote(site)}.`);
    return client;
  }
}

/** Whoever gives up by the clock, while the appliance answers, gives its own reason first. */
const GRACE_MS = 250;

/** A request that hangs must not outlive the time of the pin, however long a request may take by itself: `late` says so. */
async function within<T>(
  ms: number,
  late: () => ProxyError,
  signal: AbortSignal,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = withDeadline(signal, ms + GRACE_MS);
  try {
    return await run(deadline.signal);
  } catch (error) {
    signal.throwIfAborted();
    throw deadline.signal.aborted ? late() : error;
  } finally {
    deadline.clear();
  }
}

function notAnswered(vpg: Vpg, what: string, { timeoutMs }: Timing): ProxyError {
  return notPinned(
    vpg,
    `${what} within ${Math.round(timeoutMs / 1000)} s, since its ZVM did not answer in time`,
    'Send the call again; if it stays so, the operator has to look at the ZVM.',
  );
}

/** The task's id; undefined where the insert may have been taken although no usable answer came. */
async function insert(client: ZvmClient, vpg: Vpg, tag: string, signal: AbortSignal): Promise<string | undefined> {
  try {
    return await client.insertTag(vpg.vpgIdentifier, tag, signal);
  } catch (error) {
    if (signal.aborted || !(error instanceof ProxyError)) throw error;
    if (mayBeTaken(error)) return undefined;
    const status = statusOf(error);
    if (status === undefined || status === 401 || status === 403) throw error;
    const words = error.details['message'];
    const said = typeof words === 'string' ? `: ${quote(words)}` : '';
    throw notPinned(
      vpg,
      `refused the checkpoint with HTTP ${status}${said}`,
      'The operator has to look at the VPG in Zerto; then send the call again.',
      { status, message: words },
      error,
    );
  }
}

/** No answer to a request that went out, a success that could not be read, or a 5xx that is not in the appliance's own words. */
function mayBeTaken(error: ProxyError): boolean {
  if (error.code === 'ZVM_UNREACHABLE') return error.details['sent'] === 'maybe';
  const status = statusOf(error);
  if (status === undefined) return false;
  return status < 300 || (status >= 500 && error.details['message'] === undefined);
}
