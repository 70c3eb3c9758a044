import { listTools } from '../interceptors/index.js';
import { endSessionQuestion, recoveryQuestion } from './approvals/questions.js';
import { openReceipts } from './audit/receipts.js';
import { redactAbout } from './audit/redact/redact.js';
import { catalogs } from './classify/catalog.js';
import { assess } from './domain/assessment.js';
import type { Reading, Role, Server, ToolDescription } from './domain/call.js';
import { OWN_SERVER } from './domain/call.js';
import type { Decision } from './domain/decision.js';
import { type ErrorCode, ProxyError } from './domain/errors.js';
import type { Answered, AuditEntry, Judged, Outcome } from './domain/ports.js';
import { NO_AIM } from './domain/target.js';
import { askedCall, judgeCall } from './judge-call.js';
import type { Caller, NativeDeps, NativeOutcome, Query } from './native/deps.js';
import type { Parts, SessionParts } from './parts.js';
import type { Servers } from './wire/relay-servers.js';

/** The name under which the proxy's own tools stand in receipts and records. */
const OWN: Server = { name: OWN_SERVER };

/** What the native tools of one session need, over the parts of the app. `describe` knows the wrapped servers' tools. */
export function nativePorts(
  parts: SessionParts,
  servers: Servers,
  describe: (tool: string) => ToolDescription | undefined,
): NativeDeps {
  const { config, appliances, audit, guard, log, now } = parts;
  const find = findOwn(parts);
  // Words of the agent for the appliance's list of checkpoints.
  const say = redactAbout({ arguments: {} }, parts.redaction);
  return {
    inventory: appliances.inventory,
    find,
    // A server that takes host names reaches whatever they resolve to; one that serves a single VM reaches that one.
    reaches: async (vmIdentifier, signal) => {
      const only = servers.all.flatMap(({ target }) => (target === undefined ? [] : [target]));
      if (only.length < servers.all.length) return true;
      const aims = await Promise.all(only.map((host) => find(host, signal)));
      return aims.some(({ targets }) => targets.some(({ vm }) => vm.vmIdentifier === vmIdentifier));
    },
    receipts: openReceipts(parts.auditDir, log, parts.auditFile),
    judge: (query, caller, signal) => judgeQuery(parts, servers, describe, query, caller, signal),
    catalogs: () => ({ ...catalogs(listTools) }),
    checkpoint: ({ tool, target, action, change }, caller, signal) =>
      guard.checkpoint({
        agent: caller.agent,
        session: caller.session,
        server: OWN,
        tool,
        target,
        action: say(action),
        change: change && say(change),
        signal,
      }),
    recovery: config.recovery,
    appliances: {
      mountable: async (...point) => (await appliances.recovery()).mountable(...point),
      newest: async (vpg, signal) => (await appliances.recovery()).newest(vpg, signal),
      recover: async (request, signal) => (await appliances.recovery()).recover(request, signal),
      checkpoint: async (vpg, wanted, signal) => (await appliances.recovery()).checkpoint(vpg, wanted, signal),
      sessions: async (vm, signal) => (await appliances.recovery()).sessions(vm, signal),
      end: async (session, signal) => (await appliances.recovery()).end(session, signal),
    },
    recoveryQuestion,
    endSessionQuestion,
    audit: async ({ name, arguments: given, readOnly }, caller) => {
      const entry = await audit.open(ownCall(parts, name, given, readOnly, caller), OWN_DECISION);
      return { close: (outcome) => closeNative(entry, outcome) };
    },
    now,
    log,
  };
}

/** Finds the VM that a name means where no server gives it a meaning of its own. */
export function findOwn({ aim }: Pick<Parts, 'aim'>): NativeDeps['find'] {
  return (host, signal) => aim({ ...NO_READING, hosts: [{ value: host, argument: 'vm' }] }, OWN, signal);
}

const NO_READING: Reading = { interceptor: 'none', roles: {}, operations: [], hosts: [] };
/** The proxy's own acts need no policy. */
export const OWN_DECISION: Decision = { kind: 'forward', rule: 'native tool' };

