import type { ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import type { Appliance, Reply } from './exchange.js';
import { render } from './render.js';

/** A reply as status and text, for a caller without a connection; undefined where it would be cut. Throws for a file. */
export function asText(
  appliance: Appliance,
  reply: Reply,
): { readonly status: number; readonly text: string } | undefined {
  switch (reply.kind) {
    case 'drop':
      return undefined;
    case 'empty':
      return { status: reply.status, text: '' };
    case 'text':
      return { status: reply.status ?? 200, text: reply.text };
    case 'json':
      return { status: reply.status, text: render(reply.value, appliance.knobs) };
    case 'file':
      throw new Error('simulator: a file is sent over a connection only');
  }
}

/** Writes a reply; answers the status for the log, 0 where the connection was cut instead. */
export function send(appliance: Appliance, response: ServerResponse, reply: Reply): number {
  switch (reply.kind) {
    case 'drop':
      response.destroy();
      return 0;
    case 'empty':
      response.writeHead(reply.status, { 'content-length': 0, ...reply.headers }).end();
      return reply.status;
    case 'text':
      return text(response, reply.status ?? 200, reply.text, reply.contentType);
    case 'json':
      return text(response, reply.status, render(reply.value, appliance.knobs), 'application/json; charset=utf-8');
    case 'file':
      file(appliance, response, reply);
      return 200;
  }
}

function text(response: ServerResponse, status: number, body: string, contentType: string): number {
  response.writeHead(status, { 'content-type': contentType, 'content-length': Buffer.byteLength(body) }).end(body);
  return status;
}

function file(appliance: Appliance, response: ServerResponse, { download, trouble }: Reply & { kind: 'file' }): void {
  const limit = Math.min(download.size, trouble?.bytes ?? download.size);
  const session = appliance.world.sessions.find(
    ({ flrSessionIdentifier }) => flrSessionIdentifier === download.session,
  );
  if (session !== undefined) session.runningTasks += 1;
  response.writeHead(200, {
    'content-type': 'application/octet-stream',
    'content-length': trouble?.kind === 'short' ? limit : download.size,
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(download.name)}`,
  });
  pipeline(download.stream(), head(limit, trouble?.kind === 'cut' ? response : undefined), response, () => {
    if (session !== undefined) session.runningTasks -= 1;
  });
}

/** Passes the first `limit` bytes; then ends, or cuts the connection that is given. */
function head(limit: number, cut: ServerResponse | undefined) {
  return async function* (source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    let left = limit;
    for await (const chunk of source) {
      const part = chunk.subarray(0, left);
      left -= part.length;
      if (part.length > 0) yield part;
      if (left === 0) break;
    }
    if (cut !== undefined) {
      await new Promise((resolve) => cut.write('', resolve));
      cut.destroy();
    }
  };
}
