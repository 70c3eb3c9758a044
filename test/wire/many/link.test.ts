import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import type { DownstreamExit, Unanswered } from '../../../src/wire/downstream-end.js';
import { CallRoutes } from '../../../src/wire/many/calls.js';
import { Link, type Reply } from '../../../src/wire/many/link.js';
import { Reader } from '../../../src/wire/many/reader.js';
import { TaskOwners } from '../../../src/wire/many/tasks.js';
import { type RequestMessage, readClientMessage } from '../../../src/wire/message.js';
import { recordingLog } from '../process/harness.js';

/** A server that never ends, under the lines that it gets. */
function linkOf(name: string): { readonly link: Link; readonly got: () => string } {
  const input = new PassThrough();
  const exit = new Promise<DownstreamExit>(() => undefined);
  const start = () => ({ input, output: new PassThrough(), exit, stop: () => exit });
  const link = new Link({ server: { name }, start }, { line: () => undefined, ended: () => undefined });
  return { link, got: () => String(input.read() ?? '') };
}

function request(id: number, method: string): RequestMessage {
  const line = { jsonrpc: '2.0', id, method, params: { name: 'x', arguments: {} } };
  return readClientMessage(Buffer.from(JSON.stringify(line))) as RequestMessage;
}

test('a call whose server begins anew before the way to it is free is not sent, and says so', () => {
  const { link, got } = linkOf('a');
  const core = { links: [link], log: recordingLog().log, out: () => undefined };
  const routes = new CallRoutes(core, new Reader(), new TaskOwners());
  const unanswered: Unanswered[] = [];
  routes.onUnanswered((each) => unanswered.push(each));
  routes.assign('n:1', 'a');
  link.greeting = true;
  routes.send(request(1, 'tools/call'));
  expect(unanswered).toMatchObject([{ idKey: 'n:1', sent: false }]);
  expect(got()).toBe('');
  link.greeting = false;
  routes.assign('n:2', 'a');
  routes.send(request(2, 'tools/call'));
  expect(got()).toContain('"id":2');
});

test('a server that has not answered initialize is asked nothing else', () => {
  const { link, got } = linkOf('a');
  link.greeting = true;
  const replies: Reply[] = [];
  link.copy(request(1, 'initialize'), () => undefined);
  link.request(request(2, 'tools/list').raw, 'n:2', (reply) => replies.push(reply));
  expect(replies).toMatchObject([{ kind: 'gone', sent: false }]);
  expect(got()).not.toContain('tools/list');
});
