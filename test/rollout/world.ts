import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { readCalls } from '../../src/audit/calls.js';
import { type CallEntry, entryOf } from '../../src/audit/entry.js';
import { BIN } from '../support/proxy-process.js';
import { type ManagedMachine, managedMachine } from '../support/system-config.js';
import { type Entry, type Files, type Place, programOf, type RealClient } from './clients.js';
import { type Model, type Step, startModel } from './model.js';

const RECORDING = join(import.meta.dirname, '..', 'fixtures', 'e2e', 'recording-server.mjs');

/** A user with a home, a project and an `ssh` that only writes down that it ran. */
export interface World {
  readonly place: Place;
  readonly model: Model;
  /** The server that may be wrapped, and what reached it. */
  readonly server: Entry;
  received(): readonly string[];
  /** What reached a server that is not behind the proxy. */
  receivedDirectly(): readonly string[];
  /** Command lines of the `ssh` that ran. */
  ran(): readonly string[];
  put(files: Files): void;
  run(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  drive(client: RealClient, args?: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>;
  audit(): Promise<readonly CallEntry[]>;
  readonly machine?: ManagedMachine;
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** `system`: makes a machine that an administrator has bound, from the server that is to be wrapped. */
export async function world(steps: readonly Step[], system?: (server: Entry) => object): Promise<World> {
  const bare = realpathSync(mkdtempSync(join(tmpdir(), 'rewind-rollout-')));
  onTestFinished(() => rmSync(bare, { recursive: true, force: true, maxRetries: 5 }));
  const entryFor = (file: string): Entry => ({ command: process.execPath, args: [RECORDING, join(bare, file)] });
  const server = entryFor('received.jsonl');
  const machine = system === undefined ? undefined : managedMachine(system(server));
  const model = await startModel(steps);
  onTestFinished(() => model.close());
  const place: Place = { home: bare, project: join(bare, 'app'), url: model.url, direct: entryFor('direct.jsonl') };
  const commands = (file: string) => lines(join(bare, file)).map((line) => (JSON.parse(line) as Received).command);
  const put = (files: Files): void => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(bare, name)), { recursive: true });
      writeFileSync(join(bare, name), text, { mode: name.startsWith('bin/') ? 0o755 : 0o644 });
    }
  };
  put({
    'app/.git/HEAD': 'ref: refs/heads/main\n',
    'bin/ssh': `#!/bin/sh\nprintf '%s\\n' "$*" >> '${bare}/ran'\necho ran here\n`,
    // A login shell sets PATH anew.
    '.profile': `PATH='${bare}/bin':$PATH\n`,
    '.config/zerto-rewind-proxy/proxy.config.json': JSON.stringify({ zvm: 'simulator' }),
  });
  const own = { PATH: `${bare}/bin:${process.env['PATH'] ?? ''}`, HOME: bare, TERM: 'xterm-256color', IS_SANDBOX: '1' };
  const run = (words: readonly string[], env: Readonly<Record<string, string>> = {}) =>
    ended([...(machine?.inside ?? []), ...words], { ...own, ...env }, place.project);
  const state = machine === undefined ? join(bare, '.local', 'state') : join(machine.dir, 'state');
  return {
    place,
    model,
    server,
    received: () => commands('received.jsonl'),
    receivedDirectly: () => commands('direct.jsonl'),
    ran: () => lines(join(bare, 'ran')),
    put,
    run,
    drive: (client, args = [], env = {}) =>
      run([programOf(client), ...client.args, ...args], { ...client.env(place), ...env }),
    audit: async () => {
      const found: CallEntry[] = [];
      const dir = join(state, 'zerto-rewind-proxy', 'audit');
      if (existsSync(dir)) for await (const call of readCalls(dir)) found.push(entryOf(call));
      return found.sort((a, b) => (a.at < b.at ? -1 : 1));
    },
    ...(machine !== undefined && { machine }),
  };
}

/** The built program, as a person starts it. */
export function proxy(...words: readonly string[]): readonly string[] {
  return [process.execPath, BIN, ...words];
}

interface Received {
  readonly command: string;
}

function ended(words: readonly string[], env: Readonly<Record<string, string>>, cwd: string): Promise<Ended> {
  const [command = '', ...args] = words;
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
    onTestFinished(() => {
      child.kill('SIGKILL');
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk) => (stdout += String(chunk)));
    child.stderr.on('data', (chunk) => (stderr += String(chunk)));
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, stdout, stderr }));
  });
}

function lines(file: string): readonly string[] {
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').slice(0, -1) : [];
}
