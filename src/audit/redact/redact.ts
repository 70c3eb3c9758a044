import { createHash } from 'node:crypto';
import type { Role } from '../../domain/call.js';
import { COMMAND_RULES, NAMES_PROGRAM } from './commands.js';
import { NO_RULES, type OperatorRedaction } from './config.js';
import { KnownSecrets } from './known.js';
import { mapMembers, mapTexts, TOO_DEEP } from './map-texts.js';
import { isHarmless, type Mark } from './marks.js';
import { isPlainValue, isSecretName } from './names.js';
import { readsSecret } from './pipes.js';
import { READ_AS } from './plain.js';
import { redactHosts, redactText, shapes } from './text.js';

export { redactText } from './text.js';

/** Longer texts are recorded as their beginning, size and SHA-256: 256 Ki UTF-16 units, of which the first 64 Ki are read. */
const LONG = 256 * 1024;
const SHOWN = 64 * 1024;
/** What is read of one call, in UTF-16 units: the search holds up every other call. The rest shows as size and SHA-256. */
const BUDGET = 512 * 1024;
/** What a value costs beside its length. */
const EACH = 8;
const DEEPEST = 64;

interface Walk {
  readonly mark: Mark;
  readonly own: OperatorRedaction;
  budget: number;
}

/**
 * A copy of the arguments that can be written: `secret` roles and secret-like names become keyed marks, `content` becomes
 * `{ bytes, sha256 }`, all other text (keys too) is searched for secrets by shape. Always valid for canonical JSON.
 */
export function redactArguments(
  args: Readonly<Record<string, unknown>>,
  roles: Readonly<Record<string, Role>>,
  mark: Mark,
  known = new KnownSecrets(mark),
  own = NO_RULES,
): Record<string, unknown> {
  const walk: Walk = { mark: known.mark, own, budget: BUDGET };
  const programs = programsIn(args);
  const feeds = Object.values(args).some((value) => typeof value === 'string' && readsSecret(value));
  const out = members(Object.entries(args), walk, (key, value) => {
    const role = Object.hasOwn(roles, key) ? roles[key] : undefined;
    if (role === 'secret' || (feeds && isInput(key, role))) return markLeaves(value, walk, 0);
    if (role === 'content') return fingerprint(value);
    if (isHost(key, role) && typeof value === 'string' && value.length <= SHOWN)
      return own.words(redactHosts(wellFormed(value), walk.mark), walk.mark);
    return copy(value, key, walk, 1, programs);
  });
  // A secret that one argument gives away is no secret in the others.
  return known.size === 0 ? out : (mapTexts(out, (text) => known.replaceIn(text)) as Record<string, unknown>);
}

/** What a command that reads a secret is fed with. */
function isInput(key: string, role: Role | undefined): boolean {
  return role === 'stdin' || role === 'terminal_input' || /^(?:stdin|input|answers?)$/i.test(key);
}

function isHost(key: string, role: Role | undefined): boolean {
  if (role === undefined) return /^(?:host|hosts|hostname|server|target|connection)$/i.test(key);
  return role === 'host' || role === 'host_list' || role === 'connection';
}

/** Takes what is secret in a call out of what is said of it to people, agents and terminals, which may repeat its arguments. */
export function redactAbout(
  {
    arguments: given,
    roles = {},
  }: {
    readonly arguments: Readonly<Record<string, unknown>>;
    readonly roles?: Readonly<Record<string, Role>> | undefined;
  },
  own = NO_RULES,
): (said: string) => string {
  const mark = () => '[redacted]';
  const known = new KnownSecrets(mark);
  redactArguments(given, roles, mark, known, own);
  return (said) => redactFree(known.replaceIn(said), mark, own);
}

/** One text of a record that is no argument. */
export function redactFree(value: string, mark: Mark, own = NO_RULES): string {
  return text(value, { mark, own, budget: BUDGET });
}

