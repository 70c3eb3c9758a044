import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { appendPrivate, writePrivate } from './files.js';

/** What was kept of a file before it was edited: the name of the copy, and the SHA-256 of the file before and after. */
export interface Backup {
  readonly copy: string;
  readonly before: string;
  readonly after: string;
}

/** What `index.jsonl` says of one edit. `uninstalled` ends what stands before it for that file. */
interface IndexLine {
  readonly at: string;
  readonly file: string;
  readonly event: 'edited' | 'uninstalled';
  readonly copy: string;
  readonly before: string;
  readonly after: string;
  readonly program: string;
}

const INDEX = 'index.jsonl';

/** A copy at its path. */
export interface Kept {
  readonly path: string;
  settle(event: IndexLine['event'], after: Buffer, program: string): Promise<void>;
}

/** The copies of configs, in a directory of their own under the state directory. */
export interface Backups {
  /** Copies of a file since it was last uninstalled, oldest first. */
  of(file: string): Promise<readonly Backup[]>;
  /** The bytes of a copy; undefined where it is gone or no longer what it was. */
  read(backup: Backup): Promise<Buffer | undefined>;
  /** Where the program lay at any edit. */
  programs(): Promise<readonly string[]>;
  /** Keeps the bytes of a file that is about to be edited. `settle` writes into the index what was done, `edited` before it is done and `uninstalled` after. */
  keep(file: string, before: Buffer): Promise<Kept>;
}

export function openBackups(dir: string, now: () => Date = () => new Date()): Backups {
  const lines = async (): Promise<readonly IndexLine[]> => {
    const text = await readFile(join(dir, INDEX), 'utf8').catch(() => '');
    return text.split('\n').flatMap(readLine);
  };
  return {
    of: async (file) => {
      const own = (await lines()).filter((line) => line.file === file);
      const end = own.findLastIndex(({ event }) => event === 'uninstalled');
      return own.slice(end + 1);
    },
    read: async ({ copy, before }) => {
      const bytes = await readFile(join(dir, copy)).catch(() => undefined);
      return bytes !== undefined && sha256(bytes) === before ? bytes : undefined;
    },
    programs: async () => [...new Set((await lines()).map(({ program }) => program))],
    keep: async (file, before) => {
      const at = now().toISOString();
      const stem = basename(file)
        .replace(/[^A-Za-z0-9._-]/g, '_')
        .slice(-40);
      const copy = `${at.replace(/[-:]|\.\d+/g, '')}-${randomBytes(6).toString('hex')}-${stem}`;
      await writePrivate(dir, copy, before);
      return {
        path: join(dir, copy),
        settle: async (event, after, program) => {
          const line: IndexLine = { at, file, event, copy, before: sha256(before), after: sha256(after), program };
          await appendPrivate(dir, INDEX, JSON.stringify(line));
        },
      };
    },
  };
}

export function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** A line that cannot be read, as a crash may leave one, says nothing. A copy's name is never a path. */
function readLine(text: string): readonly IndexLine[] {
  try {
    const line = JSON.parse(text) as IndexLine;
    const isLine = [line.file, line.before, line.after, line.program].every((value) => typeof value === 'string');
    const isName = typeof line.copy === 'string' && basename(line.copy) === line.copy && !line.copy.includes('\\');
    return isLine && isName ? [line] : [];
  } catch {
    return [];
  }
}
