import { hash } from 'node:crypto';
import { runsOfCommands } from '../interceptors/ansible-line.js';
import { localHosts } from '../interceptors/hosts.js';
import { redactAbout } from './audit/redact/redact.js';
import type { Assessment } from './domain/assessment.js';
import type { Operation, Reading, Server, ToolCall } from './domain/call.js';
import type { Settled } from './domain/decision.js';
import { ProxyError } from './domain/errors.js';
import { Permit } from './domain/permit.js';
import type { AuditEntry, AuditLog, Downstream, Interceptor, Outcome, Settle } from './domain/ports.js';
import type { Receipt } from './domain/receipt.js';
import { NO_AIM } from './domain/target.js';
import { quote } from './domain/text.js';
import type { HookVerdict } from './hooks/answer.js';
import type { HookCommand } from './hooks/read-input.js';
import type { Parts } from './parts.js';
import { handleToolCall } from './proxy/handle-tool-call.js';
import { offerFor } from './proxy/offer.js';

/**
 * A command of the client's own shell, and what of it concerns other machines. `denies`: what may change one of them is refused, whatever policy
 * says and also where that cannot be told. `withinSeconds`: the client waits no longer.
 */
export interface HookQuery {
  readonly command: HookCommand;
  readonly assessment: Assessment;
  readonly denies: boolean;
  readonly withinSeconds: number;
}

/** The client's own shell, under the client's name. */
export function hookServer({ client }: HookCommand): Server {
  return { name: client, family: 'shell' };
}

/** The path of every other call, with the client itself behind it: aimed, decided, recorded, pinned; then the client may run it. */
export async function hookCall(parts: Parts, query: HookQuery): Promise<HookVerdict> {
  const { command, assessment, denies, withinSeconds } = query;
  const call = callOf(parts, command);
  const stop = new AbortController();
  const late = setTimeout(() => stop.abort(tooLate(withinSeconds)), withinSeconds * 1000);
  let passed: Permit | undefined;
  let asked: string | undefined;
  const settle: Settle = async ({ aim }, decision) => {
    if (!command.mayAsk) return { settled: decision.otherwise, answered: { by: `policy: ${decision.rule}` } };
    asked = redactAbout(call, parts.redaction)(decision.question);
    const by = `asked by ${command.client}; the answer is not seen`;
    const offer = offerFor(decision, aim, false);
    const settled: Settled = offer.settle(offer.choices[0], by);
    return { settled, answered: { by } };
  };
  const downstream: Downstream = {
    forward: async (sent, permit) => {
      Permit.take(permit, sent);
      passed = permit;
      throw new ProxyError('OUTCOME_UNKNOWN', 'The client runs the command itself: how it ended is not seen here.');
    },
  };
  const deps = {
    ...parts,
    audit: withoutEnd(parts.audit),
    interceptors: [readerOf(command)],
    classify: () => assessment,
    prepare: () => undefined,
    settle,
    patience: () => undefined,
    ...(denies && assessment.effect !== 'read_only' && { aim: () => Promise.resolve(NO_AIM), decide: () => DENIED }),
  };
  try {
    const answer = await handleToolCall(deps, downstream, call, { signal: stop.signal });
    return { kind: 'deny', text: answer.kind === 'refusal' ? answer.text : 'The command was not run.' };
  } catch (error) {
    if (passed === undefined) throw error;
    const { grounds } = passed;
    return verdictOf(asked, grounds.kind === 'read_only' ? undefined : grounds.receipt);
  } finally {
    clearTimeout(late);
  }
}

const DENIED: Settled = {
  kind: 'refuse',
  rule: 'hook --deny',
  code: 'APPROVAL_DENIED',
  reason:
    'The administrator of this machine does not let its shell change other machines, nor run what may do so and cannot be told from its text. The call was not sent. Use the MCP server that reaches the machine.',
};

