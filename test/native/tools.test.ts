import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { CallToolRequestSchema, ListToolsRequestSchema, ToolSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect, it } from 'vitest';
import { verifies } from '../e2e/requirements.js';
import { fc } from '../support/property.js';
import { bench } from './support.js';

interface Listed {
  readonly name: string;
  readonly description: string;
  readonly annotations: { readonly readOnlyHint: boolean };
  readonly inputSchema: {
    readonly additionalProperties: boolean;
    readonly properties: Record<string, { readonly description?: string }>;
    readonly required?: readonly string[];
  };
}

async function listed(confirm: 'human' | 'flag' = 'human'): Promise<Listed[]> {
  const { native } = await bench({ recovery: { confirm } });
  return native.tools().map(({ json }) => JSON.parse(json) as Listed);
}

describe('the list', () => {
  it('has exactly eight tools with exactly these arguments', async () => {
    const shown = (await listed()).map(({ name, inputSchema }) => [
      name,
      Object.keys(inputSchema.properties).map((key) => (inputSchema.required?.includes(key) ? key : `${key}?`)),
    ]);
    expect(shown).toEqual([
      ['zerto_check_tool', ['tool?', 'arguments?', 'command?', 'shell?']],
      ['zerto_find_protection', ['vm']],
      ['zerto_create_tagged_checkpoint', ['vm', 'action', 'change?']],
      ['zerto_guard_before_mutate', ['vm', 'action', 'change?']],
      ['zerto_recover_file', ['receipt?', 'vm?', 'checkpoint?', 'vpg?', 'path', 'from?', 'preview?', 'page?']],
      ['zerto_list_flr_sessions', ['vm?']],
      ['zerto_end_flr_session', ['session']],
      ['zerto_list_receipts', ['vm?', 'agent?', 'session?', 'since?', 'change?', 'limit?']],
    ]);
  });

  it('has confirmed only under confirm "flag", and nothing else then', async () => {
    const [human, flag] = [await listed(), await listed('flag')];
    const keys = (tools: Listed[]) => tools.map(({ inputSchema }) => Object.keys(inputSchema.properties));
    expect(keys(flag)[4]).toEqual([...(keys(human)[4] ?? []), 'confirmed']);
    expect([...keys(flag).slice(0, 4), ...keys(flag).slice(5)]).toEqual([
      ...keys(human).slice(0, 4),
      ...keys(human).slice(5),
    ]);
  });

  it('names each tool once, closes each schema, and fits the protocol', async () => {
    const { native } = await bench();
    for (const { name, json } of native.tools()) {
      const tool = ToolSchema.parse(JSON.parse(json));
      expect(tool.name).toBe(name);
      expect(tool.inputSchema['additionalProperties']).toBe(false);
      expect(tool.title).toBeTruthy();
      expect(tool.description?.length).toBeGreaterThan(60);
      expect(JSON.parse(json)).not.toHaveProperty('run');
    }
  });

  it('is honest in its hints', async () => {
    const hints = Object.fromEntries((await listed()).map(({ name, annotations }) => [name, annotations.readOnlyHint]));
    expect(hints).toEqual({
      zerto_check_tool: true,
      zerto_find_protection: true,
      zerto_create_tagged_checkpoint: false,
      zerto_guard_before_mutate: false,
      zerto_recover_file: false,
      zerto_list_flr_sessions: true,
      zerto_end_flr_session: false,
      zerto_list_receipts: true,
    });
  });

  it('has no argument for a place on this host, a URL or a mount option', async () => {
    for (const { inputSchema } of await listed('flag')) {
      for (const [key, { description = '' }] of Object.entries(inputSchema.properties)) {
        expect(key).not.toMatch(/dest|dir|output|save|local|target|to$|url|uri|host$|mount|initial|download/i);
        if (/path/i.test(key)) expect(description).toContain('in the VM');
      }
    }
  });

  it('serves an MCP client as an ordinary server would', async () => {
    const it = await bench();
    const server = new Server({ name: 'native', version: '1' }, { capabilities: { tools: {} } });
    server.setRequestHandler(ListToolsRequestSchema, () => ({
      tools: it.native.tools().map(({ json }) => JSON.parse(json)),
    }));
    server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) =>
      it.call(params.name, params.arguments, signal),
    );
    const client = new Client({ name: 'test', version: '1' });
    const [one, two] = InMemoryTransport.createLinkedPair();
    await Promise.all([server.connect(one), client.connect(two)]);
    expect((await client.listTools()).tools).toHaveLength(8);
    const result = await client.callTool({ name: 'zerto_find_protection', arguments: { vm: 'app01' } });
    expect(result).toMatchObject({ structuredContent: { vm: { name: 'app01' }, vpgs: [{ name: 'app' }] } });
    await client.close();
  });
});

