import { mutating, unknown } from '../posix/context.js';
import { report } from '../windows/context.js';
import type { Context } from './context.js';
import { descend } from './report.js';
import { type Syntax, textOf } from './syntax.js';

/** Merging streams and sending them to $null is fine; every other redirection writes a file. */
export function judgeRedirection(node: Syntax, context: Context): void {
  const [operator, target] = node.children;
  const text = textOf(node, context.source);
  if (operator?.type === 'merging_redirection_operator' && target === undefined) return;
  if (target !== undefined) descend(target, context);
  const writes = operator?.type === 'file_redirection_operator' && textOf(operator, context.source) !== '<';
  if (writes && target !== undefined && /^\s*\$null$/i.test(textOf(target, context.source))) return;
  report(context, text, writes ? mutating('a redirection that writes') : unknown('a redirection that is not followed'));
}
