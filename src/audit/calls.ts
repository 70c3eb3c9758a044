import type { Receipt } from '../domain/receipt.js';
import { byChain, type Part } from './names.js';
import { logFiles } from './read.js';
import { chainRecords } from './records.js';
import { CALL_RECORD, type IntentRecord, type OutcomeRecord, type PermitRecord } from './schema.js';

/** Everything that one chain says of one call. */
export interface CallRecords {
  readonly chain: string;
  /** The file and number of the intent. */
  readonly file: string;
  readonly seq: number;
  readonly intent: IntentRecord;
  readonly permit?: PermitRecord | undefined;
  readonly outcome?: OutcomeRecord | undefined;
  /** The chain ends with its `end` record, so nothing can be missing after the last record. */
  readonly complete: boolean;
}

export type CallOutcome = OutcomeRecord['outcome'];

/** Calls of one directory, chain by chain: those that ended in the order of their ends, then those without an outcome. */
export async function* readCalls(dir: string): AsyncGenerator<CallRecords> {
  for (const [, parts] of byChain(await logFiles(dir))) yield* callsOf(dir, parts);
}

/** Calls of the chain to which these files belong; in memory are those that have not ended yet. */
async function* callsOf(dir: string, parts: readonly Part[]): AsyncGenerator<CallRecords> {
  const open = new Map<string, CallRecords>();
  let complete = false;
  for await (const { record, position } of chainRecords(dir, parts)) {
    complete = record['kind'] === 'end';
    const ended = takeRecord(open, record, position);
    if (ended !== undefined) yield ended;
  }
  for (const call of open.values()) yield { ...call, complete };
}

/** Adds a record to the calls that are open; answers the call that it ends. */
export function takeRecord(
  open: Map<string, CallRecords>,
  record: unknown,
  { chain, file, seq }: Pick<CallRecords, 'chain' | 'file' | 'seq'>,
): CallRecords | undefined {
  const { data } = CALL_RECORD.safeParse(record);
  if (data === undefined) return undefined;
  if (data.kind === 'intent') {
    open.set(data.call, { chain, file, seq, intent: data, complete: false });
    return undefined;
  }
  const call = open.get(data.call);
  if (call === undefined) return undefined;
  const longer = { ...call, [data.kind]: data };
  if (data.kind === 'outcome') open.delete(data.call);
  else open.set(data.call, longer);
  return data.kind === 'outcome' ? longer : undefined;
}

/**
 * What became of a call. Its outcome record says so. Without one it is `outcome_unknown`, since the process may have died
 * after the forward; only two cases prove `not_sent`: the decision was to refuse, or the chain is complete and holds no
 * permit for a call that was to be pinned, waived or asked about (nothing but a permit on disk lets such a call out). Where a chain has no end
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

/** When and where a call was opened. */
export interface Opened {
  readonly chain: string;
  readonly seq: number;
  readonly at: string;
}

/**
 * Calls by the time at which they were opened. Within a chain the order is that of the records, also where the clock was set
 * back meanwhile: there a call counts as no earlier than the one before it.
 */
export function inOrder<T>(items: readonly T[], openedOf: (item: T) => Opened): readonly T[] {
  const sorted = [...items].sort((a, b) => openedOf(a).seq - openedOf(b).seq);
  const latest = new Map<string, number>();
  const timed = sorted.map((item) => {
    const { chain, at } = openedOf(item);
    const time = Math.max(Date.parse(at) || 0, latest.get(chain) ?? 0);
    latest.set(chain, time);
    return { item, time };
  });
  return timed.sort((a, b) => a.time - b.time).map(({ item }) => item);
}
