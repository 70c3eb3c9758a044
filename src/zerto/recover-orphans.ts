import type { Logger } from '../domain/ports.js';
import { isAlive } from '../domain/process.js';
import type { Mount, MountJournal } from './recover-mounts.js';
import type { RecoveryClient } from './recover-types.js';
import { endMount, type RecoverLimits } from './recover-unmount.js';

const MAX_AGE_MS = 24 * 60 * 60 * 1000;

export interface OrphanTools {
  readonly clients: ReadonlyMap<string, RecoveryClient>;
  readonly mounts: MountJournal;
  readonly active: ReadonlySet<string>;
  readonly log: Pick<Logger, 'warn' | 'info'>;
  readonly now: () => Date;
  readonly limits: RecoverLimits;
}

/** Ends the mounts whose process is gone, or gave up on them; those of sites that are not configured are left. */
export async function endOrphans(tools: OrphanTools): Promise<{ readonly ended: number; readonly left: number }> {
  const orphans = (await tools.mounts.list()).filter((mount) => isOrphan(mount, tools));
  const ended = await Promise.all(orphans.map((mount) => endOne(mount, tools)));
  const left = ended.filter((each) => !each).length;
  if (orphans.length > 0)
    tools.log.info({ ended: ended.length - left, left }, 'mounts of broken recoveries were ended');
  return { ended: ended.length - left, left };
}

async function endOne(mount: Mount, tools: OrphanTools): Promise<boolean> {
  const client = tools.clients.get(mount.site);
  if (client === undefined) return false;
  try {
    return (await endMount(client, mount, tools, tools.limits, false)) !== 'left';
  } catch (error) {
    tools.log.warn({ site: mount.site, error: String(error) }, 'a mount of a broken recovery could not be ended');
    return false;
  }
}

/** Whether nobody reads from a mount any more. A process number may be in use again, so a day is the limit. */
export function isOrphan(mount: Mount, tools: Pick<OrphanTools, 'active' | 'now'>): boolean {
  if (mount.pid === process.pid) return !tools.active.has(mount.key);
  return !isAlive(mount.pid) || tools.now().getTime() - Date.parse(mount.startedAt) > MAX_AGE_MS;
}
