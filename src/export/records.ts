import type { CallFacts } from './calls.js';
import type { JsonObject, Spooled } from './spool.js';

/** A record as a destination gets it. `id` is the same each time it is sent. */
export interface Exported {
  readonly id: string;
  readonly chain: string;
  readonly seq: number;
  readonly kind: string;
  /** ISO 8601. */
  readonly at: string;
  readonly record: JsonObject;
  /** The line as it was written, so that its hash can be checked where it arrives. */
  readonly text: string;
  /** What is known of the call that the record is about. */
  readonly call?: CallFacts | undefined;
}

/** A record of a chain; one without a kind or a time, which the log does not write, goes too. */
export function exportedFrom(
  chain: string,
  { record, text, place: { seq } }: Spooled,
  call: CallFacts | undefined,
): Exported {
  const at = textAt(record, 'at');
  return {
    id: `${chain}:${seq}`,
    chain,
    seq,
    kind: textAt(record, 'kind') ?? 'unknown',
    at: at === undefined || Number.isNaN(Date.parse(at)) ? new Date(0).toISOString() : at,
    record,
    text,
    call,
  };
}

/** What a destination is tried with: it names nobody, and no chain holds it. */
export function testRecord(id: string, at: string, version: string): Exported {
  const record = { kind: 'test', at, chain: 'test', note: 'a test of the export: nothing happened', seq: 0, version };
  return { id: `test:${id}`, chain: 'test', seq: 0, kind: 'test', at, record, text: JSON.stringify(record) };
}

export type Level = 'info' | 'warn' | 'error';

/** How much a record matters: a call that may have run unnoticed is an error, one that was stopped a warning. */
export function levelOf({ record }: Pick<Exported, 'record'>): Level {
  if (record['outcome'] === 'outcome_unknown' || record['note'] === 'records_lost') return 'error';
  return record['outcome'] === 'refused' || record['outcome'] === 'not_sent' ? 'warn' : 'info';
}

/** A line for people: what the record tells, in the words of the records. */
export function sentenceOf({ kind, record, call }: Exported): string {
  const told = [record['outcome'], record['result'], record['code'], record['note']].filter(
    (word) => typeof word === 'string',
  );
  const about = call === undefined ? [] : [`${call.server} ${call.tool}`, call.effect, call.decision];
  return [kind, ...about, ...told].join(' ');
}

export function textAt(record: JsonObject, name: string): string | undefined {
  const value = record[name];
  return typeof value === 'string' ? value : undefined;
}
