import { ProxyError } from '../domain/errors.js';
import type { Before, Checkpoints } from '../domain/ports.js';
import type { Checkpoint, ReceiptVpg } from '../domain/receipt.js';
import type { Profile, Vpg } from '../domain/target.js';
import { quote } from '../domain/text.js';
import type { Listed } from './batch.js';

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

export interface HoldDeps {
  readonly checkpoints: Checkpoints;
  readonly clock: Clock;
  readonly hold: Hold;
  readonly signal: AbortSignal;
}

/** Stamps are whole seconds, cut off: one second later the appliance's clock is surely past the real moment. */
const SURELY_PAST_MS = 1000;
/** A tag that was seen in the list so long ago at most is there. */
const JUST_NOW_MS = 1000;
/** An earlier checkpoint older than ten of its platform's gaps, and ten minutes, says that replication stands still. */
const TOO_OLD_MS: Readonly<Record<Profile, number>> = { vsphere: 600_000, azure: 600_000, aws: 6_300_000 };

/**
 * The recovery point that surely precedes what is forwarded when this resolves (G-3): the tag, where its stamp lies at least
 * 1 s back on the appliance's clock, which this waits for; else the newest checkpoint that existed before the insert. What was
 * found earlier than just now is looked for in the journal once more.
 */
export async function recoverFrom(vpg: Vpg, pin: Listed, deps: HoldDeps): Promise<ReceiptVpg['recoverFrom']> {
  if (pin.spare) return ofSpare(vpg, pin, deps);
  if (!stampsLate(vpg, deps)) {
    const stamp = await stampPassed(vpg, pin.checkpoint, deps);
    const waited = stamp === 'after a wait' || deps.clock.now() - pin.listedAt > JUST_NOW_MS;
    if (waited && stamp !== 'not yet') await stillThere(vpg, pin.checkpoint, deps);
    if (stamp !== 'not yet')
      return point(pin.checkpoint, 'the tag: its stamp lies at least 1 s before the call was forwarded');
  }
  const why = stampsLate(vpg, deps)
    ? 'a cloud stamps its tags late: this checkpoint existed before the tag was inserted'
    : "the tag's stamp does not lie before the call: this checkpoint existed before the tag was inserted";
  return earlier(vpg, pin.before.newest, why, await look(vpg, deps), deps);
}

/** A tag that was not made for this call: the journal may have moved on, or be gone. */
async function ofSpare(vpg: Vpg, pin: Listed, deps: HoldDeps): Promise<ReceiptVpg['recoverFrom']> {
  const journal = await stillThere(vpg, pin.checkpoint, deps);
  const { newest } = journal;
  if (newest === undefined) throw noPoint(vpg);
  const tagged = newest.tag !== undefined || newest.checkpointIdentifier === pin.checkpoint.checkpointIdentifier;
  const late = tagged && stampsLate(vpg, deps);
  if (!late && (await stampPassed(vpg, newest, deps)) !== 'not yet') {
    return point(newest, 'the newest checkpoint that was listed right before the call was forwarded');
  }
  const why = 'the newest checkpoint may be stamped late: this one existed before the tag was inserted';
  return earlier(vpg, pin.before.newest, why, journal, deps);
}

function stampsLate({ profile }: Vpg, { hold }: HoldDeps): boolean {
  return profile !== 'vsphere' && !hold.trustCloudTags;
}

function look(vpg: Vpg, { checkpoints, signal }: HoldDeps): Promise<Before> {
  return checkpoints.before(vpg, signal);
}

/** The journal now; rejects where the checkpoint is no longer in it. */
async function stillThere(vpg: Vpg, checkpoint: Checkpoint, deps: HoldDeps): Promise<Before> {
  const journal = await look(vpg, deps);
  if (isGone(checkpoint, journal)) throw noPoint(vpg);
  return journal;
}

async function earlier(
  vpg: Vpg,
  checkpoint: Checkpoint | undefined,
  why: string,
  journal: Before,
  { checkpoints, signal }: HoldDeps,
): Promise<ReceiptVpg['recoverFrom']> {
  if (checkpoint === undefined || isGone(checkpoint, journal)) throw noPoint(vpg);
  const now = await checkpoints.now(vpg.site, signal);
  const age = now.getTime() - Date.parse(checkpoint.timestamp);
  if (age > TOO_OLD_MS[vpg.profile]) throw tooOld(vpg, checkpoint, age);
  return point(checkpoint, why);
}

/** A journal begins with its oldest checkpoint; identifiers count up, stamps decide where they are no numbers. */
function isGone(checkpoint: Checkpoint, { oldest, newest }: Before): boolean {
  if (newest === undefined) return true;
  if (oldest === undefined) return false;
  const [id, first] = [checkpoint.checkpointIdentifier, oldest.checkpointIdentifier];
  if (/^\d+$/.test(id) && /^\d+$/.test(first)) return BigInt(id) < BigInt(first);
  return Date.parse(checkpoint.timestamp) < Date.parse(oldest.timestamp);
}

function noPoint(vpg: Vpg): ProxyError {
  return new ProxyError(
    'CHECKPOINT_NOT_PINNED',
    `The journal of VPG ${quote(vpg.name)} holds no checkpoint that surely precedes this call. The call was not sent. Send it again in a minute.`,
  );
}

function tooOld(vpg: Vpg, { timestamp }: Checkpoint, ageMs: number): ProxyError {
  return new ProxyError(
    'CHECKPOINT_NOT_PINNED',
    `The newest checkpoint of VPG ${quote(vpg.name)} that surely precedes this call is ${Math.round(ageMs / 60_000)} min old (${quote(timestamp, 40)}): replication stands still, and a recovery would lose all since then. The call was not sent. The operator has to look at the VPG in Zerto; then send it again.`,
  );
}

async function stampPassed(
  vpg: Vpg,
  tag: Checkpoint,
  { checkpoints, clock, hold, signal }: HoldDeps,
): Promise<'at once' | 'after a wait' | 'not yet'> {
  const appliance = await checkpoints.now(vpg.site, signal);
  const wait = Date.parse(tag.timestamp) + SURELY_PAST_MS - appliance.getTime();
  if (Number.isNaN(wait) || wait > hold.seconds * 1000) return 'not yet';
  if (wait <= 0) return 'at once';
  await clock.sleep(wait, signal);
  return 'after a wait';
}

function point(checkpoint: Checkpoint, why: string): ReceiptVpg['recoverFrom'] {
  return { checkpointIdentifier: checkpoint.checkpointIdentifier, timestamp: checkpoint.timestamp, why };
}
