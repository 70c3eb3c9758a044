// The smallest honest stdio MCP server: one tool with a command argument, answered at once. A command that ends with
// `| head -c N` gets N bytes, any other a short line.
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

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: results[method]?.(params) ?? {} })}\n`);
});
