import { type Ruling, readOnly, unknown } from '../posix/context.js';
import { literalWord } from '../posix/word.js';
import { report } from '../windows/context.js';
import { judgeProgram } from '../windows/judge-program.js';
import { ALIASES } from './aliases.js';
import { type Argument, readArguments, wordsOf } from './arguments.js';
import { findCmdlet } from './cmdlets/index.js';
import type { Context } from './context.js';
import { judgeCmdlet } from './judge-cmdlet.js';
import { descend } from './report.js';
import { readString } from './strings.js';
import { inner, type Syntax, textOf } from './syntax.js';
import { dataValue, otherValue, textValue, type Value } from './value.js';

type Name =
  | { readonly kind: 'name'; readonly name: string }
  | { readonly kind: 'block'; readonly node: Syntax }
  | { readonly kind: 'number' }
  | { readonly kind: 'refused'; readonly why: string };

/** Judges one command: the code in its elements, then the call that its name and elements make. */
export function judgeCommand(node: Syntax, context: Context): Value {
  const subject = textOf(node, context.source);
  const elements = node.children.find((child) => child.type === 'command_elements')?.children ?? [];
  const name = readName(node, context);
  // The filter of these is a query that they send to a directory.
  const quoted = name.kind === 'name' && /^get-ad\w+$/i.test(name.name) ? /^-filter$/i : undefined;
  const args = readArguments(elements, context, quoted);
  if (name.kind === 'name') return call(name.name.toLowerCase(), args, subject, context);
  if (name.kind === 'number') {
    report(
      context,
      subject,
      args.length <= 1 ? readOnly('a number or a range of them') : unknown('words behind a number'),
    );
    return dataValue(subject);
  }
  if (name.kind === 'block') {
    context.judge.expression(name.node, context);
    report(
      context,
      subject,
      args.length === 0 ? readOnly('runs the block') : unknown('arguments of a block are not followed'),
    );
  } else {
    descend(node, context);
    report(context, subject, unknown(name.why));
  }
  return otherValue(subject);
}

const WORD = /^[A-Za-z0-9_?%.:\\/~-]+$/;
/** The grammar takes numbers and their ranges at the start of a statement for commands. */
const NUMBER = /^\d+(?:\.\d+)?(?:[kmgtp]b)?(?:(?:\.\.|[-+*/%])\d+(?:\.\d+)?(?:[kmgtp]b)?)+$/i;
const RANGE = /^\d+\.\.(?:\$[A-Za-z_]\w*)?$/;
const IN_WINDOWS = /^"?\$(?:env:(?:windir|systemroot)|\{env:(?:windir|systemroot)\})(\\[\w.\\-]+)"?$/i;

function readName(node: Syntax, context: Context): Name {
  const [first, second] = node.children;
  if (first?.type === 'command_name') return plainName(textOf(first, context.source).trim(), second?.children ?? []);
  if (first?.type !== 'command_invocation_operator' || second === undefined)
    return refused('a command without a plain name');
  if (textOf(first, context.source) !== '&') return refused('. runs code in this session');
  return calledName(second.type === 'command_name_expr' ? inner(second) : second, context.source);
}

function plainName(text: string, elements: readonly Syntax[]): Name {
  const open = text.endsWith('..') && elements[0]?.type === 'parenthesized_expression';
  const isNumber = NUMBER.test(text) || RANGE.test(text);
  return isNumber && elements.length === (open ? 1 : 0) ? { kind: 'number' } : word(text);
}

/** The name behind the call operator. */
function calledName(target: Syntax, source: string): Name {
  if (target.type === 'script_block_expression') return { kind: 'block', node: target };
  const place = IN_WINDOWS.exec(textOf(target, source));
  if (place !== null) return { kind: 'name', name: `C:\\Windows${place[1]}` };
  if (target.type === 'command_name') return word(textOf(target, source));
  const literal = target.type === 'string_literal' ? readString(inner(target), source)?.literal : undefined;
  return literal === undefined
    ? refused('the name of the command is not known before it runs')
    : { kind: 'name', name: literal };
}

function word(text: string): Name {
  return WORD.test(text) ? { kind: 'name', name: text } : refused(`${text} is no plain name`);
}

function refused(why: string): Name {
  return { kind: 'refused', why };
}

/** Windows PowerShell and PowerShell 7 take these for different commands, so both must agree. */
const DIVIDED: ReadonlySet<string> = new Set(['curl', 'wget']);

function call(name: string, args: readonly Argument[], subject: string, context: Context): Value {
  const full = ALIASES.get(name) ?? name;
  const cmdlet = findCmdlet(full);
  if (cmdlet !== undefined) {
    const judged = judgeCmdlet(cmdlet, args, subject, context);
    report(context, subject, judged.ruling, full);
    if (!DIVIDED.has(name)) return judged.value;
  }
  if (ALIASES.has(name) && !DIVIDED.has(name)) {
    report(context, subject, unknown(`${ALIASES.get(name)} is not listed`));
    return otherValue(subject);
  }
  const early = stoppedEarly(args);
  if (early !== undefined) report(context, subject, early);
  const shell = /(?:^|\\)(?:powershell|pwsh)(?:\.exe)?$/.test(name);
  judgeProgram([literalWord(name), ...wordsOf(args, shell)], subject, context, false);
  return { ...textValue(subject), one: false };
}

/** `--` is kept by some versions and dropped by others. */
function stoppedEarly(args: readonly Argument[]): Ruling | undefined {
  const stops = args.some((argument) => argument.kind === 'parameter' && argument.text === '--');
  return stops ? unknown('-- is not followed') : undefined;
}
