import { assess } from '../../src/domain/assessment.js';
import type { Answer, Reading, ToolCall } from '../../src/domain/call.js';
import { ProxyError } from '../../src/domain/errors.js';
import { Permit } from '../../src/domain/permit.js';
import type { AuditEntry, DownstreamAnswer, Inventory, Outcome } from '../../src/domain/ports.js';
import type { Receipt } from '../../src/domain/receipt.js';
import type { Vm } from '../../src/domain/target.js';
import { createDecide } from '../../src/policy/decide.js';
import { Guard } from '../../src/proxy/guard.js';
import { handleToolCall, type ToolCallDeps } from '../../src/proxy/handle-tool-call.js';
import { notSentYet } from '../../src/proxy/refusal.js';
import {
  createWorld,
  type Knobs,
  type Simulator,
  startSimulator,
  type World,
  type WorldOptions,
} from '../../src/simulator/index.js';
import { createAim } from '../../src/targets/aim.js';
import { ZvmClient } from '../../src/zerto/client.js';
import { abortable } from '../../src/zerto/clock.js';
import { unreachable } from '../../src/zerto/failure.js';
import type { Http } from '../../src/zerto/http.js';
import { ZvmCheckpoints } from '../../src/zerto/pin.js';
import { profileOf } from '../../src/zerto/profiles.js';
import type { Arrival } from './checker.js';
import { type DayClock, dayClock } from './clock.js';

const START = Date.UTC(2026, 10, 30);
/** As `guard.answerWithinSeconds`. */
const ANSWER_WITHIN_MS = 45_000;
const STATE_FILE = '/srv/state';

export interface Attempt {
  readonly session: string;
  readonly command: string;
  readonly hosts: readonly string[];
  /** The client is told of progress, and waits. */
  readonly progress: boolean;
  readonly signal?: AbortSignal | undefined;
}

/** What the audit log says of one attempt, in the order in which it was written. */
export interface Records {
  readonly command: string;
  readonly decision: string;
  receipt?: Receipt;
  outcome?: Outcome;
}

/** A proxy on the simulated appliances of a world, with a downstream that writes down what reaches it; all on one clock. */
export interface Plant {
  readonly clock: DayClock;
  readonly world: World;
  readonly zvms: readonly Simulator[];
  readonly arrivals: Arrival[];
  readonly records: Records[];
  /** One attempt at a call, and its answer. Commands that begin with `read` only read. */
  call(attempt: Attempt): Promise<Answer>;
  close(): Promise<void>;
}

export interface PlantOptions {
  readonly world: WorldOptions;
  readonly knobs?: Partial<Knobs>;
  /** Milliseconds that the downstream takes; a rejection stands for one that dies. */
  readonly downstream?: (command: string) => number | 'dies';
}

export async function plant(options: PlantOptions): Promise<Plant> {
  const clock = dayClock(START);
  const world = createWorld({ ...options.world, clock });
  const knobs = { tokenSeconds: 3_600, ...options.knobs };
  const zvms = await Promise.all(world.sites.map(({ name }) => startSimulator({ world, site: name, knobs })));
  const clients = zvms.map((zvm, index) => clientOf(zvm, world.sites[index]?.name ?? '', clock));
  const wait = { now: clock.now, sleep: (ms: number, signal: AbortSignal) => clock.sleep(ms, signal) };
  const arrivals: Arrival[] = [];
  const records: Records[] = [];
  let count = 0;
  const guard = new Guard({
    checkpoints: new ZvmCheckpoints({ clients, clock: wait }),
    clock: wait,
    newId: (prefix) => `${prefix}_${String(++count).padStart(6, '0')}`,
    hold: { seconds: 5, trustCloudTags: false },
    reuseSeconds: 0,
    maxTagsPerVpgPerHour: 120,
    simulated: () => true,
    mode: 'enforce',
    log: { info: () => undefined, warn: () => undefined },
  });
  const policy = { unknown: 'refuse', nobodyAnswers: 'refuse', unresolved: 'refuse', unprotected: 'refuse' } as const;
  const deps: ToolCallDeps = {
    interceptors: [{ name: 'day', claims: () => true, read: readCall }],
    prepare: () => undefined,
    classify: ([operation]) => {
      const subject = operation?.kind === 'command' ? operation.source : '';
      return assess([{ effect: subject.startsWith('read') ? 'read_only' : 'mutating', subject, why: 'day' }]);
    },
    aim: createAim({ inventory: inventoryOf(world), targets: {}, exempt: [] }),
    decide: createDecide({ policy: { ...policy, maxVmsPerCall: 10 }, mode: 'enforce', hasZvm: true }),
    settle: () => Promise.reject(new Error('nobody is asked')),
    audit: {
      degrade: (error) => {
        throw error;
      },
      open: (judged, decision) => {
        const record: Records = { command: commandOf(judged.call), decision: decision.kind };
        records.push(record);
        const entry: AuditEntry = {
          permit: async (receipt) => void Object.assign(record, { receipt }),
          close: async (outcome) => void Object.assign(record, { outcome }),
        };
        return judged.assessment.effect === 'read_only' ? entry : Promise.resolve(entry);
      },
    },
    guard,
    patience: ({ progress }, targets) => {
      if (progress === true || targets.length === 0) return undefined;
      const expiry = new AbortController();
      clock.setTimer(clock.now() + ANSWER_WITHIN_MS, () => expiry.abort(notSentYet(targets, ANSWER_WITHIN_MS / 1000)));
      return expiry.signal;
    },
    now: () => new Date(clock.now()),
    log: { debug: nothing, info: nothing, warn: nothing, error: nothing },
  };

  const forward = async (call: ToolCall, permit: Permit): Promise<DownstreamAnswer> => {
    Permit.take(permit, call);
    const command = commandOf(call);
    arrivals.push(arrive(world, clock.now(), command, hostsOf(call)));
    const takes = options.downstream?.(command) ?? 20;
    await clock.sleep(takes === 'dies' ? 10 : takes);
    if (takes === 'dies') throw new ProxyError('OUTCOME_UNKNOWN', 'The server is gone. It may have run.');
    return { kind: 'downstream', raw: Buffer.from('{}'), isError: false };
  };

  return {
    clock,
    world,
    zvms,
    arrivals,
    records,
    call: ({ session, command, hosts, progress, signal }) => {
      count += 1;
      const call: ToolCall = {
        id: `call_${count}`,
        session,
        agent: session,
        server: { name: 'ssh' },
        tool: 'run',
        arguments: { command, hosts },
        digest: `${session} ${command}`,
        raw: Buffer.alloc(0),
        progress,
      };
      return handleToolCall(deps, { forward }, call, { signal: signal ?? new AbortController().signal });
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.close()));
      await Promise.all(zvms.map((zvm) => zvm.close()));
      world.close();
    },
  };
}

