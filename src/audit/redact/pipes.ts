import { isHarmless, type Mark, replaceAfter } from './marks.js';
import { type Segment, segments, unquote, wordAt } from './shell-words.js';

/** Reads a password from its standard input; matched against one segment of a pipeline. */
const READS_PASSWORD =
  /^\s*(?:-\s{1,4})?(?:[\w.]{1,40}:\s{1,4})?(?:sudo\s{1,4}(?:-[A-Za-z]{1,8}\s{1,4}){0,4})?(?:\/\S{0,60}\/)?(?:chpasswd|passwd|smbpasswd|vncpasswd|cryptsetup|saslpasswd2|kinit|su|runas|realm|adcli|(?:docker|podman)\s{1,4}secret\s{1,4}create|gcloud\s{1,4}secrets\s{1,4}(?:create|versions)|gh\s{1,4}secret\s{1,4}set|ansible-vault\s{1,4}encrypt_string|zfs\s{1,4}(?:create|load-key|change-key)|ConvertTo-SecureString)(?:\.exe)?(?:\s|$)|^\s*(?:sudo|doas)\s(?:.{0,200}\s)?(?:-[A-Za-z]{0,8}S[A-Za-z]{0,8}|--stdin)(?:\s|$)|\s--?(?:password-stdin|passphrase-fd|stdin|token-stdin|stdin-password|with-token)(?:[\s=]|$)|\s--password\s{0,4}(?=<|$)/i;
