import { ProxyError } from '../domain/errors.js';
import type { Before } from '../domain/ports.js';
import type { Checkpoint } from '../domain/receipt.js';
import type { Vpg } from '../domain/target.js';
import { quote } from '../domain/text.js';
import type { ZvmClient } from './client.js';
import type { Clock } from './clock.js';
import { statusOf } from './failure.js';
import { findTag } from './find-tag.js';
import { notPinned } from './not-pinned.js';
import { nextLook, QUICK_LOOKS, type Timing } from './profiles.js';
import type { Task } from './shapes.js';

/** An insert that was sent, and how its tag is awaited. No task id: its answer was lost. Times are of the injected clock. */
export interface Watch {
  readonly client: ZvmClient;
  readonly vpg: Vpg;
  readonly tag: string;
  readonly before: Before;
  readonly since: Date;
  readonly startedAt: number;
  readonly taskIdentifier: string | undefined;
  readonly timing: Timing;
  readonly clock: Clock;
}

/** What the looks so far have shown of the task. */
interface Seen {
  task: 'running' | 'done' | 'unknown';
  /** Looks at short distance that are left after a task that ended early. */
  quick: number;
  trouble: unknown;
}

/** Resolves when the list shows the tag. Rejects with CHECKPOINT_NOT_PINNED where the task failed or the time is over. */
export async function awaitTag(watch: Watch, signal: AbortSignal): Promise<Checkpoint> {
  const task = watch.taskIdentifier === undefined ? 'unknown' : 'running';
  const seen: Seen = { task, quick: 0, trouble: undefined };
  // A lost answer is looked for at once: its tag may be listed since long.
  if (seen.task === 'unknown') {
    const found = await lookAtList(watch, seen, signal);
    if (found !== undefined) return found;
  }
  for (;;) {
    const elapsed = watch.clock.now() - watch.startedAt;
    if (elapsed >= watch.timing.timeoutMs) throw timedOut(watch, seen);
    const look = nextLook(watch.timing, elapsed, seen.quick);
    seen.quick = Math.max(0, seen.quick - 1);
    await watch.clock.sleep(look.atMs - elapsed, signal);
    signal.throwIfAborted();
    const found = await LOOKS[look.kind](watch, seen, signal);
    if (found !== undefined) return found;
  }
}

const LOOKS = { early: lookEarly, due: lookAtList, overdue: lookOverdue } as const;

/** The task first: nothing is listed before it is done. */
async function lookEarly(watch: Watch, seen: Seen, signal: AbortSignal): Promise<Checkpoint | undefined> {
  const before = seen.task;
  await lookAtTask(watch, seen, signal);
  if (seen.task === 'running') return undefined;
  if (before === 'running') seen.quick = QUICK_LOOKS;
  return lookAtList(watch, seen, signal);
}

/** The list first: the tag is due. */
async function lookOverdue(watch: Watch, seen: Seen, signal: AbortSignal): Promise<Checkpoint | undefined> {
  const found = await lookAtList(watch, seen, signal);
  if (found === undefined) await lookAtTask(watch, seen, signal);
  return found;
}

async function lookAtList(watch: Watch, seen: Seen, signal: AbortSignal): Promise<Checkpoint | undefined> {
  try {
    const list = await watch.client.checkpoints(watch.vpg.vpgIdentifier, { since: watch.since }, signal);
    return findTag(list, watch.tag, watch.before.newest);
  } catch (error) {
    if (!passes(error)) throw error;
    seen.trouble = error;
    return undefined;
  }
}

async function lookAtTask(watch: Watch, seen: Seen, signal: AbortSignal): Promise<void> {
  if (seen.task !== 'running' || watch.taskIdentifier === undefined) return;
  try {
    const task = await watch.client.task(watch.taskIdentifier, signal);
    if (hasFailed(task)) throw failed(watch.vpg, task);
    if (task.state === 6) seen.task = 'done';
  } catch (error) {
    // Finished tasks may be forgotten; the list decides.
    if (statusOf(error) === 404) seen.task = 'unknown';
    else if (!passes(error)) throw error;
    else seen.trouble = error;
  }
}

/** Trouble that the next look may not meet: no answer, or an answer of a server in trouble. */
function passes(error: unknown): boolean {
  if (!(error instanceof ProxyError)) return false;
  if (error.code === 'ZVM_UNREACHABLE') return error.details['fingerprint256'] === undefined;
  const status = statusOf(error) ?? 0;
  return status >= 500 || status === 408 || status === 429;
}

function hasFailed(task: Task): boolean {
  return task.state === 4 || task.state === 5;
}

function failed(vpg: Vpg, task: Task): ProxyError {
  const reason = task.completeReason === undefined ? ' without a reason' : `: ${quote(task.completeReason)}`;
  return notPinned(
    vpg,
    `did not take the checkpoint: its task failed${reason}`,
    'The operator has to look at the VPG in Zerto; then send the call again.',
    { taskState: task.state, completeReason: task.completeReason },
  );
}

function timedOut(watch: Watch, seen: Seen): ProxyError {
  const seconds = Math.round(watch.timing.timeoutMs / 1000);
  const lost = watch.taskIdentifier === undefined ? ' (the answer to its insert was lost)' : '';
  return notPinned(
    watch.vpg,
    `did not list the checkpoint within ${seconds} s${lost}`,
    'It may still appear. Send the call again; if it stays so, the operator has to look at the VPG in Zerto.',
    { tag: watch.tag, task: seen.task, trouble: seen.trouble instanceof Error ? seen.trouble.message : undefined },
    seen.trouble,
  );
}
