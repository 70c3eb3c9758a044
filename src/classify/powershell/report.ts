import { unknown } from '../posix/context.js';
import { report } from '../windows/context.js';
import type { Context } from './context.js';
import { type Syntax, textOf } from './syntax.js';

/** Reports a part that is not followed, and judges the commands inside it all the same. */
export function refuse(node: Syntax, why: string, context: Context): void {
  report(context, textOf(node, context.source), unknown(why));
  descend(node, context);
}

/** Judges every command inside a node whose own meaning is not followed. */
export function descend(node: Syntax, context: Context): void {
  for (const child of node.children) {
    if (child.type === 'pipeline') context.judge.pipeline(child, context);
    else if (child.type === 'statement_list') context.judge.statements(child, context);
    else if (child.type === 'command') context.judge.command(child, context);
    else descend(child, context);
  }
}
