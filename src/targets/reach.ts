import type { Reach } from '../domain/assessment.js';
import type { HostName, Reading } from '../domain/call.js';

/** The hosts of a call itself, and those that its commands act on from there. */
export interface Spread {
  readonly own: readonly HostName[];
  readonly reached: readonly HostName[];
}

/**
 * Where the commands of a call run on the machine that the server itself runs on, that machine counts only where they change something there; what
 * judging them told takes the place of what their text alone showed.
 */
export function spread({ hosts, local }: Reading, reach: Reach | undefined): Spread {
  const others = reach?.others ?? [];
  if (reach === undefined || others.length === 0) return { own: hosts, reached: [] };
  const reached = others.map(
    ({ host, client }): HostName => ({ value: host, argument: '', client: client ?? 'other' }),
  );
  if (local !== true) return { own: hosts, reached };
  const named = hosts.filter(({ argument, role, value }) => argument !== '' || (role === 'unknown' && value === ''));
  const here: readonly HostName[] = reach.here ? [{ value: 'localhost', argument: '' }] : [];
  const [first, ...more] = [...named, ...here];
  const [only, ...rest] = reached;
  if (first !== undefined || only === undefined) return { own: first === undefined ? [] : [first, ...more], reached };
  // With no host of its own the call would be taken for one that names none.
  return { own: [only], reached: rest };
}
