import { type Ruling, readOnly, unknown } from '../posix/context.js';
import type { Word } from '../posix/word.js';
import { deeper, type WindowsContext } from './context.js';

const SWITCHES = /^(?:nop(?:rofile)?|noni(?:nteractive)?|nol(?:ogo)?|sta|mta)$/;
const WITH_VALUE = /^(?:ex(?:ecutionpolicy)?|ep|inputformat|inp|if|outputformat|o|of|windowstyle|w)$/;
const COMMAND = /^c(?:o(?:m(?:m(?:a(?:n(?:d)?)?)?)?)?)?$/;
const ENCODED = /^(?:e|ec|en|enc|enco|encod|encode|encoded|encodedc(?:o(?:m(?:m(?:a(?:n(?:d)?)?)?)?)?)?)$/;
const VALUE = /^[A-Za-z]+$/;
const BASE64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/;

/** powershell: a literal text behind its options, -Command or -EncodedCommand is judged; a file or standard input cannot be seen. */
export function checkPowerShell(words: readonly Word[], context: WindowsContext): Ruling {
  return check(words, true, context);
}

/** pwsh: the same, but text behind no option is a file. */
export function checkPwsh(words: readonly Word[], context: WindowsContext): Ruling {
  return check(words, false, context);
}

function check(words: readonly Word[], bareText: boolean, context: WindowsContext): Ruling {
  if (words.some((word) => word.literal === undefined)) return unknown('its words are not known before it runs');
  const source = readSource(
    words.map((word) => word.literal ?? ''),
    bareText,
  );
  if (source.kind === 'refused') return unknown(source.why);
  const inner = deeper(context);
  if (inner === undefined) return unknown('commands are nested too deep');
  context.engine.powershell(source.text, inner);
  return readOnly('runs the command in it');
}

type Source = { readonly kind: 'text'; readonly text: string } | { readonly kind: 'refused'; readonly why: string };

function readSource(words: readonly string[], bareText: boolean): Source {
  const [word, ...rest] = words;
  if (word === undefined) return refused('what it runs is not in the command');
  if (!/^[-/]/.test(word)) return bareText ? text(words.join(' ')) : refused('it runs a file');
  const name = word.slice(1).toLowerCase();
  if (COMMAND.test(name)) return text(rest.join(' '));
  if (ENCODED.test(name)) return decode(rest);
  const length = optionLength(name, rest[0]);
  return length === 0 ? refused(`${word} is not listed`) : readSource(words.slice(length), bareText);
}

function optionLength(name: string, value: string | undefined): number {
  if (SWITCHES.test(name)) return 1;
  return WITH_VALUE.test(name) && VALUE.test(value ?? '') ? 2 : 0;
}

function text(source: string): Source {
  return source.trim() === '-' || source.trim() === ''
    ? refused('it runs its standard input')
    : { kind: 'text', text: source };
}

function decode(rest: readonly string[]): Source {
  const [encoded = '', ...more] = rest;
  const bytes = more.length === 0 && BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : Buffer.alloc(0);
  if (bytes.length === 0 || bytes.length % 2 !== 0) return refused('an encoded command that is no UTF-16 in base64');
  return text(bytes.toString('utf16le'));
}

function refused(why: string): Source {
  return { kind: 'refused', why };
}
