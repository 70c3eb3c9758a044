import { spawn } from 'node:child_process';

const POLL_MS = 25;

/** Ends what is left of a child's process group (POSIX) or process tree (Windows). */
export interface Group {
  /** Sends the signal to every process of the group; false when nothing is there to take it. */
  signal(name: NodeJS.Signals): boolean;
  /** TERM, then KILL after `patienceMs`; resolves when the group is empty or was killed. */
  end(patienceMs: number): Promise<void>;
}

/** `pid` is the group's leader: the child has to be started detached on POSIX. */
export function groupOf(pid: number): Group {
  return process.platform === 'win32' ? windowsTree(pid) : posixGroup(pid);
}

function posixGroup(pid: number): Group {
  let gone = false;
  // Any error ends it: ESRCH is an empty group, EPERM one of zombies (macOS) or of another user. Never signalled again
  // after it was seen empty, since the number may belong to a stranger by then.
  const signal = (name: NodeJS.Signals | 0): boolean => {
    if (gone) return false;
    try {
      process.kill(-pid, name);
    } catch {
      gone = true;
    }
    return !gone;
  };
  const end = async (patienceMs: number): Promise<void> => {
    const deadline = Date.now() + patienceMs;
    if (!signal('SIGTERM')) return;
    while (Date.now() < deadline) {
      await delay(POLL_MS);
      if (!signal(0)) return;
    }
    signal('SIGKILL');
  };
  return { signal, end };
}

function windowsTree(pid: number): Group {
  const kill = (): Promise<void> =>
    new Promise((resolve) => {
      const killer = spawn('taskkill', ['/pid', String(pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true });
      killer.once('error', () => resolve());
      killer.once('close', () => resolve());
    });
  return {
    signal: () => {
      void kill();
      return true;
    },
    end: kill,
  };
}

export function delay(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}
