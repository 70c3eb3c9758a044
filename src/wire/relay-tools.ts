import type { ToolDescription } from '../domain/call.js';
import { ListBook } from './list-book.js';
import { isRecord, record } from './relay-peers.js';

/** What the downstream's newest `tools/list` said of each tool. */
export class ToolBook extends ListBook<ToolDescription> {
  constructor() {
    super(toolsOf);
  }
}

function toolsOf(result: unknown): readonly ToolDescription[] {
  const tools = record(result)['tools'];
  if (!Array.isArray(tools)) return [];
  return tools.flatMap((tool: unknown) => {
    if (!isRecord(tool) || typeof tool['name'] !== 'string') return [];
    return [{ name: tool['name'], inputSchema: tool['inputSchema'], annotations: annotationsOf(tool['annotations']) }];
  });
}

function annotationsOf(annotations: unknown): ToolDescription['annotations'] {
  const hint = record(annotations)['destructiveHint'];
  return typeof hint === 'boolean' ? { destructiveHint: hint } : undefined;
}
