import { mutating } from '../posix/context.js';
import { literalWord, unseenWords, type Word } from '../posix/word.js';
import { report } from '../windows/context.js';
import type { Context } from './context.js';
import { judgeRedirection } from './judge-redirection.js';
import { refuse } from './report.js';
import { inner, type Syntax, textOf } from './syntax.js';
import { listValue, literalValue, otherValue, textValue, type Value } from './value.js';

/** An element of a command: `-Name`, or a value. `binds`: a colon ties the parameter to the value behind it; `touches`: without a blank. */
export type Argument =
  | { readonly kind: 'parameter'; readonly text: string; readonly binds: boolean; readonly touches: boolean }
  | { readonly kind: 'value'; readonly value: Value };

const PARAMETER = /^--?[A-Za-z0-9_?][\w?=+/\\*%~@^!#-]*$/;
const BAREWORD = /^[\p{L}\p{N}_.:\\/*?=+%~!^[\]@#-]+$/u;

/**
 * Reads the elements of a command. Redirections, and code inside values, are reported on the way. A block behind a parameter that
 * `quoted` matches is a text to the command, and never run.
 */
export function readArguments(elements: readonly Syntax[], context: Context, quoted?: RegExp): Argument[] {
  const list: Argument[] = [];
  for (const [index, element] of elements.entries()) {
    if (element.type === 'redirection') judgeRedirection(element, context);
    else if (element.type === 'command_parameter') list.push(readParameter(element, elements[index + 1], context));
    else if (element.type === 'stop_parsing' || element.type === 'argument_list')
      refuse(element, 'what stands there is not followed', context);
    else if (isQuoted(element, list.at(-1), quoted))
      list.push({ kind: 'value', value: textValue(textOf(element, context.source)) });
    else list.push({ kind: 'value', value: readValue(element, context) });
  }
  return list;
}

function isQuoted(node: Syntax, before: Argument | undefined, quoted: RegExp | undefined): boolean {
  return (
    quoted !== undefined &&
    before?.kind === 'parameter' &&
    quoted.test(before.text) &&
    inner(node).type === 'script_block_expression'
  );
}

function readParameter(node: Syntax, next: Syntax | undefined, context: Context): Argument {
  const { source } = context;
  const text = textOf(node, source);
  const binds = source.charAt(node.end) === ':';
  const ends = binds || node.end >= source.length || /[\s;|)}&,]/.test(source.charAt(node.end));
  if (text !== '--' && (!PARAMETER.test(text) || !ends)) refuse(node, 'a parameter that is not followed', context);
  return { kind: 'parameter', text, binds, touches: binds && next?.start === node.end + 1 };
}

function readValue(node: Syntax, context: Context): Value {
  const text = textOf(node, context.source);
  switch (node.type) {
    case 'generic_token':
      return bareword(node, context);
    case 'bareword_argument_list':
      return listValue(
        text,
        node.children.filter((child) => child.named).map((child) => readValue(child, context)),
      );
    case 'expandable_bareword':
    case 'concatenated_command_argument':
      return joined(node, context);
    default:
      return context.judge.expression(node, context);
  }
}

function bareword(node: Syntax, context: Context): Value {
  const text = textOf(node, context.source);
  if (!BAREWORD.test(text)) {
    if (/[<>]/.test(text)) report(context, text, mutating('a redirection inside a word'));
    else refuse(node, 'a word that is not followed', context);
  }
  return literalValue(text, text);
}

/** Pieces without blanks between them. Where the first is a string, some versions make several arguments of them. */
function joined(node: Syntax, context: Context): Value {
  const text = textOf(node, context.source);
  const parts = node.children.filter((child) => child.named).map((child) => readValue(child, context));
  const [first, ...rest] = parts;
  if (first === undefined) return otherValue(text);
  const single = node.children[0]?.type !== 'string_literal';
  const literals = parts.map((part) => (part.literals?.length === 1 ? part.literals[0] : undefined));
  if (single && literals.every((literal) => literal !== undefined)) return literalValue(text, literals.join(''));
  const prefix = first.literals?.length === 1 ? (first.literals[0] ?? '') : first.prefix;
  return { ...textValue(text, rest.length > 0 ? prefix : ''), one: single };
}

/** The words that a program gets. A quote inside one, an empty one, and a variable may become other words. */
export function wordsOf(args: readonly Argument[], blocks: boolean): Word[] {
  const words: Word[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const argument = args[at] as Argument;
    const next = args[at + 1];
    if (argument.kind === 'value') words.push(...valueWords(argument.value, blocks));
    else if (argument.touches && next?.kind === 'value') {
      words.push(...glued(`${argument.text}:`, next.value));
      at += 1;
    } else words.push(literalWord(argument.binds ? `${argument.text}:` : argument.text));
  }
  return words;
}

function glued(start: string, value: Value): Word[] {
  const [literal, ...more] = value.literals ?? [];
  if (literal === undefined || more.length > 0 || !isSafe(literal)) return [unseenWords(start)];
  return [literalWord(`${start}${literal}`)];
}

function valueWords(value: Value, blocks: boolean): Word[] {
  if (value.kind === 'block' && blocks) return [literalWord(value.text)];
  if (value.literals === undefined || !value.literals.every(isSafe)) return [unseenWords(value.text)];
  return value.literals.map(literalWord);
}

function isSafe(literal: string): boolean {
  return literal !== '' && !literal.includes('"') && !/\s.*\\$/s.test(literal);
}
