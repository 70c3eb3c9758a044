import type { HostName, Reading, Server, ToolCall, ToolDescription } from '../src/domain/call.js';
import type { Downstream, DownstreamAnswer, Interceptor, TakeAim } from '../src/domain/ports.js';
import { type Aim, NO_AIM, type TargetProblem } from '../src/domain/target.js';
import { CATALOGS } from './catalog/index.js';
import { catalogued, knownTool, type ToolCatalog } from './catalogued.js';
import { Connections } from './connections.js';
import { generic } from './generic.js';
import { type Handles, noteOpening } from './handles.js';
import { SSH_CATALOG } from './ssh.js';
import { MANAGER_CATALOG, MANAGER_NAMES_CATALOG } from './ssh-manager.js';
import { securedCatalog } from './ssh-secured.js';
import { standFor, type Whereabouts } from './stand-for.js';
import type { RuleReader } from './user-rules.js';

/** Reading and aiming for one session, which remembers what its calls have opened, for each server apart. */
export interface SessionReaders {
  /** The first that claims a call reads it; `generic` claims what is left. A new family is one file and one line here. */
  readonly interceptors: readonly Interceptor[];
  /** The hosts that sessions and connections were opened to, in place of their names; one that nothing here opened is a problem. */
  aim(inner: TakeAim): TakeAim;
  /** Sees each call go out and its answer come back. */
  watch(downstream: Downstream): Downstream;
}

/** `rules`: an operator's, which read before all others and excuse nothing that the server's catalog doubts. */
export function sessionReaders(rules?: RuleReader): SessionReaders {
  const opened = new Map<string, Connections>();
  const of = (server: Server): Connections => {
    const known = opened.get(server.name) ?? new Connections();
    opened.set(server.name, known);
    return known;
  };
  const catalogs = [securedCatalog(of), SSH_CATALOG, MANAGER_CATALOG, MANAGER_NAMES_CATALOG, ...CATALOGS];
  const originOf = origins(catalogs);
  const ofReading = new WeakMap<Reading, Origin>();
  const tracked = (reader: Interceptor): Interceptor => ({
    ...reader,
    read: (call) => {
      const reading = reader.read(call);
      const origin = originOf(call);
      if (origin === undefined) return reading;
      const whole = { ...reading, operations: [...reading.operations, ...(origin.catalog.doubts?.(call) ?? [])] };
      ofReading.set(whole, origin);
      return whole;
    },
  });
  const noting = (note: Note, forward: () => Promise<DownstreamAnswer>): Promise<DownstreamAnswer> => {
    // Before it is sent: the call after it may come first.
    note();
    return forward().then((answer) => {
      note(answer);
      return answer;
    });
  };
  const noteOf = (call: ToolCall): Note | undefined => {
    const origin = originOf(call);
    if (origin !== undefined && opensSomething(origin, call.tool))
      return (answer) => noteCall(call, origin, of(call.server), answer);
    const opening = rules?.opens(call);
    return opening && ((answer) => noteOpening(opening, call, of(call.server), answer));
  };
  const others = [...catalogs.map(catalogued), tracked(generic)];
  return {
    interceptors: rules === undefined ? others : [tracked(rules), ...others],
    aim: (inner) => async (reading, server, signal, reach) => {
      const own = catalogs.find((catalog) => catalog.name === reading.interceptor);
      const origin = own === undefined ? ofReading.get(reading) : { catalog: own, known: true };
      if (origin?.catalog === MANAGER_NAMES_CATALOG) return { ...NO_AIM, problems: [REDEFINES] };
      const found = standFor(reading, server, handlesOf(origin), of(server));
      return aimAt(found, (hosts, isFirst) =>
        inner({ ...reading, hosts }, server, signal, isFirst ? reach : undefined),
      );
    },
    watch: (downstream) => ({
      forward: (call, permit) => {
        const note = noteOf(call);
        return note === undefined
          ? downstream.forward(call, permit)
          : noting(note, () => downstream.forward(call, permit));
      },
    }),
  };
}

