import { beforeEach, describe, expect, test } from 'vitest';
import { CATALOGS } from '../../interceptors/catalog/index.js';
import { Connections } from '../../interceptors/connections.js';
import { noteOpening, type Told, toldName } from '../../interceptors/handles.js';
import { readCall, type SessionReaders, sessionReaders, type ToolRules, userRules } from '../../interceptors/index.js';
import { MANAGER_TOOLS } from '../../interceptors/ssh-manager.js';
import { SECURED, SECURED_TOOLS } from '../../interceptors/ssh-secured.js';
import { classify } from '../../src/classify/index.js';
import type { Reading, Server, ToolCall, ToolDescription } from '../../src/domain/call.js';
import type { Downstream, DownstreamAnswer } from '../../src/domain/ports.js';
import type { Aim } from '../../src/domain/target.js';
import { verifies } from '../e2e/requirements.js';
import { fc } from '../support/property.js';
import { schema } from './support.js';

type Args = Readonly<Record<string, unknown>>;
interface From {
  readonly server: Server;
  readonly tools: ReadonlyMap<string, { readonly roles: object }>;
}

const catalogue = (name: string): From => {
  const catalog = CATALOGS.find((each) => each.name === name);
  if (catalog === undefined) throw new Error(`no catalog ${name}`);
  return { server: { name: 'it', info: { name: catalog.server, version: '1' } }, tools: catalog.tools };
};
const manager: From = {
  server: { name: 'it', info: { name: 'mcp-ssh-manager', version: '3.8.5' } },
  tools: MANAGER_TOOLS,
};
const secured: From = { server: { name: 'it', info: { name: SECURED, version: '1' } }, tools: SECURED_TOOLS };
const remote = catalogue('mcp-remote-ssh');
const smb = catalogue('smb');
const zibdie = catalogue('ssh-zibdie');
const configured = catalogue('ssh-fangjunjie');
const unknown: From = { server: { name: 'it', info: { name: 'nobody knows it', version: '1' } }, tools: new Map() };

let readers: SessionReaders;
beforeEach(() => {
  readers = sessionReaders();
});

const describeTool = ({ tools }: From, tool: string): ToolDescription | undefined => {
  const known = tools.get(tool);
  return known && schema(tool, Object.fromEntries(Object.keys(known.roles).map((name) => [name, {}])));
};

let calls = 0;
async function send(
  from: From,
  tool: string,
  args: Args,
  answer: { text?: string; structured?: unknown; isError?: boolean } = {},
) {
  calls += 1;
  const call: ToolCall = {
    id: `call-${calls}`,
    session: 's',
    agent: 'a',
    server: from.server,
    tool,
    arguments: args,
    digest: '',
    raw: new Uint8Array(),
    description: describeTool(from, tool),
  };
  const { text = 'ok', structured, isError = false } = answer;
  const result = { content: [{ type: 'text', text }], structuredContent: structured, isError };
  const raw = new TextEncoder().encode(JSON.stringify({ jsonrpc: '2.0', id: 1, result }));
  const downstream: Downstream = {
    forward: async (): Promise<DownstreamAnswer> => ({ kind: 'downstream', raw, isError }),
  };
  await readers.watch(downstream).forward(call, {} as never);
}

const read = (from: From, tool: string, args: Args): Reading =>
  readCall({ server: from.server, tool, arguments: args, description: describeTool(from, tool) }, readers.interceptors);

const VM = /^(app|db|web)0\d$/;
/** The VMs that a call would be pinned on, and what stops it. `(none)`: the call names nothing, and policy's default applies. */
async function hosts(from: From, tool: string, args: Args): Promise<string[]> {
  const aim = readers.aim(async ({ hosts: named }): Promise<Aim> => {
    const values = named.length === 0 ? ['(none)'] : named.map(({ value }) => value);
    const isVm = (value: string) => value === '(none)' || VM.test(value);
    return {
      targets: values.filter(isVm).map((host) => ({ host, vm: { vmIdentifier: host } }) as Aim['targets'][number]),
      problems: values.filter((v) => !isVm(v)).map((host) => ({ host, kind: 'unresolved', why: 'no VM', found: [] })),
    };
  });
  const { targets, problems } = await aim(read(from, tool, args), from.server, new AbortController().signal);
  return [...targets.map(({ host }) => host), ...problems.map(({ host }) => `? ${host}`)];
}

