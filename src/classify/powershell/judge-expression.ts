import type { Context } from './context.js';
import { isSteering } from './judge-assignment.js';
import { judgeInvocation, judgeMember } from './judge-member.js';
import { judgeVariable } from './judge-variable.js';
import { refuse } from './report.js';
import { readString } from './strings.js';
import { inner, type Syntax, textOf } from './syntax.js';
import { constructs, convertsOnly, typeName } from './types.js';
import { blockValue, dataValue, listValue, literalValue, otherValue, textValue, type Value } from './value.js';

type Rule = (node: Syntax, context: Context) => Value;

const BINARY =
  /^(?:logical|bitwise|comparison|additive|multiplicative|format|range|null_coalesce|ternary)(?:_argument)?_expression$/;

/** The value of an expression. What in it is not known to only compute is reported. */
export function judgeExpression(node: Syntax, context: Context): Value {
  const rule = RULES[node.type];
  if (rule !== undefined) return rule(node, context);
  if (BINARY.test(node.type)) return binary(node, context);
  refuse(node, `${node.type} is not followed`, context);
  return otherValue(textOf(node, context.source));
}

const RULES: Readonly<Record<string, Rule>> = {
  unary_expression: only,
  argument_expression: only,
  string_literal: only,
  integer_literal: only,
  key_expression: only,
  expandable_string_literal: string,
  expandable_here_string_literal: string,
  verbatim_string_characters: string,
  verbatim_here_string_characters: string,
  decimal_integer_literal: number,
  hexadecimal_integer_literal: number,
  real_literal: number,
  variable: judgeVariable,
  parenthesized_expression: parenthesized,
  sub_expression: statements,
  array_expression: statements,
  script_block_expression: block,
  hash_literal_expression: table,
  type_literal: type,
  cast_expression: cast,
  member_access: judgeMember,
  element_access: element,
  invocation_expression: judgeInvocation,
  array_literal_expression: list,
  expression_with_unary_operator: unary,
  post_increment_expression: increment,
  post_decrement_expression: increment,
  pre_increment_expression: increment,
  pre_decrement_expression: increment,
};

function only(node: Syntax, context: Context): Value {
  const child = inner(node);
  if (child === node) {
    refuse(node, `${node.type} is not followed`, context);
    return otherValue(textOf(node, context.source));
  }
  return judgeExpression(child, context);
}

function string(node: Syntax, context: Context): Value {
  const { source } = context;
  const text = readString(node, source);
  for (const child of node.children) if (child.named) judgeExpression(child, context);
  if (text === undefined) {
    refuse(node, 'a string whose text is not clear', context);
    return otherValue(textOf(node, source));
  }
  return text.literal === undefined
    ? textValue(textOf(node, source), text.prefix)
    : literalValue(textOf(node, source), text.literal);
}

