import { hash, randomBytes } from 'node:crypto';
import { sessionReaders, userRules } from '../interceptors/index.js';
import { redactAbout } from './audit/redact/redact.js';
import { preparePowerShell } from './classify/index.js';
import { programOf } from './domain/assessment.js';
import type { Answer, Server, ToolCall } from './domain/call.js';
import { ProxyError } from './domain/errors.js';
import type { Ask } from './domain/ports.js';
import type { Target } from './domain/target.js';
import type { Caller } from './native/deps.js';
import { createNative } from './native/server.js';
import { nativePorts } from './native-ports.js';
import type { Parts, SessionParts } from './parts.js';
import { handleToolCall } from './proxy/handle-tool-call.js';
import { notSentYet } from './proxy/refusal.js';
import { createSettle } from './proxy/settle.js';
import { type Ends, Relay } from './wire/relay.js';
import type { Servers } from './wire/relay-servers.js';

/** What one client has with its downstream, one server or several, from its first message to its last; `open` is called once, with the ends of whatever carries the messages. */
export interface Session {
  readonly open: (ends: Ends) => Relay;
  close(): Promise<void>;
}

/** Joins the relay of one session with the path of a call and with the native tools. `clients`: whether all of it is one client's. */
export function createSession(shared: Parts, servers: Servers, clients: 'one' | 'many' = 'one'): Session {
  const { config, log, id, guard, clock } = shared;
  const session = id('s');
  const openMs = config.approvals.minutes * 60_000;
  if (servers.all.some(speaksPowerShell)) void preparePowerShell();
  const readers = sessionReaders(userRules(config.classifier.tools));
  const parts: SessionParts = {
    ...shared,
    interceptors: readers.interceptors,
    aim: readers.aim(shared.aim),
  };
  let relay: Relay | undefined;
  const ask: Ask = async (question, asked) => relay?.ask(question, asked) ?? { kind: 'unavailable' };
  const native = createNative(nativePorts(parts, servers, (tool) => relay?.describe(tool)));
  const deps = {
    ...parts,
    settle: createSettle({
      ask,
      elsewhere: shared.desk,
      warm: ({ call, assessment }, targets) => guard.warm(call, targets, programOf(assessment)),
      question: (asked, choices, { call, reading }) => ({
        message: redactAbout({ arguments: call.arguments, roles: reading.roles }, shared.redaction)(asked),
        choices,
      }),
      patience: ({ call }) =>
        call.progress === true || relay?.asksInRounds === true
          ? undefined
          : expiring(config.guard.answerWithinSeconds, () => new Error('the client waits no longer')),
      bind: (parts) => hash('sha256', `${KEY}${JSON.stringify(parts)}`),
      openMs,
      remembers: clients === 'one',
      now: () => performance.now(),
    }),
    patience: (call: ToolCall, targets: readonly Target[]) => {
      if (call.progress === true || targets.length === 0) return undefined;
      return expiring(config.guard.answerWithinSeconds, () => notSentYet(targets, config.guard.answerWithinSeconds));
    },
  };
  const callerOf = (agent: string, tool: string, given: Readonly<Record<string, unknown>>): Caller => ({
    agent,
    session,
    ask: (question, asked) => ask(question, AbortSignal.any([asked, expiring(openMs / 1000, () => LATE)])),
    elsewhere: (question, signal) => {
      const key = digestOf(session, 'zerto-rewind', tool, given);
      return shared.desk?.ask({ key, session, agent, question }, signal) ?? Promise.resolve({ kind: 'unavailable' });
    },
  });
  return {
    open: (ends) => {
      const opened: Relay = new Relay({
        ...ends,
        servers,
        session,
        log,
        agentName: config.agent,
        openMs,
        native: {
          tools: native.tools,
          call: (name, given, meta, cancel) =>
            native.call(name, given, callerOf(opened.agentOf(meta), name, given), cancel),
        },
        handle: (call, cancel): Promise<Answer> => handleToolCall(deps, watched, call, cancel),
        digest: digestOf,
        newCallId: () => id('call'),
      });
      const watched = readers.watch(opened);
      relay = opened;
      return opened;
    },
    // An unmount that the appliance does not answer is ended at the next start; the client's end must not wait for it.
    close: () => {
      shared.desk?.drop(session);
      return Promise.race([native.close(), clock.sleep(NATIVE_CLOSE_MS, new AbortController().signal)]);
    },
  };
}

/** Whether the first call is likely to need the grammar of PowerShell; elsewhere it is loaded when a call needs it. */
function speaksPowerShell({ name, family, shell }: Server): boolean {
  if (shell !== undefined) return shell !== 'bash';
  return family === 'winrm' || family === 'powershell' || (family === undefined && /win|powershell|pwsh/i.test(name));
}

const NATIVE_CLOSE_MS = 1000;
/** Nobody answered a question of a native tool: it is withdrawn. */
const LATE = new Error('nobody answered in time');

/** Of this process alone: without it nobody finds out what a digest was made of by trying. */
const KEY = randomBytes(32).toString('hex');

/** A keyed hash (SHA-256) over session, server, tool and arguments: what makes two calls the same. */
function digestOf(session: string, server: string, tool: string, args: Readonly<Record<string, unknown>>): string {
  try {
    return hash('sha256', `${KEY}${JSON.stringify([session, server, tool, sorted(args)])}`);
  } catch (cause) {
    const message = "The call's arguments are nested too deep to be judged. The call was not sent. Send them flatter.";
    throw new ProxyError('INVALID_ARGUMENTS', message, { cause });
  }
}

/** A signal that aborts with that error after so many seconds. */
function expiring(seconds: number, error: () => Error): AbortSignal {
  const expiry = new AbortController();
  setTimeout(() => expiry.abort(error()), seconds * 1000).unref();
  return expiry.signal;
}

/** One text per JSON value: members by name, shapes and numbers marked. Throws on nesting that no stack holds. */
function sorted(value: unknown): unknown {
  if (typeof value === 'number') return ['n', Object.is(value, -0) ? '-0' : String(value)];
  if (Array.isArray(value)) return ['a', ...value.map(sorted)];
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return ['o', ...members.map(([name, member]) => [name, sorted(member)])];
}