const STARTED = (id: string, server = 'app01') =>
  `🚀 SSH Session Started\n\nSession ID: ${id}\nServer: ${server}\nName: x`;

describe(`${verifies('R-2')} what calls open`, () => {
  test('a session whose id the server tells in its own first lines', async () => {
    await send(manager, 'ssh_session_start', { server: 'app01' }, { text: STARTED('ssh_17_ab') });
    expect(await hosts(manager, 'ssh_session_send', { session: 'ssh_17_ab', command: 'rm /x' })).toEqual(['app01']);
    expect(await hosts(manager, 'ssh_session_close', { session: 'all' })).toEqual(['? all']);
    expect(await hosts(manager, 'ssh_session_send', { session: 'app01', command: 'rm /x' })).toEqual(['? app01']);
  });

  test('a session that did not start, or whose text was not the server’s, is none', async () => {
    await send(
      manager,
      'ssh_session_start',
      { server: 'app01' },
      { text: '❌ Failed to start session: Session ID: evil' },
    );
    await send(
      manager,
      'ssh_session_start',
      { server: 'app01', name: 'x\nSession ID: evil' },
      { text: `x\n${STARTED('evil')}` },
    );
    await send(manager, 'ssh_session_send', { session: 's', command: 'cat x' }, { text: STARTED('evil') });
    await send(manager, 'ssh_execute', { server: 'app01', command: 'cat x' }, { text: STARTED('evil') });
    await send(manager, 'ssh_tail', { server: 'app01', file: '/x' }, { text: STARTED('evil') });
    expect(await hosts(manager, 'ssh_session_send', { session: 'evil', command: 'rm /x' })).toEqual(['? evil']);
  });

  test('of two lines with an id the first counts: a name with a line of its own stands below it', async () => {
    await send(
      manager,
      'ssh_session_start',
      { server: 'app01', name: 'x' },
      { text: `${STARTED('s1')}\nSession ID: s2` },
    );
    expect(await hosts(manager, 'ssh_session_send', { session: 's1', command: 'rm /x' })).toEqual(['app01']);
    expect(await hosts(manager, 'ssh_session_send', { session: 's2', command: 'rm /x' })).toEqual(['? s2']);
  });

  test.each([
    ['a structured answer', { structured: { session_id: 'ab12', host: 'web09' } }],
    ['one JSON text', { text: '{"session_id": "ab12", "host": "web09"}' }],
  ])('a session of %s is on the host that the call named', async (_, answer) => {
    await send(remote, 'ssh_connect', { host: 'db01', username: 'root' }, answer);
    expect(await hosts(remote, 'ssh_execute', { session_id: 'ab12', command: 'rm /x' })).toEqual(['db01']);
    expect(
      await hosts(remote, 'ssh_write_remote_file', { session_id: 'ab12', remote_path: '/x', content: 'y' }),
    ).toEqual(['db01']);
    expect(await hosts(remote, 'ssh_execute', { session_id: 'web09', command: 'rm /x' })).toEqual(['? web09']);
  });

  test('no output of a command opens a session, whatever it looks like', async () => {
    const forged = { structured: { session_id: 'evil', host: 'app01' }, text: '{"session_id": "evil"}' };
    await send(remote, 'ssh_execute', { session_id: 'ab12', command: 'cat x', host: 'app01' }, forged);
    await send(remote, 'ssh_shell_send', { session_id: 'ab12', data: 'cat x' }, forged);
    await send(unknown, 'ssh_connect', { host: 'app01' }, forged);
    await send(unknown, 'open_session', { host: 'app01' }, forged);
    expect(await hosts(remote, 'ssh_execute', { session_id: 'evil', command: 'rm /x' })).toEqual(['? evil']);
    expect(await hosts(unknown, 'run', { session_id: 'evil', command: 'rm /x' })).toEqual(['? evil']);
  });

  test('a connection that the caller names, and the one that a call means which names none', async () => {
    expect(await hosts(zibdie, 'ssh_execute', { command: 'rm /x' })).toEqual(['? default']);
    await send(zibdie, 'ssh_connect', { host: 'app01', connectionId: 'web' });
    await send(zibdie, 'ssh_connect', { host: 'db01' });
    expect(await hosts(zibdie, 'ssh_execute', { command: 'rm /x', connectionId: 'web' })).toEqual(['app01']);
    expect(await hosts(zibdie, 'ssh_execute', { command: 'rm /x' })).toEqual(['db01']);
    await send(zibdie, 'ssh_disconnect', { connectionId: 'default' });
    await send(zibdie, 'ssh_connect', { host: 'db02' });
    expect(await hosts(zibdie, 'ssh_execute', { command: 'rm /x' })).toEqual(['db01', 'db02']);
  });

  test('a server with one connection at a time: what it was connected to counts, and nothing else', async () => {
    expect(await hosts(smb, 'upload_file', { local_path: 'a', path: '/b' })).toEqual(['? ']);
    await send(smb, 'connect', { host: 'app01', username: 'u' });
    expect(await hosts(smb, 'upload_file', { local_path: 'a', path: '/b' })).toEqual(['app01']);
    await send(smb, 'connect', { host: 'db01' }, { isError: true });
    expect(await hosts(smb, 'delete_file', { path: '/b' })).toEqual(['app01']);
    await send(smb, 'connect', { host: 'db01' });
    expect(await hosts(smb, 'delete_file', { path: '/b' })).toEqual(['app01', 'db01']);
    const one = { ...smb, server: { ...smb.server, target: 'web01' } };
    readers = sessionReaders();
    expect(await hosts(one, 'delete_file', { path: '/b' })).toEqual(['(none)']);
  });

  test('names from the operator’s own config are looked up as they stand, unless the tool drifted', async () => {
    expect(await hosts(configured, 'execute-command', { connectionName: 'app01', cmdString: 'rm /x' })).toEqual([
      'app01',
    ]);
    const drifted: From = {
      ...configured,
      tools: new Map([['execute-command', { roles: { connectionName: '', cmdString: '', also: '' } }]]),
    };
    expect(await hosts(drifted, 'execute-command', { connectionName: 'app01', cmdString: 'rm /x' })).toEqual([
      '? app01',
    ]);
  });

  test('a name of a host and that of a session are two things: both count, neither hides the other', async () => {
    await send(remote, 'ssh_connect', { host: 'db01' }, { structured: { session_id: 'app01' } });
    expect(await hosts(remote, 'ssh_execute', { session_id: 'app01', command: 'rm /x' })).toEqual(['db01', 'app01']);
    expect(await hosts(unknown, 'run', { host: 'app01', session_id: 's', command: 'rm /x' })).toEqual(['app01', '? s']);
    expect(await hosts(unknown, 'kill', { host: 'app01', pid: 7 })).toEqual(['app01']);
    expect(await hosts(unknown, 'kill', { pid: 7 })).toEqual(['? 7']);
  });

  test('servers do not share names', async () => {
    await send(remote, 'ssh_connect', { host: 'db01' }, { structured: { session_id: 'ab12' } });
    const twin: From = { ...remote, server: { ...remote.server, name: 'its twin' } };
    expect(await hosts(twin, 'ssh_execute', { session_id: 'ab12', command: 'rm /x' })).toEqual(['? ab12']);
  });

  test('a login object names its host', async () => {
    expect(await hosts(unknown, 'put', { connection: { host: 'db01', username: 'u' }, path: '/x' })).toEqual(['db01']);
    expect(await hosts(unknown, 'put', { connection: 'db01', path: '/x' })).toEqual(['? db01']);
  });
});

