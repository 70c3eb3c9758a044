import type { Finding } from '../../domain/assessment.js';
import { judgeCmd } from '../cmd/judge-text.js';
import { judgePowerShell } from '../powershell/judge-text.js';
import type { FindProgram } from '../specs/index.js';
import type { WindowsContext, WindowsEngine } from './context.js';

const ENGINE: WindowsEngine = { powershell: judgePowerShell, cmd: judgeCmd };

/** The findings for a command text of PowerShell or cmd: one for each part. Never throws; nothing is ever run. */
export function classifyWindows(language: 'powershell' | 'cmd', source: string, find: FindProgram): readonly Finding[] {
  const context: WindowsContext = { engine: ENGINE, find, findings: [], depth: 0, fed: false };
  try {
    ENGINE[language](source, context);
  } catch (error) {
    // A fault in a rule must not let a call through.
    context.findings.push({ effect: 'unknown', subject: source, why: `could not be judged: ${String(error)}` });
  }
  return context.findings;
}
