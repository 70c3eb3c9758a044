import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { Recovery } from '../../src/zerto/recover-sites.js';
import { verifies } from '../e2e/requirements.js';
import { lab } from './recover-support.js';

/** Runs with the build: `npm run build` comes before. */
const DIES = join(import.meta.dirname, '..', 'fixtures', 'recovery', 'dies.mjs');
const LONG = process.env['REWIND_LONG'] === '1';
const LIMITS = { mount: 3_000, ready: 3_000, lost: 300, unmount: 900, poll: 10 };

it(`${verifies('N-4')} a process killed at any step of a recovery leaves no mount after the next start`, {
  timeout: 300_000,
}, async () => {
  const it = await lab({ knobs: { mountMs: 30, unmountMs: 15 } });
  it.world.write('app01', '/etc/app.conf', 'as it was');
  const point = it.pin('app');
  const { url, user, password, fingerprint256 } = it.simulator;
  const request = {
    ...point,
    vmIdentifier: it.vmId('app01'),
    recoverySite: it.site,
    maxBytes: 99,
    path: '/etc/app.conf',
  };
  const told = { url, user, password, fingerprint256, mountsDir: it.mountsDir, request, limits: LIMITS };
  const run = (at: number, when: string) =>
    new Promise<{ readonly signal: string | null; readonly out: string }>((resolve) => {
      const child = spawn(process.execPath, [DIES, JSON.stringify(told), String(at), when]);
      let out = '';
      child.stdout.on('data', (chunk: Buffer) => {
        out += chunk.toString();
      });
      child.once('close', (_, signal) => resolve({ signal, out }));
    });
  const whole = JSON.parse((await run(-1, 'before')).out) as { kind: string; steps: number };
  expect(whole.kind).toBe('file');
  expect(whole.steps).toBeGreaterThan(15);
  let left = 0;
  for (let at = 0; at < whole.steps; at += 1) {
    // Nothing of it leaves the process between the end of a step and the beginning of the next.
    for (const when of LONG || at === 0 ? ['before', 'after'] : ['after']) {
      const { signal, out } = await run(at, when);
      // The last looks at the session depend on how fast it goes.
      if (signal !== 'SIGKILL') expect(out, `step ${at}`).toContain('"file"');
      left += it.world.sessions.length;
      const next = new Recovery({
        clients: new Map([['site-a', it.client]]),
        mounts: it.tools.mounts,
        log: { warn: () => undefined, info: () => undefined },
        now: () => new Date(),
        limits: LIMITS,
      });
      await next.endOrphans();
      await expect.poll(() => it.world.sessions.length, { message: `${when} step ${at}` }).toBe(0);
      expect(await it.tools.mounts.list(), `${when} step ${at}`).toEqual([]);
    }
  }
  // It did strike while something was mounted.
  expect(left).toBeGreaterThan(LONG ? 10 : 5);
});