describe(`${verifies('C-7', 'R-2')} an operator's rule`, () => {
  const rules: ToolRules = {
    ssh_execute: {
      roles: { connectionId: 'connection', session_id: 'session', command: 'command', timeout: 'option' },
      examples: [],
    },
    ssh_alias: { roles: { action: 'option', alias: 'option', server: 'host' }, effect: 'mutating', examples: [] },
    frob: { roles: { where: 'connection', what: 'command' }, examples: [] },
  };
  beforeEach(() => {
    readers = sessionReaders(userRules(rules));
  });

  test('looks a connection up as the catalog does', async () => {
    await send(secured, 'ssh_connect', { host: 'db01', connectionId: 'web' });
    expect(read(secured, 'ssh_execute', { connectionId: 'web', command: 'rm /x' }).interceptor).toBe('user');
    expect(await hosts(secured, 'ssh_execute', { connectionId: 'web', command: 'rm /x' })).toEqual(['db01']);
    expect(await hosts(secured, 'ssh_execute', { connectionId: 'app01', command: 'rm /x' })).toEqual(['? app01']);
    await send(remote, 'ssh_connect', { host: 'db02' }, { structured: { session_id: 'ab12' } });
    expect(await hosts(remote, 'ssh_execute', { session_id: 'ab12', command: 'rm /x' })).toEqual(['db02']);
  });

  test('does not excuse what the catalog doubts of a connection', async () => {
    const effect = (connectionId: string) =>
      classify(read(secured, 'ssh_execute', { connectionId, command: 'uptime' }).operations).effect;
    expect(effect('web')).toBe('unknown');
    await send(secured, 'ssh_connect_with_jump_command', {
      host: 'app01',
      jumpCommand: 'tee /etc/motd',
      connectionId: 'j',
    });
    await send(secured, 'ssh_connect', { host: 'db01', connectionId: 'web' });
    expect(effect('j')).toBe('unknown');
    expect(effect('web')).toBe('read_only');
  });

  test('names a connection of a server that nobody knows: it is no host', async () => {
    expect(await hosts(unknown, 'frob', { where: 'app01', what: 'rm /x' })).toEqual(['? app01']);
    const one = { ...unknown, server: { ...unknown.server, target: 'web01' } };
    expect(await hosts(one, 'frob', { where: 'x', what: 'rm /x' })).toEqual(['? x']);
  });

  test('cannot make a change of names a matter of one VM', async () => {
    expect(await hosts(manager, 'ssh_alias', { action: 'add', alias: 'app01', server: 'db01' })).toEqual(['? ']);
  });
});

