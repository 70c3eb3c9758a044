import type { JsonObject } from './read.js';

/** A record whose line was proved to be canonical: those members that place it, and its text without the member `hash`. */
export interface PlainRecord {
  readonly record: JsonObject;
  readonly unhashed: string;
}

const TEXTS = ['chain', 'prev', 'hash', 'kind'];
const NUMBERS = ['v', 'seq'];
const WANTED: ReadonlySet<string> = new Set([...TEXTS, ...NUMBERS]);
/** Records of which `verify` needs nothing but their place. */
const KINDS: ReadonlySet<unknown> = new Set(['intent', 'permit', 'outcome', 'note']);
const DEEPEST = 32;

/**
 * Reads the line of a call's record in a third of the time that parsing and writing it anew takes. Nothing where the line is not
 * canonical (RFC 8785) or uses more than plain JSON: printable ASCII, short escapes, whole numbers. That is left to the general way.
 */
export function readPlain(bytes: Buffer): PlainRecord | undefined {
  const text = bytes.toString('latin1');
  const members = new Scan(text).members();
  const hash = members?.get('hash');
  if (members === undefined || hash === undefined || hash.start === 1) return undefined;
  const record: Record<string, unknown> = {};
  for (const [name, { from, end }] of members) {
    const value = NUMBERS.includes(name) ? Number(text.slice(from, end)) : text.slice(from + 1, end - 1);
    if (Number.isNaN(value) || (TEXTS.includes(name) && !isPlainText(text, from, end))) return undefined;
    record[name] = value;
  }
  if (!KINDS.has(record['kind'])) return undefined;
  // The comma in front of the member goes with it.
  return { record, unhashed: text.slice(0, hash.start - 1) + text.slice(hash.end) };
}

function isPlainText(text: string, from: number, end: number): boolean {
  const escaped = text.indexOf('\\', from);
  return text.charCodeAt(from) === QUOTE && (escaped < 0 || escaped >= end);
}

/** Where a member stands: its name begins at `start`, its value goes from `from` to `end`. */
interface Member {
  readonly start: number;
  readonly from: number;
  readonly end: number;
}

const [QUOTE, COMMA, COLON, OPEN_ARRAY, BACKSLASH, CLOSE_ARRAY, OPEN, CLOSE] = [34, 44, 58, 91, 92, 93, 123, 125];
const SHORT_ESCAPES: ReadonlySet<string> = new Set('"\\bfnrt');
/** Whole numbers that a double holds exactly, as JSON writes them. */
const WORD = /(?:true|false|null|0|-?[1-9][0-9]{0,14})(?=[,\]}])/y;

/** Goes through a text once; each method answers whether what it read is canonical, and stands behind it then. */
class Scan {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** The wanted members of the one object that the text is. */
  members(): ReadonlyMap<string, Member> | undefined {
    const members = new Map<string, Member>();
    const whole = this.#code() === OPEN && this.#object(DEEPEST, members) && this.#at === this.#text.length;
    return whole ? members : undefined;
  }

  #code(): number {
    return this.#text.charCodeAt(this.#at);
  }

  #value(depth: number): boolean {
    const code = this.#code();
    if (code === QUOTE) return this.#string();
    if (code === OPEN) return depth > 0 && this.#object(depth - 1);
    if (code === OPEN_ARRAY) return depth > 0 && this.#array(depth - 1);
    return this.#word();
  }

  #word(): boolean {
    WORD.lastIndex = this.#at;
    const found = WORD.test(this.#text);
    if (found) this.#at = WORD.lastIndex;
    return found;
  }

  #string(): boolean {
    const text = this.#text;
    for (let at = this.#at + 1; ; at += 1) {
      const code = text.charCodeAt(at);
      if (code === QUOTE) {
        this.#at = at + 1;
        return true;
      }
      // At the end of the text the code is NaN.
      if (!(code >= 0x20 && code <= 0x7e)) return false;
      if (code !== BACKSLASH) continue;
      at += 1;
      if (!SHORT_ESCAPES.has(text.charAt(at))) return false;
    }
  }

  #array(depth: number): boolean {
    this.#at += 1;
    if (this.#code() === CLOSE_ARRAY) return this.#skip();
    while (this.#value(depth)) {
      if (this.#code() === CLOSE_ARRAY) return this.#skip();
      if (this.#code() !== COMMA) return false;
      this.#at += 1;
    }
    return false;
  }

  #object(depth: number, members?: Map<string, Member>): boolean {
    this.#at += 1;
    if (this.#code() === CLOSE) return this.#skip();
    for (let last: string | undefined; ; ) {
      last = this.#member(depth, last, members);
      if (last === undefined) return false;
      if (this.#code() === CLOSE) return this.#skip();
      if (this.#code() !== COMMA) return false;
      this.#at += 1;
    }
  }

  /** A member whose name comes behind `last`; answers the name. */
  #member(depth: number, last: string | undefined, members: Map<string, Member> | undefined): string | undefined {
    const start = this.#at;
    if (this.#code() !== QUOTE || !this.#string() || this.#code() !== COLON) return undefined;
    const name = this.#text.slice(start + 1, this.#at - 1);
    if (name.includes('\\') || (last !== undefined && last >= name)) return undefined;
    this.#at += 1;
    const from = this.#at;
    if (!this.#value(depth)) return undefined;
    if (members !== undefined && WANTED.has(name)) members.set(name, { start, from, end: this.#at });
    return name;
  }

  #skip(): true {
    this.#at += 1;
    return true;
  }
}
