import { hash } from 'node:crypto';
import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { checkToolRules, sessionReaders, userRules } from '../interceptors/index.js';
import { createAnsibleNames } from './ansible-hosts/index.js';
import { openAppliances } from './appliances.js';
import { createDesk } from './approvals/desk.js';
import { createNotify } from './approvals/notify.js';
import { openAuditLog } from './audit/log.js';
import { operatorRedaction } from './audit/redact/config.js';
import { keepingOf } from './audit-keeping.js';
import { createClassify, prepareFor } from './classify/index.js';
import { userPrograms } from './classify/user-commands.js';
import { breakGlassPlaces, currentBreakGlass, machineTime } from './config/break-glass-file.js';
import type { Config } from './config/config.js';
import { ownDomains } from './config/domains.js';
import { type Surroundings, stateDir } from './config/paths.js';
import type { Coverage } from './coverage.js';
import type { Server } from './domain/call.js';
import { newId } from './domain/id.js';
import type { Metrics } from './domain/meters.js';
import type { Decide, Logger } from './domain/ports.js';
import { type Downstreams, startDownstreams } from './downstream.js';
import { type ExplainQuery, type Explanation, explain } from './explain.js';
import { openExporting } from './exporting.js';
import type { HookQuery } from './hook-call.js';
import type { HookVerdict } from './hooks/answer.js';
import type { HookCommand } from './hooks/read-input.js';
import type { HumanRecovery } from './human-recovery.js';
import type { Parts } from './parts.js';
import { underBreakGlass } from './policy/break-glass.js';
import { createDecide } from './policy/decide.js';
import { Guard } from './proxy/guard.js';
import { randomSource } from './random.js';
import type { ServeOptions } from './serve.js';
import { firstOf, openServerConfigs, type ServerConfigs } from './servers/index.js';
import { createAim } from './targets/aim.js';
import { withoutAppliance } from './targets/no-appliance.js';
import type { DownstreamEnd } from './wire/downstream-end.js';
import type { StdioClient } from './wire/relay-stdio.js';
import { wrap } from './wrap.js';
import { systemClock } from './zerto/clock.js';

export interface AppOptions {
  readonly config: Config;
  readonly surroundings: Surroundings;
  readonly log: Logger;
  readonly version: string;
  /** Where the process tells what happens; needed to serve, else nothing is counted. They are closed with the rest. */
  readonly metrics?: Metrics | undefined;
  /** How clients reach the process, where it has any. */
  readonly transport?: 'pipe' | 'tcp' | undefined;
}

/** What one proxy process is made of. Making it has no side effect: no file, no connection, no process. */
export interface App {
  readonly auditDir: string;
  /** Wraps one server, or several as one, until either end is gone; resolves to the exit code. `early`: the one server, where it runs already. */
  wrap(downstreams: Downstreams, client: StdioClient, signal: AbortSignal, early?: DownstreamEnd): Promise<number>;
  /** Serves them to many clients over HTTP until the signal; resolves to the exit code. Rejects where it cannot listen. */
  serve(downstreams: Downstreams, options: ServeOptions, signal: AbortSignal): Promise<number>;
  /** Every host that these servers are known to reach, and what stands in the way of rewinding it. Nothing is started. */
  coverage(downstreams: readonly Downstreams[number][], signal: AbortSignal, isTried?: boolean): Promise<Coverage>;
  /** What would be done with a call; its server is not started and nothing is sent. */
  explain(query: ExplainQuery, signal: AbortSignal): Promise<Explanation>;
  /** A command that a client is about to run in its own shell: resolves once the client may run it, or must not. */
  hook(query: HookQuery): Promise<HookVerdict>;
  /** What the client says of its end goes into the audit log. */
  hookEnded(command: HookCommand): Promise<void>;
  /** What a human's commands take files from the journal with. */
  recovering(): Promise<HumanRecovery>;
  close(): Promise<void>;
}

