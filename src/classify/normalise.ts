const MAX_LENGTH = 10_000;

// Spaces that are no space, zero-width and bidi characters, fillers, selectors, interlinear marks and tags, as ranges of code points.
const INVISIBLE: readonly (readonly [number, number])[] = [
  [0x7f, 0xa0],
  [0xad, 0xad],
  [0x34f, 0x34f],
  [0x61c, 0x61c],
  [0x115f, 0x1160],
  [0x1680, 0x1680],
  [0x17b4, 0x17b5],
  [0x180b, 0x180f],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x2800, 0x2800],
  [0x3000, 0x3000],
  [0x3164, 0x3164],
  [0xd800, 0xdfff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
  [0xffa0, 0xffa0],
  [0xfff0, 0xffff],
  [0xe0000, 0xe0fff],
];

const PLAIN = /^[\n\t\x20-\x7e]*$/;

/** Why a command text cannot be trusted to be what it looks like; undefined where it can. */
export function unreadable(source: string): string | undefined {
  if (source.length > MAX_LENGTH) return `is longer than ${MAX_LENGTH} characters`;
  if (PLAIN.test(source)) return undefined;
  for (const character of source) {
    const code = character.codePointAt(0) ?? 0;
    if (!isHidden(code)) continue;
    return `holds the control or invisible character U+${code.toString(16).toUpperCase().padStart(4, '0')}`;
  }
  return undefined;
}

function isHidden(code: number): boolean {
  if (code < 0x20) return code !== 0x0a && code !== 0x09;
  return INVISIBLE.some(([from, to]) => code >= from && code <= to);
}
