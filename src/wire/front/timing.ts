import type { Meters } from '../../domain/meters.js';
import { type RequestMessage, type ResponseMessage, resultIsError } from '../message.js';
import { errorCode } from './stateless-errors.js';

/** Takes how a request ended: by its answer, taken back by its client, or not at all. Only the first one counts. */
export type End = (how: ResponseMessage | 'cancelled' | 'no_answer') => void;

/** Begins to time a request. */
export function timed(meters: Pick<Meters, 'operation'> | undefined, { method }: RequestMessage): End {
  if (meters === undefined) return () => undefined;
  const begun = performance.now();
  let over = false;
  return (how) => {
    if (over) return;
    over = true;
    meters.operation(
      method,
      (performance.now() - begun) / 1000,
      typeof how === 'string' ? how : problemOf(how, method),
    );
  };
}

function problemOf({ isError, raw }: ResponseMessage, method: string): string | undefined {
  if (isError) return String(errorCode(raw));
  return method === 'tools/call' && resultIsError(raw) ? 'tool_error' : undefined;
}