/** The composition root: the only place that constructs and wires. Throws CONFIG_INVALID where an operator's rule contradicts its examples. */
export function createApp({ config, surroundings, log, version, metrics, transport }: AppOptions): App {
  const clock = systemClock;
  const now = () => new Date(clock.now());
  const random = randomSource();
  const id = (prefix: string) => newId(prefix, clock.now(), random);
  const state = stateDir(surroundings);
  const auditDir = config.audit.dir ?? join(state, 'audit');

  const appliances = openAppliances({
    zvm: config.zvm,
    timeoutSeconds: config.guard.timeoutSeconds,
    stateDir: state,
    clock,
    log,
    meters: metrics,
  });
  const redaction = operatorRedaction(config.audit.redact);
  const exporting = openExporting({ config: config.export, stateDir: state, auditDir, version, log });
  const auditFile = openAuditLog({
    dir: auditDir,
    level: config.audit.level,
    redaction,
    now,
    log,
    process: {
      version,
      pid: process.pid,
      platform: surroundings.platform,
      config: configDigest(config),
      transport,
      ...observing(config),
    },
    keeping: { ...keepingOf(config.audit, surroundings, log), held: exporting?.held },
  });
  const counted = metrics?.countedAudit(auditFile) ?? auditFile;
  const audit = exporting?.watched(counted) ?? counted;
  const classify = createClassify(userPrograms(config.classifier.commands));
  checkToolRules(config.classifier.tools, classify);
  const { targets, exempt } = config;
  const places = placesOf(surroundings);
  const servers = openServerConfigs(places);
  const ansible = createAnsibleNames({
    ...places,
    startOf: servers.startOf,
    ssh: servers.ssh,
    now: clock.now,
    snapshot: config.ansible.inventorySnapshot ?? undefined,
    mayRun: config.ansible.allowExecutableInventory,
  });
  const names = firstOf(ansible, servers.names);
  const byListing = createAim({
    inventory: appliances.inventory,
    targets,
    exempt,
    defaultTarget: onlyVm(config),
    names,
    domains: ownDomains(config),
  });
  const aim = config.zvm === undefined ? withoutAppliance(byListing) : byListing;
  const isLocked = config.locked !== undefined;
  const { policy, mode } = config;
  const decideByPolicy = createDecide({ policy, mode, hasZvm: config.zvm !== undefined, isLocked });
  const breakGlass = breakGlassPlaces(surroundings.platform);
  const decide: Decide = (judged) => {
    const asked = judged.assessment.effect !== 'read_only' && config.mode === 'enforce';
    const grant = asked ? currentBreakGlass(breakGlass, machineTime()) : undefined;
    return underBreakGlass(judged, grant, (host) => mappedName(host, targets)) ?? decideByPolicy(judged);
  };
  const guard = new Guard({
    checkpoints: metrics?.countedCheckpoints(appliances.checkpoints, () => clock.now()) ?? appliances.checkpoints,
    clock,
    newId: id,
    hold: { seconds: config.guard.holdSeconds, trustCloudTags: config.guard.trustCloudTags },
    reuseSeconds: config.guard.reuseSeconds,
    maxTagsPerVpgPerHour: config.guard.maxTagsPerVpgPerHour,
    simulated: appliances.simulated,
    mode: config.mode,
    log,
    meters: metrics,
  });
  const steady = () => performance.now();
  const { approvals } = config;
  const desk = approvals.outOfBand
    ? createDesk({
        dir: join(state, 'approvals'),
        minutes: approvals.minutes,
        host: hostname(),
        pid: process.pid,
        now: clock.now,
        steady,
        notify: approvals.notify ? createNotify(surroundings.platform, surroundings.env, steady) : () => undefined,
        log,
      })
    : undefined;
  const parts: Parts = {
    classify,
    prepare: prepareFor,
    clock,
    config,
    log,
    now,
    id,
    aim,
    decide,
    guard,
    appliances,
    audit,
    auditFile,
    auditDir,
    redaction,
    desk,
  };

  return {
    auditDir,
    wrap: (downstreams, client, signal, early) => {
      noteStarts(servers, downstreams);
      const started = startDownstreams(downstreams, { log, version, early, meters: metrics });
      return wrap(parts, started, client, metrics, signal);
    },
    serve: async (downstreams, options, signal) => {
      const { serve } = await import('./serve.js');
      if (metrics === undefined) throw new Error('serving needs metrics');
      noteStarts(servers, downstreams);
      exporting?.wake();
      const start = () => startDownstreams(downstreams, { log, version, meters: metrics });
      return serve(parts, downstreams, start, metrics, options, signal);
    },
    coverage: async (downstreams, signal, isTried = false) => {
      const { coverage } = await import('./coverage.js');
      noteStarts(servers, downstreams);
      const list = (server: Server) => servers.list(server);
      const wrapped = downstreams.map(({ server }) => server);
      const known = { config, appliances, aim, list, servers: wrapped, runsAnsible: ansibleRunner(servers) };
      if (!isTried) return coverage(known, signal);
      const { humanRecovery } = await import('./human-recovery.js');
      return coverage({ ...known, probe: humanRecovery(parts).probe }, signal);
    },
    explain: (query, signal) => {
      if (query.start !== undefined) servers.starting(query.server, query.start);
      const { interceptors, ...readers } = sessionReaders(userRules(config.classifier.tools));
      const { redaction } = parts;
      return explain(
        { prepare: prepareFor, classify, decide, redaction, interceptors, aim: readers.aim(aim) },
        query,
        signal,
      );
    },
    hook: async (query) => {
      const { hookCall, hookServer } = await import('./hook-call.js');
      const { command } = query;
      const start = { command: command.language, args: [], env: surroundings.env, cwd: command.cwd };
      servers.starting(hookServer(command), start);
      return hookCall(parts, query);
    },
    hookEnded: async (command) => (await import('./hook-call.js')).hookEnded(parts, command),
    recovering: async () => (await import('./human-recovery.js')).humanRecovery(parts),
    close: async () => {
      desk?.close();
      await auditFile.close();
      await Promise.all([exporting?.close(), metrics?.close()]);
      await appliances.close();
    },
  };
}