/** Writes its arguments to its standard output; a bare string does in PowerShell. */
const WRITES_TEXT =
  /^\s*(?:[({]\s{0,4})?(?:-\s{1,4})?(?:[\w.]{1,40}:\s{1,4})?(?:(?:echo|printf|print|yes|write-output)(?:\s{1,4}-\w{1,20}){0,4}(?:\s|$)|(?=['"]))/i;
/** Takes lines of `user:password`. */
const TAKES_LOGINS = /chpasswd|htpasswd|shadow|nginx/i;
const FORMAT = /^(?:[\w.-]{0,40}:)?(?:%[sb]|\\n|\\r|\\t)+$/;

/** A file that holds keys or passwords, named on the line that writes it. */
const SECRET_FILE =
  /id_(?:rsa|dsa|ecdsa|ed25519)|\.(?:pem|key|p12|pfx|ppk|jks|kdbx|env|netrc|pgpass|my\.cnf|htpasswd|npmrc)(?![\w.])|authinfo|credential|secret|passw|token(?!s)|shadow|kubeconfig|vault/i;
const WRITES_FILE = /(?:^|\s)(?:tee|dd|install|(?:set|add)-content|out-file)\s|>/i;

/** No text without one of these feeds a secret to anything. */
const FEEDS = /[|>]|<[<(]/;
const DEEPEST = 3;
const FARTHEST = 8;

/** What is said to programs that read a secret, or into files that hold one: by a pipe, a redirection, a here-string. */
export function pipes(text: string, mark: Mark, depth = 0): string {
  if (!FEEDS.test(text)) return text;
  const parts = segments(text);
  const out = parts.map((part) => insideQuotes(part.text, mark, depth));
  for (const [index, { text: reader }] of parts.entries()) {
    const isFile = writesSecretFile(reader);
    if (!isFile && !READS_PASSWORD.test(reader)) continue;
    const change = (at: number, by: (from: string) => string): void => void out.splice(at, 1, by(out[at] ?? ''));
    for (const at of [index, ...copiesOf(parts, index)]) change(at, (from) => replaceAfter(from, GIVEN, mark));
    for (const at of [...(isFile ? [index] : []), ...sourcesOf(parts, index)])
      change(at, (from) => said(from, mark, TAKES_LOGINS.test(reader)));
  }
  return parts.map(({ end }, index) => (out[index] ?? '') + end).join('');
}

/** A here-string, or what a program says in place of a file. */
const GIVEN = /<<<\s{0,4}|<\(\s{0,4}(?:echo|printf)\s{1,4}(?:-\w{1,4}\s{1,4})?/g;

/** The segment before a pipe that hands on what it is given. */
function copiesOf(parts: readonly Segment[], index: number): readonly number[] {
  const { text, end } = parts[index - 1] ?? { text: '', end: '' };
  return end === '|' && /^\s*cat\s/.test(text) ? [index - 1] : [];
}

/** Whether a segment writes into a file of secrets, as its words say it. */
function writesSecretFile(part: string): boolean {
  const start = WRITES_FILE.exec(part);
  return start !== null && SECRET_FILE.test(part.slice(start.index));
}

/** The segments whose text goes into this one: along the pipe, and all of a group. */
function sourcesOf(parts: readonly Segment[], index: number): readonly number[] {
  const found: number[] = [];
  let inGroup = false;
  for (let at = index - 1; at >= 0 && index - at <= FARTHEST; at -= 1) {
    const { text, end } = parts[at] ?? { text: '', end: '' };
    if (end !== '|' && !inGroup) break;
    inGroup = (inGroup || /[)}]\s*$/.test(text) || text.trim() === '}') && !/^\s*[({]/.test(text);
    if (WRITES_TEXT.test(text)) found.push(at);
  }
  return found;
}

/** A command line inside a quoted word: `ssh h 'echo x | sudo -S y'`. */
function insideQuotes(text: string, mark: Mark, depth: number): string {
  if (depth >= DEEPEST) return text;
  return text.replace(/"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'/g, (whole, double?: string, single?: string) => {
    const inner = double ?? single ?? '';
    const quote = whole.slice(0, 1);
    return FEEDS.test(inner) ? quote + pipes(inner, mark, depth + 1) + quote : whole;
  });
}

/** Marks the words that are written, up to a redirection. */
function said(text: string, mark: Mark, isLogin: boolean): string {
  const head = WRITES_TEXT.exec(text)?.[0];
  if (head === undefined) return text;
  let out = head;
  for (let at = head.length; ; ) {
    const gap = /^[ \t]{0,40}/.exec(text.slice(at, at + 40))?.[0] ?? '';
    const word = wordAt(text, at + gap.length);
    const next = at + gap.length + (word ?? '').length;
    if (word === undefined || (/^\d$/.test(word) && text[next] === '>')) return out + text.slice(at);
    out += gap + saidWord(word, mark, isLogin);
    at = next;
  }
}

function saidWord(word: string, mark: Mark, isLogin: boolean): string {
  const { open, inner, close } = unquote(word);
  if (inner === '' || isHarmless(inner, open) || FORMAT.test(inner) || inner === '}') return word;
  const lines = inner.split(/(\\n|\n)/).map((line, index) => {
    const [, login = '', secret = ''] =
      (isLogin ? /^([\w.$@\\-]{1,64}:)?([\s\S]*)$/ : /^()([\s\S]*)$/).exec(line) ?? [];
    return index % 2 === 1 || secret === '' || isHarmless(secret, open) ? line : login + mark(secret);
  });
  return open + lines.join('') + close;
}

/** Bodies of here-documents that go into a key file or to a program that reads passwords. */
export function hereDocuments(text: string, mark: Mark): string {
  if (!text.includes('<<')) return text;
  const lines = text.split('\n');
  const words = lines.map((line) => line.trim());
  const out: string[] = [];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    out.push(line);
    const word = secretTerminator(line);
    if (word === undefined) continue;
    const isLogin = TAKES_LOGINS.test(line);
    for (at += 1; at < lines.length && words[at] !== word; at += 1) out.push(bodyLine(lines[at] ?? '', mark, isLogin));
    at -= 1;
  }
  return out.join('\n');
}

function bodyLine(line: string, mark: Mark, isLogin: boolean): string {
  const login = isLogin ? (/^\s{0,20}[\w.$@\\-]{1,64}:/.exec(line)?.[0] ?? '') : '';
  const secret = line.slice(login.length).replace(/\r$/, '');
  if (secret.trim() === '' || isHarmless(secret, "'")) return line;
  return login + mark(secret) + (line.endsWith('\r') ? '\r' : '');
}

/** The word that ends a here-document with secrets, where this line starts one. */
function secretTerminator(line: string): string | undefined {
  const word = /<<-?\s{0,4}\\?["']?(\w{1,60})/.exec(line)?.[1];
  if (word === undefined || line.includes('<<<')) return undefined;
  const isSecret = SECRET_FILE.test(line) || segments(line).some((segment) => READS_PASSWORD.test(segment.text));
  return isSecret ? word : undefined;
}

/** Whether a command line reads a secret from its own standard input. */
export function readsSecret(text: string): boolean {
  return segments(text.slice(0, 4096)).some((segment) => READS_PASSWORD.test(segment.text));
}
