import { accessSync, constants, lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname } from 'node:path';

/** Who can change a file, beside root: nobody, this very user, or other users too. `others` says which and how. */
export type Writers =
  | { readonly kind: 'nobody' }
  | { readonly kind: 'user' }
  | { readonly kind: 'others'; readonly how: string }
  | { readonly kind: 'unknown'; readonly why: string };

/**
 * Who can change what stands at a path, by itself or by replacing it in one of the directories above, links followed. For root nothing is
 * out of reach, so it is told by owner and mode. On Windows owners and ACLs are not read.
 */
export function writersOf(path: string, platform: NodeJS.Platform): Writers {
  if (platform === 'win32') return { kind: 'unknown', why: 'ACLs are not read on Windows' };
  let real: string;
  try {
    real = realpathSync(path);
  } catch (error) {
    return { kind: 'unknown', why: (error as NodeJS.ErrnoException).code ?? 'error' };
  }
  const places = [real, ...ancestors(real)];
  const open = places.find((place) => othersCanWrite(statSync(place)));
  if (open !== undefined) return { kind: 'others', how: `mode ${modeOf(statSync(open))} of ${open}` };
  const uid = process.geteuid?.() ?? -1;
  const stranger = places.find((place) => ![0, uid].includes(statSync(place).uid));
  if (stranger !== undefined) return { kind: 'others', how: `user ${statSync(stranger).uid} owns ${stranger}` };
  // Root can write everywhere; what it owns is out of reach of everybody else.
  return uid !== 0 && places.some((place) => isWritable(place)) ? { kind: 'user' } : { kind: 'nobody' };
}

/** Whether others can read a file of secrets. */
export function othersCanRead(path: string, platform: NodeJS.Platform): boolean {
  return platform !== 'win32' && (statSync(path).mode & 0o044) !== 0;
}

export function modeOf({ mode }: Pick<Stats, 'mode'>): string {
  return (mode & 0o7777).toString(8).padStart(4, '0');
}

/** Whether this user can write there. */
export function isWritable(path: string): boolean {
  try {
    accessSync(path, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** A sticky directory, as /tmp, lets everybody make files, and nobody replace those of others. */
function othersCanWrite(stat: Stats): boolean {
  const isSticky = stat.isDirectory() && (stat.mode & 0o1000) !== 0;
  return (stat.mode & 0o022) !== 0 && !isSticky && !stat.isSymbolicLink();
}

function ancestors(path: string): readonly string[] {
  const above = dirname(path);
  return above === path ? [] : [above, ...ancestors(above)];
}

/** Whether there is anything at a path; a link that leads nowhere counts. */
export function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
