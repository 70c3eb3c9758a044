import { lstat, readdir, rm } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../domain/process.js';
import { headOf } from './heads.js';
import { byChain, LOG_NAME, type Part } from './names.js';
import { type JsonObject, logFiles, parseRecord, readLines } from './read.js';
import type { Body } from './record.js';
import type { Removed } from './verify.js';
import { firstRecord } from './verify-chain.js';

/** No journal holds a point longer, so no receipt that can still be recovered is older. */
const JOURNAL_DAYS = 30;
const DAY = 86_400_000;

export interface RetentionOptions {
  readonly dir: string;
  readonly days: number;
  readonly now: Date;
  /** Files that somebody still has to read: they stay, and what follows them. */
  readonly held?: ReadonlySet<string> | undefined;
}

/** What is to go: the record that must be on disk before, and the files. */
export interface Removal {
  readonly record: Body;
  readonly files: readonly string[];
}

/**
 * The files that are older than so many days, if any. Only whole files that ended (by `end` or a rotation, or because their process
 * died on this machine), only from the beginning of a chain, and none with a receipt that a journal may still serve.
 * The record keeps, of each chain, where it goes on: also of chains removed earlier, as long as another file speaks of them.
 */
export async function findRemovable({ dir, days, now, held }: RetentionOptions): Promise<Removal | undefined> {
  const before = now.getTime() - days * DAY;
  const chains = byChain((await logFiles(dir)).filter(({ file }) => LOG_NAME.test(file)));
  const going: Removed[] = [];
  for (const parts of chains.values()) {
    for (const part of parts) {
      if (held?.has(part.file) === true) break;
      const removed = await removable(dir, part, part === parts.at(-1), before, now.getTime() - JOURNAL_DAYS * DAY);
      if (removed === undefined) break;
      going.push(removed);
    }
  }
  if (going.length === 0) return undefined;
  const files = going.map(({ file }) => file);
  const staying = [...chains.values()].flat().filter(({ file }) => !files.includes(file));
  const removed = await stillSpokenOf(dir, [...(await recordedIn(dir, files)), ...going], staying);
  return {
    record: { kind: 'retention', at: now.toISOString(), days, before: new Date(before).toISOString(), removed },
    files,
  };
}

/** Removes the files and their indexes, also those that a crash left half made; whoever was faster is welcome. */
export async function removeFiles(dir: string, files: readonly string[]): Promise<void> {
  for (const file of files) await rm(join(dir, file), { force: true });
  const isTheirs = (name: string) => files.some((file) => name.startsWith(`${file}.index`));
  for (const name of await readdir(dir)) if (isTheirs(name)) await rm(join(dir, name), { force: true });
}

async function removable(
  dir: string,
  { file, chain }: Part,
  isLast: boolean,
  before: number,
  journal: number,
): Promise<Removed | undefined> {
  const stat = await lstat(join(dir, file));
  if (!stat.isFile() || stat.mtimeMs >= before) return undefined;
  const last = await headOf(join(dir, file));
  // The clock may have been set back meanwhile: the younger of the two times counts.
  const at = Math.max(stat.mtimeMs, Date.parse(String(last?.record['at'])));
  if (last === undefined || !(at < before) || last.record['v'] !== 1) return undefined;
  const isEnded = last.record['kind'] === 'end' || last.record['kind'] === 'rotate';
  if (!isEnded && !(isLast && (await isOfTheDead(dir, file)))) return undefined;
  if (at >= journal && (await holds(dir, file, '"kind":"permit"'))) return undefined;
  const { seq, hash } = last.head;
  return { file, chain, seq, hash };
}

/** A file without an end whose process ran on this machine and runs no longer. */
async function isOfTheDead(dir: string, file: string): Promise<boolean> {
  const { host, pid } = (await firstRecord(dir, file)) ?? {};
  if (host !== hostname() || typeof pid !== 'number' || pid <= 0) return false;
  return !isAlive(pid);
}

async function holds(dir: string, file: string, text: string): Promise<boolean> {
  for await (const { bytes } of readLines(dir, file)) if (bytes.includes(text)) return true;
  return false;
}

/** What retention records in these files say was removed before. */
async function recordedIn(dir: string, files: readonly string[]): Promise<readonly Removed[]> {
  const all: Removed[] = [];
  for (const file of files) {
    for await (const { bytes } of readLines(dir, file)) {
      const record = bytes.includes('"kind":"retention"') ? parseRecord(bytes) : undefined;
      if (record?.['kind'] === 'retention' && Array.isArray(record['removed'])) all.push(...record['removed']);
    }
  }
  return all;
}

/** The last file of each chain, where files that stay belong to it or name it. */
async function stillSpokenOf(dir: string, removed: readonly Removed[], staying: readonly Part[]) {
  const named = new Set(staying.map(({ chain }) => chain));
  for (const { file } of staying) {
    const first: JsonObject | undefined = await firstRecord(dir, file).catch(() => undefined);
    for (const head of Array.isArray(first?.['others']) ? first['others'] : []) named.add(String(head?.chain));
  }
  const last = new Map<string, Removed>();
  for (const entry of removed) {
    if (named.has(entry.chain) && entry.seq > (last.get(entry.chain)?.seq ?? 0)) last.set(entry.chain, entry);
  }
  return [...last.values()].map(({ file, chain, seq, hash }) => ({ file, chain, seq, hash }));
}
