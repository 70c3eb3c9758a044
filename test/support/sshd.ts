import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { accessSync, constants, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, whyNoLoopback } from './loopback.js';

const SSHD = '/usr/sbin/sshd';
const run = promisify(execFile);

/** A throw-away sshd that stands for one VM: `printenv VMNAME` says which, `disk` is the directory that stands for its disk. */
export interface SshVm {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly disk: string;
}

export interface SshVms {
  readonly vms: readonly SshVm[];
  readonly user: string;
  /** Path of the key that logs in everywhere. */
  readonly key: string;
  readonly dir: string;
  /** Ends every sshd and every session, and removes the directory. */
  close(): Promise<void>;
}

/** Why real SSH servers cannot run here; undefined where they can. Where CI says that all real parts are there, it throws instead. */
export async function whyNoSshd(): Promise<string | undefined> {
  const why = (await isExecutable(SSHD)) ?? (await whyNoLoopback('127.0.1.1'));
  if (why === undefined) return undefined;
  if (process.env['CI'] === 'true') throw new Error(`real SSH servers are missing although CI=true: ${why}`);
  return why;
}

/** Starts one sshd for each name, on 127.0.1.1, 127.0.1.2 … with a free port and a host key each; only the one made-up key logs in. */
export async function startSshVms(names: readonly string[]): Promise<SshVms> {
  const dir = mkdtempSync(join(tmpdir(), 'rewind-sshd-'));
  const running: ChildProcess[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(running.map(end));
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    // Where sshd runs as root it wants this directory for its unprivileged part.
    if (process.getuid?.() === 0) mkdirSync('/run/sshd', { recursive: true, mode: 0o755 });
    const key = join(dir, 'id');
    await makeKey(key);
    const vms: SshVm[] = [];
    for (const [index, name] of names.entries()) {
      const { vm, process: child } = await startVm(dir, name, `127.0.1.${index + 1}`);
      vms.push(vm);
      running.push(child);
    }
    return { vms, user: userInfo().username, key, dir, close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function startVm(dir: string, name: string, host: string): Promise<{ vm: SshVm; process: ChildProcess }> {
  const home = join(dir, name);
  const disk = join(home, 'disk');
  mkdirSync(disk, { recursive: true });
  await makeKey(join(home, 'host'));
  const port = await freePort(host);
  const config = join(home, 'sshd_config');
  writeFileSync(
    config,
    [
      `Port ${port}`,
      `ListenAddress ${host}`,
      `HostKey ${join(home, 'host')}`,
      'PidFile none',
      `AuthorizedKeysFile ${join(dir, 'id.pub')}`,
      'PasswordAuthentication no',
      'KbdInteractiveAuthentication no',
      'PermitRootLogin prohibit-password',
      'UsePAM no',
      'StrictModes no',
      'PrintLastLog no',
      'MaxStartups 100',
      'Subsystem sftp internal-sftp',
      `SetEnv VMNAME=${name}`,
      '',
    ].join('\n'),
  );
  const child = spawn(SSHD, ['-D', '-e', '-f', config], { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said += chunk.toString();
  });
  await isUp(host, port, child, () => said);
  return { vm: { name, host, port, disk }, process: child };
}

async function makeKey(file: string): Promise<void> {
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'throw-away', '-f', file]);
}

/** Sessions are processes of their own that outlive the listener, so they are ended first. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  for (const session of await childrenOf(child.pid)) signal(session);
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  await gone;
}

async function childrenOf(pid: number): Promise<number[]> {
  const { stdout } = await run('ps', ['-A', '-o', 'pid=,ppid=']);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([child, parent]) => (parent === pid && child !== undefined ? [child] : []));
}

function signal(pid: number): void {
  try {
    process.kill(pid, 'SIGTERM');
  } catch {
    // It ended by itself in the meantime.
  }
}

async function isUp(host: string, port: number, child: ChildProcess, said: () => string): Promise<void> {
  const until = Date.now() + 10_000;
  while (!(await answersAsSsh(host, port))) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`sshd on ${host}:${port} is not up: ${said()}`);
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
}

function answersAsSsh(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createConnection({ host, port });
    const settle = (up: boolean): void => {
      socket.destroy();
      resolve(up);
    };
    socket.once('data', (chunk) => settle(chunk.toString().startsWith('SSH-2.0')));
    socket.once('error', () => settle(false));
    socket.setTimeout(1000, () => settle(false));
  });
}

async function isExecutable(file: string): Promise<string | undefined> {
  try {
    accessSync(file, constants.X_OK);
    return undefined;
  } catch {
    return `${file} is not installed (Debian: openssh-server)`;
  }
}
