import type { ApplianceRecords, JournalTags } from '../domain/evidence.js';
import type { Checkpoint } from '../domain/receipt.js';
import { isCutTag } from '../domain/tag.js';
import { quote } from '../domain/text.js';
import type { ClaimedTag } from './claims.js';
import type { CheckpointState, EventState, Finding, Status } from './finding.js';
import { type Insert, isMarked } from './inserts.js';
import { absence } from './recorded.js';

/** How the tag of a receipt stands. */
export function tagFinding(insert: Insert & { readonly claim: ClaimedTag }, records: ApplianceRecords): Finding {
  const { claim, events } = insert;
  const journal = records.journals.find(({ vpg }) => vpg.vpgIdentifier === claim.vpgIdentifier);
  const stand = checkpointOf(insert, journal, records);
  const site = records.sites.find((each) => each.site === claim.site);
  const seen = events.length > 0 ? FOUND : absence(site, 'tag', Date.parse(claim.timestamp));
  const status = isOther(stand) ? 'differs' : statusOf(stand.checkpoint, seen.event);
  return {
    status,
    kind: 'tag',
    site: claim.site,
    vpg: claim.vpg,
    tag: claim.name,
    at: claim.timestamp,
    checkpointIdentifier: claim.checkpointIdentifier,
    calls: claim.calls,
    user: events.find(({ user }) => user !== undefined)?.user,
    checkpoint: stand.checkpoint,
    event: seen.event,
    why: [stand.why, seen.why].filter((why) => why !== '').join('; '),
  };
}

const FOUND = { event: 'found', why: '' } as const;

interface Stand {
  readonly checkpoint: CheckpointState;
  readonly why: string;
}

function checkpointOf(
  { claim, checkpoint }: Insert & { readonly claim: ClaimedTag },
  journal: JournalTags | undefined,
  { silent }: ApplianceRecords,
): Stand {
  if (checkpoint !== undefined) return { checkpoint: 'listed', why: differenceOf(claim, checkpoint) };
  if (journal === undefined) {
    const why = silent.length > 0 ? 'no site that answered lists its VPG' : 'no site lists its VPG any more';
    return { checkpoint: 'not_compared', why };
  }
  if (journal.answer.kind === 'unread') return { checkpoint: 'not_compared', why: 'its journal could not be read' };
  const { oldest } = journal.answer;
  if (oldest === undefined) return { checkpoint: 'expired', why: 'the journal is empty' };
  if (Date.parse(claim.timestamp) <= Date.parse(oldest.timestamp))
    return { checkpoint: 'expired', why: `the journal begins at ${oldest.timestamp}` };
  return { checkpoint: 'lost', why: 'its checkpoint is not in the journal, which reaches back so far' };
}

/** Only a listed checkpoint that is not what the receipt says needs words. */
function isOther({ checkpoint, why }: Stand): boolean {
  return checkpoint === 'listed' && why !== '';
}

/** What a checkpoint that two of name, number and stamp made the receipt's does not share with it. A name may be cut, or marked in the log. */
function differenceOf(claim: ClaimedTag, { checkpointIdentifier, timestamp, tag = '' }: Checkpoint): string {
  const name = tag.trim();
  const isName = name === claim.name || isCutTag(name, claim.name) || isMarked(claim.name);
  const parts = [
    checkpointIdentifier === claim.checkpointIdentifier
      ? []
      : [`number ${quote(checkpointIdentifier)} for ${quote(claim.checkpointIdentifier)}`],
    Date.parse(timestamp) === Date.parse(claim.timestamp)
      ? []
      : [`time ${quote(timestamp)} for ${quote(claim.timestamp)}`],
    isName ? [] : [`name ${quote(name)} for ${quote(claim.name)}`],
  ].flat();
  return parts.length === 0 ? '' : `the journal lists it with ${parts.join(' and ')}`;
}

/** What both sides say together. A listed checkpoint proves the tag; where that is past, only an event does. */
function statusOf(checkpoint: CheckpointState, event: EventState): Status {
  if (checkpoint === 'listed') return event === 'none' ? 'no_event' : 'confirmed';
  if (checkpoint === 'lost') return event === 'found' ? 'lost' : 'missing';
  if (event === 'found') return checkpoint === 'expired' ? 'expired' : 'confirmed';
  return event === 'none' ? 'missing' : 'not_compared';
}
