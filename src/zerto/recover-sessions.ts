import type { Mount, MountJournal } from './recover-mounts.js';
import { isOrphan } from './recover-orphans.js';
import type { FlrSession, RecoveryClient } from './recover-types.js';

/**
 * A session, and what the journal of mounts knows of it. `own`: a process that shares this journal made it; `inUse`: that
 * process still reads from it; `runningTasks` as the appliance counts them.
 */
export interface KnownSession extends Omit<FlrSession, 'sessionIdentifier'> {
  readonly session: string;
  readonly site: string;
  readonly own: boolean;
  readonly inUse: boolean;
}

interface Knowledge {
  readonly clients: ReadonlyMap<string, Pick<RecoveryClient, 'sessions'>>;
  readonly mounts: MountJournal;
  readonly active: ReadonlySet<string>;
  readonly now: () => Date;
}

/** The sessions of every site, of one VM or of all. */
export async function knownSessions(
  { clients, mounts, ...tools }: Knowledge,
  vmIdentifier: string | undefined,
  signal: AbortSignal,
): Promise<readonly KnownSession[]> {
  const journal = await mounts.list();
  const lists = await Promise.all(
    [...clients].map(async ([site, client]) =>
      (await client.sessions(vmIdentifier, signal)).map((session) => {
        const mount = journal.find((entry) => entry.session === session.sessionIdentifier);
        return known(session, site, mount, mount !== undefined && !isOrphan(mount, tools));
      }),
    ),
  );
  return lists.flat();
}

function known(
  { sessionIdentifier: session, ...seen }: FlrSession,
  site: string,
  mount: Mount | undefined,
  inUse: boolean,
): KnownSession {
  return { session, site, ...seen, own: mount !== undefined, inUse };
}
