import { readTool } from '../../interceptors/index.js';
import { classify } from '../classify/index.js';
import type { Server } from '../domain/call.js';
import { readToolsList } from './tools-list.js';

/**
 * `classify --tools FILE`: for each tool of a `tools/list` result one JSON line with the role of each argument, and the effect of a call whose
 * arguments are not known. Throws CONFIG_INVALID where the file is no such result.
 */
export async function classifyTools(file: string, stdout: NodeJS.WritableStream): Promise<void> {
  const { tools, info } = await readToolsList(file);
  const server: Server = { name: info?.name ?? 'server', info };
  const lines = tools.map((tool) => {
    const { roles, operations } = readTool(server, tool);
    return `${JSON.stringify({ tool: tool.name, roles, effect: classify(operations).effect })}\n`;
  });
  stdout.write(lines.join(''));
}
