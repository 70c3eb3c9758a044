import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { expect, test } from 'vitest';
import { simulatorCommand } from '../../src/commands/simulator.js';

function capture() {
  const written = { stdout: '', stderr: '' };
  const stream = (name: 'stdout' | 'stderr') => ({
    write: (text: string) => {
      written[name] += text;
    },
  });
  return { written, io: { stdout: stream('stdout'), stderr: stream('stderr') } };
}

/** The fingerprint that a server on that address shows. */
function fingerprint(url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ port: Number(new URL(url).port), host: '127.0.0.1', rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().fingerprint256);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

test('one JSON line says how to reach it; it runs until it is told to stop', async () => {
  const { written, io } = capture();
  const stop = new AbortController();
  const disks = mkdtempSync(join(tmpdir(), 'simulator-command-'));
  const done = simulatorCommand(['--disks', disks], io, stop.signal);
  await expect.poll(() => written.stdout).toMatch(/\n$/);
  const line = JSON.parse(written.stdout);
  expect(Object.keys(line)).toEqual(['url', 'user', 'password', 'fingerprint256']);
  expect(written.stdout.split('\n')).toHaveLength(2);
  expect(written.stderr).toContain('simulated');
  expect(written.stderr).not.toContain(line.password);
  expect(await fingerprint(line.url)).toBe(line.fingerprint256);
  expect(existsSync(join(disks, 'app01'))).toBe(true);
  stop.abort();
  expect(await done).toBe(0);
  await expect(fingerprint(line.url)).rejects.toThrow();
  expect(existsSync(join(disks, 'app01'))).toBe(true);
  rmSync(disks, { recursive: true });
});

test('without --disks its directory goes with it', async () => {
  const { written, io } = capture();
  const stop = new AbortController();
  const done = simulatorCommand(['--port', '0'], io, stop.signal);
  await expect.poll(() => written.stdout).not.toBe('');
  const disks = /folders of (.*)\.\n$/.exec(written.stderr)?.[1] ?? '';
  expect(existsSync(disks)).toBe(true);
  stop.abort();
  expect(await done).toBe(0);
  expect(existsSync(disks)).toBe(false);
});

test.each([[['--port', '70000']], [['--port', 'x']], [['--prot', '1']], [['extra']], [['--port']]])(
  '%j is wrong usage',
  async (args) => {
    const { written, io } = capture();
    expect(await simulatorCommand(args, io, new AbortController().signal)).toBe(2);
    expect(written.stderr).toContain('usage:');
    expect(written.stdout).toBe('');
  },
);

test('a port that is taken is told', async () => {
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const address = taken.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const { written, io } = capture();
  expect(await simulatorCommand(['--port', String(port)], io, new AbortController().signal)).toBe(1);
  expect(written.stderr).toContain('EADDRINUSE');
  taken.close();
});
