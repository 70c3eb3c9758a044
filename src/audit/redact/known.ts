import { visible } from '../../domain/text.js';
import type { Mark } from './marks.js';

/** Shorter secrets are not searched for in other texts: they would shred them. */
const SHORTEST = 6;
/** Up to this length a secret counts only where no letter or digit goes on beside it. */
const SHORT = 10;
const MOST = 256;
/** Characters read in the search for one call's secrets, over all texts and forms: about as many as 0.1 s allows. */
const BUDGET = 64 * 1024 * 1024;
/** What a look at one place where a text was cut may cost, in characters. */
const EACH_CUT = 256;
const CUT = '…';
const WITHHELD = '[withheld: too much to be searched for secrets]';
/** Only what is shown to people or kept beside the arguments is cut, and all of it is shorter than this. */
const LONG = 16 * 1024;

/** The secrets that were found in one call, to be taken out of every other text of it, as they are or encoded. */
export class KnownSecrets {
  readonly #mark: Mark;
  readonly #forms = new Map<string, readonly Form[]>();
  #budget = BUDGET;

  constructor(mark: Mark) {
    this.#mark = mark;
  }

  /** Marks a secret and remembers it; of one in several lines also each line, which a reader may take for a command. */
  readonly mark: Mark = (secret) => {
    this.#remember(secret);
    if (/\n|\\n/.test(secret)) for (const line of secret.split(/\s*(?:\n|\\r|\\n)\s*/, MOST)) this.#remember(line);
    return this.#mark(secret);
  };

  #remember(secret: string): void {
    const bare = secret.trim();
    if (this.#forms.size >= MOST || bare.length < SHORTEST) return;
    if (!bare.includes('[redacted') && !'[redacted:'.includes(bare)) this.#forms.set(bare, formsOf(bare));
  }

  get size(): number {
    return this.#forms.size;
  }

  /** The text without them; one that was cut off at its `…` is taken out too. What is too much to be searched is withheld. */
  replaceIn(text: string): string {
    let result = text;
    for (const [secret, forms] of this.#forms) {
      this.#budget -= costOf(result, forms);
      if (this.#budget < 0) return WITHHELD;
      for (const form of forms) if (result.includes(form.text)) result = replaceForm(result, form, this.#mark(secret));
      if (mayBeCut(result)) result = withoutCut(result, secret, this.#mark(secret));
    }
    return result;
  }
}

function mayBeCut(text: string): boolean {
  return text.length < LONG && text.includes(CUT);
}

function costOf(text: string, forms: readonly Form[]): number {
  return text.length * forms.length + (mayBeCut(text) ? EACH_CUT * text.split(CUT).length : 0);
}

interface Form {
  readonly text: string;
  /** What it is part of: the word of base64 around it goes with it. */
  readonly within?: 'base64' | undefined;
}

function formsOf(secret: string): readonly Form[] {
  const plain = [secret, JSON.stringify(secret).slice(1, -1), quoted(secret), percent(secret)];
  const base64 = (['utf8', 'utf16le'] as const).flatMap((encoding) =>
    [0, 1, 2].map((shift) => inBase64(secret, encoding, shift)),
  );
  // An empty form would be found everywhere, without end.
  return [
    ...[...new Set(plain)].filter((text) => text.length >= SHORTEST).map((text) => ({ text })),
    ...[...new Set(base64)]
      .filter((text) => text.length >= SHORTEST + 2)
      .map((text) => ({ text, within: 'base64' as const })),
  ];
}

/** As `quote` of the domain shows it. */
function quoted(secret: string): string {
  return visible(secret).replaceAll('"', '\\"');
}

function percent(secret: string): string {
  return encodeURIComponent(secret.replace(/\p{Surrogate}/gu, '\ufffd'));
}

/** What base64 of any text with the secret at such a place holds: without the ends, whose bytes meet others. */
function inBase64(secret: string, encoding: 'utf8' | 'utf16le', shift: number): string {
  const bytes = Buffer.concat([Buffer.alloc(shift), Buffer.from(secret, encoding)]);
  const text = bytes.toString('base64').replaceAll('=', '');
  return text.slice(shift === 0 ? 0 : shift + 1, bytes.length % 3 === 0 ? undefined : -1);
}

function replaceForm(text: string, { text: form, within }: Form, mark: string): string {
  let out = '';
  let done = 0;
  for (let at = text.indexOf(form); at >= 0; at = text.indexOf(form, Math.max(done, at + 1))) {
    const [from, to] = within === undefined ? [at, at + form.length] : around(text, at, at + form.length, done);
    if (from < done || (within === undefined && form.length < SHORT && isInWord(text, from, to))) continue;
    out += text.slice(done, from) + mark;
    done = to;
  }
  return out + text.slice(done);
}

function isInWord(text: string, from: number, to: number): boolean {
  return /\w/.test(text[from - 1] ?? '') || /\w/.test(text[to] ?? '');
}

function around(text: string, from: number, to: number, floor: number): readonly [number, number] {
  let [start, end] = [from, to];
  while (start > floor && /[A-Za-z0-9+/]/.test(text[start - 1] ?? '')) start -= 1;
  while (/[A-Za-z0-9+/=]/.test(text[end] ?? '')) end += 1;
  return [start, end];
}

/** A text that was cut may end in the first half of a secret. */
function withoutCut(text: string, secret: string, mark: string): string {
  const shown = quoted(secret);
  let result = text;
  for (let at = result.indexOf(CUT); at >= 0; at = result.indexOf(CUT, at + 1)) {
    const before = result.slice(Math.max(0, at - shown.length), at);
    const length = longestEnd(before, shown);
    if (length < 4) continue;
    result = result.slice(0, at - length) + mark + result.slice(at);
    at += mark.length - length;
  }
  return result;
}

/** How many characters at the end of a text are the beginning of the secret. */
function longestEnd(text: string, secret: string): number {
  for (let length = Math.min(text.length, secret.length, 200); length > 3; length -= 1)
    if (text.endsWith(secret.slice(0, length))) return length;
  return 0;
}
