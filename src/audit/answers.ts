import type { CallEntry } from './entry.js';

/** How people answered, and what went out without a checkpoint, over some calls. Times are milliseconds. */
export interface Answers {
  readonly calls: number;
  readonly asked: number;
  /** Of those that were asked: answered by a human and sent, answered and not sent, and settled without a human. */
  readonly approved: number;
  readonly denied: number;
  readonly unanswered: number;
  /** Absent where nobody answered. */
  readonly medianAnswerMs?: number | undefined;
  readonly longestAnswerMs?: number | undefined;
  /** Calls that were sent without a checkpoint, by the operator's rule or the answer that let them out; most first. */
  readonly waived: ReadonlyArray<{ readonly by: string; readonly calls: number }>;
}

/** Counts what `status` tells of the audit log. */
export function countAnswers(entries: readonly CallEntry[]): Answers {
  const asked = entries.filter(({ decision }) => decision === 'ask');
  const answered = asked.filter(({ answeredBy }) => answeredBy !== undefined && !answeredBy.startsWith('policy: '));
  const approved = answered.filter(({ outcome }) => outcome === 'forwarded' || outcome === 'outcome_unknown');
  const times = entries.flatMap(({ answeredAfterMs = [] }) => answeredAfterMs).sort((left, right) => left - right);
  return {
    calls: entries.length,
    asked: asked.length,
    approved: approved.length,
    denied: answered.length - approved.length,
    unanswered: asked.length - answered.length,
    medianAnswerMs: times[Math.floor((times.length - 1) / 2)],
    longestAnswerMs: times.at(-1),
    waived: waiversOf(entries),
  };
}

function waiversOf(entries: readonly CallEntry[]): Answers['waived'] {
  const counts = new Map<string, number>();
  for (const { permit, waivedBy = 'not recorded', answeredBy } of entries) {
    if (permit !== 'waived') continue;
    const by = answeredBy === undefined ? waivedBy : `${waivedBy} (${answeredBy})`;
    counts.set(by, (counts.get(by) ?? 0) + 1);
  }
  return [...counts].map(([by, calls]) => ({ by, calls })).sort((left, right) => right.calls - left.calls);
}
