import { setTimeout as wait } from 'node:timers/promises';
import { ProxyError } from '../domain/errors.js';
import type { Logger } from '../domain/ports.js';
import { type Mount, type MountJournal, newMountKey } from './recover-mounts.js';
import type { FlrSession, MountRequest, RecoveryClient } from './recover-types.js';

/**
 * Milliseconds of this machine's clock: how long a mount may take to answer, to get ready and to go away; how long a mount
 * whose answer was lost is looked for; and between polls.
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

/** What a recovery gets besides the appliance. `site` is the config's name of it. */
export interface RecoverTools {
  readonly site: string;
  readonly mounts: MountJournal;
  /** Keys of the mounts that this process reads from now. */
  readonly active: Set<string>;
  readonly log: Pick<Logger, 'warn'>;
  readonly now: () => Date;
  readonly limits?: Partial<RecoverLimits> | undefined;
}

const READY = /^Mount(CompletedSuccessfully|Ready|ed)$/i;
const FAILED = /fail/i;
const GONE = /^(NotMounted|Unmount(ed|CompletedSuccessfully))$/i;
const GOING = /^Unmount(InProgress|ing)$/i;

/**
 * Mounts a VM at a checkpoint, runs `use` when the mount is ready, and unmounts whatever happens: after an error, after a
 * cancellation, and after a mount whose answer was lost. The caller's signal never cuts the mount request or the unmount.
 */
export async function withMount<T>(
  client: RecoveryClient,
  request: MountRequest,
  tools: RecoverTools,
  signal: AbortSignal,
  use: (session: string) => Promise<T>,
): Promise<T> {
  const limits = { ...RECOVER_LIMITS, ...tools.limits };
  signal.throwIfAborted();
  const mount = await announce(client, request, tools, signal);
  let lost = false;
  try {
    const session = await begin(client, request, mount, tools, limits).catch((error: unknown) => {
      lost = !surelyRefused(error);
      throw error;
    });
    await ready(client, session, limits, signal);
    return await use(session);
  } finally {
    await settle(client, mount, tools, limits, lost);
    tools.active.delete(mount.key);
  }
}

async function announce(
  client: RecoveryClient,
  request: MountRequest,
  tools: RecoverTools,
  signal: AbortSignal,
): Promise<Mount> {
  const before = (await client.sessions(request.vmIdentifier, signal)).map((session) => session.sessionIdentifier);
  const mount: Mount = {
    key: newMountKey(),
    site: tools.site,
    vmIdentifier: request.vmIdentifier,
    vpgIdentifier: request.vpgIdentifier,
    checkpointIdentifier: request.checkpointIdentifier,
    before,
    startedAt: tools.now().toISOString(),
    pid: process.pid,
  };
  signal.throwIfAborted();
  tools.active.add(mount.key);
  await tools.mounts.add(mount).catch((error: unknown) => {
    tools.active.delete(mount.key);
    throw new ProxyError('PROXY_FAULT', 'The mount could not be noted on disk, so nothing was mounted.', {
      cause: error,
    });
  });
  return mount;
}

/** Not cut by the caller's signal: a mount whose answer nobody reads is an orphan. */
async function begin(
  client: RecoveryClient,
  request: MountRequest,
  mount: Mount,
  tools: RecoverTools,
  limits: RecoverLimits,
): Promise<string> {
  const { vpgIdentifier, vmIdentifier, checkpointIdentifier } = request;
  const session = await client.mount(
    { vpgIdentifier, vmIdentifier, checkpointIdentifier },
    AbortSignal.timeout(limits.mount),
  );
  await tools.mounts.add({ ...mount, session });
  return session;
}

/** A failed look is no failed mount: three in a row are. */
async function ready(
  client: RecoveryClient,
  session: string,
  limits: RecoverLimits,
  signal: AbortSignal,
): Promise<void> {
  const end = Date.now() + limits.ready;
  for (let failures = 0; ; ) {
    const look = await client
      .session(session, signal)
      .then(stageOf, (error: unknown) => ({ kind: 'unseen' as const, error }));
    signal.throwIfAborted();
    if (look.kind === 'ready') return;
    failures = look.kind === 'unseen' ? failures + 1 : 0;
    if (look.kind === 'unseen' && failures === 3) throw look.error;
    if (look.kind === 'over') throw new ProxyError('ZVM_REJECTED', look.why);
    if (Date.now() >= end)
      throw new ProxyError('ZVM_REJECTED', 'The mount was not ready in time; nothing was recovered.');
    await wait(limits.poll, undefined, { signal });
  }
}

type Stage = { readonly kind: 'ready' | 'coming' } | { readonly kind: 'over'; readonly why: string };

function stageOf(session: FlrSession | undefined): Stage {
  if (session === undefined)
    return { kind: 'over', why: 'The mount went away before it was ready; nothing was recovered.' };
  if (READY.test(session.status)) return { kind: 'ready' };
  if (FAILED.test(session.status))
    return { kind: 'over', why: 'The appliance could not mount the checkpoint; nothing was recovered.' };
  return { kind: 'coming' };
}

/** Whether the appliance said no, or the request never left; after everything else there may be a mount. */
function surelyRefused(error: unknown): boolean {
  if (!(error instanceof ProxyError)) return false;
  return typeof error.details['status'] === 'number' || error.details['sent'] === 'no';
}

/** Ends every session that this mount may have made; its journal entry goes when none is left. */
async function settle(
  client: RecoveryClient,
  mount: Mount,
  tools: RecoverTools,
  limits: RecoverLimits,
  lost: boolean,
): Promise<void> {
  const fields = { site: mount.site, vm: mount.vmIdentifier };
  try {
    const end = Date.now() + (lost ? limits.lost : 0);
    let found = await endMount(client, mount, tools, limits, lost);
    while (found === 'nothing' && Date.now() < end) {
      await wait(limits.poll);
      found = await endMount(client, mount, tools, limits, lost);
    }
    if (found === 'left' || (lost && found === 'nothing'))
      tools.log.warn(fields, 'a mount may be left; the next start looks for it');
  } catch (error) {
    tools.log.warn({ ...fields, error: String(error) }, 'a mount may be left; the next start looks for it');
  }
}

/**
 * Ends what a journal entry stands for: `nothing` where the appliance has no session of it, `left` where one is still there
 * after the deadline. The entry goes unless something is left, or `keep` and nothing was found.
 */
export async function endMount(
  client: RecoveryClient,
  mount: Mount,
  tools: Pick<RecoverTools, 'mounts'>,
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
  while (true) {
    const patient = Date.now() - start < limits.unmount / 2;
    if (await nudge(client, session, patient, signal)) return true;
    if (Date.now() - start >= limits.unmount) return false;
    await wait(limits.poll);
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
