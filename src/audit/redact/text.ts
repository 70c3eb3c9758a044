import { COMMAND_RULES, NAMES_PROGRAM } from './commands.js';
import { encoded } from './encoded.js';
import { authorization, heads } from './heads.js';
import { isHarmless, type Mark, ONLY_MARKS, replaceAfter } from './marks.js';
import { xmlElements, yamlLines } from './markup.js';
import { isPlainValue, isSecretName, NAME_CORE } from './names.js';
import { hereDocuments, pipes } from './pipes.js';
import { asRead } from './plain.js';
import { SHAPE_CORE, SHAPES } from './shapes.js';
import { segments } from './shell-words.js';

/**
 * Replaces what looks like a secret in a text: by the name of the option, variable, header or member in front of it, by the
 * program that takes it, or by its own form; also in base64. Text without one comes back unchanged; a second pass changes nothing.
 */
export function redactText(text: string, mark: Mark = () => '[redacted]'): string {
  return redact(text, mark, 0);
}

function redact(text: string, mark: Mark, depth: number): string {
  return asRead(text, mark, (read, marked) => once(read, marked, depth));
}

function once(text: string, mark: Mark, depth: number): string {
  // One plain word: nothing stands in front of it that could make it a secret.
  const plain = /^[\w./+-]{0,200}$/.test(text) || !MAY_HOLD_SECRET.test(text);
  const named = plain ? text : PASSES.reduce((result, pass) => pass(result, mark), text);
  return shapes(encoded(named, mark, depth, redact), mark);
}

const PASSES = [
  hereDocuments,
  authorization,
  yamlLines,
  xmlElements,
  assignments,
  options,
  heads,
  pipes,
  commands,
  urls,
] as const;

/** Where none of this stands, no pass but those of forms and encodings changes anything: one quick search spares most text all of them. */
const MAY_HOLD_SECRET = new RegExp(
  [
    NAME_CORE.source,
    '<<|plain:|identified|\\.change\\(|pdo\\(|directoryentry|adsi|tochararray|://|getbytes|crypt|cryptsetup|kinit|realm|adcli|runas|\\bsu(?:do)?\\b|secure|-stdin|-fd|:oracle:|assword|assphrase|sp_addlogin',
    NAMES_PROGRAM.source,
  ].join('|'),
  'i',
);

/** A host as callers write it: `user:password@host`, also several. Elsewhere this form has other meanings (image:tag@digest). */
export function redactHosts(text: string, mark: Mark = () => '[redacted]'): string {
  const hosts = text.replace(
    /(?<![^\s,;"'(])([^\s,;:@/"'(]{1,100}:)([^\s,;]{1,1000})(?=@)/g,
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

const ASSIGNMENT =
  /(?<![\w.-])([\w.-]{1,128})(?:\\{0,7}["'])?[\]}]?(?:\s{0,4}(?:=>|:=|==|\+=)\s{0,4}|\s{1,4}=\s{1,4}|=(?:\s{1,4}(?=["']))?|\s{0,4}:(?:\s{1,4}|(?=\\{0,7}["'])))/g;

/** `NAME=value`, `name: value`, `"name": "value"`, also escaped inside another string. */
function assignments(text: string, mark: Mark): string {
  return replaceAfter(text, ASSIGNMENT, mark, {
    name: isSecretName,
    value: (name, inner) => !isPlainValue(name, inner),
  });
}

const OPTION = /(?<![\w-])(?:--?|(?<=[\s"'])\/)([A-Za-z][\w.-]{0,60})(?:\s{1,4}|[=:]\s{0,1})/g;

/** `--password x`, `--password=x`, `-Password x`, `/password:x`. */
function options(text: string, mark: Mark): string {
  return replaceAfter(text, OPTION, mark, {
    name: isSecretName,
    value: (name, inner) => !isPlainValue(name, inner) && !/^--?[a-z][a-z-]*(?:=|$)/.test(inner),
  });
}

const NAMED = {
  name: isSecretName,
  value: (name: string, inner: string): boolean => !isPlainValue(name, inner),
};

function commands(text: string, mark: Mark): string {
  if (!NAMES_PROGRAM.test(text)) return text;
  return segments(text)
    .map(({ text: part, end }) => byProgram(part, mark) + end)
    .join('');
}

function byProgram(text: string, mark: Mark): string {
  if (!NAMES_PROGRAM.test(text)) return text;
  const words = new Set(text.toLowerCase().match(/[a-z0-9_][\w-]*/g));
  return COMMAND_RULES.reduce((result, { program, names, head, part, named }) => {
    if (names?.some((name) => words.has(name)) === false) return result;
    const start = program.exec(result)?.index;
    if (start === undefined) return result;
    const from = named && !/^(?:setx|reg)/i.test(result.slice(start)) ? configAfter(result, start) : start;
    return result.slice(0, from) + replaceAfter(result.slice(from), head, mark, named ? NAMED : undefined, part);
  }, text);
}

/** Where `config set`, `configure set` and their like begin; the end where they do not stand. */
function configAfter(text: string, start: number): number {
  const found = text.slice(start).search(/\sconfig(?:ure)?\s/);
  return found < 0 ? text.length : start + found;
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
