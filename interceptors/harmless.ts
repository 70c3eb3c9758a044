import type { Role, Shell } from '../src/domain/call.js';
import { readShareName } from '../src/domain/share-name.js';

const MAX_DEPTH = 16;

// By what is allowed, not by what is known to be bad: quotes, braces, `$`, `!` and `^` start something in one shell or another.
const PLAIN = /^[\p{L}\p{M}\p{N} _.:/@+=,~*?#%[\]-]*$/u;
const PLAIN_WINDOWS = /^[\p{L}\p{M}\p{N} _.:/@+=,~*?#[\]\\-]*$/u;
const META = /[;&|`<>\p{Cc}\p{Zl}\p{Zp}]|\$[({]|['"“”„‘’‚]/u;
const META_IN_TEXT = /[;&|`<>\p{Cc}\p{Zl}\p{Zp}]|\$[({]/u;
const NUMBER = /^-?\d+(\.\d+)?$/;
const PEM = /^-----BEGIN [A-Z0-9 ]+-----\r?\n[A-Za-z0-9+/=,:\- \r\n]*-----END [A-Z0-9 ]+-----\s*$/;

/** Roles whose text is judged as such, or never reaches a shell as text of its own. */
const JUDGED: ReadonlySet<Role> = new Set(['command', 'script', 'stdin', 'terminal_input', 'args', 'content']);

/**
 * Whether a value beside the command can only be a value: no shell of `language` could read more than a word in it.
 * `prose` is for descriptions, where quotes and brackets are usual.
 */
export function isHarmless(value: unknown, role: Role, language: Shell, prose = false, depth = 0): boolean {
  if (JUDGED.has(role)) return true;
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return true;
  if (typeof value === 'string') return isHarmlessText(value, role, language, prose);
  if (depth > MAX_DEPTH) return false;
  if (role === 'module_args' && typeof value === 'object' && !Array.isArray(value)) {
    return Object.entries(value).every(
      ([key, inner]) => /^\w+$/.test(key) && isHarmless(inner, role, language, prose, depth + 1),
    );
  }
  if (!Array.isArray(value)) return false;
  return value.every((item) => isHarmless(item, role, language, prose, depth + 1));
}

function isHarmlessText(text: string, role: Role, language: Shell, prose: boolean): boolean {
  const both = [text, text.normalize('NFKC')];
  if (role === 'secret') return PEM.test(text) || !both.some((form) => META.test(form));
  if (prose) return !both.some((form) => META_IN_TEXT.test(form));
  if (NUMBER.test(text)) return true;
  // A leading dash is an option to the program that gets the value: ssh runs what `-oProxyCommand=` names.
  if (both.some((form) => form.trimStart().startsWith('-'))) return false;
  if (PLACES.has(role) && both.every((form) => isPlainShare(form, language))) return true;
  const plain = language === 'bash' ? PLAIN : PLAIN_WINDOWS;
  return both.every((form) => plain.test(form));
}

const PLACES: ReadonlySet<Role> = new Set(['path', 'host', 'host_list']);

/** `\\host\C$\x`: a `$` that ends the name of a share begins nothing in any shell, nor does a `\` unless a quote may stand behind it. */
function isPlainShare(text: string, language: Shell): boolean {
  const name = readShareName(text);
  if (name.kind !== 'share' || (language === 'bash' && text.endsWith('\\'))) return false;
  return PLAIN_WINDOWS.test(text.replace(/^([\\/]{2}(?:[?.][\\/]UNC[\\/])?[\w.@-]+[\\/][\w.-]+)\$(?=[\\/]|$)/i, '$1'));
}
