import { posix, win32 } from 'node:path';

const PACKAGE = 'zerto-rewind-proxy';

/** What the places of files depend on; given as arguments so that every platform can be tested on each. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly home: string;
  /** Where the system config would lie. */
  readonly system?: SystemPlace | undefined;
  /** A system config is there: no variable moves a place, and `home` is that of the account. */
  readonly isFixed?: true | undefined;
}

/** A file that only `owner` (a user id; on Windows whoever the directory lets write) may have written. */
export interface SystemPlace {
  readonly path: string;
  readonly owner: number;
  readonly platform: NodeJS.Platform;
}

/** The user's config directory of this package: `$XDG_CONFIG_HOME` where set, else the platform's place. Never the current directory. */
export function configDir(surroundings: Surroundings): string {
  return place(surroundings, 'XDG_CONFIG_HOME', 'APPDATA', ['AppData', 'Roaming'], ['.config']);
}

/** The user's state directory of this package (audit log, receipts, backups): `$XDG_STATE_HOME` where set, else the platform's place. */
export function stateDir(surroundings: Surroundings): string {
  return place(surroundings, 'XDG_STATE_HOME', 'LOCALAPPDATA', ['AppData', 'Local'], ['.local', 'state']);
}

/** The key that signs heads of the audit log: not in the audit directory, which is copied and shown around. */
export function signingKeyFile(surroundings: Surroundings): string {
  const path = surroundings.platform === 'win32' ? win32 : posix;
  return path.join(stateDir(surroundings), 'audit-signing.key');
}

function place(
  { env, platform, home, isFixed }: Surroundings,
  xdg: string,
  appData: string,
  windows: readonly string[],
  unix: readonly string[],
): string {
  const path = platform === 'win32' ? win32 : posix;
  // A relative path would depend on the current directory, which the agent may own.
  const absolute = (name: string) => {
    const value = isFixed === true ? undefined : env[name];
    return value !== undefined && path.isAbsolute(value) ? value : undefined;
  };
  const own = absolute(xdg);
  if (own !== undefined) return path.join(own, PACKAGE);
  if (platform === 'win32') return path.join(absolute(appData) ?? path.join(home, ...windows), PACKAGE);
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support', PACKAGE);
  return path.join(home, ...unix, PACKAGE);
}