// `1.exe` and `3com` are commands: a number must end where PowerShell ends it.
function number(node: Syntax, context: Context): Value {
  const { source } = context;
  const after = source.slice(node.end, node.end + 2);
  const before = source.charAt(node.start - 1);
  if (/^[\w\\@#`'"$]/.test(after) || (/^\./.test(after) && after !== '..') || /[\w\\@#'"]/.test(before))
    refuse(node, 'a number inside a word', context);
  const text = textOf(node, source);
  return { ...literalValue(text, text), kind: 'data' };
}

function parenthesized(node: Syntax, context: Context): Value {
  const { one, ...value } = context.judge.pipeline(inner(node), context);
  return { ...value, one: one && value.literals !== undefined };
}

function statements(node: Syntax, context: Context): Value {
  const body = node.children.find((child) => child.type === 'statement_list');
  if (body === undefined) return dataValue(textOf(node, context.source));
  return { ...context.judge.statements(body, context), one: false };
}

function block(node: Syntax, context: Context): Value {
  for (const child of node.children) {
    if (child.type === 'script_block') scriptBlock(child, context);
    else if (child.type === 'param_block') parameters(child, context);
    else if (child.named) refuse(child, `${child.type} is not followed`, context);
  }
  return blockValue(textOf(node, context.source));
}

function scriptBlock(node: Syntax, context: Context): void {
  for (const child of node.children) {
    if (child.type === 'param_block') parameters(child, context);
    else if (
      child.type === 'script_block_body' &&
      child.children.length === 1 &&
      child.children[0]?.type === 'statement_list'
    ) {
      context.judge.statements(child.children[0], context);
    } else if (child.named) refuse(child, 'blocks with names of their own are not followed', context);
  }
}

/** Parameters without defaults and attributes only take values. */
function parameters(node: Syntax, context: Context): void {
  const list = node.children.filter((child) => child.named);
  const names = list.flatMap((child) => child.children.filter((one) => one.named));
  const plain =
    list.every((child) => child.type === 'parameter_list') &&
    names.every((one) => one.children.length === 1 && one.children[0]?.type === 'variable') &&
    !names.some((one) => isSteering(textOf(one, context.source)));
  if (!plain) refuse(node, 'parameters with code of their own are not followed', context);
}

function table(node: Syntax, context: Context): Value {
  const entries = new Map<string, Value>();
  let literalKeys = true;
  for (const entry of node.children.flatMap((child) => child.children)) {
    const [key, , value] = entry.children;
    if (key === undefined || value === undefined) {
      if (entry.named) refuse(entry, 'an entry that is not followed', context);
      continue;
    }
    const name = keyOf(key, context);
    if (name === undefined) literalKeys = false;
    entries.set((name ?? '').toLowerCase(), entryValue(value, context));
  }
  const plain = literalKeys && [...entries.values()].every((value) => value.plain);
  const known = literalKeys ? entries : undefined;
  return { ...otherValue(textOf(node, context.source)), plain, kind: 'table', entries: known };
}

function entryValue(node: Syntax, context: Context): Value {
  if (node.type === 'pipeline') return context.judge.pipeline(node, context);
  refuse(node, 'a statement as a value is not followed', context);
  return otherValue(textOf(node, context.source));
}

function keyOf(node: Syntax, context: Context): string | undefined {
  const key = inner(node);
  if (key.type === 'simple_name') return textOf(key, context.source).trim();
  return judgeExpression(node, context).literals?.[0];
}

function type(node: Syntax, context: Context): Value {
  const text = textOf(node, context.source);
  if (!convertsOnly(typeName(text))) refuse(node, `the type ${text} is not listed as harmless`, context);
  return { ...otherValue(text), plain: true };
}

const TABLES = new Set(['pscustomobject', 'ordered', 'hashtable', 'psobject', 'management.automation.pscustomobject']);

function cast(node: Syntax, context: Context): Value {
  const [to, from] = node.children.filter((child) => child.named);
  const text = textOf(node, context.source);
  if (to === undefined || from === undefined) return otherValue(text);
  type(to, context);
  const value = judgeExpression(from, context);
  const name = typeName(textOf(to, context.source));
  if (TABLES.has(name) && value.kind === 'table') return { ...otherValue(text), plain: value.plain, kind: 'table' };
  if (name === 'string') return textValue(text);
  if (/^collections\.|^arraylist$/.test(name)) return { ...otherValue(text), kind: constructs(name) ?? 'other' };
  return /^(?:object|array|psobject)?(?:\[\])?$/.test(name)
    ? { ...otherValue(text), plain: value.plain }
    : dataValue(text);
}

function element(node: Syntax, context: Context): Value {
  const [base, index] = node.children.filter((child) => child.named);
  const text = textOf(node, context.source);
  const value = base === undefined ? otherValue(text) : judgeExpression(base, context);
  if (index !== undefined) judgeExpression(index, context);
  return { ...otherValue(text), plain: value.kind === 'data' && value.plain };
}

function list(node: Syntax, context: Context): Value {
  const items = node.children.filter((child) => child.named).map((child) => judgeExpression(child, context));
  return listValue(textOf(node, context.source), items);
}

function unary(node: Syntax, context: Context): Value {
  const text = textOf(node, context.source);
  const operands = node.children.filter((child) => child.named);
  const values = operands.map((child) => judgeExpression(child, context));
  const [value] = values;
  if (operands[0]?.type === 'cast_expression' && value !== undefined) return value;
  const operator = textOf(node.children[0] ?? node, context.source).toLowerCase();
  if (operator === ',' && value !== undefined) return listValue(text, values);
  if (operator === '-join') return textValue(text);
  // `-4` is what a program gets where it is an argument.
  if (operator === '-' && value?.literals?.length === 1 && /^\S+$/.test(text))
    return { ...literalValue(text, text), kind: 'data' };
  return dataValue(text);
}

function increment(node: Syntax, context: Context): Value {
  const target = inner(node);
  const variable = target.type === 'unary_expression' ? inner(target) : target;
  if (variable.type !== 'variable') refuse(node, 'it changes something that is no variable', context);
  else if (isSteering(textOf(variable, context.source)))
    refuse(node, 'it changes a variable of PowerShell itself', context);
  else judgeVariable(variable, context);
  return dataValue(textOf(node, context.source));
}

const GIVES_TEXT = /^-(?:f|[ci]?replace|join)$/;

function binary(node: Syntax, context: Context): Value {
  const text = textOf(node, context.source);
  const operator = node.children.find((child) => !child.named || /operator$/.test(child.type));
  const word = operator === undefined ? '' : textOf(operator, context.source).toLowerCase();
  const operands = node.children.filter((child) => child.named && child !== operator);
  const values = operands.map((child) => judgeExpression(child, context));
  // A type may also be named by a string.
  if (/^-(?:as|is|isnot)$/.test(word) && operands[1] !== undefined && deepest(operands[1]).type !== 'type_literal') {
    refuse(operands[1], 'a type that is not named by itself', context);
  }
  if (GIVES_TEXT.test(word) || (word === '+' && values[0]?.kind === 'text'))
    return textValue(text, word === '+' ? values[0]?.prefix : '');
  if (node.type.startsWith('ternary') || node.type.startsWith('null_coalesce') || word === '+') {
    return { ...otherValue(text), plain: values.every((value) => value.plain) };
  }
  return word === '-as' ? otherValue(text) : dataValue(text);
}

function deepest(node: Syntax): Syntax {
  return node.type === 'type_literal' || inner(node) === node ? node : deepest(inner(node));
}
