import { isRecord, record } from './relay-peers.js';

/** An argument that a tool wants repeated in a header (revision 2026-07-28): the way to it by names of members, and the header in lower case. */
export interface MirroredArgument {
  readonly path: readonly string[];
  readonly header: string;
}

/** `unusable`: how many annotations name no header that can be made; such arguments go without one. */
export interface MirroredArguments {
  readonly usable: readonly MirroredArgument[];
  readonly unusable: number;
}

const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const MIRRORED_TYPES: readonly unknown[] = ['string', 'integer', 'boolean'];

/** What the `x-mcp-header` annotations of a tool's input schema say, at any depth of `properties`. */
export function mirroredArguments(inputSchema: unknown): MirroredArguments {
  const byHeader = new Map<string, MirroredArgument>();
  let unusable = 0;
  const walk = (at: unknown, path: readonly string[]): void => {
    for (const [name, property] of Object.entries(record(record(at)['properties']))) {
      const here = [...path, name];
      const { 'x-mcp-header': title, type } = record(property);
      const header = isUsable(title, type) ? `mcp-param-${title.toLowerCase()}` : undefined;
      if (header !== undefined && !byHeader.has(header)) byHeader.set(header, { path: here, header });
      else if (title !== undefined) unusable += 1;
      walk(property, here);
    }
  };
  walk(inputSchema, []);
  return { usable: [...byHeader.values()], unusable };
}

/** The text that the header repeats; undefined for an argument that is missing, null or no plain value. */
export function mirroredValue(args: unknown, { path }: MirroredArgument): string | undefined {
  const value = path.reduce((at: unknown, name) => own(at, name), args);
  const isPlain = typeof value === 'string' || typeof value === 'boolean' || Number.isSafeInteger(value);
  return isPlain ? String(value) : undefined;
}

function isUsable(title: unknown, type: unknown): title is string {
  return typeof title === 'string' && TOKEN.test(title) && MIRRORED_TYPES.includes(type);
}

function own(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}
