import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Machine, Meaning } from '../../../src/domain/target.js';
import { readText } from '../../../src/servers/read-text.js';
import { placesOf, sshMeaning } from '../../../src/servers/ssh-config/index.js';

const run = promisify(execFile);

/** Why the real ssh(1) cannot be asked here; undefined where it can. */
export function whyNoSsh(): string | undefined {
  try {
    execFileSync('ssh', ['-V'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'ssh is not installed';
  }
}

/** What ssh(1) would do, or undefined where it refuses the configuration. */
export interface Real {
  readonly hostname: string;
  readonly port: string;
  readonly proxyjump?: string;
  readonly proxycommand?: string;
}

/** A directory of configuration files; the first is the one that is read. `@/` in them stands for the directory. */
export function configDir(files: Readonly<Record<string, string>>): { dir: string; main: string; remove(): void } {
  const dir = mkdtempSync(join(tmpdir(), 'rewind-sshconf-'));
  const [first = 'config'] = Object.keys(files);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, name)), { recursive: true });
    writeFileSync(join(dir, name), text.replaceAll('@/', `${dir}/`), { mode: 0o600 });
  }
  return { dir, main: join(dir, first), remove: () => rmSync(dir, { recursive: true, force: true }) };
}

/** Asks ssh(1) itself; nothing is connected to. */
export async function askSsh(file: string, host: string): Promise<Real | undefined> {
  try {
    const { stdout } = await run('ssh', ['-G', '-F', file, host], { env: { PATH: process.env['PATH'] ?? '' } });
    const lines = stdout.split('\n').map((line) => [line.split(' ', 1)[0] ?? '', line.slice(line.indexOf(' ') + 1)]);
    return Object.fromEntries(lines) as unknown as Real;
  } catch {
    return undefined;
  }
}

/** What the project reads. `home` and `system` stand for the account's and the system's own directory. */
export function meaningBy(file: string, host: string, home = userInfo().homedir): Promise<Meaning> {
  return sshMeaning(host, placesOf(process.platform, home, {}, readText), { file });
}

/** One text for what both say: host, port and the hosts on the way. */
export function said(real: Real | undefined): string {
  if (real === undefined) return 'refused';
  const { hostname, port, proxyjump } = real;
  return `${hostname.toLowerCase()} ${port}${proxyjump === undefined ? '' : ` via ${bare(proxyjump)}`}`;
}

/** The same text of what the project says. */
export function read(meaning: Meaning): string {
  if (meaning.kind !== 'machines') return meaning.kind === 'stop' ? `stop: ${meaning.why}` : meaning.kind;
  return meaning.machines.map(ofMachine).join(' and ');
}

function ofMachine({ name, address, port, via = [] }: Machine): string {
  return `${(address ?? name).toLowerCase()} ${port ?? 22}${via.length === 0 ? '' : ` via ${via.join(',')}`}`;
}

function bare(jumps: string): string {
  return jumps
    .split(',')
    .map((jump) => jump.replace(/^(?:ssh:\/\/)?(?:.*@)?/, '').replace(/:\d+$/, ''))
    .join(',');
}
