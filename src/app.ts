import { createHash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { checkToolRules, sessionReaders, userRules } from '../interceptors/index.js';
import { openAppliances } from './appliances.js';
import { openAuditLog } from './audit/log.js';
import { redactText } from './audit/redact.js';
import { createClassify } from './classify/index.js';
import { userPrograms } from './classify/user-commands.js';
import type { Config } from './config/config.js';
import { type Surroundings, stateDir } from './config/paths.js';
import type { Answer, Server, ToolCall } from './domain/call.js';
import { ProxyError } from './domain/errors.js';
import { newId } from './domain/id.js';
import type { Ask, Logger } from './domain/ports.js';
import type { Target } from './domain/target.js';
import { createNative } from './native/server.js';
import { nativePorts } from './native-ports.js';
import type { Parts, SessionParts } from './parts.js';
import { createDecide } from './policy/decide.js';
import { Guard } from './proxy/guard.js';
import { handleToolCall } from './proxy/handle-tool-call.js';
import { notSentYet } from './proxy/refusal.js';
import { createSettle } from './proxy/settle.js';
import { createAim } from './targets/aim.js';
import { startChild } from './wire/child.js';
import { Relay } from './wire/relay.js';
import { systemClock } from './zerto/clock.js';

export interface AppOptions {
  readonly config: Config;
  readonly surroundings: Surroundings;
  readonly log: Logger;
  readonly version: string;
}

/** What one proxy process is made of. Making it has no side effect: no file, no connection, no process. */
export interface App {
  readonly auditDir: string;
  /** Wraps one stdio server until either end is gone; resolves to the exit code. */
  wrap(downstream: DownstreamStart, client: ClientStreams, signal: AbortSignal): Promise<number>;
  close(): Promise<void>;
}

export interface DownstreamStart {
  readonly server: Server;
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd?: string | undefined;
}

export interface ClientStreams {
  readonly input: Readable;
  readonly output: Writable;
}

/** The composition root: the only place that constructs and wires. Throws CONFIG_INVALID where an operator's rule contradicts its examples. */
export function createApp({ config, surroundings, log, version }: AppOptions): App {
  const clock = systemClock;
  const now = () => new Date(clock.now());
  const id = (prefix: string) => newId(prefix, clock.now(), () => randomBytes(8));
  const state = stateDir(surroundings);
  const auditDir = config.audit.dir ?? join(state, 'audit');

  const appliances = openAppliances({
    zvm: config.zvm,
    timeoutSeconds: config.guard.timeoutSeconds,
    stateDir: state,
    mountsDir: join(state, 'mounts'),
    clock,
    log,
  });
  const audit = openAuditLog({
    dir: auditDir,
    level: config.audit.level,
    now,
    log,
    process: { version, pid: process.pid, platform: surroundings.platform, config: configDigest(config) },
  });
  const classify = createClassify(userPrograms(config.classifier.commands));
  checkToolRules(config.classifier.tools, classify);
  const { targets, exempt } = config;
  const aim = createAim({ inventory: appliances.inventory, targets, exempt, defaultTarget: onlyVm(config) });
  const decide = createDecide({ policy: config.policy, mode: config.mode, hasZvm: config.zvm !== undefined });
  const guard = new Guard({
    checkpoints: appliances.checkpoints,
    clock,
    newId: id,
    hold: { seconds: config.guard.holdSeconds, trustCloudTags: config.guard.trustCloudTags },
    reuseSeconds: config.guard.reuseSeconds,
    maxTagsPerVpgPerHour: config.guard.maxTagsPerVpgPerHour,
    simulated: appliances.simulated,
    mode: config.mode,
    log,
  });
  const parts: Parts = { classify, clock, config, log, now, id, aim, decide, guard, appliances, audit, auditDir };

  return {
    auditDir,
    wrap: (downstream, client, signal) => wrap(parts, downstream, client, signal),
    close: async () => {
      await audit.close();
      await appliances.close();
    },
  };
}

async function wrap(
  shared: Parts,
  { server, command, args, env, cwd }: DownstreamStart,
  client: ClientStreams,
  signal: AbortSignal,
): Promise<number> {
  const { config, log, id, guard, clock } = shared;
  const session = id('s');
  const readers = sessionReaders();
  const parts: SessionParts = {
    ...shared,
    interceptors: [userRules(config.classifier.tools), ...readers.interceptors],
    aim: readers.aim(shared.aim),
  };
  const ask: Ask = (question, asked) => relay.ask(question, asked);
  const settle = createSettle({
    ask,
    warm: ({ call }, targets) => guard.warm(call, targets),
    question: (asked, choices) => ({ message: redactText(asked), choices }),
  });
  const deps = {
    ...parts,
    settle,
    patience: (call: ToolCall, targets: readonly Target[]) => {
      if (call.progress === true || targets.length === 0) return undefined;
      return expiring(config.guard.answerWithinSeconds, () => notSentYet(targets, config.guard.answerWithinSeconds));
    },
  };
  const native = createNative(nativePorts(parts, server, (tool) => relay.describe(tool)));
  const relay: Relay = new Relay({
    server,
    session,
    client,
    child: startChild({ command, args, env, cwd, log }),
    log,
    agentName: config.agent,
    native: {
      tools: native.tools,
      call: (name, given, meta, cancel) =>
        native.call(name, given, { agent: relay.agentOf(meta), session, ask }, cancel),
    },
    handle: (call, cancel): Promise<Answer> => handleToolCall(deps, readers.watch(relay), call, cancel),
    digest: digestOf,
    newCallId: () => id('call'),
  });
  try {
    return await relay.run(signal);
  } finally {
    // An unmount that the appliance does not answer is ended at the next start; the client's end must not wait for it.
    await Promise.race([native.close(), clock.sleep(NATIVE_CLOSE_MS, new AbortController().signal)]);
  }
}

const NATIVE_CLOSE_MS = 1000;

/** SHA-256 over session, server, tool and arguments: what makes two calls the same. */
function digestOf(session: string, server: string, tool: string, args: Readonly<Record<string, unknown>>): string {
  try {
    return createHash('sha256')
      .update(JSON.stringify([session, server, tool, sorted(args)]))
      .digest('hex');
  } catch (cause) {
    const message = "The call's arguments are nested too deep to be judged. The call was not sent. Send them flatter.";
    throw new ProxyError('INVALID_ARGUMENTS', message, { cause });
  }
}

/** The VM of a call that names none, where the config knows exactly one. */
function onlyVm({ targets }: Config): Config['targets'][string] | undefined {
  const vms = new Map(
    Object.values(targets).map((vm) => [typeof vm === 'string' ? vm.toLowerCase() : vm.vmIdentifier, vm] as const),
  );
  return vms.size === 1 ? [...vms.values()][0] : undefined;
}

/** A signal that aborts with that error after so many seconds. */
function expiring(seconds: number, error: () => Error): AbortSignal {
  const expiry = new AbortController();
  setTimeout(() => expiry.abort(error()), seconds * 1000).unref();
  return expiry.signal;
}

/** Functions that fetch secrets are left out, and nothing else of a config is secret. */
function configDigest(config: Config): string {
  return createHash('sha256').update(JSON.stringify(config)).digest('hex');
}

/** One text per JSON value: members by name, shapes and numbers marked. Throws on nesting that no stack holds. */
function sorted(value: unknown): unknown {
  if (typeof value === 'number') return ['n', Object.is(value, -0) ? '-0' : String(value)];
  if (Array.isArray(value)) return ['a', ...value.map(sorted)];
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return ['o', ...members.map(([name, member]) => [name, sorted(member)])];
}
