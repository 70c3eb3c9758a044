import type { ToolCall } from '../domain/call.js';
import type { Decision, DecisionName } from '../domain/decision.js';
import type { Answered, Judged, Outcome } from '../domain/ports.js';
import type { Receipt } from '../domain/receipt.js';
import type { Target } from '../domain/target.js';
import type { Mark } from './key.js';
import type { Body } from './record.js';
import { NO_RULES, type OperatorRedaction } from './redact/config.js';
import { KnownSecrets } from './redact/known.js';
import { redactArguments, redactFree, redactHost, redactNames } from './redact/redact.js';
import { withoutRuleSecrets } from './redact/secret-rules.js';

const MOST_FINDINGS = 200;
const LONGEST = 2000;

/** Writes one call's records without its secrets: what was found in the arguments is taken out of every later text too. */
export class CallRecorder {
  readonly #mark: Mark;
  readonly #call: ToolCall;
  readonly #known: KnownSecrets;
  readonly #own: OperatorRedaction;

  constructor(call: ToolCall, mark: Mark, own = NO_RULES) {
    this.#own = own;
    this.#call = call;
    this.#known = new KnownSecrets(mark);
    this.#mark = this.#known.mark;
  }

  intent(at: string, { call, reading, assessment, aim }: Judged, decision: Decision): Body {
    const args = redactArguments(call.arguments, reading.roles, this.#mark, this.#known, this.#own);
    const findings = assessment.findings.slice(0, MOST_FINDINGS);
    const said = {
      kind: 'intent' as const,
      at,
      call: call.id,
      digest: call.digest,
      trace: call.trace && { parent: call.trace.parent, state: call.trace.state && this.#free(call.trace.state) },
      effect: assessment.effect,
      session: this.#name(call.session),
      agent: this.#name(call.agent),
      server: this.#name(call.server.name),
      tool: this.#name(call.tool),
      arguments: args,
      interceptor: reading.interceptor,
      findings: findings.map((finding) => ({
        effect: finding.effect,
        subject: this.#free(finding.subject),
        why: this.#free(finding.why),
        sensitive: finding.sensitive === true ? true : undefined,
      })),
      findingsOmitted: assessment.findings.length - findings.length || undefined,
      ...this.#decision(decision),
      hosts: hostsOf(reading.hosts, call.server.target).map((host) => this.#host(host)),
      problems: aim.problems.map((problem) => ({
        kind: problem.kind,
        host: this.#host(problem.host),
        ...unnamedOf(problem),
        why: this.#free(problem.why),
        found: problem.found.map((found) => this.#free(found)),
      })),
    };
    const targets = aim.targets.map((target) => ({
      ...(redactNames(targetOf(target), this.#mark) as object),
      host: this.#host(target.host),
    }));
    return { ...withoutRuleSecrets(said, this.#mark), targets };
  }

  permit(at: string, receipt: Receipt, answered: Answered | undefined): Body {
    const body = { kind: 'permit', at, call: this.#call.id, receipt: redactNames(receipt, this.#mark) } as const;
    return { ...body, ...this.#answered(answered) };
  }

  /** Members without a value are none of the record's. */
  outcome(at: string, outcome: Outcome): Body {
    const receipt = 'receipt' in outcome ? outcome.receipt : undefined;
    return {
      kind: 'outcome',
      at,
      call: this.#call.id,
      outcome: outcome.kind,
      result: 'result' in outcome ? outcome.result : undefined,
      code: 'code' in outcome ? outcome.code : undefined,
      reason: 'reason' in outcome ? withoutRuleSecrets(this.#free(outcome.reason), this.#mark) : undefined,
      receipt: receipt && redactNames(receipt, this.#mark),
      recovered: 'recovered' in outcome ? outcome.recovered : undefined,
      ...this.#answered('answered' in outcome ? outcome.answered : undefined),
    };
  }

  #answered(answered: Answered | undefined): Readonly<Record<string, unknown>> {
    if (answered === undefined) return {};
    const { by, afterMs } = answered;
    return { answeredBy: this.#free(by), ...(afterMs === undefined ? {} : { answeredAfterMs: Math.round(afterMs) }) };
  }

  #name(name: string): unknown {
    return redactNames(name, this.#mark);
  }

  #decision(decision: Decision): Readonly<Record<string, unknown>> {
    const base = { decision: nameOf(decision), rule: this.#free(decision.rule) };
    if (decision.kind === 'waive') return { ...base, waivedBy: this.#free(decision.by) };
    if (decision.kind === 'refuse') return { ...base, code: decision.code, reason: this.#free(decision.reason) };
    return decision.kind === 'ask' ? { ...base, otherwise: nameOf(decision.otherwise) } : base;
  }

  #host(host: string): string {
    return this.#free(redactHost(host, this.#mark));
  }

  /** Text that may repeat what stood in an argument. */
  #free(text: string): string {
    const shown = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
    return redactFree(this.#known.replaceIn(shown), this.#mark, this.#own);
  }
}

/** The contract's word: a waived call is forwarded, and its record says by whom. */
function nameOf(decision: Decision): DecisionName {
  return decision.kind === 'waive' ? 'forward' : decision.kind;
}

/** What the caller wrote; where it names nothing, the server's own target. */
function hostsOf(hosts: readonly { readonly value: string }[], target: string | undefined): readonly string[] {
  if (hosts.length > 0) return hosts.map((host) => host.value);
  return target === undefined ? [] : [target];
}

function unnamedOf({ unnamed }: Pick<Target, 'unnamed'>): Readonly<Record<string, string>> {
  return unnamed === undefined ? {} : { unnamed };
}

function targetOf({ host, vm, unnamed }: Target): Readonly<Record<string, unknown>> {
  const vpgs = vm.vpgs.map(({ name, vpgIdentifier, site }) => ({ name, vpgIdentifier, site }));
  return { host, ...unnamedOf({ unnamed }), vm: vm.name, vmIdentifier: vm.vmIdentifier, site: vm.site, vpgs };
}
