/**
 * Whether a pattern of `*` (any text) and `?` (one item) stands for all of a text; items are what the caller cuts both into: characters, or
 * the units of a string. In time linear in text times pattern.
 */
export function matchesWildcards(text: ArrayLike<string>, pattern: ArrayLike<string>): boolean {
  let at = 0;
  let part = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    if (pattern[part] === '*') {
      star = part;
      resume = at;
      part += 1;
    } else if (part < pattern.length && (pattern[part] === '?' || pattern[part] === text[at])) {
      at += 1;
      part += 1;
    } else if (star >= 0) {
      resume += 1;
      at = resume;
      part = star + 1;
    } else return false;
  }
  while (pattern[part] === '*') part += 1;
  return part === pattern.length;
}
