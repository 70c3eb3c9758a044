import type { ApplianceRecords, JournalTags } from '../domain/evidence.js';
import type { ClaimedTag } from './claims.js';
import type { CheckpointState, EventState, Finding, Status } from './finding.js';
import type { Insert } from './inserts.js';
import { absence } from './recorded.js';

/** How the tag of a receipt stands. */
export function tagFinding(insert: Insert & { readonly claim: ClaimedTag }, records: ApplianceRecords): Finding {
  const { claim, events } = insert;
  const journal = records.journals.find(({ vpg }) => vpg.vpgIdentifier === claim.vpgIdentifier);
  const stand = checkpointOf(insert, journal, records);
  const site = records.sites.find((each) => each.site === claim.site);
  const seen = events.length > 0 ? FOUND : absence(site, 'tag', Date.parse(claim.timestamp));
  const status = statusOf(stand.checkpoint, seen.event);
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
  if (checkpoint !== undefined) return { checkpoint: 'listed', why: '' };
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

/** What both sides say together. A listed checkpoint proves the tag; where that is past, only an event does. */
function statusOf(checkpoint: CheckpointState, event: EventState): Status {
  if (checkpoint === 'listed') return event === 'none' ? 'no_event' : 'confirmed';
  if (checkpoint === 'lost') return event === 'found' ? 'lost' : 'missing';
  if (event === 'found') return checkpoint === 'expired' ? 'expired' : 'confirmed';
  return event === 'none' ? 'missing' : 'not_compared';
}
