import type { CommandNode, CompoundList, ParsedScript, PipelineNode, Statement } from 'unbash';
import { parse } from 'unbash';
import { unreadable } from '../normalise.js';
import { type Context, report, unknown } from './context.js';
import { expandWord } from './expand-word.js';
import { judgeArithmetic } from './judge-arithmetic.js';
import { judgeCommand } from './judge-command.js';
import { judgeCondition } from './judge-condition.js';
import { judgeLoop } from './judge-loop.js';
import { feeds, judgeRedirection } from './judge-redirection.js';
import { laborious } from './laborious.js';

/** Judges a script text: every part of it is reported, also those of scripts inside it. */
export function judgeScript(source: string, context: Context): void {
  const problem = unreadable(source) ?? laborious(source);
  if (problem !== undefined) {
    report(context, source, unknown(`the text ${problem}`));
    return;
  }
  const script = parse(source);
  if (script.commands.length === 0) report(context, source, unknown('there is no command in it'));
  judgeParsed(script, context);
}

/** Judges a parsed script, whose positions point into its own source or else into the context's. */
export function judgeParsed(script: ParsedScript, outer: Context): void {
  const context = script.source === undefined ? outer : { ...outer, source: script.source };
  const error = script.errors?.[0];
  if (error !== undefined) report(context, context.source, unknown(`cannot be parsed: ${error.message}`));
  for (const statement of script.commands) judgeStatement(statement, context);
}

function judgeList(list: CompoundList | undefined, context: Context): void {
  for (const statement of list?.commands ?? []) judgeStatement(statement, context);
}

function judgeStatement(statement: Statement, context: Context): void {
  if (statement.background === true) {
    report(context, context.source.slice(statement.pos, statement.end), unknown('it goes on in the background'));
  }
  const command = statement.command;
  if (command.type === 'AndOr') for (const part of command.commands) judgePipeline(part, context);
  else judgePipeline(command, context);
}

function judgePipeline(node: PipelineNode, context: Context): void {
  if (node.type !== 'Pipeline') {
    judgeNode(node, context);
    return;
  }
  let before: CommandNode | undefined;
  for (const command of node.commands) {
    judgeNode(command, before === undefined || saysNothing(before) ? context : { ...context, fed: true });
    before = command;
  }
}

/** `echo` and `true` alone, as in `echo | openssl s_client`. */
function saysNothing(node: CommandNode): boolean {
  return (
    node.type === 'Command' && node.suffix.length === 0 && (node.name?.text === 'echo' || node.name?.text === 'true')
  );
}

function judgeNode(node: CommandNode, context: Context): void {
  switch (node.type) {
    case 'Command':
      judgeCommand(node, context);
      return;
    case 'Redirected':
      for (const redirection of node.redirects) judgeRedirection(redirection, context);
      judgeNode(node.command, node.redirects.some(feeds) ? { ...context, fed: true } : context);
      return;
    case 'Subshell':
    case 'BraceGroup':
      judgeList(node.body, context);
      return;
    case 'If':
      for (const branch of [node, ...node.elif]) {
        judgeList(branch.clause, context);
        judgeList(branch.then, context);
      }
      judgeList(node.else, context);
      return;
    case 'While':
      judgeList(node.clause, context);
      judgeList(node.body, context);
      return;
    case 'For':
      judgeLoop(node, context, () => judgeList(node.body, context));
      return;
    default:
      judgeOther(node, context);
  }
}

function judgeOther(node: CommandNode, context: Context): void {
  const text = context.source.slice(node.pos, node.end);
  switch (node.type) {
    case 'Case':
      expandWord(node.word, context);
      for (const item of node.items) {
        for (const pattern of item.pattern) expandWord(pattern, context);
        judgeList(item.body, context);
      }
      return;
    case 'TestCommand':
      judgeCondition(node.expression, text, context);
      report(context, text, { effect: 'read_only', why: '[[ ]] only compares' });
      return;
    case 'ArithmeticCommand':
      // Where (( is no keyword this is a subshell, and > in it writes a file.
      judgeArithmetic(node.expression, text, context);
      report(context, text, unknown('(( )) means another thing in other shells'));
      return;
    case 'ArithmeticFor':
    case 'Select':
      report(context, text, unknown(`${node.type} is not followed`));
      judgeList(node.body, context);
      return;
    default:
      context.shell.unsure = true;
      report(context, text, unknown(`${node.type} changes what later commands mean or runs beside them`));
  }
}
