/** A name of the guest as this machine can keep it, or why it cannot. */
export type LocalName =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'refused'; readonly why: string };

const ILLEGAL = /[<>:"|?*\\%\p{Cc}]/gu;
const DEVICE = /^(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9\u00b9\u00b2\u00b3])(\.|$)/i;

/**
 * One name below the destination, never a way out of it. Where the platform forbids a character, a device's name or a dot at
 * the end, `%` and two hexadecimal digits stand in its place, and so for `%` itself.
 */
export function localName(name: string, platform: NodeJS.Platform): LocalName {
  if (name === '' || name === '.' || name === '..' || /[/\0]/.test(name))
    return { kind: 'refused', why: 'its name would lead out of the folder' };
  if (platform !== 'win32') return { kind: 'name', name };
  const plain = name.replace(ILLEGAL, percent).replace(/[. ]$/, percent);
  return { kind: 'name', name: DEVICE.test(plain) ? percent(plain.charAt(0)) + plain.slice(1) : plain };
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
}

/** A line of a list of SHA-256 sums as `sha256sum -c` reads it, with its escapes for line breaks in names. */
export function sumLine(sha256: string, path: string): string {
  const escaped = path.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r');
  return `${escaped === path ? '' : '\\'}${sha256}  ${escaped}\n`;
}
