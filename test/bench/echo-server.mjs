// The smallest honest MCP server: one tool with a command argument, answered at once. A command that ends with `| head -c N` gets
// N bytes, any other a short line. On stdio, or with a port as its argument over Streamable HTTP.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';

const tool = {
  name: 'exec',
  description: 'Runs a command.',
  inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
};
const results = {
  initialize: () => ({
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'echo', version: '1.0.0' },
  }),
  'tools/list': () => ({ tools: [tool] }),
  'tools/call': ({ arguments: { command } }) => ({ content: [{ type: 'text', text: outputOf(command) }] }),
};

const LINE = 'Nov 30 07:16:49 app01 sshd[4711]: "Accepted publickey" for deploy from 10.0.0.9 port 52144\n';

function outputOf(command) {
  const bytes = Number(/\| head -c (\d+)$/.exec(command)?.[1] ?? 8);
  return LINE.repeat(Math.ceil(bytes / LINE.length)).slice(0, bytes);
}

/** The answer to one message as JSON text; undefined where none is due. */
function answerTo(text) {
  const { id, method, params } = JSON.parse(text);
  if (id === undefined) return undefined;
  return JSON.stringify({ jsonrpc: '2.0', id, result: results[method]?.(params) ?? {} });
}

function overHttp(request, response) {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    if (request.method !== 'POST') return response.writeHead(request.method === 'DELETE' ? 200 : 405).end();
    const answer = answerTo(Buffer.concat(chunks).toString());
    if (answer === undefined) return response.writeHead(202).end();
    const session = request.headers['mcp-session-id'] ?? randomUUID();
    response.writeHead(200, { 'content-type': 'application/json', 'mcp-session-id': session }).end(answer);
  });
}

const [port] = process.argv.slice(2);
if (port === undefined) {
  createInterface({ input: process.stdin }).on('line', (line) => {
    const answer = answerTo(line);
    if (answer !== undefined) process.stdout.write(`${answer}\n`);
  });
} else {
  createServer(overHttp).listen(Number(port), '127.0.0.1');
}
