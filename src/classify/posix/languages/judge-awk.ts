import { mutating, type Ruling, readOnly, unknown } from '../context.js';

type TokenKind = 'name' | 'value' | 'operator';
interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

interface Reader {
  readonly text: string;
  at: number;
  last: Token | undefined;
  /** For each open bracket: `head` is the condition of if, while or for, `print` one inside a print statement. */
  readonly open: { readonly head: boolean; readonly print: boolean }[];
  printing: boolean;
}

const SPACE = /[ \t\r]+|\\\r?\n|#[^\n]*/y;
const NAME = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER = /(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;
const STRING = /"(?:[^"\\\n]|\\[\s\S])*"/y;
const REGEX = /\/(?:[^/\\\n]|\\[^\n])+\//y;
const OPERATOR = /\|\||&&|\+\+|--|>>|>=|[^\s\w]|\n/y;
const STREAMS = /[ \t]*"\/dev\/(?:stdout|stderr|null)"/y;
const HEADS = new Set(['if', 'while', 'for', 'switch']);
// After these words an expression begins, so a slash begins a pattern.
const BEFORE_PATTERN = new Set('print printf return else do in case exit'.split(' '));

const CONTINUES = new Set([',', '&&', '||', '?', ':']);

/** awk: anything but running commands, pipes, getline, output to files and indirect calls. */
export function judgeAwk(program: string): Ruling {
  const reader: Reader = { text: program, at: 0, last: undefined, open: [], printing: false };
  for (;;) {
    while (take(reader, SPACE) !== undefined);
    if (reader.at >= program.length) return readOnly('filters text');
    const problem = readToken(reader);
    if (problem !== undefined) return problem;
  }
}

function take(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0];
  if (found !== undefined) reader.at += found.length;
  return found;
}

function readToken(reader: Reader): Ruling | undefined {
  const first = reader.text.charAt(reader.at);
  if (first === '"') return accept(reader, 'value', take(reader, STRING));
  if (first === '/' && beginsPattern(reader)) return readPattern(reader);
  const name = take(reader, NAME);
  if (name !== undefined) return readName(reader, name);
  const number = take(reader, NUMBER);
  if (number !== undefined) return accept(reader, 'value', number);
  return readOperator(reader, take(reader, OPERATOR));
}

function accept(reader: Reader, kind: TokenKind, text: string | undefined): Ruling | undefined {
  if (text === undefined) return unknown('an awk text that is not followed');
  reader.last = { kind, text };
  return undefined;
}

/** Whether awk's grammar has a pattern here and not a division. */
function beginsPattern(reader: Reader): boolean {
  const last = reader.last;
  if (last === undefined) return true;
  if (last.kind === 'value') return false;
  if (last.kind === 'name') return BEFORE_PATTERN.has(last.text);
  return !(last.text === ')' || last.text === ']' || last.text === '++' || last.text === '--' || last.text === '$');
}

function readPattern(reader: Reader): Ruling | undefined {
  const pattern = take(reader, REGEX);
  // Some awks do not end a pattern at a slash inside brackets, others do.
  const brackets = pattern?.replace(/\\[\s\S]/g, '').replace(/\[\^?\]?[^\]]*\]/g, '');
  if (brackets === undefined || brackets.includes('[')) return unknown('an awk pattern that is not followed');
  return accept(reader, 'value', pattern);
}

function readName(reader: Reader, name: string): Ruling | undefined {
  if (name === 'system') return unknown('awk runs a command with system');
  if (name === 'getline') return unknown('awk reads from elsewhere with getline');
  if (name === 'print' || name === 'printf') reader.printing = true;
  return accept(reader, 'name', name);
}

function readOperator(reader: Reader, operator: string | undefined): Ruling | undefined {
  const { last } = reader;
  switch (operator) {
    case undefined:
    case '@':
    case '\\':
    case '`':
    case "'":
      return unknown('an awk text that is not followed');
    case '/':
      if (last?.text === '++' || last?.text === '--' || last?.text === '$')
        return unknown('a slash that awks may read in two ways');
      break;
    case '|':
      return unknown('awk pipes into or from a command');
    case '>':
    case '>>':
      if (reader.printing && take(reader, STREAMS) === undefined) return mutating('awk prints into a file');
      break;
    case '(':
    case '[':
    case '{':
      reader.open.push({ head: last?.kind === 'name' && HEADS.has(last.text), print: reader.printing });
      reader.printing = false;
      break;
    case ')':
    case ']':
    case '}':
      return close(reader, operator);
    case '\n':
      // A statement goes on behind these, also over several line ends.
      if (last !== undefined && CONTINUES.has(last.text)) return undefined;
      reader.printing = false;
      break;
    case ';':
      reader.printing = false;
      break;
    default:
  }
  return accept(reader, 'operator', operator);
}

/** After the condition of if, while or for a statement begins; after any other bracket a slash divides. */
function close(reader: Reader, operator: string): Ruling | undefined {
  const opened = reader.open.pop();
  if (opened === undefined) return unknown('an awk bracket that was not opened');
  reader.printing = operator === '}' ? false : opened.print;
  return accept(reader, 'operator', opened.head ? ';' : operator);
}
