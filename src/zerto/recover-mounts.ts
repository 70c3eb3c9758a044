import { randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';

const mountSchema = z.object({
  key: z.string().regex(/^[0-9a-f]{32}$/),
  site: z.string(),
  vmIdentifier: z.string(),
  vpgIdentifier: z.string(),
  checkpointIdentifier: z.string(),
  /** Absent until the appliance answered the mount. */
  session: z.string().optional(),
  /** The VM's sessions before the mount: none of them is ours. */
  before: z.array(z.string()),
  startedAt: z.iso.datetime(),
  pid: z.int(),
});

/** One mount of ours, on disk before the appliance is asked for it. `site` is the config's name. */
export type Mount = Readonly<z.infer<typeof mountSchema>>;

/** The mounts that are not ended yet, of every process that shares the directory. `add` with a known key replaces. */
export interface MountJournal {
  add(mount: Mount): Promise<void>;
  remove(key: string): Promise<void>;
  list(): Promise<readonly Mount[]>;
}

export function newMountKey(): string {
  return randomBytes(16).toString('hex');
}

const MAX_BYTES = 256 * 1024;
const NO_FOLLOW = constants.O_NOFOLLOW ?? 0;

/** Keeps one file (0600) per mount in `dir` (0700); follows no link, and never names a file after anything from outside. */
export function fileMountJournal(dir: string): MountJournal {
  return {
    add: async (mount) => {
      await ownDirectory(dir);
      const checked = mountSchema.parse(mount);
      const temporary = join(dir, `${checked.key}.${randomBytes(6).toString('hex')}.tmp`);
      await writeNew(temporary, `${JSON.stringify(checked)}\n`);
      await rename(temporary, fileOf(dir, checked.key));
      await syncDirectory(dir);
    },
    remove: (key) => rm(fileOf(dir, key), { force: true }),
    list: async () => {
      const names = await readdir(dir).catch(emptyWhereAbsent);
      const mounts = await Promise.all(names.filter(isMountFile).map((name) => readMount(join(dir, name))));
      return mounts.filter((mount) => mount !== undefined);
    },
  };
}

function fileOf(dir: string, key: string): string {
  return join(dir, `${mountSchema.shape.key.parse(key)}.json`);
}

function isMountFile(name: string): boolean {
  return /^[0-9a-f]{32}\.json$/.test(name);
}

async function ownDirectory(dir: string): Promise<void> {
  await mkdir(dir, { recursive: true, mode: 0o700 });
  if (!(await lstat(dir)).isDirectory()) throw new Error('the directory of mounts is a link or a file');
}

async function writeNew(path: string, text: string): Promise<void> {
  const file = await open(path, constants.O_CREAT | constants.O_EXCL | constants.O_WRONLY | NO_FOLLOW, 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** The new name survives a power cut. Windows has no such thing. */
async function syncDirectory(dir: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(dir, constants.O_RDONLY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function readMount(path: string): Promise<Mount | undefined> {
  try {
    const file = await open(path, constants.O_RDONLY | NO_FOLLOW);
    try {
      if ((await file.stat()).size > MAX_BYTES) return undefined;
      return mountSchema.safeParse(JSON.parse(await file.readFile('utf8'))).data;
    } finally {
      await file.close();
    }
  } catch {
    // Removed meanwhile, a link, or no mount of ours.
    return undefined;
  }
}

function emptyWhereAbsent(error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT') return [];
  throw error;
}