function verdictOf(asked: string | undefined, receipt: Receipt | undefined): HookVerdict {
  if (asked !== undefined) return { kind: 'ask', text: asked };
  return { kind: 'pass', note: receipt === undefined ? undefined : noteOf(receipt) };
}

function noteOf({ id, permit, vms, waivedBy, simulated }: Receipt): string {
  const names = vms.map(({ name }) => quote(name, 80)).join(', ');
  const what =
    permit === 'pinned'
      ? `a Zerto checkpoint of ${names} precedes it`
      : `no checkpoint was taken (${waivedBy ?? 'waived'})`;
  return `zerto-rewind: ${what}; receipt ${id}.${simulated === true ? ' The appliance is SIMULATED.' : ''}`;
}

/** What the client says of a command's end, as a record of its own: the call itself was closed when it was let go. Resolves when it is on disk. */
export async function hookEnded(parts: Parts, command: HookCommand): Promise<void> {
  const call = { ...callOf(parts, command), tool: `${command.tool} ended` };
  const why = 'what the client says of the end of a command that it ran itself';
  const assessment: Assessment = { effect: 'read_only', findings: [{ effect: 'read_only', subject: call.tool, why }] };
  const judged = { call, reading: readingOf(command), assessment, aim: NO_AIM };
  const entry = await parts.audit.open(judged, { kind: 'forward', rule: 'hook' });
  await entry.close(
    command.ended === 'ok' || command.ended === 'error'
      ? { kind: 'forwarded', result: command.ended }
      : { kind: 'outcome_unknown', reason: 'The client does not say how the command ended.' },
  );
}

function callOf({ id, config }: Parts, { client, session, tool, command, cwd, id: use }: HookCommand): ToolCall {
  const given = { command, ...(cwd !== undefined && { cwd }), ...(use !== undefined && { tool_use_id: use }) };
  return {
    id: id('call'),
    session: `${client}:${session}`,
    agent: config.agent ?? client,
    server: { name: client, family: 'shell' },
    tool,
    arguments: given,
    digest: hash('sha256', JSON.stringify([client, session, tool, given])),
    raw: new TextEncoder().encode(command),
  };
}

function readerOf(command: HookCommand): Interceptor {
  return { name: 'hook', claims: () => true, read: () => readingOf(command) };
}

function readingOf({ command, language, cwd, id }: HookCommand): Reading {
  const operations: readonly Operation[] = [{ kind: 'command', language, source: command }];
  const directories = cwd === undefined ? [] : [cwd];
  const ansible = language === 'bash' ? runsOfCommands(operations, { directories, steady: false }) : [];
  return {
    interceptor: 'hook',
    roles: {
      command: 'command',
      ...(cwd !== undefined && { cwd: 'local_path' as const }),
      ...(id !== undefined && { tool_use_id: 'option' as const }),
    },
    operations,
    hosts: localHosts([], operations),
    local: true,
    ...(ansible.length > 0 && { ansible }),
  };
}

/** When the command ends is not seen: the receipt names no last moment of change. */
function withoutEnd(audit: AuditLog): AuditLog {
  const shown = (outcome: Outcome): Outcome => {
    if (outcome.kind !== 'outcome_unknown' || outcome.receipt === undefined) return outcome;
    const { lastPossibleChangeAt: _, ...receipt } = outcome.receipt;
    return { ...outcome, receipt };
  };
  const wrapped = (entry: AuditEntry): AuditEntry => ({
    permit: (...given) => entry.permit(...given),
    close: (outcome) => entry.close(shown(outcome)),
  });
  return {
    open: (judged, decision) => {
      const opened = audit.open(judged, decision);
      return opened instanceof Promise ? opened.then(wrapped) : wrapped(opened);
    },
    degrade: (error) => audit.degrade(error),
  };
}

function tooLate(seconds: number): ProxyError {
  const message = `The checkpoint before this command was not there within ${seconds} s, and the client waits no longer. The call was not sent. Try once more in a minute, or ask the operator to let the hook take longer.`;
  return new ProxyError('CHECKPOINT_NOT_PINNED', message);
}
