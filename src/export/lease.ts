import { constants } from 'node:fs';
import { link, lstat, mkdir, open, rename, rm, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { isAlive } from '../domain/process.js';
import { readPlain } from './private-file.js';

/** Who this process is to the others on the directory. `unique` differs for each process and start. */
export interface Holder {
  readonly host: string;
  readonly pid: number;
  readonly unique: string;
}

/** A holder shows so often that it lives; one that did not for the second time is taken to be dead. Milliseconds. */
const BEAT = 5000;
const DEAD_AFTER = 30_000;

/**
 * The right to send to one destination, for one process of those that share a state directory. Two holders at a time would
 * only send records twice, never leave one out: each acknowledges just what it sent itself.
 */
export class Lease {
  readonly #dir: string;
  readonly #path: string;
  readonly #me: Holder;
  readonly #alive: (pid: number) => boolean;
  #beat: NodeJS.Timeout | undefined;
  #held = false;

  constructor(dir: string, name: string, me: Holder, alive: (pid: number) => boolean = isAlive) {
    this.#dir = dir;
    this.#path = join(dir, `${name}.lease`);
    this.#me = me;
    this.#alive = alive;
  }

  /** Whether this process holds it, as far as it knows. */
  get held(): boolean {
    return this.#held;
  }

  /** Takes it where nobody living has it. */
  async take(): Promise<boolean> {
    if (this.#held) return true;
    await mkdir(this.#dir, { recursive: true, mode: 0o700 });
    if (!(await this.#create()) && !(await this.#inherit())) return false;
    this.#held = true;
    this.#beat = setInterval(() => void this.#show(), BEAT).unref();
    return true;
  }

  /** Gives it back, so that another process need not wait. */
  async release(): Promise<void> {
    clearInterval(this.#beat);
    if (!this.#held) return;
    this.#held = false;
    if (await this.#isMine()) await rm(this.#path, { force: true });
  }

  async #create(): Promise<boolean> {
    const temporary = `${this.#path}.${this.#me.unique}`;
    try {
      const flags = constants.O_CREAT | constants.O_TRUNC | constants.O_WRONLY | (constants.O_NOFOLLOW ?? 0);
      const handle = await open(temporary, flags, 0o600);
      await handle.writeFile(JSON.stringify(this.#me)).finally(() => handle.close());
      await link(temporary, this.#path);
      return true;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
      throw error;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  /** Takes the place of a dead holder: of several that try, one moves its file away. */
  async #inherit(): Promise<boolean> {
    const seen = await readPlain(this.#path);
    if (!(await this.#isDead(seen))) return false;
    const aside = `${this.#path}.${this.#me.unique}.old`;
    try {
      await rename(this.#path, aside);
      // Another one may have been faster, and this be its new file: it goes back where nobody came in between.
      if ((await readPlain(aside)) !== seen) {
        await link(aside, this.#path).catch(() => undefined);
        return false;
      }
    } catch {
      return false;
    } finally {
      await rm(aside, { force: true });
    }
    return this.#create();
  }

  async #isDead(seen: string | undefined): Promise<boolean> {
    const stat = await lstat(this.#path).catch(() => undefined);
    if (stat === undefined) return false;
    if (Date.now() - stat.mtimeMs > DEAD_AFTER) return true;
    const holder = holderOf(seen);
    if (holder === undefined || holder.host !== this.#me.host) return false;
    // In a container every start may have the same process id.
    return holder.pid === this.#me.pid || !this.#alive(holder.pid);
  }

  async #show(): Promise<void> {
    try {
      if (!(await this.#isMine())) throw new Error('another process holds it');
      const now = new Date();
      await utimes(this.#path, now, now);
    } catch {
      this.#held = false;
      clearInterval(this.#beat);
    }
  }

  async #isMine(): Promise<boolean> {
    return holderOf(await readPlain(this.#path))?.unique === this.#me.unique;
  }
}

function holderOf(text: string | undefined): Holder | undefined {
  try {
    const { host, pid, unique } = JSON.parse(text ?? '') as Partial<Holder>;
    if (typeof host !== 'string' || typeof pid !== 'number' || typeof unique !== 'string') return undefined;
    return { host, pid, unique };
  } catch {
    return undefined;
  }
}
