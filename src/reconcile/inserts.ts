import type { ApplianceEvent, JournalTags } from '../domain/evidence.js';
import type { Checkpoint } from '../domain/receipt.js';
import { isCutTag, readTag } from '../domain/tag.js';
import { type ClaimedTag, TOLERANCE_MS } from './claims.js';

/** One insert of a tag by all that is known of it: what the log says, the checkpoint in the journal, the events of the sites. */
export interface Insert {
  readonly vpgIdentifier: string | undefined;
  readonly name: string | undefined;
  readonly claim?: ClaimedTag | undefined;
  readonly checkpoint?: Checkpoint | undefined;
  readonly events: ApplianceEvent[];
}

/** Joins claims, checkpoints and events. What a tag is called decides; the time only where events of a site name no tag at all. */
export function insertsOf(
  claims: readonly ClaimedTag[],
  journals: readonly JournalTags[],
  events: readonly (readonly ApplianceEvent[])[],
): readonly Insert[] {
  const inserts = claimsAndCheckpoints(claims, journals);
  for (const ofOneSite of events) inserts.push(...giveEvents(inserts, ofOneSite));
  return inserts;
}

function claimsAndCheckpoints(claims: readonly ClaimedTag[], journals: readonly JournalTags[]): Insert[] {
  const pools = new Map(
    journals.map(({ vpg, answer }) => [vpg.vpgIdentifier, new Pool(answer.kind === 'read' ? answer.tagged : [])]),
  );
  const claimed = claims.map((claim): Insert => {
    const { vpgIdentifier, name } = claim;
    const checkpoint = pools.get(vpgIdentifier)?.take(claim);
    // The appliance still says what the log took out of a name.
    return { vpgIdentifier, name: (isMarked(name) && checkpoint?.tag?.trim()) || name, claim, checkpoint, events: [] };
  });
  const others = [...pools].flatMap(([vpgIdentifier, pool]) =>
    pool.left().map((checkpoint): Insert => ({ vpgIdentifier, name: checkpoint.tag?.trim(), checkpoint, events: [] })),
  );
  return [...claimed, ...others];
}

/** Whether the log took something out of a name. */
export function isMarked(name: string): boolean {
  return /\[redacted(?::[0-9a-f]{8})?\]/.test(name);
}

/** The tagged checkpoints of one journal, each of which stands for one claim. */
class Pool {
  readonly #left: Set<Checkpoint>;
  readonly #byKey = new Map<string, Checkpoint[]>();

  constructor(tagged: readonly Checkpoint[]) {
    this.#left = new Set(tagged);
    for (const point of tagged) for (const key of [numberKey(point), nameKey(point.tag ?? '')]) this.#add(key, point);
  }

  /**
   * Two of name, number and stamp must agree: a name alone can be given twice, a journal that was reset counts anew, and the
   * appliance may cut a name or the log have taken something out of it.
   */
  take(claim: ClaimedTag): Checkpoint | undefined {
    const candidates = [...(this.#byKey.get(numberKey(claim)) ?? []), ...(this.#byKey.get(nameKey(claim.name)) ?? [])];
    const [best] = candidates
      .filter((point) => this.#left.has(point) && agreement(claim, point) >= 2)
      .sort((a, b) => agreement(claim, b) - agreement(claim, a));
    if (best !== undefined) this.#left.delete(best);
    return best;
  }

  left(): readonly Checkpoint[] {
    return [...this.#left];
  }

  #add(key: string, point: Checkpoint): void {
    const known = this.#byKey.get(key);
    if (known === undefined) this.#byKey.set(key, [point]);
    else known.push(point);
  }
}

const numberKey = ({ checkpointIdentifier }: Pick<Checkpoint, 'checkpointIdentifier'>) => `#${checkpointIdentifier}`;
const nameKey = (name: string) => `=${name.trim()}`;

function agreement(claim: ClaimedTag, { checkpointIdentifier, timestamp, tag = '' }: Checkpoint): number {
  return (
    Number(checkpointIdentifier === claim.checkpointIdentifier) +
    Number(tag.trim() === claim.name) +
    Number(Date.parse(timestamp) === Date.parse(claim.timestamp))
  );
}

/** Gives each event of one site to an insert; answers the inserts that only an event tells of. */
function giveEvents(inserts: readonly Insert[], events: readonly ApplianceEvent[]): readonly Insert[] {
  const free = new Set(inserts);
  const byName = new Map<string, Insert[]>();
  for (const insert of inserts) {
    const { name = '' } = insert;
    byName.set(name, byName.get(name) ?? []);
    byName.get(name)?.push(insert);
  }
  const whole = (event: ApplianceEvent): Insert | undefined => {
    const same = (byName.get(readTag(event.text)?.name ?? '-') ?? []).filter((insert) => isAbout(event, insert));
    // Where a site tells of one insert twice, as of its start and its end, both are of the same time.
    return same.find((insert) => free.has(insert)) ?? same.find((insert) => apart(insert, event) <= TOLERANCE_MS);
  };
  const give = (event: ApplianceEvent, insert: Insert | undefined): boolean => {
    insert?.events.push(event);
    if (insert !== undefined) free.delete(insert);
    return insert !== undefined;
  };
  const unnamed = events.filter((event) => !give(event, whole(event) ?? named(free, event)));
  const namesTags = events.some(({ text }) => readTag(text) !== undefined);
  const alone = unnamed.filter((event) => !give(event, nearest(free, event, namesTags)));
  return alone.map((event) => ({ vpgIdentifier: event.vpgs[0], name: readTag(event.text)?.name, events: [event] }));
}

/** The insert whose name is in an event's text, the longest that is, or is the beginning of the tag there. */
function named(free: ReadonlySet<Insert>, event: ApplianceEvent): Insert | undefined {
  const tag = readTag(event.text)?.name;
  let best: Insert | undefined;
  for (const insert of free) {
    const { name = '' } = insert;
    if (name.length <= (best?.name ?? '').length || !isAbout(event, insert)) continue;
    if (tag === undefined ? event.text.includes(name) : isCutTag(name, tag)) best = insert;
  }
  return best;
}

function isAbout({ vpgs }: ApplianceEvent, { vpgIdentifier }: Insert): boolean {
  return vpgs.length === 0 || (vpgIdentifier !== undefined && vpgs.includes(vpgIdentifier));
}

/** By time. Where events name the tags of the proxy, one that names none belongs to none of them. */
function nearest(free: ReadonlySet<Insert>, event: ApplianceEvent, namesTags: boolean): Insert | undefined {
  let [best, least] = [undefined as Insert | undefined, TOLERANCE_MS];
  if (event.vpgs.length === 0 || readTag(event.text) !== undefined) return undefined;
  for (const insert of free) {
    if (!isAbout(event, insert) || (namesTags && readTag(insert.name ?? '') !== undefined)) continue;
    const ms = apart(insert, event);
    if (ms <= least) [best, least] = [insert, ms];
  }
  return best;
}

/** Milliseconds between them, both on the appliance's clock. */
function apart(insert: Insert, { at }: ApplianceEvent): number {
  return Math.abs(Date.parse(at) - Date.parse(timeOf(insert) ?? ''));
}

/** When the tag was made, on the appliance's clock. */
export function timeOf({ claim, checkpoint, events: [event] }: Insert): string | undefined {
  return checkpoint?.timestamp ?? claim?.timestamp ?? event?.at;
}
