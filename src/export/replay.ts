import { CallBook } from './calls.js';
import { type Exported, exportedFrom } from './records.js';
import type { Spool } from './spool.js';

/** Every record of the log since a time (milliseconds), as destinations get it; positions are neither read nor changed. */
export async function* replay(spool: Spool, since: number): AsyncGenerator<Exported> {
  for (const chain of await spool.chains()) {
    const book = new CallBook();
    for await (const spooled of spool.read(chain)) {
      const record = exportedFrom(chain.name, spooled, book.take(chain.name, spooled.record));
      if (Date.parse(record.at) >= since) yield record;
    }
  }
}

/** The same in batches, for a destination. */
export async function* batches(records: AsyncIterable<Exported>, size: number): AsyncGenerator<readonly Exported[]> {
  let batch: Exported[] = [];
  for await (const record of records) {
    batch.push(record);
    if (batch.length < size) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
