import type { Context } from './context.js';
import { isSteering } from './judge-assignment.js';
import { judgePipeline } from './judge-pipeline.js';
import { descend, refuse } from './report.js';
import { type Syntax, textOf } from './syntax.js';
import { dataValue, otherValue, type Value } from './value.js';

/** Control flow that runs its parts and nothing else. */
const FLOW = new Set(
  'if_statement foreach_statement for_statement while_statement do_statement switch_statement try_statement flow_control_statement'.split(
    ' ',
  ),
);
const INNER = new Set(
  `statement_block elseif_clauses elseif_clause else_clause while_condition for_initializer for_condition for_iterator switch_condition
   switch_body switch_clauses switch_clause catch_clauses catch_clause finally_clause`.split(/\s+/),
);

/** Judges a list of statements; its value is that of its only statement. */
export function judgeStatements(node: Syntax, context: Context): Value {
  const values = node.children
    .filter((child) => child.type !== 'empty_statement')
    .map((child) => judgeStatement(child, context));
  const [value] = values;
  return values.length === 1 && value !== undefined ? value : otherValue(textOf(node, context.source));
}

function judgeStatement(node: Syntax, context: Context): Value {
  if (node.type === 'pipeline') return judgePipeline(node, context);
  if (FLOW.has(node.type)) judgeFlow(node, context);
  else refuse(node, `${node.type} is not followed`, context);
  return otherValue(textOf(node, context.source));
}

function judgeFlow(node: Syntax, context: Context): void {
  for (const child of node.children) {
    if (!child.named || child.type === 'catch_type_list') continue;
    const rule = PARTS[child.type];
    if (rule !== undefined) rule(child, context);
    else if (INNER.has(child.type)) judgeFlow(child, context);
    else refuse(child, `${child.type} is not followed`, context);
  }
}

const PARTS: Readonly<Record<string, (node: Syntax, context: Context) => void>> = {
  pipeline: judgePipeline,
  statement_list: judgeStatements,
  variable: loopVariable,
  switch_clause_condition: switchCondition,
};

function loopVariable(node: Syntax, context: Context): void {
  const text = textOf(node, context.source);
  if (!/^\$[A-Za-z_]\w*$/.test(text) || isSteering(text))
    refuse(node, 'a loop over a variable that is not plain', context);
}

/** A bare word, or an expression. */
function switchCondition(node: Syntax, context: Context): void {
  const [condition] = node.children;
  if (condition !== undefined) context.judge.expression(condition, context);
  else if (!/^\w+$/.test(textOf(node, context.source))) refuse(node, 'a case that is not a plain word', context);
}

/** The whole of a text: its statements, and nothing before them. */
export function judgeProgram(root: Syntax, context: Context): Value {
  for (const child of root.children) {
    if (child.type === 'statement_list') judgeStatements(child, context);
    else if (child.named) refuse(child, `${child.type} is not followed`, context);
    else descend(child, context);
  }
  return dataValue('');
}
