import type { Compiled } from '../../specs/compile.js';
import { type Context, deeper, type Ruling, readOnly, unknown } from '../context.js';
import type { Word } from '../word.js';

const LETTERS = /^[-+][cefhlnouvxB]+$/;
const LONG = new Set(['--norc', '--noprofile', '--posix', '--login']);
const MODES = new Set(['pipefail', 'errexit', 'nounset', 'xtrace', 'verbose', 'noglob', 'posix', 'noexec']);

interface Options {
  readonly letters: string;
  /** Where the script or its file stands. */
  readonly end: number;
}

/** sh, bash and dash: a literal script behind -c is judged; a file or standard input is code that cannot be seen. */
export function judgeShell(
  spec: Compiled,
  words: readonly Word[],
  start: number,
  _subject: string,
  context: Context,
): Ruling {
  const options = readOptions(words, start);
  if (typeof options === 'string') return refuse(spec, options);
  const script = words[options.end];
  if (options.letters.includes('c')) return run(spec, script, context);
  const checks = options.letters === 'n' && words.length === options.end + 1 && script?.literal !== undefined;
  return checks
    ? readOnly(`${spec.name}: only checks the syntax`)
    : refuse(spec, 'it runs a script that cannot be seen');
}

/** The options, or why they cannot be passed. */
function readOptions(words: readonly Word[], start: number): Options | string {
  let letters = '';
  let at = start;
  for (let word = words[at]?.literal; word !== undefined && /^[-+]./.test(word); word = words[at]?.literal) {
    at += 1;
    if (word === '--') break;
    if (LONG.has(word)) continue;
    if (!LETTERS.test(word)) return `the option ${word} is not listed`;
    if (word.startsWith('-')) letters += word.slice(1);
    const modes = words.slice(at, at + word.split('o').length - 1);
    if (!modes.every((mode) => MODES.has(mode.literal ?? ''))) return 'a mode that is not listed';
    at += modes.length;
  }
  return { letters, end: at };
}

function run(spec: Compiled, script: Word | undefined, context: Context): Ruling {
  if (script?.literal === undefined) return refuse(spec, 'its script is not known before it runs');
  const inner = deeper(context, script.literal);
  if (inner === undefined) return refuse(spec, 'commands are nested too deep');
  context.engine.script(script.literal, inner);
  return readOnly(`${spec.name}: runs the script behind -c`);
}

function refuse(spec: Compiled, why: string): Ruling {
  return unknown(`${spec.name}: ${why}`);
}
