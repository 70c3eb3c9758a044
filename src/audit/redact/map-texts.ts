const DEEPEST = 64;
export const TOO_DEEP = '[nested too deep]';

/** A copy of a JSON value with each of its texts mapped, the names of members too; members without a value are left out. */
export function mapTexts(value: unknown, map: (text: string) => string, depth = 0): unknown {
  if (typeof value === 'string') return map(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth > DEEPEST) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, map, depth + 1));
  return mapMembers(Object.entries(value), map, (_, member) => mapTexts(member, map, depth + 1));
}

/** An object of the mapped members; where two names become equal, neither is lost. */
export function mapMembers(
  entries: readonly (readonly [string, unknown])[],
  name: (key: string) => string,
  each: (key: string, value: unknown) => unknown,
): Record<string, unknown> {
  const out = new Map<string, unknown>();
  for (const [key, value] of entries) {
    if (value === undefined) continue;
    const mapped = name(key);
    out.set(out.has(mapped) ? `${mapped}#${out.size}` : mapped, each(key, value));
  }
  return Object.fromEntries(out);
}
