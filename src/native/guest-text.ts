/**
 * A guest path as the deny rules read it: one spelling for all that open the same file. `drive` is lower case and absent
 * where the path names none; `segments` are NFKC-folded and lower case. `malformed` is denied: it could not be looked up, or
 * it could open another file than it names.
 */
export type FoldedPath =
  | {
      readonly kind: 'path';
      readonly windows: boolean;
      /** The path begins at a volume, wherever the guest mounts it. */
      readonly inVolume: boolean;
      readonly drive?: string;
      readonly segments: readonly string[];
    }
  | { readonly kind: 'malformed'; readonly why: string };

/**
 * Every way to read a path. In Linux a name may have control characters and backslashes: it is read with and without the
 * former, and with the latter also as separators, since what is a copy of a secret shows in any of these.
 */
export function foldings(text: string): readonly FoldedPath[] {
  const odd = /[\p{Cc}\\]/u.test(text) && split(text)?.drive === undefined && !text.includes('\0');
  if (!odd || text.startsWith('\\')) return [foldPath(text)];
  const readings = ['_', ''].flatMap((control) => {
    const plain = text.replace(/\p{Cc}/gu, control);
    return [plain.replaceAll('\\', '_'), plain.replaceAll('\\', '/')];
  });
  return [...new Set(readings)].map(foldPath);
}

interface Split {
  readonly windows: boolean;
  readonly inVolume?: boolean;
  readonly drive?: string | undefined;
  readonly rest: string;
}

/** Folds a Linux path, a Windows path or `VOLUME:/path`; strict enough that every other reader finds the same file or none. */
function foldPath(text: string): FoldedPath {
  const flaw = textFlaw(text);
  if (flaw !== undefined) return malformed(flaw);
  const written = split(text);
  // NFKC makes `/` and `..` of other characters; what then reads otherwise is judged by the folded form too.
  const folded = split(text.normalize('NFKC').toLowerCase());
  if (written === undefined || folded === undefined)
    return malformed('the path must be absolute: /dir/file, C:\\dir\\file or VOLUME:/dir/file');
  const flaws = [...names(written), ...names(folded)].map((name) => nameFlaw(name, written.windows));
  const why = flaws.find((found) => found !== undefined);
  if (why !== undefined || Math.max(names(written).length, names(folded).length) > 128)
    return malformed(why ?? 'the path has too many parts');
  const { drive } = folded;
  return {
    kind: 'path',
    windows: written.windows,
    inVolume: written.inVolume === true,
    ...(drive === undefined ? {} : { drive }),
    segments: unrooted(names(folded)),
  };
}

function textFlaw(text: string): string | undefined {
  if (text === '' || text.length > 4096) return 'the path is empty or too long';
  return /[\p{Cc}\p{Cs}]/u.test(text) ? 'the path contains control characters' : undefined;
}

function split(text: string): Split | undefined {
  const windows = /^(?:[\\/]{2}\?[\\/])?([A-Za-z]):[\\/](.*)$/s.exec(text);
  if (windows) return { windows: true, drive: windows[1], rest: (windows[2] ?? '').replaceAll('\\', '/') };
  if (text.startsWith('//?/') || text.startsWith('//./')) return undefined;
  if (text.startsWith('/')) return { windows: false, rest: text };
  // Of a volume that is named the file system is not known: what Windows would read as another name is one too.
  const volume = /^[^/\\:]{2,100}:\/(?!\/)(.*)$/s.exec(text);
  return volume === null ? undefined : { windows: true, inVolume: true, rest: volume[1] ?? '' };
}

function names({ rest }: Split): readonly string[] {
  return rest.split('/').filter((segment) => segment !== '' && segment !== '.');
}

function nameFlaw(name: string, windows: boolean): string | undefined {
  if (name === '..') return 'the path must not contain ".."';
  if (name.includes('\\')) return 'a name can be read as one with a backslash';
  if (name.length > 255) return 'a name is longer than 255 characters';
  if (!windows) return undefined;
  if (/[:<>"|?*]/.test(name)) return 'alternate data streams and wildcards are not recovered';
  if (/[. ]$/.test(name)) return 'a name in Windows does not end in a dot or a space';
  return /~\d+(\.|$)/.test(name) ? 'short names (like PROGRA~1) are not recovered: give the full name' : undefined;
}

/** `/proc/self/root/etc/x` is `/etc/x`, as often as it is written. */
function unrooted(segments: readonly string[]): readonly string[] {
  const [first, , third] = segments;
  return first === 'proc' && (third === 'root' || third === 'cwd') ? unrooted(segments.slice(3)) : segments;
}

function malformed(why: string): FoldedPath {
  return { kind: 'malformed', why };
}
