import type { Redirect, Redirection } from 'unbash';
import { type Context, mutating, report, unknown } from './context.js';
import { expandParts, expandWord } from './expand-word.js';

const DESCRIPTOR = /^(?:[0-9]+|[0-9]*-)$/;

/** Reading, here-documents, duplicates of descriptors and /dev/null are fine; every other redirection writes. */
export function judgeRedirection(redirection: Redirection, context: Context): void {
  if (redirection.descriptor?.type === 'FileDescriptorVariable') {
    report(context, subject(redirection, context), unknown('a descriptor kept in a variable'));
  }
  if (redirection.type === 'HereDoc') {
    const { body, closing, delimiter } = redirection;
    if (closing === undefined) report(context, subject(redirection, context), unknown('a here-document without end'));
    if (delimiter?.quoted !== true && body.parts !== undefined) expandParts(body.text, body.parts, context);
    return;
  }
  if (redirection.target === undefined) {
    report(context, subject(redirection, context), unknown('a redirection without target'));
    return;
  }
  const target = expandWord(redirection.target, context);
  if (redirection.type === 'Redirect') judgeTarget(redirection, target.literal, context);
}

function judgeTarget(redirect: Redirect, target: string | undefined, context: Context): void {
  switch (redirect.operator) {
    case '<':
      return;
    case '<&':
    case '>&':
      if (target !== undefined && (DESCRIPTOR.test(target) || (redirect.operator === '>&' && target === '/dev/null')))
        return;
      break;
    case '>':
    case '>>':
    case '&>':
    case '&>>':
      if (target === '/dev/null') return;
      break;
    default:
  }
  report(context, subject(redirect, context), mutating('a redirection that writes'));
}

/** Whether it may put data on standard input. */
export function feeds(redirection: Redirection): boolean {
  if (redirection.type !== 'Redirect') return true;
  return redirection.operator.startsWith('<') && redirection.target?.value !== '/dev/null';
}

function subject(redirection: Redirection, context: Context): string {
  return context.source.slice(redirection.pos, redirection.end);
}
