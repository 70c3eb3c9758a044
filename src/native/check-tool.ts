import type { DecisionName } from '../domain/decision.js';
import { quote, visible } from '../domain/text.js';
import { answer, type NativeAnswer, refuse } from './answer.js';
import type { Caller, NativeDeps, Query } from './deps.js';
import type { CheckToolArgs } from './schemas.js';

const WOULD: Readonly<Record<DecisionName, string>> = {
  forward: 'It would be forwarded as it is, without a checkpoint.',
  pin_then_forward: 'A checkpoint would be pinned on every VPG of its VM first, then it would be forwarded.',
  ask: 'A human would be asked before it is forwarded.',
  refuse: 'It would be refused.',
};

/** Says what the proxy would do with a call or a command, without sending it; with no arguments, the catalogs. */
export async function checkTool(
  args: CheckToolArgs,
  deps: NativeDeps,
  caller: Caller,
  signal: AbortSignal,
): Promise<NativeAnswer> {
  const query = queryOf(args);
  if (query === undefined) {
    const catalogs = deps.catalogs();
    return answer(`What is in neither catalog is unknown, not safe.\n${JSON.stringify(catalogs)}`, { ...catalogs });
  }
  const { effect, findings, decision, refusal } = await deps.judge(query, caller, signal);
  const reasons = findings.map((finding) => `- ${finding.effect}: ${quote(finding.subject)} (${visible(finding.why)})`);
  const would = refusal === undefined ? WOULD[decision] : `${WOULD[decision]} Why: ${refusal}`;
  return answer([`Effect: ${effect}. Decision: ${decision}. ${would} Nothing was sent.`, ...reasons].join('\n'), {
    effect,
    findings,
    decision,
    would,
  });
}

function queryOf(args: CheckToolArgs): Query | undefined {
  if (args.command !== undefined) {
    if (args.tool !== undefined || args.arguments !== undefined)
      refuse('INVALID_ARGUMENTS', 'Give tool and arguments, or command and shell, not both.');
    return { kind: 'command', command: args.command, shell: args.shell };
  }
  if (args.shell !== undefined) refuse('INVALID_ARGUMENTS', 'shell goes together with command.');
  if (args.tool !== undefined) return { kind: 'tool', tool: args.tool, arguments: args.arguments ?? {} };
  if (args.arguments !== undefined) refuse('INVALID_ARGUMENTS', 'arguments go together with tool.');
  return undefined;
}
