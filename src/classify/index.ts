import { type Assessment, assess, type Finding } from '../domain/assessment.js';
import type { Operation, Shell } from '../domain/call.js';
import type { Classify, Prepare } from '../domain/ports.js';
import { classifyAnsible } from './ansible/index.js';
import { classifyPosix } from './posix/index.js';
import { grammarIsSettled, preparePowerShell } from './powershell/grammar.js';
import { type FindProgram, findProgram } from './specs/index.js';
import { classifyWindows } from './windows/engine.js';
import { reaching } from './windows/reached.js';

export { preparePowerShell } from './powershell/grammar.js';

/**
 * Judges what a call will do, over the built-in programs or those that `find` knows (see user-commands.ts). Each part becomes a
 * finding; the highest decides; no part at all is `unknown`. Never throws.
 */
export function createClassify(find: FindProgram = findProgram): Classify {
  return (operations) => assess(operations.flatMap((operation) => judgeOperation(operation, find)));
}

export const classify = createClassify();

/** Judges one command text in the language it is written in. */
export function classifyCommand(shell: Shell, source: string, judge: Classify = classify): Assessment {
  return judge([{ kind: 'command', language: shell, source }]);
}

function judgeOperation(operation: Operation, find: FindProgram): readonly Finding[] {
  if (operation.kind === 'fixed') return [{ effect: operation.effect, subject: operation.subject, why: operation.why }];
  if (operation.kind !== 'command')
    return classifyAnsible(operation, (language, source) =>
      judgeOperation({ kind: 'command', language, source }, find),
    );
  if (operation.language === 'bash') return classifyPosix(operation.source, find);
  return reaching(classifyWindows(operation.language, operation.source, find), operation.source);
}

/** Loads what judging these needs, the grammar of PowerShell; undefined where nothing is left to load. Until then such commands are `unknown`. */
export const prepareFor: Prepare = (operations) =>
  grammarIsSettled() || !operations.some(mayHoldPowerShell) ? undefined : preparePowerShell();

function mayHoldPowerShell(operation: Operation): boolean {
  if (operation.kind === 'fixed') return false;
  if (operation.kind === 'command') return operation.language !== 'bash';
  return /win_|powershell|pwsh/i.test(JSON.stringify(operation) ?? '');
}
