import type { Mark } from './marks.js';

type Redact = (text: string, mark: Mark) => string;

/** Stands before a text that is recorded as it was read. */
export const READ_AS = '[read as]';
/** A shorter word stands in many places that have nothing to do with the secret. */
const SHORTEST = 4;
/** Each secret of one reading is compared with each of the other. */
const MOST = 500;
const TOO_MANY = '[withheld: too many secrets to be compared]';
/** No more than this is added to a text by the values of its variables, in UTF-16 units. */
const MOST_ADDED = 16 * 1024;

/**
 * Redacts a text, and once more as its shell reads it: names that quotes, escapes, invisible or foreign letters break up,
 * values that reach their place by a variable. A secret that only shows there is marked where it was written; where it is
 * not written in one piece, the record holds the text as it was read, after `[read as]`.
 */
export function asRead(text: string, mark: Mark, redact: Redact): string {
  const plain = plainly(text);
  if (plain === text) return redact(text, mark);
  const written = noting(mark);
  const asWritten = redact(text, written.mark);
  const read = noting(mark);
  const shown = redact(plain, read.mark);
  if (Math.max(written.found.size, read.found.size) > MOST) return TOO_MANY;
  const known = [...written.found].flatMap((secret) => [secret, plainly(secret)]);
  const isKnown = (secret: string): boolean => known.some((one) => one.includes(secret));
  const isMark = partOfMark(text);
  const more = [...read.found].filter((each) => !isMark(each) && (asWritten.includes(each) || !isKnown(each)));
  const stands = more.every((secret) => secret.length >= SHORTEST && asWritten.includes(secret));
  const out = stands ? marked(asWritten, more, mark) : `${READ_AS} ${marked(shown, [...written.found, ...more], mark)}`;
  return withoutParts(out, usedIn(text), [...read.found], mark);
}

/** Whether it is a piece of a mark that stands there already. */
function partOfMark(text: string): (secret: string) => boolean {
  const marks = new Set(text.match(/\[redacted(?::[0-9a-f]{8})?\]/g));
  return (secret) => [...marks].some((one) => one.includes(secret.trim()));
}

