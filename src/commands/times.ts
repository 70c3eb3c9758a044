const UNITS = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A date (2026-01-31, 2026-01-31T08:00:00Z) or an age (30m, 2h, 7d) as milliseconds; undefined where it is neither. */
export function timeAgo(value: string, now: number = Date.now()): number | undefined {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(value) ?? [];
  if (count !== undefined && unit !== undefined) return now - Number(count) * UNITS[unit as keyof typeof UNITS];
  const time = /^\d{4}-\d{2}-\d{2}(?:T|$)/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(time) ? undefined : time;
}

/** Whether it is a date without a time, which stands for its whole day. */
export function isDay(value: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(value);
}