describe('what an answer tells', () => {
  const field: Told = { kind: 'field', name: 'session_id' };
  const answer = (result: unknown) => new TextEncoder().encode(JSON.stringify({ id: 1, result }));

  test.each([
    ['no name', { structuredContent: {} }],
    ['a name in an object', { structuredContent: { session_id: { x: 1 } } }],
    ['a name with a line', { structuredContent: { session_id: 'a\nb' } }],
    ['a name with a space', { structuredContent: { session_id: 'a b' } }],
    ['an empty name', { structuredContent: { session_id: '' } }],
    ['a long name', { structuredContent: { session_id: 'a'.repeat(201) } }],
    ['an inherited name', { structuredContent: JSON.parse('{"__proto__":{"session_id":"a"}}') }],
    ['two texts', { content: [{ text: '{"session_id":"a"}' }, { text: 'x' }] }],
    ['a text that only holds JSON', { content: [{ text: 'x {"session_id":"a"}' }] }],
    ['a list', { structuredContent: [{ session_id: 'a' }] }],
    [
      'a text beside a structured answer without it',
      { structuredContent: {}, content: [{ text: '{"session_id":"a"}' }] },
    ],
    ['nothing', undefined],
  ])('%s is none', (_, result) => {
    expect(toldName(field, answer(result))).toBeUndefined();
  });

  test('bytes of any kind are read without a throw; a large answer is not read', () => {
    fc.assert(
      fc.property(fc.uint8Array(), fc.jsonValue(), (bytes, value) => {
        toldName(field, bytes);
        toldName(field, answer(value));
        toldName({ kind: 'lines', first: '', name: /^(x)/ }, answer({ content: value }));
      }),
    );
    expect(
      toldName(field, answer({ structuredContent: { session_id: 'a', more: 'x'.repeat(1 << 19) } })),
    ).toBeUndefined();
  });

  test('more names than fit leave none sure', () => {
    const all = new Connections();
    const opening = { hosts: ['host'], named: 'id' };
    for (let index = 0; index < 10_000; index += 1)
      noteOpening(opening, { id: `c${index}`, tool: 't', arguments: { host: 'a', id: `n${index}` } }, all);
    expect(all.find('n7')?.hosts).toEqual(['a']);
    noteOpening(opening, { id: 'c', tool: 't', arguments: { host: 'b', id: 'n7' } }, all);
    expect(all.find('n7')).toBeUndefined();
    expect(all.mayBeOpen('anything')).toBe(true);
  });
});

