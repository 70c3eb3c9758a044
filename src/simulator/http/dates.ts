const FORM =
  /^(\d{4})(?:-(\d{1,2})(?:-(\d{1,2})(?:[T ](\d{1,2})(?::(\d{2})(?::(\d{2})(?:\.(\d{1,7}))?)?)?)?)?)?(Z|[+-]\d{2}:\d{2})?$/;
const AMERICAN = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/;

/**
 * A date argument as milliseconds on the appliance's clock, undefined where it is none. ISO forms down to the year alone,
 * `6/7/2021`, or milliseconds since the epoch; without `Z` or an offset it is the site's local time.
 */
export function parseDate(text: string, utcOffsetInMinutes: number): number | undefined {
  if (/^\d{5,}$/.test(text)) return Number(text);
  const american = AMERICAN.exec(text);
  const iso = american === null ? text : `${american[3]}-${american[1]}-${american[2]}`;
  const match = FORM.exec(iso);
  if (match === null) return undefined;
  const part = (index: number, otherwise: number) => (match[index] === undefined ? otherwise : Number(match[index]));
  const fraction = Math.floor(Number(`0.${match[7] ?? '0'}`) * 1000);
  const [month, day] = [part(2, 1), part(3, 1)];
  const utc = Date.UTC(part(1, 0), month - 1, day, part(4, 0), part(5, 0), part(6, 0), fraction);
  if (month > 12 || day > 31 || part(4, 0) > 23 || part(5, 0) > 59 || part(6, 0) > 59) return undefined;
  return utc - offset(match[8], utcOffsetInMinutes) * 60_000;
}

function offset(zone: string | undefined, local: number): number {
  if (zone === undefined) return local;
  if (zone === 'Z') return 0;
  const minutes = Number(zone.slice(1, 3)) * 60 + Number(zone.slice(4, 6));
  return zone.startsWith('-') ? -minutes : minutes;
}
