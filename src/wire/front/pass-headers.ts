import type { IncomingHttpHeaders } from 'node:http';
import type { HttpAnswer } from '../remote/http.js';

type Headers = Readonly<Record<string, string>>;

/** What of a client's head concerns the server behind: how it speaks MCP, and traces. Never its login or its cookies. */
const UP = /^(?:accept|content-type|last-event-id|user-agent|traceparent|tracestate|mcp-[a-z0-9-]+)$/;
/** What is between two neighbours alone, what is made anew here, and what would act on the proxy's own login or origin. */
const NOT_DOWN: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'set-cookie',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'www-authenticate',
]);

/** The head of a request upstream; what the config sets (`own`, in lower case) is not the client's to say; `further` goes up too. */
export function headersUp(
  client: NodeJS.Dict<string[]>,
  own: readonly string[],
  further: readonly string[] = [],
): Headers {
  return Object.fromEntries(
    Object.entries(client).flatMap(([name, values]) =>
      (UP.test(name) || further.includes(name)) &&
      !own.includes(name) &&
      values?.length === 1 &&
      values[0] !== undefined
        ? [[name, values[0]] as const]
        : [],
    ),
  );
}

/** The head of an answer for the client. */
export function headersDown(upstream: IncomingHttpHeaders): Record<string, string> {
  const named = (upstream.connection ?? '').toLowerCase().split(',');
  const dropped = new Set(named.map((name) => name.trim()));
  return Object.fromEntries(
    Object.entries(upstream).flatMap(([name, value]) =>
      value === undefined || NOT_DOWN.has(name) || dropped.has(name) ? [] : [[name, String(value)] as const],
    ),
  );
}

/** Status and headers of an answer for the client. */
export interface Head {
  readonly status: number;
  readonly headers: Record<string, string>;
}

/** What the client gets of an answer's head, where no login of its own goes up. */
export function headDown({ status, headers }: HttpAnswer): Head {
  return { status: statusDown(status), headers: headersDown(headers) };
}

/**
 * The status for the client. That the upstream wants another login, or another address, is between it and the proxy: a client
 * would take the first for its own token, and follow the second with it.
 */
function statusDown(status: number): number {
  return status === 401 || (status >= 300 && status < 400) ? 502 : status;
}
