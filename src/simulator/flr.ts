import { randomUUID } from 'node:crypto';
import { startTask } from './insert.js';
import { listed } from './journal.js';
import type { FlrSession, SimCheckpoint, SimTask, SimVm, SimVpg, Site, State } from './state.js';
import { EMPTY, type FolderNode, find, place } from './tree.js';

export interface MountRequest {
  readonly site: Site;
  readonly vpg: SimVpg;
  readonly vm: SimVm;
  readonly selectedPath: string | undefined;
  readonly by: string;
}

/** How long mounting takes, and how it ends: `hang` never ends. */
export interface MountPlan {
  readonly durationMs: number;
  readonly outcome: 'ready' | 'fails' | 'hang';
}

/** Why files of this VPG cannot be mounted at this site; undefined where they can. */
export function mountBlocked(vpg: SimVpg, site: Site): string | undefined {
  if (vpg.recoverySite !== site) return `File level restore of VPG ${vpg.name} runs at its recovery site only.`;
  return vpg.flrBlocked;
}

/** The listed checkpoint of that number, if the journal still has it. */
export function checkpointOf(state: State, vpg: SimVpg, identifier: string): SimCheckpoint | undefined {
  return listed(vpg, state.clock.now()).find(({ id }) => String(id) === identifier);
}

/** Starts a session on a checkpoint that `checkpointOf` found. */
export function mount(state: State, request: MountRequest, checkpoint: SimCheckpoint, plan: MountPlan): FlrSession {
  const { site, vpg, vm, by } = request;
  const session: FlrSession = {
    flrSessionIdentifier: `${randomUUID()}.${site.siteIdentifier}`,
    site,
    vmIdentifier: vm.vmIdentifier,
    vpg,
    checkpoint,
    selectedPath: request.selectedPath,
    mountTime: state.clock.now(),
    root: mountTree(vm, checkpoint.images.get(vm.key) ?? EMPTY),
    status: 'MountInProgress',
    runningTasks: 0,
  };
  state.sessions.push(session);
  const duration = plan.outcome === 'hang' ? Number.POSITIVE_INFINITY : plan.durationMs;
  const detail = `${vm.name} at checkpoint ${checkpoint.id}`;
  const task = startTask(
    state,
    { site, type: 'FlrJournalMount', by, vpg, detail },
    duration,
    session.flrSessionIdentifier,
  );
  if (plan.outcome === 'fails') task.failure = 'Failed to mount the volumes.';
  if (plan.outcome !== 'hang') {
    after(state, plan.durationMs, () => {
      if (session.status === 'MountInProgress')
        session.status = plan.outcome === 'fails' ? 'MountFailed' : 'MountCompletedSuccessfully';
    });
  }
  return session;
}

/** Ends a session; with `hang` it stays in UnmountInProgress. */
export function unmount(
  state: State,
  session: FlrSession,
  by: string,
  plan: { durationMs: number; hang: boolean },
): SimTask {
  session.status = 'UnmountInProgress';
  const { site, vpg, flrSessionIdentifier } = session;
  const duration = plan.hang ? Number.POSITIVE_INFINITY : plan.durationMs;
  const task = startTask(
    state,
    { site, type: 'FlrJournalUnmount', by, vpg, detail: session.vmIdentifier },
    duration,
    flrSessionIdentifier,
  );
  if (!plan.hang) {
    after(state, plan.durationMs, () => {
      state.sessions = state.sessions.filter((other) => other !== session);
    });
  }
  return task;
}

function after(state: State, ms: number, run: () => void): void {
  if (ms <= 0) run();
  else state.clock.setTimer(state.clock.now() + ms, run);
}

/** A folder per volume; a volume mounted inside another leaves an empty folder there. */
function mountTree(vm: SimVm, image: FolderNode): FolderNode {
  const children = new Map(vm.volumes.map((volume) => [volume.name, volumeTree(vm, image, volume.mount)] as const));
  return { kind: 'folder', modified: image.modified, children };
}

function volumeTree(vm: SimVm, image: FolderNode, mountPoint: string): FolderNode {
  const base = segments(mountPoint);
  const root = find(image, base);
  if (root?.kind !== 'folder') return EMPTY;
  const inner = vm.volumes
    .map(({ mount }) => segments(mount))
    .filter((path) => path.length > base.length && base.every((part, index) => path[index] === part));
  return inner.reduce((tree, path) => {
    const inside = path.slice(base.length);
    return find(tree, inside) === undefined ? tree : place(tree, inside, EMPTY, tree.modified);
  }, root);
}

function segments(path: string): string[] {
  return path.split('/').filter((part) => part !== '');
}
