import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { defaultWorld, startSimulator } from '../simulator/index.js';
import { readArguments } from './options.js';

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy simulator [--port N] [--disks DIR]
       starts the embedded appliance on a loopback port; one JSON line says how to reach it
`;

/** Its options. */
export const OPTIONS = { port: { type: 'string' }, disks: { type: 'string', value: 'directory' } } as const;

interface Output {
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
}

/**
 * `simulator [--port N] [--disks DIR]`: starts the embedded default world and writes one JSON line
 * `{"url","user","password","fingerprint256"}`; runs until `stop`. Exit code 0, 1 where it cannot listen, 2 for wrong usage.
 */
export async function simulatorCommand(args: string[], io: Output, stop: AbortSignal): Promise<number> {
  const options = read(args);
  if (typeof options === 'string') {
    io.stderr.write(`simulator: ${options}\n${USAGE}`);
    return 2;
  }
  const temporary = options.disks === undefined ? await mkdtemp(join(tmpdir(), 'zerto-rewind-disks-')) : undefined;
  const disks = resolve(options.disks ?? temporary ?? '');
  try {
    return await run(options.port, disks, io, stop);
  } finally {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  }
}

async function run(port: number, disks: string, io: Output, stop: AbortSignal): Promise<number> {
  const world = defaultWorld({ disks });
  try {
    const simulator = await startSimulator({ world, port });
    const { url, user, password, fingerprint256 } = simulator;
    io.stderr.write(`This is a simulated ZVM: it protects nothing. The disks of its VMs are folders of ${disks}.\n`);
    io.stdout.write(`${JSON.stringify({ url, user, password, fingerprint256 })}\n`);
    await stopped(stop);
    await simulator.close();
    return 0;
  } catch (error) {
    io.stderr.write(
      `simulator: cannot listen on port ${port}: ${error instanceof Error ? error.message : 'unknown error'}\n`,
    );
    return 1;
  } finally {
    world.close();
  }
}

function read(args: string[]): { readonly port: number; readonly disks: string | undefined } | string {
  const given = readArguments(args, OPTIONS);
  if (typeof given === 'string') return given;
  const { port = '0', disks } = given.values;
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)
    return `--port takes a number from 0 to 65535, not ${JSON.stringify(port)}`;
  return { port: Number(port), disks };
}

function stopped(stop: AbortSignal): Promise<void> {
  return new Promise((resolvePromise) => {
    if (stop.aborted) resolvePromise();
    else stop.addEventListener('abort', () => resolvePromise(), { once: true });
  });
}
