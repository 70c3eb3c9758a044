/** The hosts of a run without those that are blocked, as a limit in ansible's syntax; undefined where none is left or a name cannot stand in one. */
export function limitWithout(pattern: string, blocked: readonly string[], all: readonly string[]): string | undefined {
  if (blocked.length === 0 || all.every((host) => blocked.includes(host))) return undefined;
  if (![...blocked, ...all].every((host) => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(host))) return undefined;
  const simple = /^[A-Za-z0-9_*?.:,&!-]+$/.test(pattern) && !/^[-@~]/.test(pattern);
  if (!simple) return all.filter((host) => !blocked.includes(host)).join(',');
  const by = pattern.includes(',') ? ',' : ':';
  return [pattern, ...blocked.map((host) => `!${host}`)].join(by);
}
