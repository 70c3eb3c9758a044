import type { Reading, ToolCall } from '../domain/call.js';

/** The pattern of hosts that an ansible call runs on, as the caller wrote it: its limit, else its list of hosts. */
export function hostPattern({ arguments: given }: Pick<ToolCall, 'arguments'>, reading: Reading): string | undefined {
  if (!reading.operations.some(({ kind }) => kind.startsWith('ansible'))) return undefined;
  const named = (role: string): unknown[] =>
    Object.keys(given).flatMap((name) => (reading.roles[name] === role ? [given[name]] : []));
  const [limit] = named('limit');
  const pattern = typeof limit === 'string' && limit.trim() !== '' ? limit : named('host_list')[0];
  return typeof pattern === 'string' && PLAIN.test(pattern) ? pattern : undefined;
}

/** The option by which ansible leaves hosts out; undefined where a name of theirs would have to be quoted. */
export function limitWithout(pattern: string | undefined, hosts: readonly string[]): string | undefined {
  if (pattern === undefined || !hosts.every((host) => PLAIN.test(host))) return undefined;
  // Where a comma stands in a pattern, ansible takes a colon for a part of a name.
  const by = pattern.includes(',') ? ',' : ':';
  return `--limit '${[pattern, ...hosts.map((host) => `!${host}`)].join(by)}'`;
}

/** Host names, groups and the signs that join them; nothing that ends a quotation or reaches a shell. */
const PLAIN = /^[\w.:,&!*~[\]-]{1,200}$/;
