import { setTimeout as sleep } from 'node:timers/promises';
import { type CallRecords, takeRecord } from './calls.js';
import { type Position, readRecords } from './records.js';

/** How often the directory is looked at, in milliseconds. */
const EVERY = 300;

/** Calls as they end, those that ended already first; until the signal. */
export async function* followCalls(dir: string, signal: AbortSignal): AsyncGenerator<CallRecords> {
  const positions: Record<string, Position> = {};
  const open = new Map<string, Map<string, CallRecords>>();
  while (!signal.aborted) {
    for await (const { record, position } of readRecords(dir, { ...positions })) {
      positions[position.chain] = position;
      const calls = open.get(position.chain) ?? new Map<string, CallRecords>();
      open.set(position.chain, calls);
      const ended = takeRecord(calls, record, position);
      if (ended !== undefined) yield ended;
    }
    await sleep(EVERY, undefined, { signal }).catch(() => undefined);
  }
}
