import {
  COMMAND_RULES,
  type CommandRule,
  HEADS,
  NAMES_PROGRAM,
  type Part,
  READS_PASSWORD,
  SECRET_FILE,
  WRITES_TEXT,
} from './redact-commands.js';
import { isPlainValue, isSecretName, NAME_CORE, SHAPE_CORE, SHAPES } from './redact-shapes.js';
import { segments, unquote, wordAt } from './words.js';

type Mark = (secret: string) => string;
const ONLY_MARKS = /^(?:\[redacted(?::[0-9a-f]{8})?\])+$/;

/**
 * Replaces what looks like a secret in a text: by the name of the option, variable, header or member in front of it, by the
 * program that takes it, or by its own form. Text without one comes back unchanged; a second pass changes nothing.
 */
export function redactText(text: string, mark: Mark = () => '[redacted]'): string {
  // One plain word: nothing stands in front of it that could make it a secret.
  if (/^[\w./+-]{0,200}$/.test(text) || !MAY_HOLD_SECRET.test(text)) return shapes(text, mark);
  const passes = [hereDocuments, authorization, yamlLines, assignments, options, heads, commands, urls, shapes];
  return passes.reduce((result, pass) => pass(result, mark), text);
}

/** Where none of this stands, every pass but `shapes` changes nothing: one quick search spares most text all of them. */
const MAY_HOLD_SECRET = new RegExp(
  [NAME_CORE.source, '<<|authorization|plain:|identified|://', NAMES_PROGRAM.source].join('|'),
  'i',
);

/** A host as callers write it: `user:password@host`, also several. Elsewhere this form has other meanings (image:tag@digest). */
export function redactHosts(text: string, mark: Mark = () => '[redacted]'): string {
  const hosts = text.replace(
    /(?<![^\s,;])([^\s,;:@/]{1,100}:)([^\s,;]{1,1000})(?=@)/g,
    (whole, user: string, password: string) =>
      ONLY_MARKS.test(password) || password.includes('//') ? whole : user + mark(password),
  );
  return redactText(hosts, mark);
}

/** Only what is a secret by its own form: for names, where a word in front proves nothing. */
export function shapes(text: string, mark: Mark): string {
  if (!SHAPE_CORE.test(text)) return text;
  return SHAPES.reduce((result, { form }) => result.replace(form, (secret) => mark(secret)), text);
}

/** Bodies of here-documents that go into a key file or to a program that reads passwords. */
function hereDocuments(text: string, mark: Mark): string {
  if (!text.includes('<<')) return text;
  const lines = text.split('\n');
  const out: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    out.push(line);
    const word = secretTerminator(line);
    if (word === undefined) continue;
    const found = lines.findIndex((other, index) => index > at && other.trim() === word);
    const end = found < 0 ? lines.length : found;
    const body = lines.slice(at + 1, end).join('\n');
    if (body !== '') out.push(ONLY_MARKS.test(body) ? body : mark(body));
    at = end - 1;
  }
  return out.join('\n');
}

