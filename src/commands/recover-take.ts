import { createHash } from 'node:crypto';
import { resolve } from 'node:path';
import { quote, visible } from '../domain/text.js';
import type { HumanRecovery } from '../human-recovery.js';
import type { LookedUp, MountView } from '../zerto/recover.js';
import type { Io } from './context.js';
import { progressOn, sizeText } from './progress.js';
import { inBatches, NotGiven, patient, type ReadFile } from './recover-batches.js';
import { sumLine } from './recover-names.js';
import { type TreeEntry, type TreeFile, treeOf } from './recover-tree.js';
import { Destination, NotWritten, type Written } from './recover-write.js';

/** What a human asked for, beside the point. */
export interface Wanted {
  readonly path: string;
  readonly to: string | undefined;
  readonly force: boolean;
  readonly withSecrets: boolean;
}

/** What came of it: totals for the audit log, and whether everything that was asked for is there. */
export interface Taken extends Written {
  readonly whole: boolean;
}

type Human = Pick<HumanRecovery, 'deny' | 'secretIn'>;
type Item = Extract<LookedUp, { kind: 'item' }>;

/** Larger files are not looked into: what they hold goes to the human's own disk. */
const LOOKED_INTO = 1 << 20;

/** Writes what was found to the destination, or a single file to stdout; a folder without a destination is listed. */
export async function take(view: MountView, found: Item, wanted: Wanted, human: Human, io: Io): Promise<Taken> {
  if (wanted.to !== undefined) return toFolder(view, found, wanted, human, io);
  if (found.item.browsable) return list(view, found, io);
  for await (const entry of treeOf(view, found.item, found.guestPath, process.platform)) {
    if (entry.kind === 'file') return toStdout(inBatches(view, []), entry, wanted, human, io);
    io.stderr.write(`${visible(entry.guest)} was not recovered: ${visible('why' in entry ? entry.why : 'no file')}\n`);
  }
  return { bytes: 0, sha256: createHash('sha256').digest('hex'), whole: false };
}

async function toFolder(view: MountView, found: Item, wanted: Wanted, human: Human, io: Io): Promise<Taken> {
  const entries: TreeEntry[] = [];
  for await (const entry of treeOf(view, found.item, found.guestPath, process.platform)) entries.push(entry);
  const files = entries.filter((entry) => entry.kind === 'file');
  const progress = progressOn(io.stderr, {
    files: files.length,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
  });
  const destination = new Destination(resolve(wanted.to ?? ''), wanted.force);
  const tally = new Tally();
  const free = files.filter(({ guest }) => wanted.withSecrets || human.deny(guest) === undefined);
  const read = patient(inBatches(view, free));
  for (const entry of entries) {
    const why = await put(
      read,
      entry,
      destination,
      wanted,
      human,
      (written, path) => {
        tally.add(written);
        io.stdout.write(sumLine(written.sha256, path));
      },
      progress.add,
    );
    if (entry.kind === 'file') progress.next();
    if (why === undefined) continue;
    progress.clear();
    tally.miss(entry.kind);
    io.stderr.write(`not recovered: ${quote(entry.guest, 4_096)}: ${visible(why)}\n`);
  }
  progress.clear();
  io.stderr.write(
    `${tally.text()} in ${quote(resolve(wanted.to ?? ''), 4_096)}. Owner, mode and ACL are not restored.\n`,
  );
  return tally.taken();
}

/** Why an entry was not recovered, or `undefined`. */
async function put(
  read: ReadFile,
  entry: TreeEntry,
  destination: Destination,
  wanted: Wanted,
  human: Human,
  done: (written: Written, path: string) => void,
  add: (bytes: number) => void,
): Promise<string | undefined> {
  if (entry.kind === 'link' || entry.kind === 'refused') return entry.why;
  const denied = wanted.withSecrets ? undefined : human.deny(entry.guest);
  if (denied !== undefined && entry.kind === 'file') return `${denied}; ${SECRETS}`;
  try {
    if (entry.kind === 'folder') {
      await destination.folder(entry.names);
      return undefined;
    }
    const parts = await bytesOf(read, entry, wanted, human, add);
    if (typeof parts === 'string') return parts;
    done(await destination.file(entry.names, parts), entry.names.join('/'));
    return undefined;
  } catch (error) {
    if (error instanceof NotWritten || error instanceof NotGiven) return error.message;
    throw error;
  }
}

const SECRETS = '--with-secrets takes it all the same';

