import type { ToolCall } from '../../src/domain/call.js';
import type { Target, Vpg } from '../../src/domain/target.js';

/** A tools/call as the relay builds it. */
export function toolCall(parts: Partial<ToolCall> = {}): ToolCall {
  return {
    id: 'call_1',
    session: 's1',
    agent: 'test-agent',
    server: { name: 'ssh' },
    tool: 'run-command',
    arguments: { command: 'systemctl restart nginx', profile: 'app01' },
    digest: 'd'.repeat(64),
    raw: Buffer.from('{}'),
    ...parts,
  };
}

export function vpg(name: string, parts: Partial<Vpg> = {}): Vpg {
  return { name, vpgIdentifier: `id-${name}`, site: 'site-a', profile: 'vsphere', ...parts };
}

export function target(vm: string, first: Vpg, ...more: Vpg[]): Target {
  return {
    host: vm,
    vm: { name: vm, vmIdentifier: `guid.${vm}`, site: 'site-a', addresses: [], vpgs: [first, ...more] },
  };
}
