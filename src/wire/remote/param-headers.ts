import type { Logger } from '../../domain/ports.js';
import { isRecord, record } from '../relay-peers.js';
import { headerValue } from './header-values.js';

/** An argument that a tool wants repeated in a header: the way to it, by names of members, and the header. */
interface Mirrored {
  readonly path: readonly string[];
  readonly header: string;
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const MIRRORED_TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];

/** Which arguments the tools of a stateless server (revision 2026-07-28) want as `Mcp-Param-*`, by the tool lists that came from it. */
export class ParamHeaders {
  readonly #byTool = new Map<string, readonly Mirrored[]>();
  readonly #log: Logger;

  constructor(log: Logger) {
    this.#log = log;
  }

  /** Learns from the result of a tools/list. */
  learn(result: unknown): void {
    const tools = record(result)['tools'];
    for (const tool of Array.isArray(tools) ? tools : []) {
      const { name, inputSchema } = record(tool);
      if (typeof name === 'string') this.#byTool.set(name, this.#wanted(name, inputSchema));
    }
  }

  /** The headers for a call: none for an argument that is missing, null or no plain value. */
  for(tool: string, args: unknown): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const { path, header } of this.#byTool.get(tool) ?? []) {
      const value = path.reduce((at: unknown, name) => own(at, name), args);
      if (typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value))
        headers[`mcp-param-${header.toLowerCase()}`] = headerValue(String(value));
    }
    return headers;
  }

  #wanted(tool: string, schema: unknown): readonly Mirrored[] {
    const found: Mirrored[] = [];
    const seen = new Set<string>();
    const walk = (at: unknown, path: readonly string[]): void => {
      for (const [name, property] of Object.entries(record(record(at)['properties']))) {
        const here = [...path, name];
        const header = record(property)['x-mcp-header'];
        if (header !== undefined) this.#add(tool, found, seen, { header, path: here, type: record(property)['type'] });
        walk(property, here);
      }
    };
    walk(schema, []);
    return found;
  }

  #add(
    tool: string,
    found: Mirrored[],
    seen: Set<string>,
    { header, path, type }: { header: unknown; path: readonly string[]; type: unknown },
  ): void {
    const usable = typeof header === 'string' && TOKEN.test(header) && MIRRORED_TYPES.includes(type);
    if (!usable || seen.has(header.toLowerCase())) {
      this.#log.warn({ tool }, 'a tool names a header that cannot be made: the argument goes without one');
      return;
    }
    seen.add(header.toLowerCase());
    found.push({ path, header });
  }
}

function own(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