/** The bytes of a file, or what secret they look like. */
async function bytesOf(
  read: ReadFile,
  file: TreeFile,
  { withSecrets }: Wanted,
  human: Human,
  add: (bytes: number) => void,
): Promise<string | (() => AsyncIterable<Uint8Array>)> {
  const { guest, size } = file;
  const counted = async function* (): AsyncGenerator<Uint8Array> {
    for await (const part of read(file)) {
      add(part.byteLength);
      yield part;
    }
  };
  if (withSecrets || size > LOOKED_INTO) return counted;
  const parts: Uint8Array[] = [];
  for await (const part of counted()) parts.push(part);
  const secret = await human.secretIn(guest, Buffer.concat(parts));
  if (secret !== undefined) return `its content looks like ${secret}; ${SECRETS}`;
  return async function* () {
    yield* parts;
  };
}

async function toStdout(read: ReadFile, file: TreeFile, wanted: Wanted, human: Human, io: Io): Promise<Taken> {
  const parts = await bytesOf(read, file, wanted, human, () => undefined);
  if (typeof parts === 'string') {
    io.stderr.write(`not recovered: ${quote(file.guest, 4_096)}: ${visible(parts)}\n`);
    return { bytes: 0, sha256: createHash('sha256').digest('hex'), whole: false };
  }
  const tally = new Tally();
  const hash = createHash('sha256');
  let bytes = 0;
  const shown = io.stdout.isTTY ? shownOn() : undefined;
  for await (const part of parts()) {
    hash.update(part);
    bytes += part.byteLength;
    await drained(io.stdout, shown === undefined ? part : shown(part));
  }
  tally.add({ bytes, sha256: hash.digest('hex') });
  if (shown !== undefined)
    io.stderr.write('\nControl characters are shown escaped here; --to DIR or > FILE keeps the bytes.\n');
  io.stderr.write(
    `${sumLine(tally.only(), file.names.at(-1) ?? '')}${bytes} bytes. Owner, mode and ACL are not restored.\n`,
  );
  return { bytes, sha256: tally.only(), whole: true };
}

/** A file from outside must not steer the terminal it is shown on. */
function shownOn(): (part: Uint8Array) => string {
  const decoder = new TextDecoder('utf-8');
  return (part) =>
    decoder
      .decode(part, { stream: true })
      .split(/([\n\t])/)
      .map((piece) => (piece === '\n' || piece === '\t' ? piece : visible(piece).replaceAll('\\\\', '\\')))
      .join('');
}

async function drained(stream: Io['stdout'], part: Uint8Array | string): Promise<void> {
  if (stream.write(part)) return;
  await new Promise<void>((free) => {
    const done = (): void => {
      stream.off('drain', done).off('error', done).off('close', done);
      free();
    };
    stream.once('drain', done).once('error', done).once('close', done);
  });
}

async function list(view: MountView, { item, guestPath }: Item, io: Io): Promise<Taken> {
  const hash = createHash('sha256');
  io.stderr.write(`${quote(guestPath, 4_096)} is a folder; --to DIR recovers it.\n`);
  for (const child of await view.list(item.path)) {
    const name = visible(child.path.slice(item.path.length + 1));
    const what = child.browsable ? 'folder' : child.downloadable ? sizeText(child.sizeInBytes ?? 0) : 'link';
    hash.update(`${child.path}\n`);
    io.stdout.write(`${what.padStart(10)}  ${visible(child.lastWriteTime ?? '-')}  ${name}\n`);
  }
  return { bytes: 0, sha256: hash.digest('hex'), whole: true };
}

class Tally {
  readonly #sums: string[] = [];
  #bytes = 0;
  #links = 0;
  #missing = 0;

  add({ bytes, sha256 }: Written): void {
    this.#sums.push(sha256);
    this.#bytes += bytes;
  }

  miss(kind: TreeEntry['kind']): void {
    if (kind === 'link') this.#links += 1;
    else this.#missing += 1;
  }

  text(): string {
    const left = [
      ...(this.#links > 0 ? [`${this.#links} links are not in the journal's files`] : []),
      ...(this.#missing > 0 ? [`${this.#missing} were not recovered`] : []),
    ];
    const missing = left.length === 0 ? '' : `; ${left.join(', ')}`;
    return `${this.#sums.length} files, ${sizeText(this.#bytes)}${missing};`;
  }

  only(): string {
    return this.#sums[0] ?? '';
  }

  /** Of one file its sum, of several the sum of their sums in order, each on a line. */
  taken(): Taken {
    const [only] = this.#sums;
    const all = createHash('sha256').update(this.#sums.map((sum) => `${sum}\n`).join(''));
    const sha256 = this.#sums.length === 1 && only !== undefined ? only : all.digest('hex');
    return { bytes: this.#bytes, sha256, whole: this.#missing === 0 };
  }
}
