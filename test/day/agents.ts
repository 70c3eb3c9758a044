import type { Answer } from '../../src/domain/call.js';
import type { Seen } from './checker.js';
import type { Plant } from './plant.js';

/** A call as a client has it in mind; it may take several attempts. */
export interface Wish {
  readonly session: string;
  readonly command: string;
  readonly hosts: readonly string[];
  readonly progress: boolean;
  /** Milliseconds after which the client gives up; it repeats nothing then. */
  readonly givesUpAfterMs?: number | undefined;
  /** Repeats a call that was not sent yet so often. */
  readonly repeats: number;
}

const AGAIN = /not sent yet\. Send the same call again in (\d+) s/;

/** Sends a call, repeats it where the answer says so, and tells how it ended. Never rejects. */
export async function pursue(plant: Plant, wish: Wish): Promise<Seen> {
  const { command } = wish;
  const reads = command.startsWith('read');
  for (let left = wish.repeats; ; left -= 1) {
    const answer = await attempt(plant, wish).catch(() => 'may_have_run' as const);
    if (answer === 'may_have_run') return { command, reads, end: answer, receipt: recorded(plant, command) };
    if (answer.kind === 'downstream') return { command, reads, end: 'answered', receipt: answer.receipt };
    const again = AGAIN.exec(answer.text)?.[1];
    if (again === undefined || left === 0) return { command, reads, end: 'not_sent' };
    await plant.clock.sleep(Number(again) * 1000);
  }
}

async function attempt(plant: Plant, { givesUpAfterMs, ...wish }: Wish): Promise<Answer> {
  if (givesUpAfterMs === undefined) return plant.call(wish);
  const cancel = new AbortController();
  const { clock } = plant;
  const stop = clock.setTimer(clock.now() + givesUpAfterMs, () =>
    cancel.abort(new DOMException('given up', 'AbortError')),
  );
  const answer = await plant.call({ ...wish, signal: cancel.signal });
  stop();
  return answer;
}

function recorded({ records }: Plant, command: string): Seen['receipt'] {
  return records.findLast((record) => record.command === command && record.receipt !== undefined)?.receipt;
}
