import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import { z } from 'zod';

/** A server of the official SDK behind HTTP, with tools like those of an ssh server. */
export interface HttpMcpServer {
  readonly url: string;
  /** Commands in the order in which they came. */
  readonly ran: string[];
  /** The `authorization` of each HTTP request. */
  readonly logins: (string | undefined)[];
  /** Calls of `wait` that were cancelled. */
  readonly cancelled: string[];
  /** Forgets every session, as a restart does. */
  forget(): void;
  close(): Promise<void>;
}

type Kind = 'session' | 'json' | 'sse';

/** `session`: Streamable HTTP that answers by streams; `json`: by JSON; `sse`: the older transport. */
export async function startHttpServer(kind: Kind): Promise<HttpMcpServer> {
  const seen = { ran: [] as string[], logins: [] as (string | undefined)[], cancelled: [] as string[] };
  const streamable = new Map<string, StreamableHTTPServerTransport>();
  const older = new Map<string, SSEServerTransport>();
  const http = createServer((request, response) => {
    seen.logins.push(request.headers.authorization);
    void (kind === 'sse' ? olderOne(request, response) : streamableOne(request, response));
  });
  const streamableOne = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const id = request.headers['mcp-session-id'];
    const known = typeof id === 'string' ? streamable.get(id) : undefined;
    if (id !== undefined && known === undefined) return void response.writeHead(404).end();
    const transport =
      known ??
      new StreamableHTTPServerTransport({
        sessionIdGenerator: randomUUID,
        enableJsonResponse: kind === 'json',
        onsessioninitialized: (session) => void streamable.set(session, transport),
      });
    // The SDK's types are not written for exactOptionalPropertyTypes.
    if (known === undefined) await tools(seen).connect(transport as Parameters<McpServer['connect']>[0]);
    await transport.handleRequest(request, response);
  };
  const olderOne = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (request.method === 'GET' && url.pathname === '/mcp') {
      const transport = new SSEServerTransport('/messages', response);
      older.set(transport.sessionId, transport);
      await tools(seen).connect(transport);
      return;
    }
    const transport = older.get(url.searchParams.get('sessionId') ?? '');
    if (transport === undefined) response.writeHead(404).end('Cannot POST /mcp');
    else await transport.handlePostMessage(request, response);
  };
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`,
    ...seen,
    forget: () => streamable.clear(),
    close: () => closed(http),
  };
}

function tools(seen: { readonly ran: string[]; readonly cancelled: string[] }): McpServer {
  const server = new McpServer({ name: 'far-ssh', version: '1' }, { capabilities: { logging: {} } });
  const command = z.string();
  const text = (value: string) => ({ content: [{ type: 'text' as const, text: value }] });
  server.registerTool(
    'ssh_execute',
    { description: 'Runs a shell command on a host', inputSchema: { command, host: z.string() } },
    ({ command: line }) => {
      seen.ran.push(line);
      return text(`ran ${line}`);
    },
  );
  server.registerTool('steps', { inputSchema: {} }, async (_args, { _meta, sendNotification }) => {
    for (const progress of [1, 2, 3]) {
      const progressToken = _meta?.progressToken ?? 0;
      await sendNotification({ method: 'notifications/progress', params: { progressToken, progress, total: 3 } });
    }
    return text('stepped');
  });
  server.registerTool('wait', { inputSchema: {} }, (_args, { signal }) => {
    seen.ran.push('wait');
    return new Promise((resolve) => {
      signal.addEventListener('abort', () => {
        seen.cancelled.push('wait');
        resolve(text('cancelled'));
      });
    });
  });
  server.registerTool('ask', { inputSchema: {} }, async () => {
    const requestedSchema = { type: 'object' as const, properties: { colour: { type: 'string' as const } } };
    const { content } = await server.server.elicitInput({ message: 'Which colour?', requestedSchema });
    return text(`colour ${JSON.stringify(content)}`);
  });
  server.registerTool('think', { inputSchema: {} }, async () => {
    const messages = [{ role: 'user' as const, content: { type: 'text' as const, text: 'hm' } }];
    const { content } = await server.server.createMessage({ messages, maxTokens: 5 });
    return text(`thought ${JSON.stringify(content)}`);
  });
  server.registerTool('announce', { inputSchema: {} }, async () => {
    server.sendToolListChanged();
    await server.sendLoggingMessage({ level: 'error', data: 'on its own' });
    return text('announced');
  });
  return server;
}

function closed(http: Server): Promise<void> {
  http.closeAllConnections();
  return new Promise((resolve) => http.close(() => resolve()));
}
