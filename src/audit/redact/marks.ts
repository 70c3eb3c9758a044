import { unquote, wordAt } from './shell-words.js';

export type Mark = (secret: string) => string;

/** Which part of the word after a head is the secret. `login`: what stands between the first colon and the last @. */
export type Part = 'all' | 'after_colon' | 'after_percent' | 'after_comma' | 'after_equals' | 'before_at' | 'login';

export const ONLY_MARKS = /^(?:\[redacted(?::[0-9a-f]{8})?\])+$/;

interface Test {
  /** Whether this head may stand before a secret at all; its argument is the head's first group. */
  readonly name: (name: string) => boolean;
  /** Whether the word does not merely speak of one. */
  readonly value: (name: string, inner: string) => boolean;
}
const ALWAYS: Test = { name: () => true, value: () => true };
/** A longer word is marked without a look at what it says, so that no text is read over and over. */
const LONG_WORD = 1024;

/** Marks the word after each head that applies. A word after another head stays, since it may be a head itself. */
export function replaceAfter(text: string, head: RegExp, mark: Mark, test: Test = ALWAYS, part: Part = 'all'): string {
  let out = '';
  let done = 0;
  for (const match of text.matchAll(head)) {
    const name = match[1] ?? '';
    const start = match.index + match[0].length;
    if (match.index < done || !test.name(name)) continue;
    const word = isPrompt(text, match) ? undefined : wordAt(text, start);
    if (word === undefined || (word.length <= LONG_WORD && !test.value(name, unquote(word).inner))) continue;
    out += text.slice(done, start) + markWord(word, mark, part);
    done = start + word.length;
  }
  return out + text.slice(done);
}

/** `"Password: "` is said to a person: the quote after it closes the one before it. */
function isPrompt(text: string, match: RegExpExecArray): boolean {
  const before = text[match.index - 1];
  const after = text[match.index + match[0].length];
  return before === after && (after === '"' || after === "'") && /^\w[^"']*\s$/.test(match[0]);
}

const SEPARATORS = { after_colon: ':', after_percent: '%', after_comma: ',', after_equals: '=' } as const;

function rangeOf(inner: string, part: Part): readonly [from: number, to: number] | undefined {
  if (part === 'all') return [0, inner.length];
  const at = inner.lastIndexOf('@');
  if (part === 'before_at') return [0, at < 0 ? inner.length : at];
  const from = inner.indexOf(part === 'login' ? ':' : SEPARATORS[part]) + 1;
  if (from === 0) return undefined;
  if (part !== 'login') return [from, inner.length];
  return at > from ? [from, at] : undefined;
}

/** The word with its secret part marked; as it is where there is none, or nothing secret in it. */
function markWord(word: string, mark: Mark, part: Part = 'all'): string {
  const { open, inner, close } = unquote(word);
  const [from, to] = rangeOf(inner, part) ?? [0, 0];
  const secret = inner.slice(from, to);
  if (secret === '' || isHarmless(secret, open)) return word;
  return open + inner.slice(0, from) + aroundSubstitutions(secret, mark) + inner.slice(to) + close;
}

/** A substitution is code that runs: it stays readable, and only the text around it is marked. */
function aroundSubstitutions(secret: string, mark: Mark): string {
  const from = secret.search(/\$\(|`/);
  if (from < 0) return mark(secret);
  const to = Math.max(secret.lastIndexOf(')'), secret.lastIndexOf('`')) + 1;
  const [before, code, after] = [secret.slice(0, from), secret.slice(from, to), secret.slice(Math.max(to, from))];
  if (to <= from) return mark(secret);
  return [before, after].map((part) => (part === '' || ONLY_MARKS.test(part) ? part : mark(part))).join(code);
}

/** Nothing secret in itself: a mark, a template's place, or a variable where a shell would expand it. */
export function isHarmless(value: string, open = '"'): boolean {
  const text = value.trim().replace(/^(["'])(\[redacted[^"']*)\1$/, '$2');
  // A template may hold the secret as a literal: {{ 'x' | password_hash }}
  if (ONLY_MARKS.test(text) || /^(?:\{\{(?!\s{0,4}['"])[^{}]{1,200}\}\}|<[a-z][\w -]{0,60}>)$/.test(text)) return true;
  if (open.includes("'")) return false;
  if (open === '' && /^(?:\$\{?\w+\}?|\$(?:env|script|global|using):\w+)$/i.test(text)) return true;
  return /^(?:\$\{?[A-Z_][A-Z0-9_]*\}?|\$env:\w+|%[A-Z_][A-Z0-9_]*%)$/.test(text);
}
