import { randomUUID } from 'node:crypto';
import { addCheckpoint } from './journal.js';
import type { SimTask, SimVpg, Site, State, TaskType } from './state.js';
import { blockedReason } from './status.js';

/** What goes wrong with an insert that the appliance accepted. */
export type InsertTrouble =
  | { readonly kind: 'task_failed'; readonly reason: string }
  | { readonly kind: 'never_listed' }
  | { readonly kind: 'truncate'; readonly length: number }
  | { readonly kind: 'slow'; readonly ms: number };

/** Registers a task; it ends after `durationMs`. */
export function startTask(
  state: State,
  task: {
    readonly site: Site;
    readonly type: TaskType;
    readonly by: string;
    readonly vpg: SimVpg;
    readonly detail: string;
  },
  durationMs: number,
  session?: string,
): SimTask {
  const started = state.clock.now();
  const taskIdentifier = `${randomUUID()}.${task.site.siteIdentifier}`;
  const made: SimTask = {
    ...task,
    taskIdentifier,
    started,
    completes: started + durationMs,
    failure: undefined,
    session,
  };
  state.tasks.push(made);
  if (state.tasks.length > TASKS_KEPT) state.tasks = state.tasks.slice(-TASKS_KEPT / 2);
  return made;
}

const TASKS_KEPT = 20_000;

/**
 * Accepts a tag: the task runs from now, the content is that of `stampMs` later, the list shows it at `listedMs`.
 * Where the VPG leaves the state that takes tags before the tag's moment, nothing is ever listed; a task that still runs fails.
 */
export function insertTag(
  state: State,
  insert: { readonly vpg: SimVpg; readonly site: Site; readonly tag: string; readonly by: string },
  trouble?: InsertTrouble,
): SimTask {
  const { vpg, tag } = insert;
  const slow = trouble?.kind === 'slow' ? trouble.ms : 0;
  const task = startTask(state, { ...insert, type: 'InsertTaggedCP', detail: tag }, vpg.timings.completedMs + slow);
  task.failure = trouble?.kind === 'task_failed' ? trouble.reason : blockedReason(vpg.state);
  if (task.failure !== undefined) return task;

  const at = task.started + vpg.timings.stampMs + slow;
  const listedAt =
    trouble?.kind === 'never_listed' ? Number.POSITIVE_INFINITY : task.started + vpg.timings.listedMs + slow;
  const name = trouble?.kind === 'truncate' ? tag.slice(0, trouble.length) : tag;
  const { epoch } = vpg;
  const take = (): void => {
    if (state.closed) return;
    const reason = epoch === vpg.epoch ? blockedReason(vpg.state) : 'The journal was reset.';
    if (reason !== undefined) {
      if (state.clock.now() < task.completes) task.failure = reason;
      return;
    }
    const moment = Math.max(at, state.clock.now());
    addCheckpoint(state, vpg, moment, { name, listedAt: Math.max(listedAt, moment) });
  };
  if (at <= task.started) take();
  else state.clock.setTimer(at, take);
  return task;
}

export type TaskState = {
  readonly state: 1 | 4 | 6;
  readonly progress: number;
  readonly completed: number | undefined;
};

/** Where a task stands: 1 in progress, 4 failed, 6 completed. */
export function taskState(task: SimTask, now: number): TaskState {
  if (now >= task.completes) {
    return { state: task.failure === undefined ? 6 : 4, progress: 100, completed: task.completes };
  }
  const part = Number.isFinite(task.completes) ? (now - task.started) / (task.completes - task.started) : 0;
  return { state: 1, progress: Math.min(90, Math.floor(part * 100)), completed: undefined };
}
