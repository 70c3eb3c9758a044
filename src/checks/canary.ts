import { spawn } from 'node:child_process';
import { posix } from 'node:path';
import type { Surroundings } from '../config/paths.js';
import { quote } from '../domain/text.js';
import type { Recovery } from '../zerto/recover-sites.js';
import { about, type Check } from './check.js';
import { findOnPath } from './on-path.js';
import type { Tagged } from './pin.js';

/** Where a file is written to see whether a tag holds it: a host that ssh reaches, and an absolute path there. */
export interface Canary {
  readonly host: string;
  readonly path: string;
}

/** Reads `HOST:PATH`; undefined for anything that ssh or a shell could take for something else. */
export function readCanary(text: string): Canary | undefined {
  const [, host, path] = /^([A-Za-z0-9_][A-Za-z0-9._@-]*):(\/[^\p{Cc}\p{Cs}]+)$/u.exec(text) ?? [];
  if (host === undefined || path === undefined || path.endsWith('/') || posix.normalize(path) !== path)
    return undefined;
  return { host, path };
}

const FIX =
  'A change right after the tag may be in it: leave guard.trustCloudTags off and raise guard.holdSeconds; receipts then name the checkpoint before the tag.';

export interface CanaryOptions {
  readonly surroundings: Surroundings;
  readonly recovery: Pick<Recovery, 'recover'>;
  readonly vmIdentifier: string;
  readonly tagged: readonly Tagged[];
}

/**
 * Writes a file on the host right after its VM's tags were listed, and looks whether it is in them, by the code that recovers files.
 * The file is removed afterwards; one that was there before is left alone.
 */
export async function canaryChecks(
  { host, path }: Canary,
  { surroundings, recovery, vmIdentifier, tagged }: CanaryOptions,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const check = about('canary', host);
  const quoted = `'${path.replaceAll("'", `'\\''`)}'`;
  const wrote = await ssh(host, `set -C && date > ${quoted} && sync`, surroundings, signal);
  if (wrote !== undefined)
    return [
      check.fail(
        `${quote(path)} was not written: ${wrote}`,
        'Name a host that `ssh -o BatchMode=yes` reaches, and a path that is not there.',
      ),
    ];
  try {
    const found = tagged.map(async ({ vpg, checkpoint }): Promise<Check> => {
      const { checkpointIdentifier } = checkpoint;
      const wanted = { vpg, vmIdentifier, checkpointIdentifier, path, maxBytes: 4096 };
      const result = await recovery.recover(wanted, signal);
      const of = `the tag of VPG ${quote(vpg.name)}`;
      if (result.kind === 'not_found') return check.pass(`${quote(path)}, written right after, is not in ${of}`);
      if (result.kind === 'file')
        return check.fail(`${quote(path)}, written after the tag was listed, is in ${of}`, FIX);
      return check.fail(
        `${of} could not be looked into (${result.kind})`,
        'See `doctor --live`, and the VPG’s recovery site.',
      );
    });
    return await Promise.all(found);
  } finally {
    await ssh(host, `rm -f ${quoted}`, surroundings, new AbortController().signal);
  }
}

/** Undefined where it worked, else its last words, quoted. */
function ssh(
  host: string,
  command: string,
  surroundings: Surroundings,
  signal: AbortSignal,
): Promise<string | undefined> {
  const program = findOnPath('ssh', surroundings).file;
  if (program === undefined) return Promise.resolve('there is no ssh on PATH');
  const args = ['-o', 'BatchMode=yes', '-o', 'ConnectTimeout=10', '--', host, command];
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'], signal, windowsHide: true });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => {
    said = (said + chunk.toString()).slice(-400);
  });
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(quote(error.message)));
    child.once('close', (code) =>
      resolve(code === 0 ? undefined : quote(said.trim() || `ssh ended with code ${code}`)),
    );
  });
}
