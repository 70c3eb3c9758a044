import type { Context } from './context.js';
import { refuse } from './report.js';
import { inner, type Syntax, textOf } from './syntax.js';
import { convertsOnly, typeName } from './types.js';
import type { Kind, Value } from './value.js';

/** Variables of PowerShell itself that steer what later commands do. */
const STEERING =
  /^(?:ps.*|.*preference|executioncontext|host|error|home|pwd|ofs|outputencoding|consolefilename|shellid|stacktrace|myinvocation|nestedpromptlevel|maximum.*|this|args|input|log.*event|transcript|enabledexperimentalfeatures|event|eventargs|eventsubscriber|sender|_|\$|\^|\?)$/i;
/** Preferences under which commands only go on or stop. */
const PREFERENCES = /^(?:erroraction|progress|warning|verbose|information|debug)preference$/i;
const VALUES = /^(?:silentlycontinue|continue|stop|ignore)$/i;
/** The session's own text encoding and its list of protocols; nothing else sees them. */
const SESSION =
  /^\[(?:system\.)?(?:console\]::(?:output|input)encoding|net\.servicepointmanager\]::securityprotocol)$/i;
const PLAIN = /^\$(?:(?:local|private|script):)?[A-Za-z_]\w*$/i;

/** Whether a variable, as it is written, steers what later commands do. */
export function isSteering(written: string): boolean {
  return STEERING.test(written.replace(/^\$(?:\w+:)?/, ''));
}

/** The left side of an assignment: plain variables, and what the text made itself. */
export function judgeTarget(left: Syntax, value: Value, context: Context): void {
  const node = left.type === 'left_assignment_expression' ? inner(left) : left;
  if (node.type === 'array_literal_expression') {
    for (const child of node.children) if (child.named) judgeTarget(child, value, context);
    return;
  }
  const target = undecorated(node, context);
  if (target.type === 'variable') judgeVariableTarget(target, value, context);
  else judgeMemberTarget(target, context);
}

/** The target without its type. */
function undecorated(node: Syntax, context: Context): Syntax {
  if (node.type === 'cast_expression' || node.type === 'attributed_variable') {
    const [type, target] = node.children.filter((child) => child.named);
    if (type === undefined || target === undefined) return node;
    if (!convertsOnly(typeName(textOf(type, context.source))))
      refuse(type, 'the type is not listed as harmless', context);
    return undecorated(target, context);
  }
  const child = inner(node);
  return /^(?:unary_expression|expression_with_unary_operator)$/.test(node.type) && child !== node
    ? undecorated(child, context)
    : node;
}

function judgeVariableTarget(node: Syntax, value: Value, context: Context): void {
  const text = textOf(node, context.source);
  const name = text.replace(/^\$(?:\w+:)?/, '');
  if (PLAIN.test(text) && !isSteering(text)) return;
  const settles = value.literals?.length === 1 && VALUES.test(value.literals[0] ?? '');
  if (PLAIN.test(text) && PREFERENCES.test(name) && settles) return;
  if (
    /^\$outputencoding$/i.test(text) &&
    /^\[(?:system\.)?(?:text\.encoding\]::\w+|console\]::\w+|text\.utf8encoding\]::new\(\))$/i.test(value.text)
  )
    return;
  refuse(node, `${text} is no plain variable of this text`, context);
}

/** Objects of the text's own whose members it may set. */
const MADE: ReadonlySet<Kind> = new Set<Kind>(['table', 'list', 'object']);

function judgeMemberTarget(node: Syntax, context: Context): void {
  const text = textOf(node, context.source);
  if (SESSION.test(text)) return;
  const [base] = node.children;
  const member = node.type === 'member_access' || node.type === 'element_access';
  const value = member && base?.type === 'variable' ? context.judge.expression(base, context) : undefined;
  if (value !== undefined && MADE.has(value.kind)) {
    for (const child of node.children.slice(1))
      if (node.type === 'element_access' && child.named) context.judge.expression(child, context);
    return;
  }
  refuse(node, 'an assignment to something else than a plain variable', context);
}
