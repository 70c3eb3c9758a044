import type { LineSink } from '../pipe.js';

/** Each line goes on at once: what waits for a reader waits in the stream that it came on. */
export function sinkOf(write: (line: Buffer) => void): LineSink {
  return {
    open: true,
    gone: new Promise<void>(() => undefined),
    ready: () => undefined,
    flushed: () => Promise.resolve(),
    write: (line) => {
      write(line instanceof Buffer ? line : Buffer.from(line.buffer, line.byteOffset, line.byteLength));
      return true;
    },
  };
}