/** The word that ends a here-document with secrets, where this line starts one. */
function secretTerminator(line: string): string | undefined {
  const word = /<<-?\s{0,4}\\?["']?(\w{1,60})/.exec(line)?.[1];
  if (word === undefined || SECRET_FILE.test(line)) return word;
  return segments(line).some((segment) => READS_PASSWORD.test(segment.text)) ? word : undefined;
}

function authorization(text: string, mark: Mark): string {
  return text.replace(
    /(?<!\w)((?:proxy-)?authorization(?:\\{0,7}["'])?\s{0,4}[:=]\s{0,4}(?:\\{0,7}["'])?(?:(?:bearer|basic|digest|negotiate|ntlm|token|apikey|bot|aws4-hmac-sha256)\s{1,4})?)([^"'\r\n\\]{1,8192})/gi,
    (whole, head: string, value: string) => (isHarmless(value) ? whole : head + mark(value)),
  );
}

/** A line `name: value` of YAML or of headers: the value goes to the line's end. */
function yamlLines(text: string, mark: Mark): string {
  return text.replace(
    /^([ \t]{0,80}(?:- )?["']?([\w.-]{1,128})["']?:[ \t]{1,20})(\S[^\r\n]*)/gm,
    (whole, head, name, value) => {
      const { open, inner, close } = unquote(value);
      return !isSecretName(name) || isPlainValue(name, inner) || isHarmless(inner, "'")
        ? whole
        : head + open + mark(inner) + close;
    },
  );
}

const ASSIGNMENT =
  /(?<![\w.-])([\w.-]{1,128})(?:\\{0,7}["'])?(?:\s{0,4}(?:=>|:=|==|\+=)\s{0,4}|\s{1,4}=\s{1,4}|=(?:\s{1,4}(?=["']))?|\s{0,4}:(?:\s{1,4}|(?=\\{0,7}["'])))/g;

/** `NAME=value`, `name: value`, `"name": "value"`, also escaped inside another string. */
function assignments(text: string, mark: Mark): string {
  return replaceAfter(text, ASSIGNMENT, mark, {
    name: isSecretName,
    value: (name, inner) => !isPlainValue(name, inner),
  });
}

const OPTION = /(?<![\w-])(?:--?|(?<=[\s"'])\/)([A-Za-z][\w-]{0,60})(?:\s{1,4}|[=:]\s{0,1})/g;

/** `--password x`, `--password=x`, `-Password x`, `/password:x`. */
function options(text: string, mark: Mark): string {
  return replaceAfter(text, OPTION, mark, {
    name: isSecretName,
    value: (name, inner) => !isPlainValue(name, inner) && !/^--?[a-z][a-z-]*(?:=|$)/.test(inner),
  });
}

function heads(text: string, mark: Mark): string {
  return HEADS.reduce((result, head) => replaceAfter(result, head, mark), text);
}

function commands(text: string, mark: Mark): string {
  if (!NAMES_PROGRAM.test(text)) return text;
  const parts = segments(text);
  const out = parts.map(({ text: part, end }, index) => {
    const next = parts[index + 1]?.text ?? '';
    const piped = end === '|' && WRITES_TEXT.test(part) && READS_PASSWORD.test(next);
    const fed = READS_PASSWORD.test(part) ? replaceAfter(part, /<<<\s{0,4}/g, mark) : part;
    return byProgram(piped ? echoed(fed, mark) : fed, mark) + end;
  });
  return out.join('');
}

function echoed(text: string, mark: Mark): string {
  const head = WRITES_TEXT.exec(text)?.[0] ?? '';
  const said = text.slice(head.length);
  const secret = said.trimEnd();
  const { open, inner, close } = unquote(secret);
  if (inner === '' || isHarmless(inner, open)) return text;
  return head + open + mark(inner) + close + said.slice(secret.length);
}

function byProgram(text: string, mark: Mark): string {
  return COMMAND_RULES.reduce((result, { program, head, part }: CommandRule) => {
    const start = program.exec(result)?.index;
    if (start === undefined) return result;
    return result.slice(0, start) + replaceAfter(result.slice(start), head, mark, ALWAYS, part);
  }, text);
}

/** Credentials of a URL: everything between the first colon and the last @ of its word; a long user alone is a token. */
function urls(text: string, mark: Mark): string {
  return text.replace(/:\/\/[^\s'"<>`]+/g, (whole) => {
    const rest = whole.slice(3);
    const at = rest.lastIndexOf('@');
    const user = rest.slice(0, Math.max(at, 0));
    const colon = user.indexOf(':');
    const slash = user.search(/[/?#]/);
    if (ONLY_MARKS.test(user)) return whole;
    if (colon < 0) return slash < 0 && /^[\w-]{20,}$/.test(user) ? `://${mark(user)}${rest.slice(at)}` : whole;
    const secret = user.slice(colon + 1);
    if ((slash >= 0 && slash < colon) || /^\d{1,5}[/?#]/.test(secret) || isHarmless(secret)) return whole;
    return `://${user.slice(0, colon + 1)}${mark(secret)}${rest.slice(at)}`;
  });
}

interface Test {
  /** Whether this head may stand before a secret at all. */
  readonly name: (name: string) => boolean;
  /** Whether the word does not merely speak of one. */
  readonly value: (name: string, inner: string) => boolean;
}
const ALWAYS: Test = { name: () => true, value: () => true };
/** A longer word is marked without a look at what it says, so that no text is read over and over. */
const LONG_WORD = 1024;

/** Marks the word after each head that applies. A word after another head stays, since it may be a head itself. */
function replaceAfter(text: string, head: RegExp, mark: Mark, test: Test = ALWAYS, part: Part = 'all'): string {
  let out = '';
  let done = 0;
  for (const match of text.matchAll(head)) {
    const name = match[1] ?? '';
    const start = match.index + match[0].length;
    if (match.index < done || !test.name(name)) continue;
    const word = wordAt(text, start);
    if (word === undefined || (word.length <= LONG_WORD && !test.value(name, unquote(word).inner))) continue;
    out += text.slice(done, start) + markWord(word, mark, part);
    done = start + word.length;
  }
  return out + text.slice(done);
}

const SEPARATORS: Readonly<Record<Exclude<Part, 'all'>, string>> = {
  after_colon: ':',
  after_percent: '%',
  after_comma: ',',
};

function markWord(word: string, mark: Mark, part: Part): string {
  const { open, inner, close } = unquote(word);
  const from = part === 'all' ? 0 : inner.indexOf(SEPARATORS[part]) + 1;
  const secret = inner.slice(from);
  if ((part !== 'all' && from === 0) || secret === '' || isHarmless(secret, open)) return word;
  return open + inner.slice(0, from) + aroundSubstitutions(secret, mark) + close;
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
  const text = value.trim();
  if (ONLY_MARKS.test(text) || /^(?:\{\{[^{}]{1,200}\}\}|<[a-z][\w -]{0,60}>)$/.test(text)) return true;
  if (open.includes("'")) return false;
  if (open === '' && /^(?:\$\{?\w+\}?|\$(?:env|script|global|using):\w+)$/i.test(text)) return true;
  return /^(?:\$\{?[A-Z_][A-Z0-9_]*\}?|\$env:\w+|%[A-Z_][A-Z0-9_]*%)$/.test(text);
}
