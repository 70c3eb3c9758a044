import type { Finding } from '../../domain/assessment.js';
import type { FindProgram } from '../specs/index.js';
import type { Context, Engine } from './context.js';
import { judgeCall } from './judge-call.js';
import { judgeParsed, judgeScript } from './judge-script.js';

const ENGINE: Engine = { script: judgeScript, nested: judgeParsed, call: judgeCall };

/** The findings for a command text in sh or bash: one for each part. What cannot be read is `unknown`; nothing is ever run. */
export function classifyPosix(source: string, find: FindProgram): readonly Finding[] {
  const findings: Finding[] = [];
  const shell = { unsure: false };
  const context: Context = { engine: ENGINE, find, findings, source, depth: 0, fed: false, plain: new Map(), shell };
  try {
    judgeScript(source, context);
  } catch (error) {
    // A fault in a rule must not let a call through.
    findings.push({ effect: 'unknown', subject: source, why: `could not be judged: ${String(error)}` });
  }
  return shell.unsure ? findings.map(anywhere) : findings;
}

/** A command that reaches another machine by its name may be led to any. */
function anywhere(finding: Finding): Finding {
  return finding.reaches === undefined ? finding : { ...finding, reaches: [{ host: '' }] };
}
