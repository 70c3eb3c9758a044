import { type CallRecords, takeRecord } from './calls.js';
import { errnoOf } from './directory.js';
import { byChain, type Part } from './names.js';
import { indexedPlaces, readPlaces } from './place-index.js';
import { type JsonObject, lineAt, logFiles, parseRecord, readLines } from './read.js';
import { CALL_RECORD, type CallRecord } from './schema.js';

/** What one chain says of a call, in order, from the first record that is there up to its outcome. */
export interface FoundCall {
  readonly chain: string;
  readonly records: ReadonlyArray<{ readonly record: CallRecord; readonly file: string; readonly seq: number }>;
  /** The chain ends with its `end` record. */
  readonly complete: boolean;
}

/** The call of this id, or that of the receipt of this id. */
export async function findCall(dir: string, id: string): Promise<CallRecords | undefined> {
  return findRecords(dir, id, ({ chain, records, complete }) => {
    const open = new Map<string, CallRecords>();
    for (const { record, file, seq } of records) {
      const ended = takeRecord(open, record, { chain, file, seq });
      if (ended !== undefined) return ended;
    }
    const [call] = open.values();
    return call && { ...call, complete };
  });
}

/**
 * What `use` makes of the records of the call of this id, or that of the receipt of this id; newest chains first. The indexes beside the
 * files lead to its first record, and the log itself is read from there. Where that gives nothing, all files are read.
 */
export async function findRecords<T>(
  dir: string,
  id: string,
  use: (found: FoundCall) => T | undefined,
): Promise<T | undefined> {
  const chains = [...byChain(await logFiles(dir))].reverse();
  for (const places of [indexedPlaces, readPlaces]) {
    for (const [chain, parts] of chains) {
      const found = await search({ dir, chain, parts, places }, id).catch(() => undefined);
      const used = found && use(found);
      if (used !== undefined) return used;
    }
  }
  return undefined;
}

interface Search {
  readonly dir: string;
  readonly chain: string;
  readonly parts: readonly Part[];
  readonly places: typeof indexedPlaces;
}

async function search(where: Search, id: string): Promise<FoundCall | undefined> {
  const named = await firstOf(where, id, ({ call, receipt }) => call === id || (receipt as JsonObject)?.['id'] === id);
  const call = named?.record['call'];
  if (typeof call !== 'string') return undefined;
  const first = call === id ? named : await firstOf(where, call, (record) => record['call'] === call);
  return first && readOn(where, first, call);
}

/** A record, its file, and the offset at which its line begins. */
interface Placed {
  readonly record: JsonObject;
  readonly file: string;
  readonly place: number;
}

async function firstOf(where: Search, id: string, fits: (record: JsonObject) => boolean): Promise<Placed | undefined> {
  for (const { file } of where.parts) {
    const found = await firstIn(where, file, id, fits).catch((error: unknown) => {
      // Retention may remove the oldest files meanwhile.
      if (errnoOf(error) !== 'ENOENT') throw error;
    });
    if (found !== undefined) return found;
  }
  return undefined;
}

async function firstIn(
  { dir, places }: Search,
  file: string,
  id: string,
  fits: (record: JsonObject) => boolean,
): Promise<Placed | undefined> {
  for await (const place of places(dir, file, id)) {
    const bytes = await lineAt(dir, file, place);
    const record = bytes && parseRecord(bytes);
    if (record !== undefined && fits(record)) return { record, file, place };
  }
  return undefined;
}

/** No index says that a record is missing: from the call's first record to its outcome every line counts. */
async function readOn({ dir, chain, parts }: Search, first: Placed, call: string): Promise<FoundCall> {
  const text = JSON.stringify(call);
  const records: { record: CallRecord; file: string; seq: number }[] = [];
  let last: Uint8Array = new Uint8Array();
  for await (const { file, bytes } of linesFrom(dir, parts, first)) {
    last = bytes;
    if (!bytes.includes(text)) continue;
    const read = parseRecord(bytes);
    const { data: record } = CALL_RECORD.safeParse(read);
    if (record?.call !== call) continue;
    records.push({ record, file, seq: Number(read?.['seq']) });
    if (record.kind === 'outcome') return { chain, records, complete: false };
  }
  return { chain, records, complete: parseRecord(last)?.['kind'] === 'end' };
}

/** The whole lines of a chain from a place on. */
async function* linesFrom(dir: string, parts: readonly Part[], { file: first, place }: Placed) {
  for (const { file } of parts.slice(parts.findIndex((part) => part.file === first))) {
    for await (const { bytes, torn } of readLines(dir, file, file === first ? place : 0)) {
      if (!torn) yield { file, bytes };
    }
  }
}
