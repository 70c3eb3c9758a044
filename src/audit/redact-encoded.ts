import { type Mark, ONLY_MARKS } from './redact-words.js';

type Redact = (text: string, mark: Mark, depth: number) => string;

const BASE64 = /(?<![A-Za-z0-9+/_-])[A-Za-z0-9+/]{16,}={0,2}(?![A-Za-z0-9+/=_-])/g;
const PERCENT = /(?<![^\s'"`&=?])(?=[^\s'"`&=]{0,200}%(?:3[AD]|22|7B))[^\s'"`&=]{8,}/gi;
const DEEPEST = 2;

/**
 * Base64 and percent-encoded words whose plain text holds a secret. What is written is a mark of the word as it was, and the
 * plain text without its secrets: `[redacted:…][decoded: … ]`.
 */
export function encoded(text: string, mark: Mark, depth: number, redact: Redact): string {
  if (depth >= DEEPEST) return text;
  const shown = (word: string, plain: string | undefined): string => {
    if (plain === undefined) return word;
    const safe = isLogin(plain) ? mark(plain) : redact(plain, mark, depth + 1);
    return safe === plain ? word : `${mark(word)}[decoded: ${ONLY_MARKS.test(safe) ? 'a secret' : safe} ]`;
  };
  const inBase64 = /[A-Za-z0-9+/]{16}/.test(text) ? text.replace(BASE64, (word) => shown(word, plainOf(word))) : text;
  if (!/%(?:3[AD]|22|7B)/i.test(inBase64)) return inBase64;
  return inBase64.replace(PERCENT, (word) => shown(word, decoded(word)));
}

/** `user:password`, as in a Basic header. */
function isLogin(plain: string): boolean {
  return /^[\w.@\\-]{1,60}:[^\s:/]{4,200}$/.test(plain);
}

/** The text in base64, in UTF-8 or UTF-16; undefined where the bytes are no text. */
function plainOf(word: string): string | undefined {
  const bytes = Buffer.from(word, 'base64');
  if (bytes.length < 12) return undefined;
  const wide = bytes.length % 2 === 0 && bytes[1] === 0 && bytes[3] === 0 && bytes[5] === 0;
  const text = bytes.toString(wide ? 'utf16le' : 'utf8');
  return /[\p{Cc}\ufffd]/u.test(text.replace(/[\t\r\n]/g, '')) ? undefined : text;
}

function decoded(word: string): string | undefined {
  try {
    return decodeURIComponent(word.replaceAll('+', ' '));
  } catch {
    return undefined;
  }
}
