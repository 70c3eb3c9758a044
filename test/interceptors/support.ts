import { readCall } from '../../interceptors/index.js';
import { strictest } from '../../src/domain/assessment.js';
import type { Operation, Server, ToolDescription } from '../../src/domain/call.js';

export const ssh: Server = { name: 'ssh', family: 'ssh' };

export function read(
  args: Readonly<Record<string, unknown>>,
  options: { tool?: string; server?: Server; description?: ToolDescription } = {},
) {
  const { tool = 'run_command', server = ssh, description } = options;
  return readCall({ server, tool, arguments: args, description });
}

/** Texts of commands with their languages, in order. */
export const sources = (operations: readonly Operation[]) =>
  operations.flatMap((operation) =>
    operation.kind === 'command' ? [`${operation.language}: ${operation.source}`] : [],
  );

/** The effect apart from command texts, which count as `read_only` here. */
export const floor = (operations: readonly Operation[]) =>
  strictest(operations.map((operation) => (operation.kind === 'fixed' ? operation.effect : 'read_only')));

export const schema = (
  name: string,
  properties: Readonly<Record<string, unknown>>,
  annotations?: { destructiveHint: boolean },
): ToolDescription => ({
  name,
  inputSchema: { type: 'object', properties },
  annotations,
});