describe('arguments', () => {
  it.each([
    ['zerto_recover_file', { receipt: 'r', pth: '/x' }, /no argument "pth"; did you mean "path"\?/],
    ['zerto_recover_file', { receipt: 'r', path: '/x', Path: '/y' }, /no argument "Path"; did you mean "path"/],
    ['zerto_recover_file', { receipt: 'r', path: '/x', destination: '/tmp' }, /no argument "destination"(?!; did)/],
    ['zerto_recover_file', { receipt: 'r', path: '/x', initialDownloadPath: '/etc' }, /no argument/],
    ['zerto_recover_file', { receipt: 'r', path: '/x', confirmed: true }, /no argument "confirmed"/],
    ['zerto_recover_file', JSON.parse('{"path":"/x","__proto__":{"receipt":"r"}}'), /no argument "__proto__"/],
    ['zerto_recover_file', { receipt: 'r' }, /path/],
    ['zerto_recover_file', { receipt: 1, path: '/x' }, /receipt/],
    ['zerto_recover_file', { path: '/x' }, /Give receipt, or vm and checkpoint/],
    ['zerto_recover_file', { path: '/x', vm: 'app01' }, /Give receipt, or vm and checkpoint/],
    ['zerto_recover_file', { path: '/x', receipt: 'r', checkpoint: '1' }, /not both/],
    ['zerto_recover_file', { path: '/x', vm: 'app01', checkpoint: '1/../2' }, /checkpoint/],
    ['zerto_find_protection', [], /object/],
    ['zerto_find_protection', { vm: '' }, /vm/],
    ['zerto_create_tagged_checkpoint', { vm: 'app01', action: 'x', change: 'a b' }, /change/],
    ['zerto_list_receipts', { since: 'yesterday' }, /since/],
    ['zerto_list_receipts', { limit: 0 }, /limit/],
    ['zerto_check_tool', { tool: 'exec', command: 'ls' }, /not both/],
    ['zerto_check_tool', { shell: 'bash' }, /command/],
    ['zerto_check_tool', { arguments: {} }, /tool/],
  ])('%s %j', async (name, args, words) => {
    const it = await bench();
    const result = await it.call(name, args);
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toMatch(new RegExp(words.source.replaceAll('"', '\\\\"')));
    expect(result.structuredContent).toMatchObject({ error: { code: 'INVALID_ARGUMENTS' } });
    expect(it.world.sessions).toEqual([]);
    expect(it.questions).toEqual([]);
  });

  it('of any shape are answered, never thrown, and pin and mount nothing', async () => {
    const it = await bench();
    it.reply = 'no';
    const names = it.native.tools().map(({ name }) => name);
    const key = fc.constantFrom(
      'vm',
      'path',
      'receipt',
      'checkpoint',
      'session',
      'tool',
      'command',
      'since',
      'x',
      '__proto__',
    );
    const args = fc.oneof(
      fc.jsonValue(),
      fc.dictionary(key, fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.constant('../../x'))),
    );
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), args, async (name, raw) => {
        const result = await it.call(name, raw);
        expect(result.content.length).toBeGreaterThan(0);
      }),
      { numRuns: 80 },
    );
    expect(it.pinned).toEqual([]);
    expect(it.world.sessions).toEqual([]);
    expect(it.errors).toEqual([]);
  });
});

