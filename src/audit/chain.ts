import { randomBytes } from 'node:crypto';
import { hostname } from 'node:os';
import { syncDirectory } from './directory.js';
import { LogFile, type OpenHandle } from './file.js';
import { newestHeads } from './heads.js';
import { fileOf } from './names.js';
import { type Body, GENESIS, type Head, SIGNED, seal } from './record.js';
import type { Signer } from './signing.js';
import { inSlices } from './slices.js';

/** The process as its first record names it; `config` is the digest of the configuration in force. */
export interface ProcessInfo {
  readonly version: string;
  readonly pid: number;
  readonly platform: string;
  readonly config?: string | undefined;
  /** Stands in every record of a process that only observes. */
  readonly mode?: 'observe' | undefined;
  /** How clients reach the process, in the words of OpenTelemetry. */
  readonly transport?: 'pipe' | 'tcp' | undefined;
}

export interface ChainOptions {
  readonly dir: string;
  readonly info: ProcessInfo;
  readonly now: () => Date;
  readonly openFile?: OpenHandle | undefined;
  /** A file that has grown to so many bytes is followed by the next. */
  readonly maxFileBytes: number;
  /** So is one that is older. */
  readonly maxFileHours: number;
  /** After so many records there is a signed head at the latest. */
  readonly headEvery: number;
  /** Asked when the first file is made. */
  readonly signer: () => Signer | undefined;
  /** Told of the newest signed record, as its line, once it is on disk. */
  readonly onHead: (line: Buffer) => void;
  /** Told of each new file once it is in use, and of a rotation that failed before anything was changed. */
  readonly onFile: (error?: unknown) => void;
}

interface Open {
  readonly file: LogFile;
  readonly part: number;
  readonly since: number;
  /** The size at which the next rotation is tried. */
  full: number;
}

/** One process's chain of records, over one file or several; the first comes to be with the first group. */
export class Chain {
  readonly #options: ChainOptions;
  #open: Open | undefined;
  #head: Head | undefined;
  #name: string | undefined;
  #signer: Signer | undefined;
  #unsigned = 0;

  constructor(options: ChainOptions) {
    this.#options = options;
  }

  /** The name of the chain that is there or in the making. */
  get name(): string | undefined {
    return this.#name;
  }

  /** Whether a file was created, so that a failure is one of writing. */
  get exists(): boolean {
    return this.#open !== undefined;
  }

  /** Records behind the last signed one, where they can be signed. */
  get unsigned(): number {
    return this.#signer === undefined ? 0 : this.#unsigned;
  }

  /** Puts the records on disk in one write and one sync. A file that failed once must not be used again: the caller stops. */
  async write(bodies: readonly Body[]): Promise<void> {
    if (this.#open === undefined || this.#head === undefined) return this.#create(bodies);
    await this.#rotateWhereDue(this.#open, this.#head);
    await this.#append(this.#open, bodies, this.#head);
  }

  async close(): Promise<void> {
    await this.#open?.file.close();
  }

  async #append({ file }: Open, bodies: readonly Body[], after: Head): Promise<void> {
    const { lines, head, signed, unsigned } = await this.#sealAll(bodies, after);
    if (lines.length === 0) return;
    await file.append(Buffer.concat(lines));
    this.#taken(head, signed, unsigned);
  }

  async #create(bodies: readonly Body[]): Promise<void> {
    const { dir, info, openFile, now } = this.#options;
    const at = now().toISOString();
    const chain = `${at.slice(0, 19).replaceAll(/[-:]/g, '')}Z-${info.pid}-${randomBytes(8).toString('hex')}`;
    this.#name = chain;
    this.#signer ??= this.#options.signer();
    const start = await this.#start(at, chain, 1);
    const { lines, head, signed, unsigned } = await this.#sealAll([start, ...bodies], { chain, seq: 0, hash: GENESIS });
    const file = await LogFile.prepare(dir, fileOf(chain, 1), Buffer.concat(lines), openFile);
    await file.publish().catch(async (error: unknown) => {
      await file.discard();
      throw error;
    });
    this.#use(file, 1);
    this.#taken(head, signed, unsigned);
  }

  async #start(at: string, chain: string, part: number): Promise<Body> {
    return {
      kind: 'start',
      at,
      ...this.#options.info,
      node: process.version,
      host: hostname(),
      key: this.#signer?.key,
      part: part === 1 ? undefined : part,
      others: await newestHeads(this.#options.dir, chain),
    };
  }

  #use(file: LogFile, part: number): void {
    this.#open = { file, part, since: this.#options.now().getTime(), full: this.#options.maxFileBytes };
    this.#options.onFile();
  }

  async #rotateWhereDue(open: Open, head: Head): Promise<void> {
    const hours = (this.#options.now().getTime() - open.since) / 3_600_000;
    if (open.file.size < open.full && hours < this.#options.maxFileHours) return;
    const at = this.#options.now().toISOString();
    const { chain } = head;
    const { info } = this.#options;
    const rotate = seal({ kind: 'rotate', at, mode: info.mode, next: open.part + 1 }, head, this.#signer);
    const next = await this.#prepareNext(open, at, rotate.head).catch((error: unknown) => {
      // Nothing was written to the file in use, so it serves on.
      open.full = open.file.size + this.#options.maxFileBytes / 8;
      this.#options.onFile(error);
    });
    if (next === undefined) return;
    // Its last record must not be on disk before the next file is: a crash between the two leaves both as they should be.
    try {
      await open.file.append(rotate.line);
      await next.file.publish();
    } catch (error) {
      await next.file.close().catch(() => undefined);
      throw error;
    }
    await open.file.close().catch(() => undefined);
    this.#taken(rotate.head, rotate.line, 0);
    this.#head = next.head;
    this.#unsigned = 1;
    this.#name = chain;
    this.#use(next.file, open.part + 1);
  }

  async #prepareNext(open: Open, at: string, after: Head): Promise<{ readonly file: LogFile; readonly head: Head }> {
    const { dir, openFile } = this.#options;
    const part = open.part + 1;
    const { line, head } = seal(await this.#start(at, after.chain, part), after, this.#signer);
    const file = await LogFile.prepare(dir, fileOf(after.chain, part), line, openFile);
    await syncDirectory(dir);
    return { file, head };
  }

  #taken(head: Head, signed: Buffer | undefined, unsigned: number): void {
    this.#head = head;
    this.#unsigned = unsigned;
    if (signed !== undefined && this.#signer !== undefined) this.#options.onHead(signed);
  }

  /** The lines of a group, with a signed head behind them where one is due. */
  async #sealAll(bodies: readonly Body[], from: Head) {
    let head = from;
    let signed: Buffer | undefined;
    let unsigned = this.#unsigned;
    const put = (body: Body): readonly Buffer[] => {
      // A head without a signature says nothing.
      if (body.kind === 'head' && this.#signer === undefined) return [];
      const sealed = seal(body, head, this.#signer);
      head = sealed.head;
      unsigned += 1;
      if (SIGNED.has(body.kind)) [signed, unsigned] = [sealed.line, 0];
      return [sealed.line];
    };
    const lines = await inSlices(bodies, put);
    const { headEvery, now, info } = this.#options;
    if (unsigned >= headEvery) lines.push(...put({ kind: 'head', at: now().toISOString(), mode: info.mode }));
    return { lines, head, signed, unsigned };
  }
}
