import { expect } from 'vitest';
import { startRawPeer } from './raw-peer.js';

/** Sends what a client sends first, and returns the raw line that answers `tools/list`. */
export async function rawTools(
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
): Promise<string> {
  const peer = startRawPeer(command, { ...process.env, ...env });
  try {
    await peer.ask({
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    });
    peer.tell({ method: 'notifications/initialized' });
    return await peer.ask({ id: 2, method: 'tools/list' });
  } finally {
    await peer.close();
  }
}

/** Every byte of the server's own line is there, and the proxy's eight tools stand after its last. */
export function expectOnlyNativeAdded(bare: string, proxied: string, count: number): void {
  const own = (JSON.parse(bare) as { result: { tools: { name: string }[] } }).result.tools;
  expect(own).toHaveLength(count);
  const end = endOfTools(bare, own);
  const added = proxied.slice(end, proxied.length - (bare.length - end));
  // Compared before `expect`, which would print both lists.
  expect(proxied.slice(0, end) + proxied.slice(proxied.length - (bare.length - end)) === bare).toBe(true);
  const native = JSON.parse(`[${added.replace(/^,/, '')}]`) as { name: string }[];
  expect(native).toHaveLength(8);
  expect(native.every((tool) => tool.name.startsWith('zerto_'))).toBe(true);
}

/** Where the array of tools ends: each tool's own text, as the server wrote it, is passed over in order. */
function endOfTools(line: string, tools: readonly { readonly name: string }[]): number {
  let at = line.indexOf('"tools":[') + '"tools":['.length;
  for (const [index, tool] of tools.entries()) {
    const text = JSON.stringify(tool);
    const from = at + (index === 0 ? 0 : 1);
    expect(line.slice(from, from + text.length)).toBe(text);
    at = from + text.length;
  }
  expect(line[at]).toBe(']');
  return at;
}
