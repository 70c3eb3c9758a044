import type { Finding } from '../../domain/assessment.js';
import type { Operation } from '../../domain/call.js';
import { judgeModule } from './judge-module.js';
import { judgePlaybook } from './judge-playbook.js';
import type { JudgeCommand } from './ruling.js';

type AnsibleOperation = Operation & { readonly kind: 'ansible_module' | 'ansible_playbook' };

/** The findings for what ansible is asked to run; `judge` is the classifier of command texts. Nothing is rendered or run. */
export function classifyAnsible(operation: AnsibleOperation, judge: JudgeCommand): readonly Finding[] {
  try {
    return operation.kind === 'ansible_playbook'
      ? judgePlaybook(operation.source, operation.check, judge)
      : judgeModule({ ...operation, json: true }, judge);
  } catch (error) {
    // A fault in a rule must not let a call through.
    return [{ effect: 'unknown', subject: operation.kind, why: `could not be judged: ${String(error)}` }];
  }
}
