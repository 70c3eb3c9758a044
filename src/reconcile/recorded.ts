import type { ApplianceEvent, SiteEvents } from '../domain/evidence.js';
import { TOLERANCE_MS } from './claims.js';
import type { EventState } from './finding.js';

/** Of an event that was looked for in vain: whether it would be there. */
export interface Absence {
  readonly event: EventState;
  readonly why: string;
}

/**
 * Whether a site would have recorded what happened at `at` (its own clock, milliseconds). Only an appliance whose events hold others of the
 * kind, and reach further back, proves that one is not there.
 */
export function absence(site: SiteEvents | undefined, kind: ApplianceEvent['kind'], at: number): Absence {
  if (site === undefined) return unknown('its site is not in the config');
  if (site.answer.kind === 'unread') return unknown('the events of its site could not be read');
  const { events, from } = site.answer;
  if (from === undefined || Date.parse(from) > at - TOLERANCE_MS)
    return unknown(from === undefined ? 'its site has no events' : `the events of its site begin at ${from}`);
  if (!events.some((event) => event.kind === kind)) return unknown(`the events of its site tell of no ${kind} at all`);
  return { event: 'none', why: 'no event of its site tells of it' };
}

function unknown(why: string): Absence {
  return { event: 'not_compared', why };
}
