// What typed-proxy.mjs needs of the official SDK, version 2.
import { Client as SdkClient, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

export { StdioClientTransport, StdioServerTransport, StreamableHTTPClientTransport };
export const Client = SdkClient;
export const StreamableHTTPServerTransport = NodeStreamableHTTPServerTransport;

/** A server that hands everything on to the client. */
export function serverFor(client) {
  const server = new Server({ name: 'typed-proxy', version: '2.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', ({ params }) => client.listTools(params));
  server.setRequestHandler('tools/call', ({ params }) => client.callTool(params));
  return server;
}
