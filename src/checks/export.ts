import { visible } from '../domain/text.js';
import type { Lag } from '../export/lag.js';
import { about, type Check } from './check.js';

/** What is older has been waited for longer than any pause of the export. */
const LATE_MS = 10 * 60_000;

/** How far each destination of the export is behind the audit log, and why. */
export function exportChecks(lags: readonly Lag[], now: number): readonly Check[] {
  return lags.map((lag) => {
    const check = about('export.lag', lag.name);
    const detail = lagText(lag);
    if (lag.records === 0) return check.pass(detail);
    const age = lag.oldest === undefined ? 0 : now - Date.parse(lag.oldest);
    if (lag.trouble === undefined && age < LATE_MS) return check.pass(detail);
    return check.warn(
      detail,
      lag.trouble === undefined
        ? 'A running proxy sends what waits, once its first call has come; `audit export --test-event` tries the destination.'
        : 'Correct the destination or its entry under "export"; `audit export --test-event` tries it. Nothing is lost meanwhile.',
    );
  });
}

/** One destination in one line, without its name. */
export function lagText({ where, records, bytes, oldest, trouble }: Lag): string {
  const to = visible(where);
  if (records === 0) return `${to} has every record`;
  const since = oldest === undefined ? '' : `, the oldest of ${oldest}`;
  const why = trouble === undefined ? '' : `; since ${visible(trouble.since)}: ${visible(trouble.why)}`;
  return `${to} has still to take ${records} records (${Math.ceil(bytes / 1024)} KiB${since})${why}`;
}
