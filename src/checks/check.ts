/** `warn`: it works, and should not stay so. `skip`: it could not be looked at; counted as neither good nor bad. */
export const STATUSES = ['pass', 'warn', 'fail', 'skip'] as const;
export type Status = (typeof STATUSES)[number];

/** One thing that was looked at. `id` is stable, for scripts; `subject` names the site, server or file that is meant; names from outside are quoted in `detail`. */
export interface Check {
  readonly id: string;
  readonly subject?: string | undefined;
  readonly status: Status;
  readonly detail: string;
  /** What to do; always there where the status is `warn` or `fail`. */
  readonly fix?: string | undefined;
}

/** Checks of one part, under one heading. */
export interface Group {
  readonly title: string;
  readonly checks: readonly Check[];
}

type About = Pick<Check, 'id' | 'subject'>;

/** Checks about one subject. */
export function about(id: string, subject?: string) {
  const base: About = subject === undefined ? { id } : { id, subject };
  return {
    pass: (detail: string): Check => ({ ...base, status: 'pass', detail }),
    warn: (detail: string, fix: string): Check => ({ ...base, status: 'warn', detail, fix }),
    fail: (detail: string, fix: string): Check => ({ ...base, status: 'fail', detail, fix }),
    skip: (detail: string): Check => ({ ...base, status: 'skip', detail }),
  };
}

/** How many of each status. */
export function summaryOf(groups: readonly Group[]): Readonly<Record<Status, number>> {
  const all = groups.flatMap(({ checks }) => checks);
  const count = (status: Status) => all.filter((check) => check.status === status).length;
  return { pass: count('pass'), warn: count('warn'), fail: count('fail'), skip: count('skip') };
}