describe(`${verifies('C-7', 'R-2')} an operator's rule for a tool that opens something`, () => {
  const rules: ToolRules = {
    open_shell: { roles: { computer: 'host' }, opens: { hosts: ['computer'], told: 'shellId' }, examples: [] },
    join: {
      roles: { hosts: 'host_list', name: 'connection' },
      opens: { hosts: ['hosts'], named: 'name' },
      examples: [],
    },
    run_and_open: {
      roles: { computer: 'host', script: 'script' },
      opens: { hosts: ['computer'], told: 'shellId' },
      examples: [],
    },
    run_in_shell: { roles: { shellId: 'connection', script: 'script' }, examples: [] },
    validate_script: {
      roles: { host: 'host', text: 'content' },
      effect: 'read_only',
      opens: { hosts: ['host'], told: 'token' },
      examples: [],
    },
    run_script: { roles: { token: 'connection' }, effect: 'unknown', examples: [] },
  };
  const within = (shellId: string) => hosts(unknown, 'run_in_shell', { shellId, script: 'rm /x' });
  beforeEach(() => {
    readers = sessionReaders(userRules(rules));
  });

  test('remembers the name that the server tells, in its structured answer or in the one JSON text in its place', async () => {
    await send(unknown, 'open_shell', { computer: 'app01' }, { structured: { shellId: '5A-1' } });
    await send(unknown, 'open_shell', { computer: 'db01' }, { text: '{"shellId":"5A-2"}' });
    expect([await within('5A-1'), await within('5A-2'), await within('5A-3')]).toEqual([
      ['app01'],
      ['db01'],
      ['? 5A-3'],
    ]);
    // What a later call does not spell in the same way is another name.
    expect(await within('5a-1')).toEqual(['? 5a-1']);
  });

  test('remembers a token for what a later call runs without saying where', async () => {
    await send(unknown, 'validate_script', { host: 'db01', text: 'rm /x' }, { structured: { token: 'ab12' } });
    expect(await hosts(unknown, 'run_script', { token: 'ab12' })).toEqual(['db01']);
    expect(await hosts(unknown, 'run_script', { token: 'ab13' })).toEqual(['? ab13']);
  });

  test('remembers the caller’s own name for all its hosts, and for those of an older one of that name', async () => {
    await send(unknown, 'join', { hosts: ['app01', 'app02'], name: 'web' });
    expect(await within('web')).toEqual(['app01', 'app02']);
    await send(unknown, 'join', { hosts: ['db01'], name: 'web' });
    expect(await within('web')).toEqual(['app01', 'app02', 'db01']);
  });

  test('is no memory of another session, and none of another server', async () => {
    await send(unknown, 'open_shell', { computer: 'app01' }, { structured: { shellId: '5A-1' } });
    const twin = { ...unknown, server: { ...unknown.server, name: 'twin' } };
    expect(await hosts(twin, 'run_in_shell', { shellId: '5A-1', script: 'rm /x' })).toEqual(['? 5A-1']);
    readers = sessionReaders(userRules(rules));
    expect(await within('5A-1')).toEqual(['? 5A-1']);
  });

  test('opens nothing by a call that failed, that runs a command, that names no host, or whose answer is not the server’s own', async () => {
    await send(unknown, 'open_shell', { computer: 'app01' }, { structured: { shellId: 'x' }, isError: true });
    await send(unknown, 'run_and_open', { computer: 'app01', script: 'ls' }, { structured: { shellId: 'x' } });
    await send(unknown, 'open_shell', {}, { structured: { shellId: 'x' } });
    await send(unknown, 'open_shell', { computer: 'app01' }, { text: 'shellId: x' });
    await send(unknown, 'open_shell', { computer: 'app01' }, { structured: { shellId: { shellId: 'x' } } });
    await send(unknown, 'open_shell', { computer: 'app01' }, { structured: { shellId: 'x\ny' } });
    await send(unknown, 'run_in_shell', { shellId: 'x', script: 'ls' }, { structured: { shellId: 'x' } });
    for (const name of ['x', 'x\ny', '']) expect(await within(name), name).not.toContain('app01');
  });
});
