/**
 * A guest path as the deny rules read it: one spelling for all that open the same file. `drive` is lower case and absent
 * where the path names none; `segments` are NFKC-folded and lower case. `malformed` is denied.
 */
export type FoldedPath =
  | { readonly kind: 'path'; readonly windows: boolean; readonly drive?: string; readonly segments: readonly string[] }
  | { readonly kind: 'malformed'; readonly why: string };

const MAX_LENGTH = 4096;

/** Folds a Linux path, a Windows path or `VOLUME:/path`; what could open another file than it names is malformed. */
export function foldPath(text: string): FoldedPath {
  if (text === '' || text.length > MAX_LENGTH) return malformed('the path is empty or too long');
  if (/[\p{Cc}\p{Cs}]/u.test(text)) return malformed('the path contains control characters');
  const folded = text.normalize('NFKC').toLowerCase().replaceAll('\\', '/');
  const bare = folded.replace(/^\/\/\?\/(?=[a-z]:\/)/, '');
  const drive = /^([a-z]):\/(.*)$/s.exec(bare);
  const volume = /^[^/:]{2,}:\/(.*)$/s.exec(bare);
  const rest = drive?.[2] ?? volume?.[1] ?? bare;
  const segments = rest.split('/').filter((segment) => segment !== '' && segment !== '.');
  const windows = drive !== null || text.includes('\\');
  // Where the file system is not known, what Windows would read as another name is one too.
  const flaw = segments.map((segment) => flawOf(segment, windows || volume !== null)).find((why) => why !== undefined);
  if (flaw !== undefined) return malformed(flaw);
  return {
    kind: 'path',
    windows,
    ...(drive?.[1] === undefined ? {} : { drive: drive[1] }),
    segments: unrooted(segments),
  };
}

function flawOf(segment: string, windows: boolean): string | undefined {
  if (segment === '..') return 'the path must not contain ".."';
  if (!windows) return undefined;
  if (segment.includes(':')) return 'alternate data streams are not recovered';
  if (/[. ]$/.test(segment)) return 'a name in Windows does not end in a dot or a space';
  return /~\d+(\.|$)/.test(segment) ? 'short names (like PROGRA~1) are not recovered: give the full name' : undefined;
}

/** `/proc/self/root/etc/x` is `/etc/x`, as often as it is written. */
function unrooted(segments: readonly string[]): readonly string[] {
  const [first, , third] = segments;
  return first === 'proc' && (third === 'root' || third === 'cwd') ? unrooted(segments.slice(3)) : segments;
}

function malformed(why: string): FoldedPath {
  return { kind: 'malformed', why };
}