/** A host of a record, which may carry a login. */
export function redactHost(value: string, mark: Mark): string {
  return redactHosts(wellFormed(value.slice(0, 1000)), mark);
}

/** Names, tags and receipts: only what is a secret by its own form, since they must be found again by their exact text. */
export function redactNames(value: unknown, mark: Mark): unknown {
  return mapTexts(value, (text) => shapes(wellFormed(text), mark));
}

function copy(value: unknown, name: string, walk: Walk, depth: number, program: string): unknown {
  if (depth > DEEPEST) return TOO_DEEP;
  const secret = name !== '' && (isSecretName(name) || walk.own.isSecret(name));
  if (typeof value === 'string')
    return secret && !isPlainValue(name, value) ? markLeaf(value, walk) : text(value, walk);
  if (secret) return markLeaves(value, walk, depth);
  if (Array.isArray(value)) return list(value, walk, depth, program);
  if (typeof value === 'object' && value !== null) {
    const pair = pairName(value);
    return members(Object.entries(value), walk, (key, member) =>
      copy(member, key === 'value' ? pair : key, walk, depth + 1, program),
    );
  }
  return scalar(value);
}

/** The name in `{ name, value }`, the form in which many tools take variables. */
function pairName(value: object): string {
  const named = value as { readonly name?: unknown; readonly key?: unknown };
  return [named.name, named.key, 'value'].find((name) => typeof name === 'string') as string;
}

function members(
  entries: readonly (readonly [string, unknown])[],
  walk: Walk,
  each: (key: string, value: unknown) => unknown,
): Record<string, unknown> {
  return mapMembers(entries, (key) => text(key, walk), each);
}

/** An element may be the value of an option before it: each is looked at with that one, and all of them as one command line. */
function list(values: readonly unknown[], walk: Walk, depth: number, program: string): unknown[] {
  const named = `${program} ${programsIn(values)}`;
  const secrets = secretsOfLine(values, walk);
  const keys = keyLines(values);
  const one = (value: unknown, index: number): unknown => {
    const before = index > 0 ? values[index - 1] : undefined;
    if (typeof value !== 'string' || value.length > SHOWN) return copy(value, '', walk, depth + 1, named);
    if (keys.has(index) || secrets.has(value)) return markLeaf(value, walk);
    return element(`${named} ${typeof before === 'string' && before.length < 200 ? before : ''} `, value, walk);
  };
  const out: unknown[] = [];
  for (const [index, value] of values.entries()) {
    if (walk.budget < 0) return [...out, `[omitted: ${values.length - index} values]`];
    out.push(one(value, index));
  }
  return out;
}

/** Elements between the first and the last line of a key. */
function keyLines(values: readonly unknown[]): ReadonlySet<number> {
  const found = new Set<number>();
  let isInside = false;
  for (const [index, value] of values.entries()) {
    if (typeof value !== 'string') continue;
    if (value.includes('-----END ')) isInside = false;
    else if (isInside) found.add(index);
    else isInside = /-----BEGIN [A-Z ]{0,40}PRIVATE KEY/.test(value);
  }
  return found;
}

/** Words that are secrets by their place on the line that the elements make together: `net user bob SECRET`. */
function secretsOfLine(values: readonly unknown[], walk: Walk): ReadonlySet<string> {
  const found = new Set<string>();
  const words = values.slice(0, 200).filter((value) => typeof value === 'string' && value.length < 1000);
  const line = words.map((word) => asWord(String(word)).join('')).join(' ');
  if (words.length < 2 || line.length > SHOWN || !NAMES_PROGRAM.test(line)) return found;
  redactText(line, (secret) => {
    const word = secret.replaceAll(`'\\''`, "'");
    found.add(word);
    return walk.mark(word);
  });
  return found;
}

