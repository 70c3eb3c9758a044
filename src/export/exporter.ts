import type { Logger } from '../domain/ports.js';
import type { Destination } from './destinations.js';
import { Lease } from './lease.js';
import { Shipper } from './shipper.js';
import type { Spool } from './spool.js';

export interface ExporterOptions {
  readonly destinations: readonly Destination[];
  /** Where positions and leases lie; one directory for each audit directory. */
  readonly dir: string;
  readonly spool: Spool;
  readonly host: string;
  readonly pid: number;
  /** Differs for each process and start; safe in a file name. */
  readonly unique: string;
  readonly log: Logger;
}

/** The export of one process: a shipper for each destination. */
export interface Exporter {
  /** Records were written, or may have been. */
  wake(): void;
  /** Sends what is left for so long; the rest is for the next process. */
  close(graceMs: number): Promise<void>;
}

export function startExporter({ destinations, dir, spool, host, pid, unique, log }: ExporterOptions): Exporter {
  const stop = new AbortController();
  const abort = new AbortController();
  const shippers = destinations.map(
    ({ where: _, ...destination }) =>
      new Shipper({
        ...destination,
        dir,
        spool,
        lease: new Lease(dir, destination.name, { host, pid, unique }),
        log,
        unique,
      }),
  );
  const running = Promise.all(shippers.map((shipper) => shipper.run(stop.signal, abort.signal)));
  return {
    wake: () => {
      for (const shipper of shippers) shipper.wake();
    },
    close: async (graceMs) => {
      const timer = setTimeout(() => abort.abort(), graceMs);
      stop.abort();
      await running;
      clearTimeout(timer);
    },
  };
}
