import { type Ruling, readOnly, unknown } from '../posix/context.js';
import type { Word } from '../posix/word.js';
import { deeper, type WindowsContext } from './context.js';

const OPTION = /^\/(?:[dqsau]|e:(?:on|off)|f:off|v:off)$/i;

/** cmd: the text behind /c is judged, once its outer quotes are off as cmd takes them off. */
export function checkCmd(words: readonly Word[], context: WindowsContext): Ruling {
  const at = words.findIndex((word) => !OPTION.test(word.literal ?? ''));
  if (at < 0 || words[at]?.literal?.toLowerCase() !== '/c')
    return unknown('runs something other than a literal text behind /c');
  const tail = words.slice(at + 1);
  if (tail.length === 0 || tail.some((word) => word.literal === undefined))
    return unknown('its command is not known before it runs');
  const inner = deeper(context);
  if (inner === undefined) return unknown('commands are nested too deep');
  context.engine.cmd(commandText(tail.map((word) => word.literal ?? '')), inner);
  return readOnly('runs the command behind /c');
}

/** The command line as cmd sees it. A single word is what stood in the outer quotes. */
function commandText(words: readonly string[]): string {
  const [only = ''] = words;
  if (words.length === 1) return only;
  const line = words.map((word) => (/\s/.test(word) || word === '' ? `"${word}"` : word)).join(' ');
  return line.startsWith('"') ? line.replace(/^"(.*)"([^"]*)$/s, '$1$2') : line;
}