/** Takes down what a call opens: without an answer before it is sent, then with its answer. */
type Note = (answer?: DownstreamAnswer) => void;

/** The catalog that a call's tool belongs to, whoever reads the call. `known`: the tool is as catalogued. */
interface Origin {
  readonly catalog: ToolCatalog;
  readonly known: boolean;
}

type OriginOf = (call: Pick<ToolCall, 'server' | 'tool' | 'description'>) => Origin | undefined;

/** Looked up once for each description: a new tool list brings new ones. */
function origins(catalogs: readonly ToolCatalog[]): OriginOf {
  const last = new WeakMap<ToolDescription, { readonly server: Server; readonly origin: Origin | undefined }>();
  const byName: OriginOf = ({ server, tool }) => {
    const named = catalogs.find((each) => each.server === server.info?.name && each.tools.has(tool));
    return named && { catalog: named, known: false };
  };
  return (call) => {
    const { server, tool, description } = call;
    if (description === undefined) return byName(call);
    const found = last.get(description);
    if (found?.server === server && tool === description.name) return found.origin;
    const exact = catalogs.find((each) => knownTool(each, server, tool, description));
    const origin = exact === undefined ? byName(call) : { catalog: exact, known: true };
    if (tool === description.name) last.set(description, { server, origin });
    return origin;
  };
}

/** Of a tool that differs from its catalog it is not known that no other tool changes the operator's names. */
function handlesOf(origin: Origin | undefined): Handles | undefined {
  const handles = origin?.catalog.handles;
  return handles?.names === 'operator' && origin?.known !== true ? undefined : handles;
}

/** Only a tool that a catalog knows opens anything. */
function opensSomething({ catalog }: Origin, tool: string): boolean {
  return catalog.note !== undefined || catalog.tools.get(tool)?.opens !== undefined;
}

function noteCall(
  call: ToolCall,
  { catalog, known }: Origin,
  connections: Connections,
  answer?: DownstreamAnswer,
): void {
  catalog.note?.(call, connections, known, answer);
  const opens = catalog.tools.get(call.tool)?.opens;
  if (opens !== undefined) noteOpening(opens, call, connections, answer);
}

async function aimAt(
  { hosts, also, unknown }: Whereabouts,
  inner: (hosts: readonly HostName[], isFirst: boolean) => Promise<Aim>,
): Promise<Aim> {
  const aim = hosts.length > 0 || unknown.length === 0 ? await inner(hosts, true) : NO_AIM;
  return joined(aim, also.length > 0 ? await inner(also, false) : NO_AIM, unknown);
}

/** What a name that is also a handle leads to counts as well; where it leads nowhere, or to an exempt host, the handle alone does. */
function joined(aim: Aim, more: Aim, unknown: readonly TargetProblem[]): Aim {
  const failure = aim.failure ?? more.failure;
  const seen = new Set(aim.targets.map(({ vm }) => vm.vmIdentifier));
  const added = more.targets.filter(({ vm }) => !seen.has(vm.vmIdentifier));
  const doubled = more.problems.filter(({ kind }) => kind === 'ambiguous' || kind === 'unprotected');
  return {
    hosts: [
      ...(aim.hosts ?? []),
      ...(more.hosts ?? []).filter((host) => host.kind === 'target'),
      ...[...doubled, ...unknown].map((problem) => ({ kind: 'problem', problem }) as const),
    ],
    targets: [...aim.targets, ...added],
    problems: [...aim.problems, ...doubled, ...unknown],
    ...(failure !== undefined && { failure }),
  };
}

const REDEFINES: TargetProblem = {
  host: '',
  kind: 'unresolved',
  why: 'the call changes what later calls of this server mean, and no checkpoint takes that back',
  found: [],
};
