import { beforeEach, describe, expect, test } from 'vitest';
import { answerText, handleOf } from '../../interceptors/handles.js';
import { type SessionReaders, sessionReaders } from '../../interceptors/index.js';
import type { Server, ToolCall } from '../../src/domain/call.js';
import type { Downstream, DownstreamAnswer } from '../../src/domain/ports.js';
import { verifies } from '../e2e/requirements.js';

let readers: SessionReaders;
beforeEach(() => {
  readers = sessionReaders();
});

const server: Server = { name: 'some', info: { name: 'some server', version: '1' } };
let calls = 0;

const callOf = (tool: string, args: ToolCall['arguments'], of = server): ToolCall => {
  calls += 1;
  return {
    id: `c${calls}`,
    session: 's',
    agent: 'a',
    server: of,
    tool,
    arguments: args,
    digest: '',
    raw: new Uint8Array(),
  };
};

async function send(
  tool: string,
  args: ToolCall['arguments'],
  text = 'ok',
  isError = false,
  of = server,
): Promise<void> {
  const result = { content: [{ type: 'text', text }], isError };
  const raw = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  const answer: DownstreamAnswer = { kind: 'downstream', raw, isError };
  const downstream: Downstream = { forward: async () => answer };
  await readers.watch(downstream).forward(callOf(tool, args, of), {} as never, new AbortController().signal);
}

function hosts(tool: string, args: ToolCall['arguments'], of = server): string[] {
  const call = callOf(tool, args, of);
  const reader = readers.interceptors.find((each) => each.claims(of, tool, undefined));
  return (reader?.read(call).hosts ?? []).map(({ value }) => value);
}

describe(verifies('R-2'), () => {
  test('a session is the host that it was opened on, whatever it is called', async () => {
    await send('open-session', { name: 'db01', profile: 'app01' });
    expect(hosts('run-command', { session: 'db01', command: 'rm /x' })).toEqual(['app01']);
    expect(hosts('run-command', { session: 'other', command: 'rm /x' })).toEqual([]);
    expect(hosts('run-command', { session: 'db01', profile: 'web1', command: 'rm /x' })).toEqual(['web1']);
  });

  test('a session whose name the server chose is read from its answer', async () => {
    await send(
      'ssh_session_start',
      { server: 'app01' },
      '🚀 SSH Session Started\n\nSession ID: ssh_17_ab\nServer: app01',
    );
    expect(hosts('ssh_session_send', { session: 'ssh_17_ab', command: 'rm /x' })).toEqual(['app01']);
  });

  test('a connection stands for the host that it was opened to', async () => {
    await send('ssh_connect', { host: 'app01', username: 'root', connectionId: 'web' });
    await send('ssh_connect', { host: 'db01', username: 'root' });
    expect(hosts('ssh_execute', { connectionId: 'web', command: 'rm /x' })).toEqual(['app01']);
    expect(hosts('ssh_execute', { connectionId: 'default', command: 'rm /x' })).toEqual(['db01']);
    await send('ssh_connect', { host: 'db02', connectionId: 'web' });
    expect(hosts('ssh_execute', { connectionId: 'web', command: 'rm /x' })).toEqual(['app01', 'db02']);
  });

  test('what failed to open stands for nothing', async () => {
    await send('ssh_connect', { host: 'app01', connectionId: 'web' }, 'no route', true);
    expect(hosts('ssh_execute', { connectionId: 'web', command: 'rm /x' })).toEqual(['web']);
  });

  test('a process of an ssh command talks to its host', async () => {
    await send('start_process', { command: 'ssh -tt app01' }, 'Process started with PID 4711 (shell: sh)');
    await send('start_process', { command: 'python3' }, 'Process started with PID 4712');
    expect(hosts('interact_with_process', { pid: 4711, input: 'rm /x' })).toEqual(['app01']);
    expect(hosts('interact_with_process', { pid: 4712, input: 'rm /x' })).toEqual(['localhost']);
  });

  test('an id in the answer of a call that names its host is remembered, for that server alone', async () => {
    await send('connect', { host: 'app01' }, '{"session_id": "abc-123"}');
    expect(hosts('exec', { session_id: 'abc-123', command: 'rm /x' })).toEqual(['app01']);
    expect(hosts('exec', { session_id: 'abc-123', command: 'rm /x' }, { name: 'another' })).toEqual([]);
  });
});

test('a handle is told from arguments, or from an answer, or not at all', () => {
  const call = (tool: string, args: ToolCall['arguments']) => ({ tool, arguments: args });
  expect(handleOf(call('open-session', { name: 'x' }), [])).toBeUndefined();
  expect(handleOf(call('open-session', { name: ['x'], profile: 'p' }), [])).toBeUndefined();
  expect(handleOf(call('validate_script', { host: 'h' }), [], '{"token":"tok_1"}')).toEqual({
    handle: 'tok_1',
    hosts: ['h'],
  });
  expect(handleOf(call('ls', { host: 'h' }), ['h'], 'nothing here')).toBeUndefined();
  expect(handleOf(call('ls', {}), [], 'session id: abcdef')).toBeUndefined();
});

test('an answer that is no result has no text', () => {
  const bytes = (value: unknown) => new TextEncoder().encode(typeof value === 'string' ? value : JSON.stringify(value));
  expect(answerText(bytes('not json'))).toBe('');
  expect(answerText(bytes({ result: { content: 'x' } }))).toBe('""');
  expect(
    answerText(bytes({ result: { content: [null, { text: 'a' }, { text: 1 }], structuredContent: { b: 1 } } })),
  ).toBe('a\n{"b":1}');
});
