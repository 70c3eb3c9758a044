import { readTool } from '../../interceptors/index.js';
import { classify } from '../classify/index.js';
import type { Server } from '../domain/call.js';
import { nativeTools } from '../native/tools.js';
import { readToolsList } from './tools-list.js';

/**
 * `classify --tools FILE`: for each tool of a `tools/list` result one JSON line with the role of each argument, and the effect of a call whose
 * arguments are not known; the proxy's own tools, which no server ever gets, are told as such. Throws CONFIG_INVALID where the file is no such result.
 */
export async function classifyTools(file: string, stdout: NodeJS.WritableStream): Promise<void> {
  const { tools, info } = await readToolsList(file);
  const server: Server = { name: info?.name ?? 'server', info };
  const own = new Map(nativeTools({ confirm: 'human' }).map(({ name, annotations }) => [name, annotations]));
  const lines = tools.map((tool) => {
    const hints = own.get(tool.name);
    if (hints !== undefined) {
      const effect = hints.readOnlyHint ? 'read_only' : 'mutating';
      return `${JSON.stringify({ tool: tool.name, roles: {}, effect, why: 'a tool of the proxy itself, which no server gets' })}\n`;
    }
    const { roles, operations } = readTool(server, tool);
    return `${JSON.stringify({ tool: tool.name, roles, effect: classify(operations).effect })}\n`;
  });
  stdout.write(lines.join(''));
}
