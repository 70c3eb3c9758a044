import type { Assignment, Command, Redirection, Word as WordNode } from 'unbash';
import { type Context, report, unknown } from './context.js';
import { expandWord } from './expand-word.js';
import { judgeAssignment } from './judge-assignment.js';
import { feeds, judgeRedirection } from './judge-redirection.js';
import { dynamicWord, type Word } from './word.js';

/** One simple command: its assignments, redirections and words, then the call that the words make. */
export function judgeCommand(node: Command, context: Context): void {
  const subject = context.source.slice(node.pos, node.end);
  const name = node.name === undefined ? undefined : expandWord(node.name, context);
  for (const part of node.prefix) {
    if (part.type === 'Assignment') judgeAssignment(part, name?.literal, context);
    else judgeRedirection(part, context);
  }
  if (name === undefined) {
    report(context, subject, { effect: 'read_only', why: 'no program runs: variables and redirections of this shell' });
    return;
  }
  const words: Word[] = [name];
  for (const part of node.suffix) {
    const word = argument(part, context);
    if (word !== undefined) words.push(word);
  }
  const glued = gluedWords(node, context);
  if (glued !== undefined) report(context, subject, unknown(glued));
  const fed = !context.fed && node.redirects.some(feeds);
  context.engine.call(words, subject, fed ? { ...context, fed } : context);
}

/** Why the words may not be the ones that another shell sees. */
function gluedWords(node: Command, context: Context): string | undefined {
  let end = node.name?.end ?? -1;
  // Some shells read `name(` as the start of a function, a glob qualifier or an expansion.
  if (context.source.charAt(end) === '(') return 'a parenthesis behind a word';
  for (const part of node.suffix) {
    if (part.pos === end && isWord(part)) return 'words without a blank between them';
    end = part.end;
    if (isWord(part) && context.source.charAt(end) === '(') return 'a parenthesis behind a word';
  }
  return undefined;
}

function isWord(part: WordNode | Assignment | Redirection): boolean {
  return part.type === 'Word' || part.type === 'Assignment';
}

function argument(part: WordNode | Assignment | Redirection, context: Context): Word | undefined {
  if (part.type === 'Word') return expandWord(part, context);
  if (part.type !== 'Assignment') {
    judgeRedirection(part, context);
    return undefined;
  }
  // An assignment as an argument belongs to declare, export and the like.
  const { value } = part;
  if (value.type === 'ArrayValue') for (const element of value.elements) expandWord(element, context);
  else expandWord(value, context);
  return dynamicWord(part.text, `${part.name}=`);
}
