import { type Mark, ONLY_MARKS } from './marks.js';

type Redact = (text: string, mark: Mark, depth: number) => string;

const END = String.raw`\r?\n`;
/** One word, or full lines of one length as `base64` writes them. */
const BASE64 = new RegExp(
  `(?<![A-Za-z0-9+/_-])(?:(?:[A-Za-z0-9+/]{64}${END}){1,4000}|(?:[A-Za-z0-9+/]{76}${END}){1,4000})?[A-Za-z0-9+/]{4,}={0,2}(?![A-Za-z0-9+/=_-])`,
  'g',
);
/** Hexadecimal digits of a text, as `xxd -r -p` takes them, or its bytes as `printf` writes them. */
const HEX = /(?<![A-Za-z0-9])(?:0x)?(?:[2-7][0-9A-Fa-f]|0[9AaDd]){12,}(?![A-Za-z0-9])/g;
const PERCENT = /(?<![^\s'"`&=?])(?=[^\s'"`&=]{0,200}%(?:3[AD]|22|7B))[^\s'"`&=]{8,}/gi;
const DEEPEST = 2;

/**
 * Words in base64, in hexadecimal digits or percent-encoded whose plain text holds a secret. What is written is a mark of the word as it was, and the
 * plain text without its secrets: `[redacted:…][decoded: … ]`.
 */
export function encoded(text: string, mark: Mark, depth: number, redact: Redact): string {
  if (depth >= DEEPEST) return text;
  const shown = (word: string, plain: string | undefined): string => {
    if (plain === undefined) return word;
    const safe = isLogin(plain) ? mark(plain) : redact(plain, mark, depth + 1);
    return safe === plain ? word : `${mark(word)}[decoded: ${ONLY_MARKS.test(safe) ? 'a secret' : safe} ]`;
  };
  const inWords = /[A-Za-z0-9+/]{16}/.test(text)
    ? text
        .replace(HEX, (word) => shown(word, textOf(Buffer.from(word.replace('0x', ''), 'hex'))))
        .replace(BASE64, (word) => shown(word, word.length < 16 ? undefined : textOf(Buffer.from(word, 'base64'))))
    : text;
  if (!/%(?:3[AD]|22|7B)/i.test(inWords)) return inWords;
  return inWords.replace(PERCENT, (word) => shown(word, decoded(word)));
}

/** `user:password`, as in a Basic header. */
function isLogin(plain: string): boolean {
  return /^[\w.@\\-]{1,60}:[^\s:/]{4,200}$/.test(plain);
}

/** What the bytes say in UTF-8 or UTF-16; undefined where they are no text. */
function textOf(bytes: Buffer): string | undefined {
  if (bytes.length < 12) return undefined;
  // A text that was cut may end in the middle of a character.
  const text = isWide(bytes) ? bytes.toString('utf16le') : bytes.toString('utf8').replace(/\ufffd$/, '');
  return /[\p{Cc}\ufffd]/u.test(text.replace(/[\t\r\n]/g, '')) ? undefined : text;
}

/** UTF-16 of mostly Latin letters: every second byte is zero. */
function isWide(bytes: Buffer): boolean {
  const zeros = bytes.subarray(0, 64).filter((byte, at) => at % 2 === 1 && byte === 0).length;
  return 4 * zeros > Math.min(bytes.length, 64);
}

function decoded(word: string): string | undefined {
  try {
    return decodeURIComponent(word.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
