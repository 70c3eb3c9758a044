import { readOnly } from '../posix/context.js';
import { report } from '../windows/context.js';
import type { Context } from './context.js';
import { judgeTarget } from './judge-assignment.js';
import { judgeRedirection } from './judge-redirection.js';
import { refuse } from './report.js';
import { type Syntax, textOf } from './syntax.js';
import { otherValue, type Value } from './value.js';

/** Judges a pipeline, a chain of them, or an assignment; the value is that of the last part. */
export function judgePipeline(node: Syntax, context: Context): Value {
  let value = otherValue(textOf(node, context.source));
  for (const child of node.children) {
    if (child.type === 'assignment_expression') value = judgeAssignment(child, context);
    else if (child.type === 'pipeline_chain') value = judgeChain(child, context);
    else if (child.named && child.type !== 'pipeline_chain_tail')
      refuse(child, `${child.type} is not followed`, context);
  }
  return value;
}

function judgeAssignment(node: Syntax, context: Context): Value {
  const [left, operator, value] = node.children;
  if (left === undefined || operator === undefined || value === undefined) {
    refuse(node, 'an assignment that is not followed', context);
    return otherValue('');
  }
  const judged = judgeAssigned(value, context);
  judgeTarget(left, judged, context);
  return judged;
}

function judgeAssigned(node: Syntax, context: Context): Value {
  if (node.type === 'assignment_value' || node.type === 'pipeline') return judgePipeline(node, context);
  if (node.type === 'assignment_expression') return judgeAssignment(node, context);
  if (/^(?:if|foreach|switch|try|while|for|do)_statement$/.test(node.type)) {
    const list: Syntax = { type: 'statement_list', named: true, start: node.start, end: node.end, children: [node] };
    return context.judge.statements(list, context);
  }
  refuse(node, `${node.type} is not followed`, context);
  return otherValue('');
}

function judgeChain(node: Syntax, context: Context): Value {
  const parts = node.children.filter((child) => child.named);
  let value = otherValue(textOf(node, context.source));
  for (const [index, part] of parts.entries()) {
    const inside = index === 0 ? context : { ...context, fed: true };
    if (part.type === 'redirections') redirections(part, context);
    else if (part.type === 'command') value = context.judge.command(part, inside);
    else if (index === 0) value = expression(part, context);
    else refuse(part, `${part.type} is not followed`, context);
  }
  return parts.length === 1 ? value : piped(value);
}

function redirections(node: Syntax, context: Context): void {
  for (const one of node.children) judgeRedirection(one, context);
}

/** What comes out of a pipe is any number of objects. */
function piped(value: Value): Value {
  const kind = value.kind === 'text' ? 'data' : value.kind;
  return { ...value, literals: undefined, prefix: '', one: false, entries: undefined, kind };
}

function expression(node: Syntax, context: Context): Value {
  const before = context.findings.length;
  const value = context.judge.expression(node, context);
  if (context.findings.length === before)
    report(context, textOf(node, context.source), readOnly('an expression that only computes'));
  return value;
}
