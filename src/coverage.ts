import type { Appliances } from './appliances.js';
import type { Config } from './config/config.js';
import type { HostName, Reading, Server } from './domain/call.js';
import { ProxyError } from './domain/errors.js';
import type { TakeAim } from './domain/ports.js';
import type { Resolved, Target, Vm, Vpg } from './domain/target.js';
import type { Probe } from './zerto/recover-probe.js';

/** Where a host is named: by the config's `targets`, as a server's `target`, in a server's own configuration, or in ansible's inventory. */
export type NamedBy = 'targets' | 'target' | 'server' | 'inventory';

/** One VPG of a VM. Minutes and seconds on the appliance's clock; `problem`: why it takes no checkpoint, or its files cannot be recovered. */
export interface CoveredVpg {
  readonly name: string;
  readonly site: string;
  readonly journalMinutes?: number | undefined;
  readonly newestAgeSeconds?: number | undefined;
  readonly pins: boolean;
  readonly recoversFiles: boolean;
  readonly problems: readonly string[];
}

/** One host and what it leads to. `exempt`: an operator's rule lets its calls through, with this reason. */
export interface CoveredTarget {
  readonly host: string;
  readonly server?: string | undefined;
  readonly namedBy: NamedBy;
  readonly vm?: string | undefined;
  readonly vmIdentifier?: string | undefined;
  readonly vpgs: readonly CoveredVpg[];
  readonly rewindable: boolean;
  readonly exempt?: string | undefined;
  /** The one VM that reports the address of a host that nothing else tells: for an operator to confirm. */
  readonly reportedBy?: string | undefined;
  /** What a trial with the newest checkpoint showed, where one was asked for. `ms`: to mount, list and unmount. */
  readonly probe?: { readonly ok: boolean; readonly ms?: number; readonly volumes?: readonly string[] } | undefined;
  readonly why: readonly string[];
}

/** `open`: servers of which no list of hosts is known; what their calls name is looked up then. */
export interface Coverage {
  readonly ok: boolean;
  readonly targets: readonly CoveredTarget[];
  readonly open: readonly string[];
}

export interface CoverageParts {
  readonly config: Config;
  readonly appliances: Appliances;
  readonly aim: TakeAim;
  /** The names that a server's own configuration knows; undefined where nothing is known of it. */
  readonly list: (server: Server) => Promise<readonly string[] | undefined>;
  readonly servers: readonly Server[];
  /** Whether a server runs ansible, whose inventory names its hosts. */
  readonly runsAnsible: (server: Server) => boolean;
  /** Mounts a VM's newest checkpoint, lists it and unmounts: proof that files come back. Only where it is asked for. */
  readonly probe?: ((vm: Vm, signal: AbortSignal) => Promise<Probe>) | undefined;
}

interface Named {
  readonly host: HostName;
  readonly server: Server;
  readonly namedBy: NamedBy;
}

/** A server that nobody has named: what `targets` says holds for all. */
const ANY: Server = { name: '' };

/** Looks every known host up as a call's would be, and each of its VPGs. Rejects where no appliance can be asked. */
export async function coverage(parts: CoverageParts, signal: AbortSignal): Promise<Coverage> {
  const { config, servers } = parts;
  const listed = await Promise.all(servers.map(async (server) => ({ server, names: await parts.list(server) })));
  const inventories = servers.filter((server) => server.target === undefined && parts.runsAnsible(server));
  const named: readonly Named[] = [
    ...Object.keys(config.targets).map((name): Named => ({ host: at(name), server: ANY, namedBy: 'targets' })),
    ...servers.flatMap((server): Named[] =>
      server.target === undefined ? [] : [{ host: at(server.target), server, namedBy: 'target' }],
    ),
    ...listed.flatMap(({ server, names = [] }) =>
      names.map((name): Named => ({ host: at(name), server, namedBy: 'server' })),
    ),
    ...inventories.map((server): Named => ({ host: at('all'), server, namedBy: 'inventory' })),
  ];
  const vpgs = new Map<string, Promise<CoveredVpg>>();
  const look = (vpg: Vpg): Promise<CoveredVpg> => {
    const known = vpgs.get(vpg.vpgIdentifier) ?? vpgOf(vpg, parts.appliances, signal);
    vpgs.set(vpg.vpgIdentifier, known);
    return known;
  };
  const looks: Looks = { look, tryOut: oneByOne(parts.probe, signal) };
  const targets = (await Promise.all(named.map((each) => coveredBy(each, parts, looks, signal)))).flat();
  return {
    ok: targets.every(({ rewindable, exempt }) => rewindable || exempt !== undefined),
    targets,
    open: listed.flatMap(({ server, names }) =>
      server.target === undefined && names === undefined && !inventories.includes(server) ? [server.name] : [],
    ),
  };
}

function at(value: string): HostName {
  return { value, argument: 'host' };
}