/** A secret is put together of values that the text sets: they are marked where it sets them. */
function withoutParts(text: string, used: ReadonlySet<string>, secrets: readonly string[], mark: Mark): string {
  if (used.size === 0 || secrets.length === 0) return text;
  return text.replace(SET, (whole, name: string, value: string) => {
    const part = value.replace(/^(['"])([\s\S]*)\1$/, '$2');
    const isPart = used.has(name) && !part.includes('[redacted') && secrets.some((secret) => secret.includes(part));
    return isPart ? whole.slice(0, whole.length - value.length) + mark(part) : whole;
  });
}

function noting(mark: Mark): { readonly mark: Mark; readonly found: ReadonlySet<string> } {
  const found = new Set<string>();
  return {
    found,
    mark: (secret) => {
      found.add(secret);
      return mark(secret);
    },
  };
}

/** The longest first: a shorter one may be part of it. */
function marked(text: string, secrets: readonly string[], mark: Mark): string {
  return secrets
    .filter((secret) => secret.length >= SHORTEST)
    .sort((a, b) => b.length - a.length)
    .reduce((out, secret) => (out.includes(secret) ? out.replaceAll(secret, () => mark(secret)) : out), text);
}

const FOREIGN = /[^\t\n\r -~]/;
const UNUSUAL = /[^\t\n\r -~]|['"`^\\$%+]|[ \t]{5}/;
/** Letters that look like Latin ones, each before the one that it looks like. */
const LOOKALIKES = 'аaеeоoрpсcуyхxіiѕsкkһhԁdɡgԝwոnАAВBЕEЅSКKМMНHОOРPСCТTХXΑAΕEΚKΟOΡPΤTοoνv';
const LATIN = new Map(
  Array.from({ length: LOOKALIKES.length / 2 }, (_, at) => [LOOKALIKES.charAt(2 * at), LOOKALIKES.charAt(2 * at + 1)]),
);

/** In this order; each is linear in the text. */
const STEPS: readonly (readonly [RegExp, string])[] = [
  // lines that go on, and wide gaps
  [/[\\`^]\r?\n/g, ''],
  [/(?<=\S)[ \t]{5,}/g, ' '],
  // texts that PowerShell joins, lists that it passes on as words
  [/["']\s{0,4}\+\s{0,4}["']/g, ''],
  [/(?<=[^=:]["'])\s{0,4},\s{0,4}(?=["'])/g, ' '],
  [/@\(/g, ' '],
  // words that quotes and escapes break up
  [/"([^"\\\n]{1,200})"'([^'"\n]{1,200})'/g, '"$1$2"'],
  [/'([^'"\n]{1,200})'"([^"\\\n]{1,200})"/g, "'$1$2'"],
  [/(?<=\w)(?:''|"")(?=[\w=-])/g, ''],
  [/(?<=[\w-])(["'])([\w-]{1,40})\1/g, '$2'],
  [/(?<=\s(?:-\w{0,4}u|--user)[\s=]{0,4})"([^\s"]{1,100})":"([^\s"]{1,200})"/g, '$1:$2'],
  [
    /(?<![^\s:=(@])(["'])(?!\w[\w-]{0,60}:)([^\s'"`$\\;|&<>(){}[\],!]{0,300}[^\s'"`$\\;|&<>(){}[\],!:=])\1(?=[\s;|&)=@]|$)/g,
    '$2',
  ],
  [/(?<=[\w-])[`^\\](?=[A-Za-z])/g, ''],
];

/** The text without what only hides its words from a reader. */
function plainly(text: string): string {
  if (!UNUSUAL.test(text)) return text;
  const latin = FOREIGN.test(text) ? inLatin(text) : text;
  const written = latin.replace(/\\(?:u00|x)([0-7][0-9a-f])/gi, (_, hex: string) => character(hex));
  return withValues(STEPS.reduce((result, [form, by]) => result.replace(form, by), written));
}

function character(hex: string): string {
  const found = String.fromCharCode(Number.parseInt(hex, 16));
  return found < ' ' ? ' ' : found;
}

function inLatin(text: string): string {
  return text
    .replace(/\p{Cf}/gu, '')
    .replace(/[\uff01-\uff5e\u{1d400}-\u{1d7ff}]/gu, (wide) => wide.normalize('NFKC'))
    .replace(/[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g, ' ')
    .replace(/[\u2010-\u2015\u2212]/g, '-')
    .replace(/[\u2018\u2019\u201a\u201b]/g, "'")
    .replace(/[\u201c-\u201f]/g, '"')
    .replace(/[\u0370-\u03ff\u0400-\u052f\u0531-\u0587\u0261]/g, (letter) => LATIN.get(letter) ?? letter);
}

const SET =
  /(?<![\w$%-])\$?([A-Za-z_]\w{0,40})\s{0,4}=\s{0,4}('[^'\n]{1,200}'|"[^"$\n]{1,200}"|[^\s'"`;|&<>()$%]{1,200})/g;
const USED = /\$\{?([A-Za-z_]\w{0,40})\}?(?!\s{0,4}=)|%([A-Za-z_]\w{0,40})%/g;

/** The names of the variables that a text uses. */
function usedIn(text: string): ReadonlySet<string> {
  return new Set([...text.matchAll(USED)].map(([, ofShell, ofCmd]) => ofShell ?? ofCmd ?? ''));
}

/** Variables that the text itself sets, by their values. */
function withValues(text: string): string {
  if (!/[$%]/.test(text)) return text;
  const values = new Map([...text.matchAll(SET)].map(([, name = '', value = '']) => [name, value]));
  if (values.size === 0) return text;
  let room = MOST_ADDED;
  return text.replace(USED, (whole, ofShell?: string, ofCmd?: string) => {
    const value = values.get(ofShell ?? ofCmd ?? '');
    room -= value?.length ?? 0;
    return value === undefined || room < 0 ? whole : value;
  });
}
