/**
 * What a text says as the name of a share. `share`: the machine and the share (empty where none follows). `device`: a path of Windows' own
 * namespace on the machine that reads it. `unclear`: it begins like a share's name, and readers differ on its machine. `none`: nothing of it.
 */
export type ShareName =
  | { readonly kind: 'share'; readonly host: string; readonly share: string; readonly port?: number }
  | { readonly kind: 'device' | 'unclear' | 'none' };

const NONE: ShareName = { kind: 'none' };
const UNCLEAR: ShareName = { kind: 'unclear' };
const DEVICE = /^(?:[a-z]:|volume\{[0-9a-f-]{36}\}|pipe|physicaldrive\d{1,4})(?:[\\/]|$)/i;

/**
 * Reads `\\host\share`, `//host/share`, `\\host@SSL@443\share`, `\\?\UNC\host\share`, `smb://user@host/share`, `file://host/share` and
 * `FileSystem::\\host\share`. Windows takes `/` for `\`.
 */
export function readShareName(text: string): ShareName {
  const plain = text.trim().replace(/^(?:[\w.]+\\)?FileSystem::\s*/i, '');
  const [, scheme, rest = ''] = /^(smb|cifs|file):(.*)$/is.exec(plain) ?? [];
  if (scheme !== undefined) return ofUrl(scheme.toLowerCase(), rest);
  if (/^["'`]\s*[\\/]{2}/.test(plain)) return UNCLEAR;
  if (plain.startsWith('\\??\\')) return inNamespace(plain.slice(4));
  const slashes = /^[\\/]*/.exec(plain)?.[0] ?? '';
  if (slashes.length < 2) return NONE;
  if (slashes.length > 2) return UNCLEAR;
  const [first, behind] = cut(plain.slice(2));
  return first === '?' || first === '.' ? inNamespace(behind) : shareOf(first, behind);
}

/** Behind `\\?\` and `\\.\`. */
function inNamespace(path: string): ShareName {
  const [, unc] = /^UNC[\\/](.*)$/is.exec(path) ?? [];
  if (unc !== undefined) return shareOf(...cut(unc));
  return DEVICE.test(path) ? { kind: 'device' } : UNCLEAR;
}

/** `@SSL` and a port say how the machine is reached; anything else behind `@` is read in more than one way. */
function shareOf(authority: string, behind: string): ShareName {
  const [whole, host = '', port] = /^([^@]*?)(?:@SSL)?(?:@(\d{1,5}))?$/i.exec(authority) ?? [];
  if (whole === undefined) return UNCLEAR;
  return named(host, port, behind);
}

/** A login may stand before the host, as in any URL. `file:` with no host, or an empty one, is a path of the machine that reads it. */
function ofUrl(scheme: string, rest: string): ShareName {
  const slashes = /^[\\/]*/.exec(rest)?.[0].length ?? 0;
  if (scheme === 'file' && (slashes === 1 || slashes === 3)) return NONE;
  if (scheme === 'file' && slashes > 3) return slashes > 5 ? UNCLEAR : shareOf(...cut(rest.slice(slashes)));
  if (slashes !== 2) return UNCLEAR;
  const [authority, behind] = cut(rest.slice(2));
  if (/[?#]/.test(authority)) return UNCLEAR;
  const [, host = '', port] = /^(?:.*@)?([^@]*?)(?::(\d{1,5}))?$/s.exec(authority) ?? [];
  return named(host.replace(/^\[([^\]]*)\]$/, '$1'), port, behind);
}

function named(host: string, port: string | undefined, behind: string): ShareName {
  if (host.trim() === '') return UNCLEAR;
  const [share] = cut(behind);
  return { kind: 'share', host: literal(host), share, ...(port !== undefined && { port: Number(port) }) };
}

/** Windows writes an IPv6 address in a share's name as `2001-db8--5.ipv6-literal.net`. */
function literal(host: string): string {
  const [, address] = /^([0-9a-f-]{2,45})\.ipv6-literal\.net$/i.exec(host) ?? [];
  return address?.replaceAll('-', ':') ?? host;
}

function cut(text: string): readonly [first: string, behind: string] {
  const end = text.search(/[\\/]/);
  return end < 0 ? [text, ''] : [text.slice(0, end), text.slice(end + 1)];
}