describe('zerto_check_tool', () => {
  it('says what would happen and sends nothing', async () => {
    const it = await bench();
    const result = await it.call('zerto_check_tool', { tool: 'exec', arguments: { command: 'rm x' } });
    expect(result.structuredContent).toMatchObject({
      effect: 'mutating',
      decision: 'pin_then_forward',
      findings: [{ subject: 'rm' }],
    });
    expect(JSON.stringify(result.content)).toContain('Nothing was sent');
  });

  it('says why a call would be refused', async () => {
    const refusal = 'no Zerto appliance is connected';
    const it = await bench({
      deps: { judge: async () => ({ effect: 'mutating', findings: [], decision: 'refuse', refusal }) },
    });
    expect(JSON.stringify(await it.call('zerto_check_tool', { command: 'rm x' }))).toContain(refusal);
  });

  it('with no arguments lists the catalogs', async () => {
    const it = await bench();
    expect((await it.call('zerto_check_tool')).structuredContent).toMatchObject({
      mutating_tools: {},
      read_only_tools: {},
    });
  });
});

describe('zerto_find_protection', () => {
  it('tells one VM and every VPG', async () => {
    const it = await bench();
    const result = await it.call('zerto_find_protection', { vm: 'db01' });
    expect(result.structuredContent).toMatchObject({
      vm: { name: 'db01' },
      vpgs: [{ name: 'db-remote' }, { name: 'db-local' }],
    });
  });

  it.each([
    ['nope', /TARGET_UNRESOLVED/],
    ['lab01', /TARGET_UNPROTECTED/],
    ['hr01', /No wrapped server reaches/],
  ])('%s is an error', async (vm, words) => {
    const it = await bench();
    const result = await it.call('zerto_find_protection', { vm });
    expect(result.isError).toBe(true);
    expect(JSON.stringify(result.content)).toMatch(words);
  });

  it('tells of a VM out of reach under scope all, or that a forwarded call may have changed', async () => {
    expect(
      (await (await bench({ recovery: { scope: 'all' } })).call('zerto_find_protection', { vm: 'hr01' })).isError,
    ).toBeUndefined();
    const it = await bench();
    it.receipt(['hr01']);
    expect((await it.call('zerto_find_protection', { vm: 'hr01' })).isError).toBeUndefined();
    const targets = await bench({ recovery: { scope: 'targets' } });
    targets.receipt(['hr01']);
    expect((await targets.call('zerto_find_protection', { vm: 'hr01' })).isError).toBe(true);
  });

  it('quotes names from outside', async () => {
    const it = await bench({
      world: { vms: [{ name: 'a\u202eb"\n' }], vpgs: [{ name: 'v\u0007', vms: ['a\u202eb"\n'] }] },
      reaches: ['a\u202eb"\n'],
    });
    const result = await it.call('zerto_find_protection', { vm: it.vmId('a\u202eb"\n') });
    const [first] = result.content;
    expect(first?.type === 'text' && first.text).toContain('"a\\u202eb\\"\\u000a"');
    expect(first?.type === 'text' && first.text).toContain('"v\\u0007"');
  });
});

describe('zerto_create_tagged_checkpoint and zerto_guard_before_mutate', () => {
  it.each(['zerto_create_tagged_checkpoint', 'zerto_guard_before_mutate'])('%s answers the receipt', async (name) => {
    const it = await bench();
    const result = await it.call(name, { vm: 'app01', action: 'edit config', change: 'CHG-1' });
    expect(result.structuredContent).toMatchObject({ receipt: { tool: name, vms: [{ name: 'app01' }] } });
    expect(JSON.stringify(result.content)).toContain('Crash consistency');
    expect(it.audit[0]).toMatchObject({ name, readOnly: false, outcome: { result: 'ok', receipt: { tool: name } } });
  });

  it('reach no further than the wrapped servers, whatever the scope', async () => {
    const it = await bench({ recovery: { scope: 'all' } });
    expect((await it.call('zerto_create_tagged_checkpoint', { vm: 'hr01', action: 'x' })).isError).toBe(true);
    expect(it.pinned).toEqual([]);
  });
});

