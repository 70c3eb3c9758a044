// Baseline: a proxy that parses and rebuilds every message with the official SDK's types. typed-proxy.mjs v1|v2 FROM TO: FROM is
// `stdio` or a port to listen on, TO is a URL or the command of a stdio server.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

const [version, from, ...to] = process.argv.slice(2);
const sdk = await import(`./typed-${version}.mjs`);
const [command, ...args] = to;

async function connected() {
  const client = new sdk.Client({ name: 'typed-proxy', version: '1.0.0' });
  const transport = command.startsWith('http:')
    ? new sdk.StreamableHTTPClientTransport(new URL(command))
    : new sdk.StdioClientTransport({ command, args });
  await client.connect(transport);
  return client;
}

/** A client, and so a child, for each session. */
function overHttp(port) {
  const sessions = new Map();
  const open = async () => {
    const client = await connected();
    const transport = new sdk.StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void sessions.set(id, transport),
    });
    transport.onclose = () => void client.close();
    await sdk.serverFor(client).connect(transport);
    return transport;
  };
  const server = createServer(async (request, response) => {
    const transport = sessions.get(request.headers['mcp-session-id']) ?? (await open());
    await transport.handleRequest(request, response);
  });
  server.listen(port, '127.0.0.1');
}

if (from === 'stdio') {
  await sdk.serverFor(await connected()).connect(new sdk.StdioServerTransport());
  process.stdin.on('end', () => process.exit(0));
} else {
  overHttp(Number(from));
}
