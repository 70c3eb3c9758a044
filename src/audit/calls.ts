import type { Receipt } from '../domain/receipt.js';
import { type JsonObject, logFiles, NotAFile, parseRecord, readLines } from './read.js';
import { CALL_RECORD, type CallRecord, type IntentRecord, type OutcomeRecord, type PermitRecord } from './schema.js';

/** Everything that one file says of one call. */
export interface CallRecords {
  readonly file: string;
  readonly intent: IntentRecord;
  readonly permit?: PermitRecord | undefined;
  readonly outcome?: OutcomeRecord | undefined;
  /** The file ends with its `end` record, so nothing can be missing after the last record. */
  readonly complete: boolean;
}

export type CallOutcome = OutcomeRecord['outcome'];

/** Calls of one directory in the order in which they were opened, file by file. */
export async function* readCalls(dir: string): AsyncGenerator<CallRecords> {
  for (const file of await logFiles(dir)) yield* callsOf(dir, file);
}

async function* callsOf(dir: string, file: string): AsyncGenerator<CallRecords> {
  const calls = new Map<string, { intent: IntentRecord; permit?: PermitRecord; outcome?: OutcomeRecord }>();
  let complete = false;
  for await (const record of callRecords(dir, file)) {
    complete = record === 'end';
    if (record === 'end') continue;
    if (record.kind === 'intent') calls.set(record.call, { intent: record });
    else Object.assign(calls.get(record.call) ?? {}, { [record.kind]: record });
  }
  for (const call of calls.values()) yield { file, ...call, complete };
}

async function* callRecords(dir: string, file: string): AsyncGenerator<CallRecord | 'end'> {
  try {
    for await (const { bytes, torn } of readLines(dir, file)) {
      const record = torn ? undefined : callRecord(parseRecord(bytes));
      if (record !== undefined) yield record;
    }
  } catch (error) {
    if (!(error instanceof NotAFile)) throw error;
  }
}

function callRecord(record: JsonObject | undefined): CallRecord | 'end' | undefined {
  if (record?.['kind'] === 'end') return 'end';
  return CALL_RECORD.safeParse(record).data;
}

/**
 * What became of a call. Its outcome record says so. Without one it is `outcome_unknown`, since the process may have died
 * after the forward; only two cases prove `not_sent`: the decision was to refuse, or the file is complete and holds no
 * permit for a call that was to be pinned, waived or asked about (nothing but a permit on disk lets such a call out). Where a file has no end
 * record, a missing permit proves nothing: the tail may be what is missing.
 */
export function outcomeOf({ intent, permit, outcome, complete }: CallRecords): CallOutcome {
  if (outcome !== undefined) return outcome.outcome;
  if (intent.decision === 'refuse') return 'not_sent';
  const needsPermit = intent.decision !== 'forward' || intent.waivedBy !== undefined;
  return complete && needsPermit && permit === undefined ? 'not_sent' : 'outcome_unknown';
}

/** The receipt in its last form: the outcome's, else the permit's. */
export function receiptOf(call: Pick<CallRecords, 'permit' | 'outcome'>): Receipt | undefined {
  return call.outcome?.receipt ?? call.permit?.receipt;
}
