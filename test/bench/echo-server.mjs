// The smallest honest stdio MCP server: one tool with a command argument, answered at once.
import { createInterface } from 'node:readline';

const tool = {
  name: 'exec',
  description: 'Runs a command.',
  inputSchema: { type: 'object', properties: { command: { type: 'string' } }, required: ['command'] },
};
const results = {
  initialize: {
    protocolVersion: '2025-06-18',
    capabilities: { tools: {} },
    serverInfo: { name: 'echo', version: '1.0.0' },
  },
  'tools/list': { tools: [tool] },
  'tools/call': { content: [{ type: 'text', text: 'total 0' }] },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? {} })}\n`);
});
