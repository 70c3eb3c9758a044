/**
 * A path as the guest knows it, split for browsing. `volume` names a volume as the mount lists it; `windows` has a drive
 * letter, which no mount shows. `malformed` is never looked up.
 */
export type GuestPath =
  | { readonly kind: 'linux'; readonly segments: readonly string[] }
  | { readonly kind: 'windows'; readonly drive: string; readonly segments: readonly string[] }
  | { readonly kind: 'volume'; readonly volume: string; readonly segments: readonly string[] }
  | { readonly kind: 'malformed'; readonly why: string };

const MAX_LENGTH = 4096;
const MAX_SEGMENTS = 128;
const MAX_NAME = 255;

/**
 * Reads `/etc/app.conf`, `C:\dir\file` (also with `/` and after `\\?\`) or `Volume1-Ext4:/etc/app.conf`. Names are taken
 * as they stand, in Linux also with backslashes and control characters; `..`, streams, wildcards, and names that Windows
 * would read as another name are malformed.
 */
export function parseGuestPath(text: string): GuestPath {
  const flaw = textFlaw(text);
  if (flaw !== undefined) return malformed(flaw);
  const windows = /^(?:[\\/]{2}\?[\\/])?([A-Za-z]):[\\/](.*)$/s.exec(text);
  if (windows) return windowsPath(windows[1] ?? '', windows[2] ?? '');
  if (text.startsWith('\\') || text.startsWith('//?/') || text.startsWith('//./')) {
    return malformed('a Windows path starts with a drive, as in C:\\dir\\file');
  }
  if (text.startsWith('/')) return split(text, (segments) => ({ kind: 'linux', segments }));
  const volume = /^([^/\\:]{2,100}):\/(?!\/)(.*)$/s.exec(text);
  if (volume) return split(volume[2] ?? '', (segments) => ({ kind: 'volume', volume: volume[1] ?? '', segments }));
  return malformed('the path must be absolute: /dir/file, C:\\dir\\file or VOLUME:/dir/file');
}

function windowsPath(drive: string, rest: string): GuestPath {
  return split(rest.replaceAll('\\', '/'), (segments) => {
    const why = segments.map(windowsFlaw).find((found) => found !== undefined);
    return why === undefined ? { kind: 'windows', drive: drive.toUpperCase(), segments } : malformed(why);
  });
}

function split(rest: string, build: (segments: readonly string[]) => GuestPath): GuestPath {
  const segments = rest.split('/').filter((segment) => segment !== '' && segment !== '.');
  if (segments.length > MAX_SEGMENTS) return malformed(`the path has more than ${MAX_SEGMENTS} parts`);
  if (segments.includes('..')) return malformed('the path must not contain ".."');
  if (segments.some((segment) => segment.length > MAX_NAME))
    return malformed(`a name is longer than ${MAX_NAME} characters`);
  return build(segments);
}

function textFlaw(text: string): string | undefined {
  if (text === '') return 'the path is empty';
  if (text.length > MAX_LENGTH) return `the path is longer than ${MAX_LENGTH} characters`;
  if (/[\0\p{Cs}]/u.test(text)) return 'the path contains characters that no name has';
  return undefined;
}

function windowsFlaw(segment: string): string | undefined {
  if (/\p{Cc}/u.test(segment)) return 'a name in Windows has no control characters';
  if (/[:<>"|?*]/.test(segment)) return 'alternate data streams and wildcards are not recovered';
  // `SAM.` and `SAM ` open SAM; `WINDOW~1` opens whatever it is short for.
  if (/[. ]$/.test(segment)) return 'a name in Windows does not end in a dot or a space';
  if (/~\d+(\.|$)/.test(segment)) return 'short names (like PROGRA~1) are not recovered: give the full name';
  return undefined;
}

function malformed(why: string): GuestPath {
  return { kind: 'malformed', why };
}