function element(context: string, value: string, walk: Walk): string {
  const [, head = '', name = '', rest = ''] = /^(-{0,2}([\w.-]{1,128})=)([\s\S]+)$/.exec(value) ?? [];
  if (isSecretName(name) && !isPlainValue(name, rest) && !isHarmless(rest)) return head + markLeaf(rest, walk);
  walk.budget -= EACH + context.length + value.length;
  const [open, inner, close] = asWord(value);
  const marked = redactText(context + open + inner + close, (secret) => walk.mark(secret.replaceAll(`'\\''`, "'")));
  // What was not written in one piece cannot be told apart from the rest of the line.
  if (marked.startsWith(READ_AS)) return markLeaf(value, walk);
  const isWhole = marked.startsWith(context + open) && marked.endsWith(close);
  if (!isWhole) return text(value, walk);
  const found = marked.slice(context.length + open.length, marked.length - close.length).replaceAll(`'\\''`, "'");
  return text(open.replace("'", '') + found, walk);
}

/** An element as one word of a shell; an attached short option (`-pSECRET`) stays outside the quotes. */
function asWord(value: string): readonly [string, string, string] {
  if (/^[\w@%+=:,./-]+$/.test(value)) return ['', value, ''];
  const option = /^-[A-Za-z](?=[^-])/.exec(value)?.[0] ?? '';
  return [`${option}'`, value.slice(option.length).replaceAll("'", `'\\''`), "'"];
}

/** The programs among words that take secrets by short options, for vectors whose program stands elsewhere. */
function programsIn(value: unknown): string {
  const words = (Array.isArray(value) ? value : Object.values(value as object)).filter(
    (word) => typeof word === 'string' && word.length < 100,
  );
  const line = words.slice(0, 40).join(' ');
  if (!NAMES_PROGRAM.test(line)) return '';
  return COMMAND_RULES.flatMap(({ program }) => program.exec(line)?.[0] ?? []).join(' ');
}

function markLeaves(value: unknown, walk: Walk, depth: number): unknown {
  if (depth > DEEPEST) return TOO_DEEP;
  if (Array.isArray(value)) return value.map((item) => markLeaves(item, walk, depth + 1));
  if (typeof value === 'object' && value !== null) {
    return members(Object.entries(value), walk, (_, member) => markLeaves(member, walk, depth + 1));
  }
  if (value === null || typeof value === 'boolean' || value === undefined) return value ?? null;
  return markLeaf(String(value), walk);
}

function markLeaf(value: string, walk: Walk): string {
  return value === '' || /^\[redacted(?::[0-9a-f]{8})?\]$/.test(value) ? value : walk.mark(value);
}

function text(value: string, walk: Walk): string {
  walk.budget -= EACH + (value.length > LONG ? SHOWN : value.length);
  if (walk.budget < 0) return `[omitted: ${sizeOf(value)}]`;
  const isLong = value.length > LONG;
  const head = wellFormed(isLong ? value.slice(0, SHOWN) : value);
  const out = walk.own.words(redactText(head, walk.mark), walk.mark);
  // The last piece may be the first half of a secret that no shape knows.
  return isLong ? `${wellFormed(out.slice(0, SHOWN - 4096))}[cut: ${sizeOf(value)}]` : out;
}

function scalar(value: unknown): unknown {
  if (typeof value === 'number' && !Number.isFinite(value)) return String(value);
  return value === null || typeof value === 'number' || typeof value === 'boolean' ? value : String(value);
}

/** Lone surrogates, which canonical JSON cannot carry, as their escapes. */
function wellFormed(value: string): string {
  if (!/[\ud800-\udfff]/.test(value)) return value;
  return value.replace(/\p{Surrogate}/gu, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);
}

function fingerprint(value: unknown): unknown {
  const bytes = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  return { bytes: bytes.length, sha256: createHash('sha256').update(bytes).digest('hex') };
}

function sizeOf(value: string): string {
  const bytes = Buffer.from(wellFormed(value));
  return `${bytes.length} bytes, sha256 ${createHash('sha256').update(bytes).digest('hex')}`;
}
