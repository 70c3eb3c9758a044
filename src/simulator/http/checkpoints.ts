import { insertTag } from '../insert.js';
import { listed } from '../journal.js';
import type { SimCheckpoint, SimVpg } from '../state.js';
import { blockedReason } from '../status.js';
import { dateQuery, denied, type Exchange, type Handler, no, ok, type Reply, textField, vpgOf } from './exchange.js';
import { Moment } from './render.js';

export function checkpointRow(checkpoint: SimCheckpoint) {
  return {
    CheckpointIdentifier: String(checkpoint.id),
    TimeStamp: new Moment(checkpoint.at, true),
    Tag: checkpoint.tag ?? null,
    Type: 0,
  };
}

/** Those between startDate and endDate by the time they show, both included. */
export function between(exchange: Exchange, checkpoints: readonly SimCheckpoint[]): SimCheckpoint[] {
  const start = dateQuery(exchange, 'startDate') ?? Number.NEGATIVE_INFINITY;
  const end = dateQuery(exchange, 'endDate') ?? Number.POSITIVE_INFINITY;
  const { skewMs } = exchange.knobs;
  const shown = (at: number) => Math.floor((at + skewMs) / 1000) * 1000 - skewMs;
  return checkpoints.filter(({ at }) => shown(at) >= start && shown(at) <= end);
}

/** The whole journal, unpaged, in ascending order. */
export const listCheckpoints: Handler = (exchange) => {
  const vpg = vpgOf(exchange, exchange.params[0] ?? '');
  return ok(between(exchange, listed(vpg, exchange.now)).map(checkpointRow));
};

export const checkpointStats: Handler = (exchange) => {
  const points = listed(vpgOf(exchange, exchange.params[0] ?? ''), exchange.now);
  const [first, last] = [points[0], points.at(-1)];
  return ok({ Earliest: first ? checkpointRow(first) : null, Latest: last ? checkpointRow(last) : null });
};

/** Answers a task id at once; the tag is listed later. */
export const insertCheckpoint: Handler = (exchange) => {
  const vpg = vpgOf(exchange, exchange.params[0] ?? '');
  const tag = textField(exchange.body, 'checkpointName');
  if (tag === undefined) return no(400, 'The checkpoint name is missing.');
  return refused(exchange, vpg, tag) ?? accept(exchange, vpg, tag);
};

function refused(exchange: Exchange, vpg: SimVpg, tag: string): Reply | undefined {
  const { knobs } = exchange;
  if (knobs.denied.includes('checkpoint')) return denied(exchange);
  const reason = blockedReason(vpg.state);
  if (reason !== undefined && knobs.refusal === 'http') return no(knobs.refusalStatus, reason);
  const limit = knobs.maxTagLength;
  if (limit?.mode === 'reject' && tag.length > limit.length)
    return no(400, `The checkpoint name is longer than ${limit.length} characters.`);
  return undefined;
}

function accept({ world, site, user, knobs, faults }: Exchange, vpg: SimVpg, tag: string): Reply {
  const fault = faults.take('insert', vpg.name);
  if (fault?.kind === 'refuse') return no(fault.status, fault.message);
  const name = knobs.maxTagLength === undefined ? tag : tag.slice(0, knobs.maxTagLength.length);
  const trouble = fault?.kind === 'drop_answer' ? undefined : fault;
  const task = insertTag(world, { vpg, site, tag: name, by: user }, trouble);
  return fault?.kind === 'drop_answer' ? { kind: 'drop' } : ok(task.taskIdentifier);
}
