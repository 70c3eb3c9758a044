/**
 * The environment that a wrapped server gets: all of the proxy's but the variables that hold its secrets. On Windows a name
 * means the same variable in every letter case.
 */
export function inherited(
  env: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[],
  platform: NodeJS.Platform,
): Readonly<Record<string, string | undefined>> {
  const fold = (name: string) => (platform === 'win32' ? name.toUpperCase() : name);
  const withheld = new Set(secrets.map(fold));
  return Object.fromEntries(Object.entries(env).filter(([name]) => !withheld.has(fold(name))));
}
