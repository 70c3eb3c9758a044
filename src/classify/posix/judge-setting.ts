import { HIDES, leads } from '../leading.js';
import type { Context } from './context.js';
import type { Word } from './word.js';

/** Builtins that give variables of this shell a value, which later commands may get. */
const SETTERS: ReadonlySet<string> = new Set(
  'export declare typeset readonly local read printf mapfile readarray getopts let'.split(' '),
);
/** Builtins by which this shell runs code that is not seen, or takes other programs for the names that follow. */
const UNSEEN: ReadonlySet<string> = new Set('. source eval alias enable hash trap'.split(' '));

const SETTING = /^([A-Za-z_]\w*)(?:\[[\s\S]*\])?(?:\+?=([\s\S]*))?$/;
const PLAIN = /^[\w.:/@+-]*$/;

/** Where a variable may lead the command that gets it: to a machine that is not known. `value` undefined: it is not known. */
export function led(name: string, value: string | undefined, context: Context): Context {
  if (HIDES.test(name)) context.shell.unsure = true;
  return leads(name, value) ? { ...context, elsewhere: true, reaches: [{ host: '' }] } : context;
}

/** The same for the words of a builtin that sets variables, or runs code in this shell. */
export function ledByBuiltin(name: string, words: readonly Word[], context: Context): Context {
  if (UNSEEN.has(name) && words.length > 1 && !isSeen(name, words)) context.shell.unsure = true;
  if (!SETTERS.has(name)) return context;
  const given = name === 'printf' ? variableOfPrintf(words) : words.slice(1);
  // What a word becomes that is not known may be any setting.
  if (given.some(({ literal, prefix }) => literal === undefined && !/^[A-Za-z_]\w*[=[+]/.test(prefix)))
    context.shell.unsure = true;
  return given.reduce((place, word) => {
    const [, variable = '', value] = SETTING.exec(word.literal ?? word.text) ?? [];
    return led(variable, value !== undefined && PLAIN.test(value) ? value : undefined, place);
  }, context);
}

/** The text of `eval` is judged like the rest; a list of aliases, traps or hashes changes none. */
function isSeen(name: string, words: readonly Word[]): boolean {
  if (name === 'eval') return words.every(({ literal }) => literal !== undefined);
  return (
    ['alias', 'hash', 'trap'].includes(name) && words.slice(1).every(({ literal = '=' }) => !/[=/]|^-p$/.test(literal))
  );
}

function variableOfPrintf([, first, second]: readonly Word[]): readonly Word[] {
  if (first?.literal === '-v') return second === undefined ? [] : [second];
  const stuck = /^-v(.+)$/.exec(first?.literal ?? '')?.[1];
  return first === undefined || stuck === undefined ? [] : [{ ...first, literal: stuck, text: stuck, prefix: stuck }];
}