/** What each record of a process says that pins and refuses nothing. */
function observing({ mode }: Config): { readonly mode?: 'observe' } {
  return mode === 'observe' ? { mode } : {};
}

/** The VM that the config gives a name, else the name. */
function mappedName(host: string, targets: Config['targets']): string {
  const vm = Object.entries(targets).find(([name]) => name.toLowerCase() === host.toLowerCase())?.[1] ?? host;
  return typeof vm === 'string' ? vm : vm.vmIdentifier;
}

/** By its family, else by how it is started. */
function ansibleRunner(servers: ServerConfigs): (server: Server) => boolean {
  return (server) => {
    const { command = '', args = [] } = servers.startOf(server) ?? {};
    return server.family === undefined ? /ansible/i.test([command, ...args].join(' ')) : server.family === 'ansible';
  };
}

/** OpenSSH goes by the account's home directory, whatever the environment says. */
function placesOf({ platform, home, env }: Surroundings): Parameters<typeof openServerConfigs>[0] {
  try {
    return { platform, home: userInfo().homedir, cwd: process.cwd(), env };
  } catch {
    return { platform, home, cwd: process.cwd(), env };
  }
}

/** Of a server behind HTTP it is not known what its configuration says. */
function noteStarts(servers: ServerConfigs, downstreams: readonly Downstreams[number][]): void {
  for (const start of downstreams) if (start.kind === 'command') servers.starting(start.server, start);
}

/** The VM of a call that names none, where the config knows exactly one. */
function onlyVm({ targets }: Config): Config['targets'][string] | undefined {
  const vms = new Map(
    Object.values(targets).map((vm) => [typeof vm === 'string' ? vm.toLowerCase() : vm.vmIdentifier, vm] as const),
  );
  return vms.size === 1 ? [...vms.values()][0] : undefined;
}

/** Functions that fetch secrets are left out, and nothing else of a config is secret. */
function configDigest(config: Config): string {
  return hash('sha256', JSON.stringify(config));
}
