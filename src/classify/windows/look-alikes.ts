import { unreadable } from '../normalise.js';

// PowerShell takes some of these for quotes and dashes; programs that read their arguments in a code page get others as ASCII.
const LOOKALIKES =
  /[\u00a5\u02b9-\u02bf\u02c8\u2010-\u2015\u2018-\u201f\u2032-\u2037\u2044\u20a9\u2212\u2215\u2216\u2223\uff01-\uff5e]/;

/** Why a text of PowerShell or cmd cannot be trusted to be what it looks like; undefined where it can. */
export function unreadableOnWindows(source: string): string | undefined {
  return (
    unreadable(source) ?? (LOOKALIKES.test(source) ? 'holds a sign that Windows may take for an ASCII one' : undefined)
  );
}