describe('zerto_list_receipts', () => {
  it('tells state and journal, newest first, within reach', async () => {
    const it = await bench();
    const first = it.receipt(['app01']);
    const hidden = it.receipt(['hr01']);
    const both = it.receipt(['app01', 'hr01']);
    const waived = it.receipt([], { permit: 'waived' }, 'outcome_unknown');
    const result = await it.call('zerto_list_receipts');
    expect(result.structuredContent).toMatchObject({
      receipts: [
        { id: waived.id, state: 'outcome_unknown', journal: {} },
        { id: first.id, state: 'forwarded', journal: { [it.world.vpg('app').vpgIdentifier]: 'listed' } },
      ],
    });
    expect(JSON.stringify(result)).not.toContain(hidden.id);
    expect(JSON.stringify(result)).not.toContain(both.id);
    expect((await it.call('zerto_list_receipts', { limit: 1 })).structuredContent).toMatchObject({
      receipts: [{ id: waived.id }],
    });
  });

  it(`${verifies('G-9')} says lost after a re-sync and unknown where the appliance is silent`, async () => {
    const it = await bench();
    it.receipt(['app01']);
    it.world.resync('app', 60_000);
    expect(JSON.stringify(await it.call('zerto_list_receipts'))).toContain('lost');
    await it.simulator.faults.network('down');
    const silent = await it.call('zerto_list_receipts');
    expect(silent.isError).toBeUndefined();
    expect(JSON.stringify(silent)).toContain('unknown');
  });
});

describe('audit', () => {
  it('notes the intent before and the outcome after, also of what was refused', async () => {
    const it = await bench();
    await it.call('zerto_find_protection', { vm: 'nope' });
    await it.call('zerto_find_protection', { wrong: 'x' });
    expect(it.audit).toMatchObject([
      {
        name: 'zerto_find_protection',
        arguments: { vm: 'nope' },
        readOnly: true,
        outcome: { result: 'error', code: 'TARGET_UNRESOLVED' },
      },
      { arguments: { wrong: 'x' }, outcome: { result: 'error', code: 'INVALID_ARGUMENTS' } },
    ]);
  });

  it('that cannot be written stops the call before it does anything', async () => {
    const { ProxyError } = await import('../../src/domain/errors.js');
    const it = await bench({ deps: { audit: () => Promise.reject(new ProxyError('AUDIT_UNAVAILABLE', 'no disk')) } });
    const result = await it.call('zerto_create_tagged_checkpoint', { vm: 'app01', action: 'x' });
    expect(JSON.stringify(result)).toContain('AUDIT_UNAVAILABLE');
    expect(it.pinned).toEqual([]);
  });

  it('whose outcome cannot be written withholds no answer', async () => {
    const it = await bench({ deps: { audit: async () => ({ close: () => Promise.reject(new Error('disk')) }) } });
    expect((await it.call('zerto_check_tool')).isError).toBeUndefined();
    expect(it.errors).toHaveLength(1);
  });
});

describe('faults', () => {
  it('of no known kind show nothing of themselves', async () => {
    const it = await bench({ deps: { judge: () => Promise.reject(new Error('secret /home/x')) } });
    const result = await it.call('zerto_check_tool', { command: 'ls' });
    expect(JSON.stringify(result)).toContain('PROXY_FAULT');
    expect(JSON.stringify(result)).not.toContain('secret');
    expect(it.audit[0]?.outcome).toMatchObject({ result: 'error', code: 'PROXY_FAULT' });
  });

  it('a cancelled call is answered as cancelled', async () => {
    const it = await bench();
    expect(JSON.stringify(await it.call('zerto_check_tool', {}, AbortSignal.abort()))).toContain('CALL_CANCELLED');
    expect(JSON.stringify(await it.call('zerto_nothing'))).toContain('no such native tool');
  });
});
