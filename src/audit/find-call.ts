import { type CallRecords, readCalls, receiptOf, takeRecord } from './calls.js';
import { byChain, type Part } from './names.js';
import { placesOf } from './place-index.js';
import { type JsonObject, logFiles, parseRecord, readLines } from './read.js';
import { recordHash } from './record.js';

/**
 * The call of this id, or that of the receipt of this id. The indexes beside the files lead to it; each record that they lead to is
 * checked by its own bytes and its id. Where they lead to no whole call, everything is read.
 */
export async function findCall(dir: string, id: string): Promise<CallRecords | undefined> {
  for (const parts of byChain(await logFiles(dir)).values()) {
    const call = await indexed(dir, parts, id).catch(() => undefined);
    if (call !== undefined) return call;
  }
  for await (const call of readCalls(dir)) {
    if (call.intent.call === id || receiptOf(call)?.id === id) return call;
  }
  return undefined;
}

/** The whole call, from its intent to its outcome; nothing where less was found. */
async function indexed(dir: string, parts: readonly Part[], id: string): Promise<CallRecords | undefined> {
  const [first] = await recordsOf(dir, parts, id);
  const call = first?.record['call'];
  if (typeof call !== 'string') return undefined;
  const open = new Map<string, CallRecords>();
  for (const { record, file } of await recordsOf(dir, parts, call)) {
    const ended = takeRecord(open, record, { chain: String(record['chain']), file, seq: Number(record['seq']) });
    if (ended === undefined) continue;
    return ended.outcome?.receipt !== undefined && ended.permit === undefined ? undefined : ended;
  }
  // That there is no outcome is not for an index to say.
  return undefined;
}

interface Found {
  readonly record: JsonObject;
  readonly file: string;
}

async function recordsOf(dir: string, parts: readonly Part[], id: string): Promise<readonly Found[]> {
  const found: Found[] = [];
  for (const { file } of parts) {
    for (const place of await placesOf(dir, file, id)) {
      const record = await recordAt(dir, file, place);
      const receipt = record?.['receipt'] as JsonObject | undefined;
      if (record !== undefined && (record['call'] === id || receipt?.['id'] === id)) found.push({ record, file });
    }
  }
  return found.sort((a, b) => Number(a.record['seq']) - Number(b.record['seq']));
}

/** The record whose line begins there, where it is one by its own hash. */
async function recordAt(dir: string, file: string, place: number): Promise<JsonObject | undefined> {
  for await (const { bytes, torn } of readLines(dir, file, place)) {
    const record = torn ? undefined : parseRecord(bytes);
    const fits = record !== undefined && recordHash(record, String(record['prev'])) === record['hash'];
    return fits ? record : undefined;
  }
  return undefined;
}
