import type { CallFacts } from './calls.js';
import { objects } from './calls.js';
import { type Exported, textAt } from './records.js';
import type { JsonObject } from './spool.js';

export type Attributes = Record<string, string | number | boolean | string[]>;

/** What the conventions for MCP say of a tools/call, and the rest under `zerto_rewind.`; of a name that is not known there is nothing. */
export function callAttributes(call: CallFacts | undefined): Attributes {
  if (call === undefined) return {};
  const vms = [...new Set(call.targets.flatMap(({ vm }) => (vm === undefined ? [] : [vm])))];
  return {
    'mcp.method.name': 'tools/call',
    'gen_ai.operation.name': 'execute_tool',
    'gen_ai.tool.name': call.tool,
    'mcp.session.id': call.session,
    'zerto_rewind.call': call.id,
    'zerto_rewind.agent': call.agent,
    'zerto_rewind.server': call.server,
    'zerto_rewind.effect': call.effect,
    'zerto_rewind.decision': call.decision,
    'zerto_rewind.rule': call.rule,
    ...(vms.length > 0 && { 'zerto_rewind.vms': vms }),
  };
}

/** What a permit or an outcome adds. */
export function resultAttributes({ record }: Pick<Exported, 'record'>): Attributes {
  const receipt = (record['receipt'] ?? {}) as JsonObject;
  const attributes: Attributes = {};
  const copy = (from: JsonObject, names: readonly string[]) => {
    for (const name of names) {
      const value = textAt(from, name);
      if (value !== undefined) attributes[`zerto_rewind.${snake(name)}`] = value;
    }
  };
  copy(record, ['outcome', 'result', 'reason', 'answeredBy', 'note']);
  copy(receipt, ['change', 'permit', 'waivedBy', 'covers', 'mode']);
  const id = textAt(receipt, 'id');
  if (id !== undefined) attributes['zerto_rewind.receipt'] = id;
  if (receipt['simulated'] === true) attributes['zerto_rewind.simulated'] = true;
  const tags = tagsOf(receipt);
  if (tags.length > 0) attributes['zerto_rewind.tags'] = tags;
  const error = errorOf(record);
  if (error !== undefined) attributes['error.type'] = error;
  return attributes;
}

/** `error.type`: `tool_error` where the tool said so, else the proxy's code. */
export function errorOf(record: JsonObject): string | undefined {
  const code = textAt(record, 'code');
  if (code !== undefined) return code;
  if (record['result'] === 'error') return 'tool_error';
  return record['outcome'] === 'outcome_unknown' ? 'OUTCOME_UNKNOWN' : undefined;
}

function tagsOf(receipt: JsonObject): string[] {
  return objects(receipt['vms'])
    .flatMap((vm) => objects(vm['vpgs']))
    .flatMap((vpg) => textAt((vpg['tag'] ?? {}) as JsonObject, 'name') ?? []);
}

function snake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
