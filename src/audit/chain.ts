import { randomBytes } from 'node:crypto';
import { LogFile, type OpenHandle } from './file.js';
import { newestHeads } from './heads.js';
import { type Body, GENESIS, type Head, seal } from './record.js';
import { inSlices } from './slices.js';

/** The process as its first record names it; `config` is the digest of the configuration in force. */
export interface ProcessInfo {
  readonly version: string;
  readonly pid: number;
  readonly platform: string;
  readonly config?: string | undefined;
  /** Stands in every record of a process that only observes. */
  readonly mode?: 'observe' | undefined;
}

/** One process's file and the place of its chain; the file comes to be with the first group. */
export class Chain {
  readonly #dir: string;
  readonly #info: ProcessInfo;
  readonly #now: () => Date;
  readonly #openFile: OpenHandle | undefined;
  #file: LogFile | undefined;
  #head: Head | undefined;
  #name: string | undefined;

  constructor(dir: string, info: ProcessInfo, now: () => Date, openFile: OpenHandle | undefined) {
    this.#dir = dir;
    this.#info = info;
    this.#now = now;
    this.#openFile = openFile;
  }

  /** The name of the file that is there or in the making. */
  get name(): string | undefined {
    return this.#name;
  }

  /** Whether the file was created, so that a failure is one of writing. */
  get exists(): boolean {
    return this.#file !== undefined;
  }

  /** Puts the records on disk in one write and one sync. A file that failed once must not be used again: the caller stops. */
  async write(bodies: readonly Body[]): Promise<void> {
    if (this.#file === undefined || this.#head === undefined) return this.#create(bodies);
    const { lines, head } = await chainOf(bodies, this.#head);
    await this.#file.append(lines);
    this.#head = head;
  }

  async close(): Promise<void> {
    await this.#file?.close();
  }

  async #create(bodies: readonly Body[]): Promise<void> {
    const at = this.#now().toISOString();
    const stamp = `${at.slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
    const chain = `${stamp}-${this.#info.pid}-${randomBytes(8).toString('hex')}`;
    this.#name = chain;
    const start: Body = {
      kind: 'start',
      at,
      ...this.#info,
      node: process.version,
      others: await newestHeads(this.#dir),
    };
    const { lines, head } = await chainOf([start, ...bodies], { chain, seq: 0, hash: GENESIS });
    this.#file = await LogFile.create(this.#dir, `${chain}.jsonl`, lines, this.#openFile);
    this.#head = head;
  }
}

async function chainOf(bodies: readonly Body[], from: Head): Promise<{ readonly lines: Buffer; readonly head: Head }> {
  let head = from;
  const lines = await inSlices(bodies, (body) => {
    const sealed = seal(body, head);
    head = sealed.head;
    return [sealed.line];
  });
  return { lines: Buffer.concat(lines), head };
}
