import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { Bridge } from '../../../src/wire/front/bridge.js';
import type { Relay } from '../../../src/wire/relay.js';
import { recordingLog } from '../process/harness.js';

test('a session whose end fails is over all the same: the fault is logged, and ends nothing else', async () => {
  const { log, entries } = recordingLog();
  const settled = () => Promise.resolve();
  const relay = { downstreamClosed: () => undefined, downstreamGone: () => undefined, delivered: settled, settled };
  const exit = Promise.resolve({ code: 0, signal: null });
  const sink = { open: true, gone: settled(), write: () => true, ready: () => undefined, flushed: settled };
  const bridge = new Bridge({
    child: { input: new PassThrough(), output: new PassThrough().end(), exit, stop: () => exit },
    server: 'x',
    log,
    open: () => relay as unknown as Relay,
    toClient: sink,
    release: () => Promise.reject(new Error('the disk is full')),
  });
  await bridge.over;
  expect(entries.filter(({ level }) => level === 'error')).toMatchObject([
    { fields: { server: 'x', error: 'Error: the disk is full' } },
  ]);
});
