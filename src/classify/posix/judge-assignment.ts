import type { Assignment } from 'unbash';
import { type Context, type Ruling, report, unknown } from './context.js';
import { expandWord } from './expand-word.js';
import { led } from './judge-setting.js';

// Shell variables in lower case that change how later words are found or read: zsh ties path to PATH, bash reads histchars, curl http_proxy.
const SPECIAL_LOWER = new Set(
  (
    'path cdpath fpath mailpath manpath module_path fignore psvar prompt argv status pipestatus signals histchars keymap watch zle_bracketed_paste ' +
    'aliases galiases saliases functions commands options parameters modules nameddirs userdirs builtins reswords auto_resume ' +
    'http_proxy https_proxy ftp_proxy all_proxy no_proxy'
  ).split(' '),
);
const LOWER = /^[a-z_][a-z0-9_]*$/;
const FREE = /^(?:LANG|LANGUAGE|LC_[A-Z]+|COLUMNS|LINES|TERM|NO_COLOR|CLICOLOR|FORCE_COLOR|DEBIAN_FRONTEND)$/;
const PLAIN_VALUE = /^[A-Za-z0-9_.@:,+=-]*$/;
const ZONE = /^[A-Za-z0-9_+-][A-Za-z0-9_+/-]*$/;
const PASSWORDS = new Set(['PGPASSWORD', 'MYSQL_PWD', 'REDISCLI_AUTH', 'SSHPASS']);

/** A name that a script may give a value without an effect on how later commands are found or what they run. */
export function freeName(name: string): boolean {
  return LOWER.test(name) && !SPECIAL_LOWER.has(name);
}

/** Why `NAME=value` before a command or in env(1) and sudo(8) may change what the command does; undefined where it cannot. */
export function judgeEnvironment(name: string, value: string | undefined): Ruling | undefined {
  if (PASSWORDS.has(name)) return undefined;
  if (value !== undefined && FREE.test(name) && PLAIN_VALUE.test(value)) return undefined;
  if (value !== undefined && name === 'TZ' && (value === '' || ZONE.test(value))) return undefined;
  return unknown('this variable may change what the command runs or does');
}

/** `x=1` alone (`command` undefined) or before a command. */
export function judgeAssignment(assignment: Assignment, command: string | undefined, context: Context): void {
  const subject = context.source.slice(assignment.pos, assignment.end);
  if (assignment.index !== undefined) {
    report(context, subject, unknown('a subscript, which is evaluated'));
    return;
  }
  const value = assignment.value;
  if (value.type === 'ArrayValue') {
    for (const element of value.elements) expandWord(element, context);
    if (!freeName(assignment.name))
      report(led(assignment.name, undefined, context), subject, unknown('this variable may change later commands'));
    return;
  }
  const word = expandWord(value, context);
  const ruling =
    command === undefined
      ? judgeVariable(assignment.name, word.literal)
      : judgePrefix(assignment.name, word.literal, command);
  if (ruling !== undefined) report(led(assignment.name, word.literal, context), subject, ruling);
}

function judgePrefix(name: string, value: string | undefined, command: string): Ruling | undefined {
  if (command === 'read' && name === 'IFS' && value !== undefined) return undefined;
  return judgeEnvironment(name, value);
}

function judgeVariable(name: string, value: string | undefined): Ruling | undefined {
  if (!freeName(name)) return unknown('this variable may change later commands');
  if (value !== undefined && /[`]|\$[({]/.test(value))
    return unknown('a value that is code where something evaluates it');
  return undefined;
}
