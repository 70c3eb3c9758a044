import type { ZvmClient } from './client.js';
import type { ZvmEvent } from './shapes.js';

export const DAY_MS = 86_400_000;
/** No limit of an answer is documented, so one this long may have been cut. */
const MAY_BE_CUT = 100;
const SHORTEST_MS = 60_000;

interface Range {
  readonly since: Date;
  readonly until: Date;
}

type Ask = (range: Range) => Promise<readonly ZvmEvent[]>;

/** Every event of a time, asked for day by day, each once. A long answer is asked for again in halves, until those hold no more than it. */
export async function allEvents(
  client: Pick<ZvmClient, 'events'>,
  { since, until }: Range,
  signal: AbortSignal,
): Promise<readonly ZvmEvent[]> {
  const ask: Ask = (range) => client.events(range, signal);
  const found: ZvmEvent[] = [];
  for (let start = since.getTime(); start < until.getTime(); start += DAY_MS) {
    const day = { since: new Date(start), until: new Date(Math.min(start + DAY_MS, until.getTime())) };
    found.push(...(await wholeOf(ask, day, await ask(day))));
  }
  return unique(found);
}

async function wholeOf(ask: Ask, range: Range, listed: readonly ZvmEvent[]): Promise<readonly ZvmEvent[]> {
  const [start, end] = [range.since.getTime(), range.until.getTime()];
  if (listed.length < MAY_BE_CUT || end - start <= SHORTEST_MS) return listed;
  const middle = new Date(start + Math.floor((end - start) / 2));
  const [first, second] = [
    { since: range.since, until: middle },
    { since: middle, until: range.until },
  ];
  const [early, late] = [await ask(first), await ask(second)];
  if (unique([...early, ...late]).length <= unique(listed).length) return listed;
  return [...(await wholeOf(ask, first, early)), ...(await wholeOf(ask, second, late))];
}

function unique(events: readonly ZvmEvent[]): readonly ZvmEvent[] {
  return [...new Map(events.map((event) => [event.eventIdentifier ?? JSON.stringify(event), event])).values()];
}
