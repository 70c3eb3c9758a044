import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort, skipReason, whyNoLoopback } from './loopback.js';

const SMBD = '/usr/sbin/smbd';
const run = promisify(execFile);

/** A throw-away smbd that stands for one VM. `disk` is the directory behind its share `data`. */
export interface SmbVm {
  readonly name: string;
  readonly host: string;
  readonly disk: string;
  /** The shares that clients have connected to so far, in order. */
  connected(): readonly string[];
}

export interface SmbVms {
  readonly vms: readonly SmbVm[];
  /** The same on every address. */
  readonly port: number;
  /** An smb.conf for smbclient. */
  readonly config: string;
  /** Ends every smbd and removes the directory. */
  close(): Promise<void>;
}

/** Why a real SMB server cannot run here; undefined where it can. Where CI says that all real parts are there, it throws instead. */
export async function whyNoSmbd(): Promise<string | undefined> {
  const why = isExecutable(SMBD) ?? hasClient() ?? (await whyNoLoopback('127.0.3.1'));
  return skipReason('real SMB servers', why);
}

/** Starts one smbd for each name, on 127.0.3.1, 127.0.3.2 …, all on one port. Whoever connects is a guest and may write. */
export async function startSmbVms(names: readonly string[]): Promise<SmbVms> {
  const dir = mkdtempSync(join(tmpdir(), 'rewind-smbd-'));
  chmodSync(dir, 0o755);
  const running: ChildProcess[] = [];
  const close = async (): Promise<void> => {
    await Promise.all(running.map(end));
    for (const helper of names.flatMap((name) => helpersOf(join(dir, name, 'pid')))) await killed(helper);
    rmSync(dir, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const hosts = names.map((name, index) => ({ name, host: `127.0.3.${index + 1}` }));
    const port = await freePort('127.0.3.1');
    const client = join(dir, 'client.conf');
    writeFileSync(client, `[global]\nclient min protocol = SMB2\n`);
    const vms: SmbVm[] = [];
    for (const { name, host } of hosts) {
      const home = join(dir, name);
      const disk = join(home, 'disk');
      mkdirSync(disk, { recursive: true });
      chmodSync(disk, 0o777);
      const log = join(home, 'log.smbd');
      const file = configure(home, host, port, disk);
      // It ends its whole process group with itself.
      const child = spawn(SMBD, ['-F', '--no-process-group', '-s', file, '-l', home], {
        detached: true,
        stdio: 'ignore',
      });
      running.push(child);
      vms.push({ name, host, disk, connected: () => connectionsIn(log) });
    }
    await Promise.all(vms.map((vm, index) => isUp(vm, port, client, running[index])));
    return { vms, port, config: client, close };
  } catch (error) {
    await close();
    throw error;
  }
}

function configure(home: string, host: string, port: number, disk: string): string {
  const directories = ['private', 'lock', 'state', 'cache', 'pid', 'ncalrpc'].map((name) => {
    mkdirSync(join(home, name), { mode: 0o700 });
    const option = name === 'private' || name === 'ncalrpc' ? `${name} dir` : `${name} directory`;
    return `${option} = ${join(home, name)}`;
  });
  const file = join(home, 'smb.conf');
  writeFileSync(
    file,
    [
      '[global]',
      `smb ports = ${port}`,
      `interfaces = ${host}/8`,
      'bind interfaces only = yes',
      ...directories,
      `log file = ${join(home, 'log.smbd')}`,
      'log level = 2',
      'server role = standalone server',
      'map to guest = bad user',
      `guest account = ${userInfo().uid === 0 ? 'nobody' : userInfo().username}`,
      'load printers = no',
      'printing = bsd',
      'printcap name = /dev/null',
      'disable spoolss = yes',
      'disable netbios = yes',
      '[data]',
      `path = ${disk}`,
      'guest ok = yes',
      'read only = no',
      'create mask = 0666',
      '',
    ].join('\n'),
  );
  return file;
}

async function isUp({ host }: SmbVm, port: number, config: string, child: ChildProcess | undefined): Promise<void> {
  const until = Date.now() + 20_000;
  const asked = ['-L', host, '-p', String(port), '-N', '-s', config];
  while (
    !(await run('smbclient', asked).then(
      () => true,
      () => false,
    ))
  ) {
    if (child?.exitCode !== null || Date.now() > until) throw new Error(`smbd on ${host}:${port} is not up`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

/** A connection to `IPC$` only asks which shares there are. */
function connectionsIn(log: string): readonly string[] {
  return [...readFileSync(log, 'utf8').matchAll(/ connect to service (\S+) initially/g)]
    .map(([, share = '']) => share)
    .filter((share) => share !== 'IPC$');
}

/** What answers which shares there are is a daemon of its own. */
function helpersOf(dir: string): readonly number[] {
  if (!existsSync(dir)) return [];
  return readdirSync(dir)
    .map((name) => Number(readFileSync(join(dir, name), 'utf8').trim()))
    .filter((pid) => Number.isInteger(pid) && pid > 1);
}

async function killed(pid: number): Promise<void> {
  for (let signal: NodeJS.Signals | 0 = 'SIGTERM'; isAlive(pid, signal); signal = 0)
    await new Promise((resolve) => setTimeout(resolve, 20));
}

function isAlive(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(pid, signal) && !isZombie(pid);
  } catch {
    return false;
  }
}

/** One that nobody waits for stays until its parent ends. */
function isZombie(pid: number): boolean {
  return /^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

/** Each connection has a process of its own, which ends with its parent. */
async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  child.kill('SIGTERM');
  await gone;
}

function isExecutable(file: string): string | undefined {
  try {
    accessSync(file, constants.X_OK);
    return undefined;
  } catch {
    return `${file} is not installed (Debian: samba)`;
  }
}

function hasClient(): string | undefined {
  return spawnSync('smbclient', ['--version']).status === 0 ? undefined : 'smbclient is not installed';
}
