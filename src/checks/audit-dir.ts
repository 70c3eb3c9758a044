import { accessSync, constants, lstatSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { outcomeOf, readCalls } from '../audit/calls.js';
import { BadAnchor } from '../audit/claims.js';
import { verify } from '../audit/verify.js';
import { quote, visible } from '../domain/text.js';
import { signingChecks } from './audit-signing.js';
import { about, type Check } from './check.js';
import { GATEWAY } from './config-file.js';
import { exists, isWritable, modeOf, writersOf } from './owners.js';

const MIB = 1024 * 1024;
/** Below the first, a busy day may not fit; below the second, calls may stop soon. */
const SPACE = { warn: 1024 * MIB, fail: 50 * MIB };

/** Where the audit log is, the key that signs its heads, and the file that heads are copied to. */
export interface AuditPlace {
  readonly dir: string;
  readonly platform: NodeJS.Platform;
  readonly keyFile: string;
  readonly headsTo: string | null;
  readonly now: number;
}

/** Mode, space, chain, signatures and open ends of the audit log. Nothing is written. */
export async function auditChecks(place: AuditPlace): Promise<readonly Check[]> {
  const { dir, platform } = place;
  const check = about('audit.directory');
  if (!exists(dir)) {
    const above = existingAbove(dir);
    const key = await signingChecks(dir, place.keyFile, [], place.now);
    if (isWritable(above))
      return [check.pass(`${quote(dir)} is made with the first record`), spaceCheck(above), ...key];
    return [check.fail(`${quote(dir)} cannot be made`, `Make it, or let this user write ${visible(above)}.`)];
  }
  return [
    directoryCheck(dir, platform),
    spaceCheck(dir),
    ...(await contentChecks(place)),
    changersCheck(dir, platform),
  ];
}

function directoryCheck(dir: string, platform: NodeJS.Platform): Check {
  const check = about('audit.directory');
  const stat = lstatSync(dir);
  if (!stat.isDirectory())
    return check.fail(`${quote(dir)} is a link or no directory`, 'Name the directory itself in audit.dir.');
  if (platform === 'win32') return check.pass(quote(dir));
  if (stat.uid !== process.geteuid?.())
    return check.fail(
      `${quote(dir)} belongs to user ${stat.uid}: nothing can be recorded`,
      'Give it to the user who runs the proxy.',
    );
  const detail = `${quote(dir)}, mode ${modeOf(stat)}`;
  return (stat.mode & 0o077) === 0
    ? check.pass(detail)
    : check.fail(`${detail}: open to others`, `chmod 700 ${visible(dir)}`);
}

function spaceCheck(dir: string): Check {
  const check = about('audit.space');
  const { bavail, bsize } = statfsSync(dir);
  const free = Number(bavail) * Number(bsize);
  const detail = `${Math.floor(free / MIB)} MiB free`;
  const fix = 'Make room: calls that may change something stop when nothing can be recorded.';
  if (free < SPACE.fail) return check.fail(detail, fix);
  return free < SPACE.warn ? check.warn(detail, fix) : check.pass(detail);
}

async function contentChecks({ dir, keyFile, headsTo, now }: AuditPlace): Promise<readonly Check[]> {
  const chain = about('audit.chain');
  const anchor = headsTo !== null && isReadable(headsTo) ? headsTo : undefined;
  const { ok, files, broken } = await verify(dir, { anchor }).catch((error: unknown) => ({
    ok: false,
    files: [],
    broken: { file: (error instanceof BadAnchor && anchor) || dir, line: 0, why: reasonOf(error) },
  }));
  if (!ok) {
    const detail = `broken in ${quote(broken?.file ?? '')}, line ${broken?.line}: ${visible(broken?.why ?? '')}`;
    return [
      chain.fail(detail, 'Keep the directory as it is, compare it with the copy elsewhere, find out who changed it.'),
    ];
  }
  const records = files.reduce((sum, file) => sum + file.records, 0);
  const copied = anchor === undefined ? '' : `, and has every head in ${quote(anchor)}`;
  return [
    chain.pass(`${records} records in ${files.length} files, the chain is whole${copied}`),
    ...(await signingChecks(dir, keyFile, files, now)),
    await openEnds(dir),
  ];
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Calls whose process died, or that run now. */
async function openEnds(dir: string): Promise<Check> {
  const check = about('audit.outcomes');
  let open = 0;
  for await (const call of readCalls(dir)) {
    if (call.intent.effect !== 'read_only' && call.outcome === undefined && outcomeOf(call) === 'outcome_unknown')
      open += 1;
  }
  if (open === 0) return check.pass('every recorded call has its outcome');
  return check.warn(
    `${open} calls have no outcome: they run now, or their process died and they may have run`,
    'See them by `zerto-rewind-proxy audit list`; their receipts name the checkpoints before them.',
  );
}

function changersCheck(dir: string, platform: NodeJS.Platform): Check {
  const check = about('audit.writers');
  const writers = writersOf(dir, platform);
  if (writers.kind === 'unknown') return check.skip(visible(writers.why));
  if (writers.kind === 'nobody') return check.pass('only root can change it');
  if (writers.kind === 'others')
    return check.fail(`other users can replace it: ${visible(writers.how)}`, 'Take the write permission from them.');
  return check.warn(
    'this user can remove or rewrite it, and so can an agent under this account; `audit verify` finds what a copy elsewhere does not have to',
    `Send copies off the machine. ${GATEWAY}`,
  );
}

function existingAbove(path: string): string {
  const above = dirname(path);
  return exists(path) || above === path ? path : existingAbove(above);
}
