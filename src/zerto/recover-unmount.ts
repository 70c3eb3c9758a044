import { setTimeout as wait } from 'node:timers/promises';
import type { Mount, MountJournal } from './recover-mounts.js';
import type { FlrSession, RecoveryClient } from './recover-types.js';

/**
 * Milliseconds of this machine's clock: how long a mount may take to answer, to get ready and to go away; how long a mount
 * whose answer was lost is looked for; and the longest pause between polls.
 */
export interface RecoverLimits {
  readonly mount: number;
  readonly ready: number;
  readonly lost: number;
  readonly unmount: number;
  readonly poll: number;
}

export const RECOVER_LIMITS: RecoverLimits = {
  mount: 120_000,
  ready: 600_000,
  lost: 15_000,
  unmount: 120_000,
  poll: 1_000,
};

const FIRST_PAUSE = 50;

/** Waits between looks at something that may be over soon: from 50 ms on, twice as long each time, up to `longest`. */
export function pausesUpTo(longest: number): (signal?: AbortSignal) => Promise<void> {
  let next = FIRST_PAUSE;
  return async (signal) => {
    const ms = Math.min(next, longest);
    next *= 2;
    await wait(ms, undefined, signal === undefined ? {} : { signal });
  };
}

const GONE = /^(NotMounted|Unmount(ed|CompletedSuccessfully))$/i;
const GOING = /^Unmount(InProgress|ing)$/i;

/**
 * Ends what a journal entry stands for: `nothing` where the appliance has no session of it, `left` where one is still there
 * after the deadline. The entry goes unless something is left, or `keep` and nothing was found.
 */
export async function endMount(
  client: RecoveryClient,
  mount: Mount,
  tools: { readonly mounts: MountJournal },
  limits: RecoverLimits,
  keep: boolean,
): Promise<'ended' | 'nothing' | 'left'> {
  const entries = await tools.mounts.list();
  const known = entries.find((entry) => entry.key === mount.key)?.session ?? mount.session;
  const sessions = known === undefined ? await unclaimed(client, mount, entries, limits) : [known];
  const ended = await Promise.all(sessions.map((session) => endSession(client, session, limits)));
  if (ended.includes(false)) return 'left';
  if (sessions.length > 0 || !keep) await tools.mounts.remove(mount.key);
  return sessions.length > 0 ? 'ended' : 'nothing';
}

/** Sessions of the same VM, VPG and checkpoint that came after the mount was announced and that no other mount claims. */
async function unclaimed(
  client: RecoveryClient,
  mount: Mount,
  entries: readonly Mount[],
  limits: RecoverLimits,
): Promise<string[]> {
  const claimed = new Set([...mount.before, ...entries.flatMap((entry) => entry.session ?? [])]);
  const sessions = await persist(limits, () =>
    client.sessions(mount.vmIdentifier, AbortSignal.timeout(limits.unmount)),
  );
  return sessions
    .filter((session) => isOf(session, mount) && !claimed.has(session.sessionIdentifier))
    .map((session) => session.sessionIdentifier);
}

function isOf(session: FlrSession, mount: Mount): boolean {
  return (
    session.vmIdentifier === mount.vmIdentifier &&
    session.vpgIdentifier === mount.vpgIdentifier &&
    session.checkpointIdentifier === mount.checkpointIdentifier
  );
}

async function persist<T>(limits: RecoverLimits, attempt: () => Promise<T>): Promise<T> {
  const end = Date.now() + limits.unmount;
  while (true) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() >= end) throw error;
      await wait(limits.poll);
    }
  }
}

/**
 * Unmounts one session and resolves when the appliance no longer has it; `false` where it still has after the deadline.
 * Running downloads are waited for, for half of the time.
 */
export async function endSession(client: RecoveryClient, session: string, limits: RecoverLimits): Promise<boolean> {
  const start = Date.now();
  const signal = AbortSignal.timeout(limits.unmount);
  const pause = pausesUpTo(limits.poll);
  while (true) {
    const patient = Date.now() - start < limits.unmount / 2;
    if (await nudge(client, session, patient, signal)) return true;
    if (Date.now() - start >= limits.unmount) return false;
    await pause();
  }
}

/** Looks at the session and asks for its end where nothing runs in it; `true` when it is gone. */
async function nudge(client: RecoveryClient, session: string, patient: boolean, signal: AbortSignal): Promise<boolean> {
  try {
    const found = await client.session(session, signal);
    if (found === undefined || GONE.test(found.status)) return true;
    const busy = patient && (found.runningTasks ?? 0) > 0;
    if (!busy && !GOING.test(found.status)) await client.unmount(session, signal);
  } catch {
    // Refused, unreachable, or gone between the two requests: the next look tells.
  }
  return false;
}
