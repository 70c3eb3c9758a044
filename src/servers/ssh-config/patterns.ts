/** OpenSSH's patterns: `*` for any text, `?` for one character. Letters count as they stand. In time linear in text times pattern. */
export function matchesPattern(text: string, pattern: string): boolean {
  let at = 0;
  let part = 0;
  let star = -1;
  let resume = 0;
  while (at < text.length) {
    if (pattern.charAt(part) === '*' && part < pattern.length) {
      star = part;
      resume = at;
      part += 1;
    } else if (part < pattern.length && (pattern.charAt(part) === '?' || pattern.charAt(part) === text.charAt(at))) {
      at += 1;
      part += 1;
    } else if (star >= 0) {
      resume += 1;
      at = resume;
      part = star + 1;
    } else return false;
  }
  return /^\**$/.test(pattern.slice(part));
}

/** The patterns of a `Host` line: one that matches behind `!` rules the others out. */
export function matchesHostLine(host: string, patterns: readonly string[]): boolean {
  const denied = patterns.some((pattern) => pattern.startsWith('!') && matchesPattern(host, pattern.slice(1)));
  return !denied && patterns.some((pattern) => !pattern.startsWith('!') && matchesPattern(host, pattern));
}

/** A list of patterns with commas, for host names: letters of either case are equal. */
export function matchesList(host: string, list: string): boolean {
  return matchesHostLine(host.toLowerCase(), list.toLowerCase().split(','));
}
