import { unknown } from '../posix/context.js';
import { report, type WindowsContext } from '../windows/context.js';
import { unreadableOnWindows } from '../windows/look-alikes.js';
import type { Context, Judge } from './context.js';
import { parsePowerShell } from './grammar.js';
import { judgeCommand } from './judge-command.js';
import { judgeExpression } from './judge-expression.js';
import { judgePipeline } from './judge-pipeline.js';
import { judgeProgram, judgeStatements } from './judge-statement.js';
import { Variables } from './variables.js';

const JUDGE: Judge = {
  expression: judgeExpression,
  pipeline: judgePipeline,
  statements: judgeStatements,
  command: judgeCommand,
};

/** Judges a PowerShell text: every part of it is reported, also those of texts inside it. */
export function judgePowerShell(given: string, outer: WindowsContext): void {
  const source = given.replaceAll('\r\n', '\n').replaceAll('\t', ' ');
  const problem = unreadableOnWindows(source);
  if (problem !== undefined) {
    report(outer, given, unknown(`the text ${problem}`));
    return;
  }
  const parsed = parsePowerShell(source);
  if (parsed.kind === 'refused') {
    report(outer, given, unknown(parsed.why));
    return;
  }
  const before = outer.findings.length;
  const context: Context = { ...outer, source, variables: new Variables(parsed.root, source), judge: JUDGE };
  judgeProgram(parsed.root, context);
  if (outer.findings.length === before) report(outer, given, unknown('there is no command in it'));
}
