import { ProxyError } from '../domain/errors.js';
import type { Checkpoints } from '../domain/ports.js';
import type { Checkpoint, ReceiptVpg } from '../domain/receipt.js';
import type { Vpg } from '../domain/target.js';
import { quote } from '../domain/text.js';
import type { Listed } from './lane.js';

/** Milliseconds; `sleep` rejects when the signal aborts. */
export interface Clock {
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

export interface Hold {
  /** How long, on the guard's own clock, a call may wait for its tag's stamp to lie in the past. */
  readonly seconds: number;
  readonly trustCloudTags: boolean;
}

interface HoldDeps {
  readonly checkpoints: Checkpoints;
  readonly clock: Clock;
  readonly hold: Hold;
  readonly signal: AbortSignal;
}

/** Stamps are whole seconds, cut off: one second later the appliance's clock is surely past the real moment. */
const SURELY_PAST_MS = 1000;

/**
 * The recovery point that surely precedes what is forwarded when this resolves (G-3): the tag, where its stamp lies at least
 * 1 s back on the appliance's clock, which this waits for; else the newest checkpoint that existed before the insert.
 */
export async function recoverFrom(vpg: Vpg, pin: Listed, deps: HoldDeps): Promise<ReceiptVpg['recoverFrom']> {
  if (pin.spare) return ofSpare(vpg, pin, deps);
  const earlier = pin.before.newest;
  if (vpg.profile !== 'vsphere' && !deps.hold.trustCloudTags && earlier !== undefined) {
    return point(earlier, 'a cloud stamps its tags late: this checkpoint existed before the tag was inserted');
  }
  if (await stampPassed(vpg, pin.checkpoint, deps)) {
    return point(pin.checkpoint, 'the tag: its stamp lies at least 1 s before the call was forwarded');
  }
  if (earlier !== undefined) {
    return point(
      earlier,
      "the tag's stamp does not lie before the call: this checkpoint existed before the tag was inserted",
    );
  }
  throw noPoint(vpg);
}

/** A tag that was not made for this call: the journal may have moved on, or be gone. */
async function ofSpare(vpg: Vpg, pin: Listed, deps: HoldDeps): Promise<ReceiptVpg['recoverFrom']> {
  const { newest } = await deps.checkpoints.before(vpg, deps.signal);
  if (newest === undefined) throw noPoint(vpg);
  const tagged = newest.tag !== undefined || newest.checkpointIdentifier === pin.checkpoint.checkpointIdentifier;
  const late = tagged && vpg.profile !== 'vsphere' && !deps.hold.trustCloudTags;
  if (!late && (await stampPassed(vpg, newest, deps))) {
    return point(newest, 'the newest checkpoint that was listed right before the call was forwarded');
  }
  if (pin.before.newest === undefined) throw noPoint(vpg);
  return point(
    pin.before.newest,
    'the newest checkpoint may be stamped late: this one existed before the tag was inserted',
  );
}

function noPoint(vpg: Vpg): ProxyError {
  return new ProxyError(
    'CHECKPOINT_NOT_PINNED',
    `The journal of VPG ${quote(vpg.name)} holds no checkpoint that surely precedes this call. The call was not sent. Send it again in a minute.`,
  );
}

async function stampPassed(
  vpg: Vpg,
  tag: Checkpoint,
  { checkpoints, clock, hold, signal }: HoldDeps,
): Promise<boolean> {
  const appliance = await checkpoints.now(vpg.site, signal);
  const wait = Date.parse(tag.timestamp) + SURELY_PAST_MS - appliance.getTime();
  if (Number.isNaN(wait) || wait > hold.seconds * 1000) return false;
  if (wait > 0) await clock.sleep(wait, signal);
  return true;
}

function point(checkpoint: Checkpoint, why: string): ReceiptVpg['recoverFrom'] {
  return { checkpointIdentifier: checkpoint.checkpointIdentifier, timestamp: checkpoint.timestamp, why };
}
