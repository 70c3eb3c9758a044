/** The words of a name in lower case: `cmdString`, `cmd_string` and `CMD-string` give `cmd`, `string`. No words: a letter outside ASCII, which proves nothing. */
export function words(name: string): readonly string[] {
  const known = split.get(name);
  if (known !== undefined) return known;
  const found = splitName(name);
  if (split.size < MOST_NAMES && name.length < LONG_NAME) split.set(name, found);
  return found;
}

// Calls name the same tools and arguments over and over. Bounded, since a caller can make up names.
const split = new Map<string, readonly string[]>();
const MOST_NAMES = 1000;
const LONG_NAME = 100;

function splitName(name: string): readonly string[] {
  if (/[^\x21-\x7e]/.test(name)) return [];
  return name
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z]+)([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word !== '');
}

/** What a lenient server may take a name for: NFKC, then case. Two names that fold alike could be read either way. */
export function fold(name: string): string {
  return name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC');
}

/** A set of names written as one text. */
export function names(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/).filter((name) => name !== ''));
}
