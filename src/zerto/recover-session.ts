import { setTimeout as wait } from 'node:timers/promises';
import { ProxyError } from '../domain/errors.js';
import type { Logger } from '../domain/ports.js';
import { type Mount, type MountJournal, newMountKey } from './recover-mounts.js';
import type { FlrSession, MountRequest, RecoveryClient } from './recover-types.js';
import { endMount, pausesUpTo, RECOVER_LIMITS, type RecoverLimits } from './recover-unmount.js';

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
  const pause = pausesUpTo(limits.poll);
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
    await pause(signal);
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
