/**
 * The variables of a `.env` file, in order; undefined where it holds what readers of such files take in different ways: a quote that ends on another
 * line or holds its own sign, a name whose value would stand on the next line.
 */
export function readDotenv(source: string): ReadonlyMap<string, string> | undefined {
  if (/[\u2028\u2029]/.test(source)) return undefined;
  const values = new Map<string, string>();
  let isEmpty = false;
  for (const line of source.split(/\r\n?|\n/)) {
    const entry = readEntry(line, isEmpty);
    if (entry === 'unclear') return undefined;
    if (entry === undefined) continue;
    // A name keeps the place where it was first seen.
    values.set(entry.name, entry.value);
    isEmpty = entry.isEmpty;
  }
  return values;
}

interface Entry {
  readonly name: string;
  readonly value: string;
  readonly isEmpty: boolean;
}

/** `afterEmpty`: the name before it had no value on its own line. */
function readEntry(line: string, afterEmpty: boolean): Entry | 'unclear' | undefined {
  if (/^\s*=/.test(line) || (afterEmpty && /^\s*['"`]/.test(line))) return 'unclear';
  const [, name, rest] = /^\s*(?:export\s+)?([\w.-]+)(?:\s*=|:(?=\s|$))(.*)$/.exec(line) ?? [];
  if (name === undefined || rest === undefined) return undefined;
  const value = /^\s*(?:export\s+)?[\w.-]+:\s*$/.test(line) ? undefined : readValue(rest);
  return value === undefined ? 'unclear' : { name, value, isEmpty: rest.trim() === '' };
}

function readValue(rest: string): string | undefined {
  const plain = rest.trimStart();
  const quote = plain.charAt(0);
  if (!/['"`]/.test(quote)) return rest.replace(/#.*$/, '').trim();
  const end = plain.indexOf(quote, 1);
  if (end < 0 || plain.charAt(end - 1) === '\\' || plain.indexOf(quote, end + 1) >= 0) return undefined;
  if (!/^\s*(?:#.*)?$/.test(plain.slice(end + 1))) return undefined;
  const value = plain.slice(1, end);
  return quote === '"' ? value.replaceAll('\\n', '\n').replaceAll('\\r', '\r') : value;
}