/** What would be decided about a call or a command; nothing is recorded and nothing sent. */
async function judgeQuery(
  parts: SessionParts,
  servers: Servers,
  describe: (tool: string) => ToolDescription | undefined,
  query: Query,
  { agent, session }: Caller,
  signal: AbortSignal,
) {
  const tool = query.kind === 'tool' ? query.tool : '';
  const server = query.kind === 'tool' ? await runs(servers, tool, signal) : onlyOf(servers);
  const call = askedCall({
    session,
    agent,
    server,
    tool,
    arguments: query.kind === 'tool' ? query.arguments : {},
    description: query.kind === 'tool' ? describe(tool) : undefined,
  });
  const command =
    query.kind === 'tool'
      ? undefined
      : ({ kind: 'command', language: query.shell ?? server.shell ?? 'bash', source: query.command } as const);
  if (command !== undefined) await parts.prepare([command]);
  const read = command && { reading: NO_READING, assessment: parts.classify([command]) };
  const { assessment, reading, decision, refusal } = await judgeCall(parts, call, signal, read);
  const asked = query.kind === 'tool' ? query.arguments : { command: query.command };
  const say = redactAbout({ arguments: asked, roles: reading.roles }, parts.redaction);
  const findings = assessment.findings.map(({ effect, subject, why }) => ({
    effect,
    subject: say(subject),
    why: say(why),
  }));
  return { ...assessment, findings, decision, refusal: refusal && say(refusal) };
}

/** Rejects with INVALID_ARGUMENTS or DOWNSTREAM_UNAVAILABLE where no server is known to run the tool. */
async function runs(servers: Servers, tool: string, signal: AbortSignal): Promise<Server> {
  await servers.several?.locate(tool, undefined, { signal });
  const routed = servers.serverOf(tool);
  if (routed.kind === 'none') throw new ProxyError(routed.code, routed.why);
  return routed.server;
}

/** A command that is only asked about goes to no server in particular where there are several. */
function onlyOf({ all }: Servers): Server {
  const [first, second] = all;
  return first === undefined || second !== undefined ? OWN : first;
}

/** What redaction must know of the native tools' arguments; the rest are plain words. */
const OWN_ROLES: Readonly<Record<string, Role>> = { command: 'command', arguments: 'args', path: 'path' };

/** An act of the proxy's own, as the audit log records it. */
export function ownCall(
  { id }: Parts,
  tool: string,
  given: Readonly<Record<string, unknown>>,
  readOnly: boolean,
  { agent, session }: Caller,
): Judged {
  const call = {
    id: id('call'),
    session,
    agent,
    server: OWN,
    tool,
    arguments: given,
    digest: '',
    raw: new Uint8Array(),
  };
  const roles = Object.fromEntries(Object.keys(given).map((name) => [name, OWN_ROLES[name] ?? 'option'] as const));
  const finding = readOnly
    ? ({ effect: 'read_only', subject: tool, why: 'a tool of the proxy that only reads' } as const)
    : ({ effect: 'mutating', subject: tool, why: 'a tool of the proxy that acts on the appliance' } as const);
  const hosts = typeof given['vm'] === 'string' ? [{ value: given['vm'], argument: 'vm' }] : [];
  return {
    call,
    reading: { interceptor: 'native', roles, operations: [], hosts },
    assessment: assess([finding]),
    aim: NO_AIM,
  };
}

/** Closes the record of an act of the proxy's own. */
export async function closeNative(entry: AuditEntry, { code, reason, ...outcome }: NativeOutcome): Promise<void> {
  if (outcome.receipt !== undefined) await entry.permit(outcome.receipt, answeredOf(outcome.answeredBy));
  await entry.close(outcomeOf(code, reason, outcome));
}

function outcomeOf(
  code: ErrorCode | undefined,
  reason: string | undefined,
  { result, receipt, answeredBy, recovered }: NativeOutcome,
): Outcome {
  const answered = answeredOf(answeredBy);
  if (code !== undefined) return { kind: 'refused', code, reason: reason ?? '', answered };
  return { kind: 'forwarded', result, receipt, answered, recovered };
}

function answeredOf(by: string | undefined): Answered | undefined {
  return by === undefined ? undefined : { by };
}
