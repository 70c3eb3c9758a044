import { type Assessment, assess, type Finding } from '../domain/assessment.js';
import type { Operation, Shell } from '../domain/call.js';
import type { Classify } from '../domain/ports.js';
import { classifyAnsible } from './ansible/index.js';
import { classifyPosix } from './posix/index.js';

/** Judges what a call will do. Each part becomes a finding; the highest decides; no part at all is `unknown`. */
export const classify: Classify = (operations) => assess(operations.flatMap(judgeOperation));

/** Judges one command text in the language it is written in. Never throws. */
export function classifyCommand(shell: Shell, source: string): Assessment {
  return classify([{ kind: 'command', language: shell, source }]);
}

function judgeOperation(operation: Operation): readonly Finding[] {
  if (operation.kind === 'fixed') return [{ effect: operation.effect, subject: operation.subject, why: operation.why }];
  if (operation.kind !== 'command')
    return classifyAnsible(operation, (shell, source) => classifyCommand(shell, source).findings);
  if (operation.language === 'bash') return classifyPosix(operation.source);
  return [{ effect: 'unknown', subject: operation.source, why: `${operation.language} commands are not read yet` }];
}
