import type { Finding } from '../domain/assessment.js';
import type { Shell } from '../domain/call.js';
import type { Classify } from '../domain/ports.js';
import { quote } from '../domain/text.js';

/** A word of a command line: quotes hold it together. */
const WORD = /(?:"(?:[^"\\]|\\.)*"|'[^']*'|\\.|[^\s"'\\])+/g;
/** A part longer than this is not taken apart word by word. */
const LONGEST = 2000;
const MOST_WORDS = 40;

/** What would make a part read_only, in words; undefined where it is. A part without one of its options is judged again: that proves it. */
export function advice({ effect, subject, why }: Finding, shell: Shell, judge: Classify): string | undefined {
  if (effect === 'read_only') return undefined;
  const option = optionToDrop(subject, shell, judge);
  if (option !== undefined) return `without ${quote(option)} it would be read_only`;
  if (/redirection/.test(why)) return 'without writing to a file it would not stand in the way of read_only';
  if (/not a program that is listed|not listed as reading/.test(why))
    return 'if it only reads, say so in the config under classifier.commands; see docs/rules.md';
  if (/cannot be seen|before it runs|not in a system directory/.test(why))
    return 'read_only needs the commands themselves, with the plain names of programs';
  if (/cannot be parsed/.test(why)) return 'read_only needs a command line that is complete';
  return effect === 'mutating'
    ? 'nothing makes it read_only: a checkpoint is pinned before it'
    : 'read_only needs a form whose effect is known, or the command without this part';
}

function optionToDrop(subject: string, shell: Shell, judge: Classify): string | undefined {
  if (subject.length > LONGEST) return undefined;
  const found = [...subject.matchAll(WORD)].slice(0, MOST_WORDS).filter(([word]) => /^[-/]./.test(word));
  return found.find(({ 0: word, index }) => {
    const rest = `${subject.slice(0, index)}${subject.slice(index + word.length)}`;
    return judge([{ kind: 'command', language: shell, source: rest }]).effect === 'read_only';
  })?.[0];
}
