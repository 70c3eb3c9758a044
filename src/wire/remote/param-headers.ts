import type { Logger } from '../../domain/ports.js';
import { type MirroredArgument, mirroredArguments, mirroredValue } from '../param-annotations.js';
import { record } from '../relay-peers.js';
import { headerValue } from './header-values.js';

/** Which arguments the tools of a stateless server (revision 2026-07-28) want as `Mcp-Param-*`, by the tool lists that came from it. */
export class ParamHeaders {
  readonly #byTool = new Map<string, readonly MirroredArgument[]>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Learns from the result of a tools/list. */
  learn(result: unknown): void {
    const tools = record(result)['tools'];
    for (const tool of Array.isArray(tools) ? tools : []) {
      const { name, inputSchema } = record(tool);
      if (typeof name !== 'string') continue;
      const { usable, unusable } = mirroredArguments(inputSchema);
      this.#byTool.set(name, usable);
      for (let n = 0; n < unusable; n += 1)
        this.#log.warn({ tool: name }, 'a tool names a header that cannot be made: the argument goes without one');
    }
  }

  /** The headers for a call: none for an argument that is missing, null or no plain value. */
  for(tool: string, args: unknown): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const argument of this.#byTool.get(tool) ?? []) {
      const value = mirroredValue(args, argument);
      if (value !== undefined) headers[argument.header] = headerValue(value);
    }
    return headers;
  }
}