/** What the downstream writes down of a call before it does anything, and what the call then does: one more in each VM's file. */
function arrive(world: World, at: number, command: string, hosts: readonly string[]): Arrival {
  const reads = command.startsWith('read');
  const vms = hosts.flatMap((name) => {
    const vm = world.vms.find((one) => one.name === name);
    if (vm === undefined && reads) return [];
    if (vm === undefined) throw new Error(`a change reached the downstream for ${name}, which is no VM`);
    const before = Number(world.read(vm.key, STATE_FILE)?.toString() ?? '0');
    if (!reads) world.write(vm.key, STATE_FILE, String(before + 1));
    const vpgs = world.vpgs.filter((vpg) => vpg.vms.includes(vm)).map((vpg) => ({ vpg, journal: vpg.journal.slice() }));
    return [{ key: vm.key, name, vmIdentifier: vm.vmIdentifier, before, vpgs }];
  });
  return { at, command, reads, vms };
}

/** The world as an inventory would list it, without the requests. */
function inventoryOf(world: World): Inventory {
  return {
    vms: async () =>
      world.vms.map((vm): Vm => {
        const vpgs = world.vpgs.filter((vpg) => vpg.vms.includes(vm));
        return {
          name: vm.name,
          vmIdentifier: vm.vmIdentifier,
          site: vm.site.name,
          addresses: vm.addresses,
          vpgs: vpgs.map((vpg) => ({
            name: vpg.name,
            vpgIdentifier: vpg.vpgIdentifier,
            site: vpg.protectedSite.name,
            profile: profileOf(vpg.entity, undefined) ?? 'vsphere',
            ...(vpg.state.subStatus !== 'None' && { blocked: String(vpg.state.subStatus) }),
          })),
        };
      }),
  };
}

function clientOf(zvm: Simulator, site: string, clock: DayClock): ZvmClient {
  return new ZvmClient({
    site,
    url: zvm.url,
    http: inProcess(zvm, site),
    login: { grant: 'password', clientId: 'zerto-client', username: zvm.user, password: async () => zvm.password },
    tls: { kind: 'fingerprint', fingerprint256: zvm.fingerprint256 },
    clock: { now: clock.now, sleep: (ms, signal) => clock.sleep(ms, signal) },
  });
}

/** No sockets: whatever takes time takes it on the one clock, so that each run is the same. */
function inProcess(zvm: Simulator, site: string): Http {
  return {
    site,
    pathOf: () => undefined,
    reaches: () => Promise.reject(new Error('there is no connection here')),
    open: () => Promise.reject(new Error('nothing is downloaded here')),
    close: async () => undefined,
    send: async (request, signal) => {
      signal.throwIfAborted();
      const query = Object.entries(request.query ?? {}).flatMap(([name, value]) =>
        value === undefined ? [] : [[name, value]],
      );
      const search = query.length === 0 ? '' : `?${new URLSearchParams(Object.fromEntries(query))}`;
      const asked = zvm.answer({
        method: request.method,
        path: `/${request.path}${search}`,
        authorization: request.bearer === undefined ? undefined : `Bearer ${request.bearer}`,
        contentType: request.form === undefined ? 'application/json' : 'application/x-www-form-urlencoded',
        text:
          request.form === undefined ? (JSON.stringify(request.json) ?? '') : String(new URLSearchParams(request.form)),
      });
      const answer = await abortable(asked, signal);
      if (answer === undefined)
        throw unreachable(site, request.endpoint, Object.assign(new Error('cut'), { code: 'ECONNRESET' }));
      return { ...answer, headers: {} };
    },
  };
}
function readCall({ arguments: given }: Pick<ToolCall, 'arguments'>): Reading {
  const call = { arguments: given };
  return {
    interceptor: 'day',
    roles: { command: 'command', hosts: 'host_list' },
    operations: [{ kind: 'command', language: 'bash', source: commandOf(call) }],
    hosts: hostsOf(call).map((value) => ({ value, argument: 'hosts' })),
  };
}

function commandOf({ arguments: given }: Pick<ToolCall, 'arguments'>): string {
  return String(given['command']);
}

function hostsOf({ arguments: given }: Pick<ToolCall, 'arguments'>): readonly string[] {
  return given['hosts'] as readonly string[];
}

function nothing(): void {
  // The log is not looked at here.
}
