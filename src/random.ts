import { randomFillSync } from 'node:crypto';

const POOL = 4096;
const PIECE = 8;

/** Gives eight random bytes at each call, none of them twice; they are fetched from the system by the page, and read before the next call. */
export function randomSource(): () => Uint8Array {
  const pool = new Uint8Array(POOL);
  let next = POOL;
  return () => {
    if (next === POOL) {
      randomFillSync(pool);
      next = 0;
    }
    next += PIECE;
    return pool.subarray(next - PIECE, next);
  };
}
