import { matchesWildcards } from '../../domain/wildcard.js';

/** OpenSSH's patterns: `*` for any text, `?` for one character. Letters count as they stand. */
export function matchesPattern(text: string, pattern: string): boolean {
  return matchesWildcards(text, pattern);
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