async function coveredBy(
  { host, server, namedBy }: Named,
  { aim }: CoverageParts,
  looks: Looks,
  signal: AbortSignal,
): Promise<readonly CoveredTarget[]> {
  // What the server's own `target` names is looked up as it stands.
  const asked = namedBy === 'target' ? { ...server, target: undefined } : server;
  const reading: Reading =
    namedBy === 'inventory'
      ? { interceptor: 'none', roles: {}, operations: [], hosts: [], ansible: [EVERY_HOST] }
      : { interceptor: 'none', roles: { host: 'host' }, operations: [], hosts: [host] };
  const found = await aim(reading, asked, signal);
  const base = { ...(server !== ANY && { server: server.name }), namedBy };
  const all: readonly Resolved[] = found.hosts ?? [
    ...found.targets.map((target) => ({ kind: 'target', target }) as const),
    ...found.problems.map((problem) => ({ kind: 'problem', problem }) as const),
  ];
  return Promise.all(
    all.map(async (each): Promise<CoveredTarget> => {
      const named = namedBy === 'inventory' ? hostOf(each) : host.value;
      if (each.kind === 'target') return { ...base, host: named, ...(await ofTarget(each.target, looks)) };
      const { kind, why, found: near, reportedBy } = each.problem;
      if (kind === 'exempt')
        return { ...base, host: named, vpgs: [], rewindable: false, exempt: why, why: [`exempt: ${why}`] };
      return {
        ...base,
        host: named,
        vpgs: [],
        rewindable: false,
        ...(reportedBy !== undefined && { reportedBy }),
        why: [[`${kind}: ${why}`, ...near].join('; ')],
      };
    }),
  );
}

/** A run on all hosts of the inventory that ansible finds by itself. */
const EVERY_HOST = { argument: 'inventory', pattern: 'all', inventories: [] } as const;

function hostOf(each: Resolved): string {
  return each.kind === 'target' ? each.target.host : each.problem.host;
}

async function ofTarget(
  { vm }: Target,
  { look, tryOut }: Looks,
): Promise<Pick<CoveredTarget, 'vm' | 'vmIdentifier' | 'vpgs' | 'rewindable' | 'probe' | 'why'>> {
  const vpgs = await Promise.all(vm.vpgs.map(look));
  const blocked = vpgs.filter(({ pins }) => !pins);
  const recovers = vpgs.some(({ recoversFiles }) => recoversFiles);
  const failed = [...blocked, ...(recovers ? [] : vpgs)];
  const why = [
    ...new Set(failed.flatMap(({ name, problems }) => problems.map((problem) => `VPG ${name}: ${problem}`))),
  ];
  const covered = {
    vm: vm.name,
    vmIdentifier: vm.vmIdentifier,
    vpgs,
    rewindable: blocked.length === 0 && recovers,
    why,
  };
  const tried = await tryOut(vm);
  if (tried === undefined) return covered;
  if (tried.kind === 'ok') return { ...covered, probe: { ok: true, ms: tried.ms, volumes: tried.volumes } };
  return { ...covered, rewindable: false, probe: { ok: false }, why: [...why, `probe: ${tried.why}`] };
}

/** How VPGs and VMs are looked at: each once. */
interface Looks {
  readonly look: (vpg: Vpg) => Promise<CoveredVpg>;
  readonly tryOut: (vm: Vm) => Promise<Probe | undefined>;
}

/** One mount at a time, and each VM once: an appliance has few mounts to give. */
function oneByOne(probe: CoverageParts['probe'], signal: AbortSignal): Looks['tryOut'] {
  const tried = new Map<string, Promise<Probe>>();
  let last: Promise<unknown> = Promise.resolve();
  return async (vm) => {
    if (probe === undefined) return undefined;
    const known = tried.get(vm.vmIdentifier);
    if (known !== undefined) return known;
    const next = last
      .then(() => probe(vm, signal))
      .catch((error: unknown): Probe => {
        signal.throwIfAborted();
        return { kind: 'no', why: error instanceof Error ? error.message : String(error) };
      });
    tried.set(vm.vmIdentifier, next);
    last = next.catch(() => undefined);
    return next;
  };
}

async function vpgOf(vpg: Vpg, appliances: Appliances, signal: AbortSignal): Promise<CoveredVpg> {
  const [pins, files] = await Promise.all([pinsOf(vpg, appliances, signal), filesOf(vpg, appliances, signal)]);
  return { name: vpg.name, site: vpg.site, ...pins, ...files, problems: [...pins.problems, ...files.problems] };
}

async function pinsOf(
  vpg: Vpg,
  { checkpoints }: Appliances,
  signal: AbortSignal,
): Promise<Pick<CoveredVpg, 'pins' | 'journalMinutes' | 'newestAgeSeconds' | 'problems'>> {
  try {
    const [{ newest, oldest }, now] = await Promise.all([
      checkpoints.before(vpg, signal),
      checkpoints.now(vpg.site, signal),
    ]);
    if (newest === undefined) return { pins: false, problems: ['its journal is empty'] };
    const from = Date.parse(oldest?.timestamp ?? newest.timestamp);
    const to = Date.parse(newest.timestamp);
    return {
      pins: true,
      journalMinutes: Math.round((to - from) / 60_000),
      newestAgeSeconds: Math.max(0, Math.round((now.getTime() - to) / 1000)),
      problems: [],
    };
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    return { pins: false, problems: [error.message.replace(/ The call was not sent\./g, '')] };
  }
}

async function filesOf(
  vpg: Vpg,
  { recovery }: Appliances,
  signal: AbortSignal,
): Promise<Pick<CoveredVpg, 'recoversFiles' | 'problems'>> {
  const answer = await (await recovery()).recoverable(vpg, signal);
  return answer.kind === 'yes'
    ? { recoversFiles: true, problems: [] }
    : { recoversFiles: false, problems: [`no file can be recovered: ${answer.why}`] };
}
