import { parse } from 'smol-toml';
import type { Literal } from './document.js';

/** A value of a TOML text and where it stands. `path` leads to it from the root; a table of an array has no path that a name could have. */
export interface Assigned {
  readonly path: readonly string[];
  /** The key as it is written, and its last part by itself. */
  readonly key: { readonly start: number; readonly last: number };
  readonly start: number;
  readonly end: number;
  /** In a table that is written as a value. */
  readonly inline: boolean;
  readonly text?: Literal;
  readonly list?: { readonly items: readonly Literal[] | undefined };
}

const ARRAY_TABLE = '\u0000[]';

/** Where each value of a TOML text stands. The text is one that a parser took before; throws where it is none. */
export function scanToml(text: string): readonly Assigned[] {
  return new Scanner(text).document();
}

interface Key {
  readonly parts: readonly string[];
  readonly start: number;
  readonly last: number;
}

class Scanner {
  readonly #text: string;
  readonly #found: Assigned[] = [];
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  document(): readonly Assigned[] {
    let base: readonly string[] = [];
    for (this.#blank(); this.#at < this.#text.length; this.#blank()) {
      if (this.#text[this.#at] === '[') base = this.#header();
      else this.#assignment(base, false);
    }
    return this.#found;
  }

  #header(): readonly string[] {
    const isArray = this.#text.startsWith('[[', this.#at);
    this.#at += isArray ? 2 : 1;
    const { parts } = this.#key();
    this.#at += isArray ? 2 : 1;
    return isArray ? [...parts, ARRAY_TABLE] : parts;
  }

  #assignment(base: readonly string[], inline: boolean): void {
    const key = this.#key();
    this.#expect('=');
    this.#spaces();
    this.#value([...base, ...key.parts], key, inline);
  }

  #key(): Key {
    this.#spaces();
    const start = this.#at;
    const parts: string[] = [];
    for (;;) {
      const last = this.#at;
      const part = /^(?:"(?:[^"\\]|\\.)*"|'[^']*'|[^\s.=\]"'#]+)/.exec(this.#text.slice(last, last + LONGEST_KEY))?.[0];
      if (part === undefined) throw new Error('no key');
      this.#at += part.length;
      parts.push(/^["']/.test(part) ? stringValue(part) : part);
      this.#spaces();
      if (this.#text[this.#at] !== '.') return { parts, start, last };
      this.#at += 1;
      this.#spaces();
    }
  }

  #value(path: readonly string[], key: Key, inline: boolean): void {
    const start = this.#at;
    const first = this.#text[start];
    const place = { path, key, start, inline };
    if (first === '[') {
      const items = this.#list();
      this.#found.push({ ...place, end: this.#at, list: { items } });
    } else if (first === '{') {
      this.#table(path);
      this.#found.push({ ...place, end: this.#at });
    } else if (first === '"' || first === "'") {
      const text = this.#string();
      this.#found.push({ ...place, end: this.#at, text });
    } else {
      this.#bare();
      this.#found.push({ ...place, end: this.#at });
    }
  }

  #list(): readonly Literal[] | undefined {
    this.#at += 1;
    const items: (Literal | undefined)[] = [];
    for (this.#blank(); this.#text[this.#at] !== ']'; this.#blank()) {
      if (this.#text[this.#at] === ',') this.#at += 1;
      else items.push(this.#item());
    }
    this.#at += 1;
    const texts = items.filter((item) => item !== undefined);
    return texts.length === items.length ? texts : undefined;
  }

  #item(): Literal | undefined {
    const first = this.#text[this.#at];
    if (first === '"' || first === "'") return this.#string();
    if (first === '[') this.#list();
    else if (first === '{') this.#table([ARRAY_TABLE]);
    else this.#bare();
    return undefined;
  }

  #table(path: readonly string[]): void {
    this.#at += 1;
    for (this.#blank(); this.#text[this.#at] !== '}'; this.#blank()) {
      if (this.#text[this.#at] === ',') this.#at += 1;
      else this.#assignment(path, true);
    }
    this.#at += 1;
  }

  #string(): Literal {
    const start = this.#at;
    const quote = this.#text[start] ?? '"';
    const long = quote.repeat(3);
    this.#at = this.#text.startsWith(long, start) ? this.#longEnd(start + 3, long) : this.#shortEnd(start + 1, quote);
    const raw = this.#text.slice(start, this.#at);
    return { value: stringValue(raw), raw, start, end: this.#at };
  }

  #shortEnd(from: number, quote: string): number {
    for (let at = from; at < this.#text.length; at += 1) {
      if (this.#text[at] === quote) return at + 1;
      if (this.#text[at] === '\\' && quote === '"') at += 1;
    }
    throw new Error('no end of a text');
  }

  /** Up to two quotes may stand before the three that end it. */
  #longEnd(from: number, long: string): number {
    for (let at = from; at < this.#text.length; at += 1) {
      if (this.#text.startsWith(long, at)) {
        const more = /^["']*/.exec(this.#text.slice(at + 3, at + 5))?.[0] ?? '';
        return at + 3 + [...more].filter((sign) => long.startsWith(sign)).length;
      }
      if (this.#text[at] === '\\' && long.startsWith('"')) at += 1;
    }
    throw new Error('no end of a text');
  }

  /** Numbers, booleans and dates, which may hold one space. */
  #bare(): void {
    const rest = /[^,\]}\r\n#]*/y;
    rest.lastIndex = this.#at;
    const word = rest.exec(this.#text)?.[0].trimEnd() ?? '';
    if (word === '') throw new Error('no value');
    this.#at += word.length;
  }

  #expect(sign: string): void {
    this.#spaces();
    if (this.#text[this.#at] !== sign) throw new Error(`no ${sign}`);
    this.#at += 1;
  }

  #spaces(): void {
    this.#skip(/[ \t]*/y);
  }

  #blank(): void {
    this.#skip(/(?:[ \t\r\n]+|#[^\n]*)*/y);
    if (this.#at > this.#text.length) throw new Error('no end');
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    this.#at += pattern.exec(this.#text)?.[0].length ?? 0;
  }
}

const LONGEST_KEY = 4096;

function stringValue(raw: string): string {
  const { x } = parse(`x = ${raw}`);
  if (typeof x !== 'string') throw new Error('no text');
  return x;
}
