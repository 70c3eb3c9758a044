import type { SimCheckpoint, SimVpg } from '../../src/simulator/state.js';
import { find } from '../../src/simulator/tree.js';

/** What the downstream knows of a call that reached it; the journals are the appliance's own at that moment, not what it told. */
export interface Arrival {
  /** World time. */
  readonly at: number;
  readonly command: string;
  readonly reads: boolean;
  readonly vms: readonly {
    readonly key: string;
    readonly name: string;
    readonly vmIdentifier: string;
    /** How many calls had changed the VM before this one. */
    readonly before: number;
    readonly vpgs: readonly { readonly vpg: SimVpg; readonly journal: readonly SimCheckpoint[] }[];
  }[];
}

/** A receipt as a client reads it from an answer; the shape is the product's contract, not its code. */
export interface SeenReceipt {
  readonly id: string;
  readonly sharedWith?: readonly string[] | undefined;
  readonly vms: readonly {
    readonly vmIdentifier: string;
    readonly vpgs: readonly {
      readonly vpgIdentifier: string;
      readonly tag: { readonly name: string; readonly checkpointIdentifier: string };
      readonly recoverFrom: { readonly checkpointIdentifier: string };
    }[];
  }[];
}

/** What a client saw of a call in the end, over all attempts. */
export interface Seen {
  readonly command: string;
  readonly reads: boolean;
  /** `may_have_run`: sent, no answer came. */
  readonly end: 'answered' | 'not_sent' | 'may_have_run';
  readonly receipt?: SeenReceipt | undefined;
}

/** Every broken promise, in words; none for a day on which all was as it should be. */
export function faultsOf(seen: readonly Seen[], arrivals: readonly Arrival[]): readonly string[] {
  const times = new Map<string, number>();
  for (const { command } of arrivals) times.set(command, (times.get(command) ?? 0) + 1);
  const known = new Set(seen.map(({ command }) => command));
  const strays = arrivals.filter(({ command }) => !known.has(command)).map(({ command }) => `nobody sent ${command}`);
  return [
    ...strays,
    ...seen.flatMap((call) => countFaults(call, times.get(call.command) ?? 0)),
    ...pointFaults(seen, arrivals),
  ];
}

/** No call is lost or doubled. */
function countFaults({ command, end, receipt, reads }: Seen, times: number): readonly string[] {
  const right = end === 'not_sent' ? times === 0 : times === 1;
  const bare = end === 'answered' && !reads && receipt === undefined ? [`${command} has no receipt`] : [];
  return right ? bare : [...bare, `${command}, which ended as ${end}, reached the downstream ${times} times`];
}

/** Each change has its tag on every VPG, listed before it, and a point that holds what was there before it and nothing of it. */
function pointFaults(seen: readonly Seen[], arrivals: readonly Arrival[]): readonly string[] {
  const receipts = new Map(seen.map(({ command, receipt }) => [command, receipt]));
  return arrivals.flatMap((arrival) => {
    const receipt = receipts.get(arrival.command);
    if (arrival.reads || receipt === undefined) return [];
    return arrival.vms.flatMap((vm) => {
      const told = receipt.vms.find(({ vmIdentifier }) => vmIdentifier === vm.vmIdentifier);
      if (vm.vpgs.length === 0) return [`${arrival.command} reached ${vm.name}, which nothing protects`];
      return vm.vpgs.flatMap(({ vpg, journal }) => {
        const point = told?.vpgs.find(({ vpgIdentifier }) => vpgIdentifier === vpg.vpgIdentifier);
        const what = `${arrival.command} on ${vm.name} in ${vpg.name}`;
        if (point === undefined) return [`${what}: no tag`];
        return [
          ...tagFaults(what, point.tag, journal, arrival.at),
          ...stateFaults(what, vm, point, journal, { arrivals, arrival, receipt, receipts }),
        ];
      });
    });
  });
}

function tagFaults(
  what: string,
  tag: { readonly name: string; readonly checkpointIdentifier: string },
  journal: readonly SimCheckpoint[],
  at: number,
): readonly string[] {
  const entry = journal.find(({ id }) => String(id) === tag.checkpointIdentifier);
  if (entry?.tag === undefined) return [`${what}: its tag is not in the journal`];
  if (!tag.name.startsWith(entry.tag)) return [`${what}: its tag is another call's`];
  return entry.listedAt <= at ? [] : [`${what}: its tag was listed ${entry.listedAt - at} ms too late`];
}

interface Day {
  readonly arrival: Arrival;
  readonly arrivals: readonly Arrival[];
  readonly receipt: SeenReceipt;
  readonly receipts: ReadonlyMap<string, SeenReceipt | undefined>;
}

function stateFaults(
  what: string,
  vm: Arrival['vms'][number],
  point: SeenReceipt['vms'][number]['vpgs'][number],
  journal: readonly SimCheckpoint[],
  { arrival, arrivals, receipt, receipts }: Day,
): readonly string[] {
  const identifier = point.recoverFrom.checkpointIdentifier;
  const own = point.tag.checkpointIdentifier === identifier;
  const entry = journal.find(({ id }) => String(id) === identifier);
  if (entry === undefined) return [`${what}: the point to recover from is not in the journal`];
  const node = find(entry.images.get(vm.key) ?? { kind: 'folder', modified: 0, children: new Map() }, ['srv', 'state']);
  const held = node?.kind === 'file' ? Number(node.blob.read().toString()) : 0;
  if (held > vm.before) return [`${what}: the point to recover from holds the change itself (${held} > ${vm.before})`];
  if (!own) return [];
  // Where it is the call's own tag, only calls that share it may stand between it and this one.
  const others = arrivals.filter(
    (other) =>
      !other.reads &&
      other !== arrival &&
      other.vms.some(({ key, before }) => key === vm.key && before >= held && before < vm.before),
  );
  const strangers = others.filter(({ command }) => {
    const id = receipts.get(command)?.id;
    return id !== undefined && receipt.sharedWith?.includes(id) !== true;
  });
  return strangers.map(
    ({ command }) => `${what}: its point lacks the change of ${command}, which does not share its tag`,
  );
}
