import { ProxyError } from '../domain/errors.js';
import type { Before, Checkpoints } from '../domain/ports.js';
import type { Checkpoint } from '../domain/receipt.js';
import type { Vpg } from '../domain/target.js';
import { quote } from '../domain/text.js';
import { awaitTag, type Watch } from './await-tag.js';
import type { ZvmClient } from './client.js';
import type { Clock } from './clock.js';
import { statusOf } from './failure.js';
import { notPinned } from './not-pinned.js';
import { TIMINGS } from './profiles.js';
import { readiness } from './vpg-state.js';

export interface ZvmCheckpointsOptions {
  readonly clients: readonly ZvmClient[];
  readonly clock: Clock;
  /** `guard.timeoutSeconds`; null or absent = by profile. */
  readonly timeoutSeconds?: number | null | undefined;
}

// The list is read from a little before the newest checkpoint known, or before the appliance's clock where the journal is empty.
const SLACK_MS = 5_000;
const CLOCK_SLACK_MS = 120_000;

/** Pins tagged checkpoints on the ZVMs of all sites. */
export class ZvmCheckpoints implements Checkpoints {
  readonly #clients: ReadonlyMap<string, ZvmClient>;
  readonly #clock: Clock;
  readonly #timeoutMs: number | undefined;

  constructor(options: ZvmCheckpointsOptions) {
    this.#clients = new Map(options.clients.map((client) => [client.site, client]));
    this.#clock = options.clock;
    this.#timeoutMs = typeof options.timeoutSeconds === 'number' ? options.timeoutSeconds * 1000 : undefined;
  }

  async before(vpg: Vpg, signal: AbortSignal): Promise<Before> {
    const client = this.#client(vpg.site);
    const journal = client.checkpointStats(vpg.vpgIdentifier, signal);
    // Where the state refuses, nobody waits for the journal any more.
    journal.catch(() => undefined);
    const state = await client.vpg(vpg.vpgIdentifier, signal);
    const ready = readiness(state);
    if (ready.kind === 'blocked') {
      throw notPinned(vpg, `takes no checkpoint now: ${ready.state}`, ready.remedy, {
        status: state.status,
        subStatus: state.subStatus,
      });
    }
    return { newest: (await journal).newest };
  }

  async pin(vpg: Vpg, tag: string, before: Before, signal: AbortSignal): Promise<Checkpoint> {
    const client = this.#client(vpg.site);
    const since = await this.#since(client, before, signal);
    const startedAt = this.#clock.now();
    const taskIdentifier = await insert(client, vpg, tag, signal);
    const timing = TIMINGS[vpg.profile];
    const watch: Watch = {
      client,
      vpg,
      tag,
      before,
      since,
      startedAt,
      taskIdentifier,
      timing: { ...timing, timeoutMs: this.#timeoutMs ?? timing.timeoutMs },
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

  #client(site: string): ZvmClient {
    const client = this.#clients.get(site);
    if (client === undefined) throw new ProxyError('CONFIG_INVALID', `No ZVM is configured for site ${quote(site)}.`);
    return client;
  }
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
