import { quote, visible } from '../domain/text.js';
import { answer, type NativeAnswer, refusal, refuse } from './answer.js';
import { askHuman } from './confirm.js';
import type { Caller, NativeDeps, NativeSession } from './deps.js';
import { oneTarget, withinReach } from './resolve.js';

/** Lists the mounts on the appliances that are within the scope. */
export async function listSessions(
  args: { readonly vm?: string | undefined },
  deps: NativeDeps,
  signal: AbortSignal,
): Promise<NativeAnswer> {
  const sessions = args.vm === undefined ? await known(undefined, deps, signal) : await ofVm(args.vm, deps, signal);
  const names = await vmNames(deps, signal);
  const rows = sessions.map((session) => ({
    ...session,
    vm: names.get(session.vmIdentifier ?? ''),
    ageMinutes: ageOf(session, deps.now()),
    owner: ownerOf(session),
  }));
  const lines = rows.map(
    (row) =>
      `- ${visible(row.session)} at ${quote(row.site, 60)}: ${quote(row.vm ?? row.vmIdentifier ?? '?', 60)} at checkpoint ${visible(row.checkpointIdentifier ?? '?')}, ${visible(row.status)}, since ${visible(row.mountTime ?? '?')}${row.ageMinutes === undefined ? '' : ` (${row.ageMinutes} min)`}, ${row.runningTasks ?? 0} running tasks, ${WHOSE[row.owner]}`,
  );
  return answer(lines.length === 0 ? 'No mounts.' : lines.join('\n'), { sessions: rows });
}

/** Ends a mount: an orphan of this proxy at once, somebody else's after a human said yes, one in use not at all. */
export async function endSession(
  args: { readonly session: string },
  deps: NativeDeps,
  caller: Caller,
  signal: AbortSignal,
): Promise<NativeAnswer> {
  const found = (await known(undefined, deps, signal)).find(({ session }) => session === args.session);
  if (found === undefined)
    refuse('TARGET_UNRESOLVED', `There is no mount ${quote(args.session, 128)}; zerto_list_flr_sessions lists them.`);
  if (found.inUse)
    refuse('APPROVAL_DENIED', 'A recovery reads from this mount now; it is ended when the recovery is over.');
  const answeredBy = found.own ? undefined : await permission(found, deps, caller, signal);
  const ended = await deps.appliances.end(found.session, signal);
  if (!ended)
    return refusal('ZVM_REJECTED', 'The appliance still has the mount. Try again in a minute.', { answeredBy });
  return answer(
    `The mount ${visible(found.session)} is ended.`,
    { session: found.session, ended: true },
    { outcome: { answeredBy } },
  );
}

async function permission(
  session: NativeSession,
  deps: NativeDeps,
  caller: Caller,
  signal: AbortSignal,
): Promise<string> {
  const names = await vmNames(deps, signal);
  const question = deps.endSessionQuestion({
    agent: caller.agent,
    session: session.session,
    vm: names.get(session.vmIdentifier ?? '') ?? session.vmIdentifier ?? 'unknown',
    mountTime: session.mountTime ?? 'unknown',
    runningTasks: session.runningTasks ?? 0,
  });
  return askHuman(
    question,
    caller,
    signal,
    'This mount was not made by this proxy: somebody may be using it. It was not ended.',
  );
}

async function ofVm(name: string, deps: NativeDeps, signal: AbortSignal): Promise<readonly NativeSession[]> {
  const { vm } = await oneTarget(name, deps, signal);
  await withinReach(vm, deps, signal);
  return deps.appliances.sessions(vm.vmIdentifier, signal);
}

/** Own mounts, and those of VMs within the scope. */
async function known(
  vmIdentifier: string | undefined,
  deps: NativeDeps,
  signal: AbortSignal,
): Promise<NativeSession[]> {
  const sessions = await deps.appliances.sessions(vmIdentifier, signal);
  const told: NativeSession[] = [];
  for (const session of sessions) {
    const free = session.own || deps.recovery.scope === 'all';
    if (free || (session.vmIdentifier !== undefined && (await deps.reaches(session.vmIdentifier, signal))))
      told.push(session);
  }
  return told;
}

async function vmNames(deps: NativeDeps, signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  return new Map((await deps.inventory.vms(signal)).map((vm) => [vm.vmIdentifier, vm.name]));
}

type Owner = keyof typeof WHOSE;

const WHOSE = {
  recovery: 'in use by a recovery of this proxy',
  left_over: 'left over from a recovery of this proxy',
  somebody_else: 'made by somebody else',
} as const;

function ownerOf({ own, inUse }: NativeSession): Owner {
  if (inUse) return 'recovery';
  return own ? 'left_over' : 'somebody_else';
}

/** Whole minutes by this machine's clock; the appliance's may differ. */
function ageOf({ mountTime }: NativeSession, now: Date): number | undefined {
  const since = Date.parse(mountTime ?? '');
  return Number.isNaN(since) ? undefined : Math.max(0, Math.floor((now.getTime() - since) / 60_000));
}
