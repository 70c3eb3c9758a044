import { join } from 'node:path';
import { expect, test } from 'vitest';
import { handshake } from '../../src/checks/handshake.js';
import { serverChecks } from '../../src/checks/servers.js';
import { ProxyError } from '../../src/domain/errors.js';
import type { DownstreamStart } from '../../src/downstream.js';
import { startChild } from '../../src/wire/child.js';

const nothing = () => undefined;
const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
const self = { name: 'doctor', version: '1' };
const ROOT = join(import.meta.dirname, '..', '..');

const script = (body: string): DownstreamStart => ({
  kind: 'command',
  server: { name: 's' },
  command: process.execPath,
  args: ['-e', body],
  env: { PATH: process.env['PATH'] },
});
const surroundings = { env: process.env, platform: process.platform, home: '/' };
const checkOf = async (start: DownstreamStart, timeoutMs = 20_000) =>
  (await serverChecks([{ name: 's', start }], { version: '1', surroundings, log, timeoutMs }))[0];

/** A server that answers initialize and pages through its tools, and asks its client for things meanwhile. */
const PAGED = `
const { createInterface } = require('readline');
const say = (m) => console.log(JSON.stringify({ jsonrpc: '2.0', ...m }));
console.log('not json');
createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === 'initialize') {
    say({ id: 'ask', method: 'ping' });
    say({ id: 'roots', method: 'roots/list' });
    say({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'paged', version: '1.2' } } });
  }
  if (method === 'tools/list') {
    const page = Number(params.cursor ?? 0);
    say({ id, result: { tools: [{ name: 'tool-' + page }], ...(page < 2 && { nextCursor: String(page + 1) }) } });
  }
});`;

test('greets a server, answers what it asks meanwhile, and reads all pages of its tools', async () => {
  const end = startChild({ command: process.execPath, args: ['-e', PAGED], env: {}, log, stderr: 'ignore' });
  const met = await handshake(end, self, 20_000);
  expect(met).toEqual({
    kind: 'greeted',
    by: { name: 'paged', version: '1.2', revision: '2025-11-25', tools: ['tool-0', 'tool-1', 'tool-2'] },
  });
  expect(await end.exit).toBeDefined();
});

test.each([
  ['that ends', 'process.exit(3)', 'it ended with code 3'],
  ['that says why it ends', 'console.error("no key\\u202e: set X"); process.exit(1)', 'no key'],
  ['that never answers', 'setInterval(() => {}, 1000)', 'no answer within 1 s'],
  [
    'that refuses',
    'process.stdin.once("data", (d) => console.log(JSON.stringify({jsonrpc:"2.0",id:JSON.parse(d).id,error:{code:1,message:"not today"}})))',
    'not today',
  ],
])('a server %s fails with its words', async (_, body, words) => {
  const check = await checkOf(script(body), 1_000);
  expect(check).toMatchObject({ id: 'server.start', subject: 's', status: 'fail', fix: expect.any(String) });
  expect(check?.detail).toContain(words);
  expect(check?.detail).not.toContain('\u202e');
});

test('a program that is not there, an entry that cannot be started, a secret in the last words', async () => {
  const missing = await checkOf({ ...script(''), command: 'no-such-program-1' } as DownstreamStart);
  expect(missing).toMatchObject({ status: 'fail', fix: expect.stringContaining('Install the program') });
  const [wrong] = await serverChecks([{ name: 's', start: new ProxyError('CONFIG_INVALID', 'no command') }], {
    version: '1',
    surroundings,
    log,
  });
  expect(wrong).toMatchObject({ status: 'fail', detail: 'no command' });
  const leaky = await checkOf(script('console.error("password=hunter2hunter2"); process.exit(1)'));
  expect(leaky?.detail).not.toContain('hunter2');
});

test('a server without tools, and two with the same tool', async () => {
  const recording = {
    ...script(''),
    args: [join(ROOT, 'test/fixtures/e2e/recording-server.mjs'), '/dev/null'],
  } as DownstreamStart;
  const checks = await serverChecks(
    [
      { name: 'a', start: recording },
      { name: 'b', start: recording },
    ],
    { version: '1', surroundings, log },
  );
  expect(checks.map(({ id, status }) => `${id} ${status}`)).toContain('server.clash warn');
  const bare = PAGED.replace('capabilities: { tools: {} }', 'capabilities: {}');
  expect(await checkOf(script(bare))).toMatchObject({ status: 'warn', detail: expect.stringContaining('0 tools') });
});
