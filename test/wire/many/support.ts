import { afterEach } from 'vitest';
import { Harness, type MemberOptions, type RelayOptions } from '../process/harness.js';

const open: Harness[] = [];

/** Several raw servers behind one relay; ended after the test. */
export function startServers(members: readonly MemberOptions[], options: Partial<RelayOptions> = {}): Harness {
  const harness = new Harness({ restartMs: 20, ...options, members });
  open.push(harness);
  return harness;
}

export function endServersAfterEach(): void {
  afterEach(async () => {
    await Promise.all(open.splice(0).map((harness) => harness.abort()));
  });
}

export interface Script {
  readonly tools?: readonly string[];
  readonly capabilities?: object;
  readonly instructions?: string;
  readonly protocolVersion?: string;
  readonly answers?: Readonly<Record<string, string | number>>;
  readonly more?: object;
}

/** A raw server of that name; its tools are called NAME_echo, NAME_ask … and do what the part after NAME_ says. */
export function member(name: string, script: Script = {}): MemberOptions {
  const { capabilities = { tools: { listChanged: true } }, instructions, protocolVersion = '2025-11-25' } = script;
  const tools = (script.tools ?? TOOLS.map((tool) => `${name}_${tool}`)).map((tool) => ({
    name: tool,
    inputSchema: { type: 'object' },
  }));
  const initialize = {
    protocolVersion,
    capabilities,
    serverInfo: { name: `${name}-server`, version: '1' },
    instructions,
  };
  return {
    name,
    options: {
      initialize: JSON.stringify(initialize),
      pages: [JSON.stringify({ tools })],
      prefix: `${name}_`,
      answers: script.answers ?? {},
      ...script.more,
    },
  };
}

const TOOLS = [
  'echo',
  'hang',
  'lists',
  'calls',
  'exit',
  'ask',
  'forge',
  'junk',
  'flood',
  'big',
  'notify_after',
  'seen',
  'progress',
  'task',
];

export const list = (id: number | string, method = 'tools/list', params: object = {}) => ({
  jsonrpc: '2.0',
  id,
  method,
  params,
});

/** Initialize and the notification that follows it. */
export async function begin(harness: Harness, capabilities: object = {}): Promise<string> {
  const hello = await harness.initialize(capabilities);
  harness.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  return hello;
}
