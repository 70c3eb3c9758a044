import { checkpointOf, mount, unmount } from '../flr.js';
import type { FlrSession } from '../state.js';
import { browse } from './browse.js';
import {
  denied,
  type Exchange,
  field,
  type Handler,
  matches,
  no,
  ok,
  Refusal,
  type Reply,
  type Row,
  rowOf,
  textField,
} from './exchange.js';
import { Moment } from './render.js';
import { flrReason } from './vms.js';

/** Mounts a checkpoint of the journal for one VM; answers the session's identifier at once. */
export const mountFlr: Handler = (exchange) => {
  const jflr = field(exchange.body, 'jflr');
  if (typeof jflr !== 'object' || jflr === null) return no(400, 'The jflr data is missing.');
  const row = rowOf(exchange, textField(jflr, 'vmIdentifier') ?? '', textField(jflr, 'vpgIdentifier') ?? '');
  const refused = refusedMount(exchange, row);
  if (refused !== undefined) return refused;
  const fault = exchange.faults.take('mount', row.vm.key);
  if (fault?.kind === 'refuse') return no(fault.status, fault.message);
  const identifier = textField(jflr, 'checkpointIdentifier') ?? '';
  const checkpoint = checkpointOf(exchange.world, row.vpg, identifier);
  if (checkpoint === undefined) return no(404, `Checkpoint ${identifier} does not exist in the journal.`);
  const request = {
    ...row,
    site: exchange.site,
    selectedPath: textField(jflr, 'initialDownloadPath'),
    by: exchange.user,
  };
  const session = mount(exchange.world, request, checkpoint, {
    durationMs: exchange.knobs.mountMs,
    outcome: fault === undefined ? 'ready' : OUTCOMES[fault.kind],
  });
  return fault?.kind === 'drop_answer' ? { kind: 'drop' } : ok(session.flrSessionIdentifier);
};

const OUTCOMES = { hang: 'hang', fail: 'fails', drop_answer: 'ready' } as const;

function refusedMount(exchange: Exchange, row: Row): Reply | undefined {
  const { knobs, world, site } = exchange;
  if (knobs.denied.includes('flr')) return denied(exchange);
  const reason = flrReason(exchange, row);
  if (reason !== undefined) return no(400, reason);
  const open = world.sessions.filter((session) => session.site === site).length;
  return open < knobs.maxFlrSessions
    ? undefined
    : no(409, 'The maximum number of file level restore sessions is reached.');
}

export const listFlrs: Handler = (exchange) =>
  ok(
    sessionsHere(exchange)
      .filter(({ vmIdentifier }) => matches(exchange, 'vmIdentifier', vmIdentifier))
      .map(sessionRow),
  );

export const getFlr: Handler = (exchange) => {
  const row = sessionRow(sessionOf(exchange));
  return ok(exchange.knobs.flrSingle === 'array' ? [row] : row);
};

/** Starts the unmount; the session shows UnmountInProgress until it is gone. */
export const deleteFlr: Handler = (exchange) => {
  const session = sessionOf(exchange);
  const fault = exchange.faults.take('unmount', session.vmIdentifier);
  if (fault?.kind === 'refuse') return no(fault.status, fault.message);
  if (session.status === 'UnmountInProgress') return no(409, 'The session is being unmounted.');
  for (const [key, { session: id }] of exchange.downloads)
    if (id === session.flrSessionIdentifier) exchange.downloads.delete(key);
  const plan = { durationMs: exchange.knobs.unmountMs, hang: fault?.kind === 'hang' };
  return ok(unmount(exchange.world, session, exchange.user, plan).taskIdentifier);
};

/** One folder of a mounted session; the empty path lists the volumes. */
export const browseFlr: Handler = (exchange) => {
  const session = mountedSession(exchange);
  const path = field(exchange.body, 'path') ?? '';
  if (typeof path !== 'string') return no(400, 'The path is not valid.');
  const [page, size] = [field(exchange.body, 'pageNumber'), field(exchange.body, 'pageSize')];
  const pageSize = typeof size === 'number' && size > 0 ? size : exchange.knobs.defaultPageSize;
  const fault = exchange.faults.take('browse', path);
  const number = typeof page === 'number' && page > 1 ? page : 1;
  const answer = browse(session.root, path, { number, size: pageSize }, exchange.knobs.backslash);
  return ok(fault === undefined ? answer : { ...answer, PathItems: answer.PathItems.slice(0, fault.items) });
};

function sessionsHere({ world, site }: Exchange): FlrSession[] {
  return world.sessions.filter((session) => session.site === site);
}

function sessionOf(exchange: Exchange): FlrSession {
  const identifier = exchange.params[0]?.toLowerCase();
  const found = sessionsHere(exchange).find(({ flrSessionIdentifier }) => flrSessionIdentifier === identifier);
  if (found === undefined) throw new Refusal(404, 'The file level restore session was not found.');
  return found;
}

/** The session of the path. Throws a refusal unless it is ready. */
export function mountedSession(exchange: Exchange): FlrSession {
  const session = sessionOf(exchange);
  if (session.status !== 'MountCompletedSuccessfully')
    throw new Refusal(409, `The session is in status ${session.status}.`);
  return session;
}

function sessionRow(session: FlrSession) {
  return {
    FlrSessionIdentifier: session.flrSessionIdentifier,
    FlrSessionStatus: session.status,
    FlrSessionType: 'jflr',
    VmIdentifier: session.vmIdentifier,
    VmVolumeIdentifier: null,
    VpgIdentifier: session.vpg.vpgIdentifier,
    CheckpointIdentifier: String(session.checkpoint.id),
    MountTime: new Moment(session.mountTime),
    SelectedPath: session.selectedPath ?? null,
    NumberOfRelatedRunningTasks: session.runningTasks,
    RepositoryIdentifier: null,
    RetentionSetIdentifier: null,
    SiteIdentifier: session.site.siteIdentifier,
  };
}
