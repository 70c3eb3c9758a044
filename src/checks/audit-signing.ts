import { lstatSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { publicKeysIn, signingKeyAt } from '../audit/signing.js';
import { type FileReport, firstRecord } from '../audit/verify-chain.js';
import { quote, visible } from '../domain/text.js';
import { about, type Check } from './check.js';
import { exists, modeOf } from './owners.js';

/** A running process signs within a minute; what is older and unsigned stays so. */
const SIGNED_WITHIN_MS = 2 * 60_000;

/**
 * Whether heads of the audit log can be signed, by whom those that are there are, and what no signature vouches for. `files` are
 * what `verify` found whole, with every signature checked by the key that its own chain names.
 */
export async function signingChecks(
  dir: string,
  keyFile: string,
  files: readonly FileReport[],
  now: number,
): Promise<readonly Check[]> {
  const seen = files
    .filter(({ state }) => state !== 'unchecked')
    .map((file) => ({ ...file, at: changedAt(dir, file) }));
  const newest = seen.toSorted((a, b) => b.at - a.at)[0];
  const signedBy = newest && (await firstRecord(dir, newest.file).catch(() => undefined))?.['key'];
  const { key, check } = keyCheck(keyFile, typeof signedBy === 'string');
  const unchecked = versionChecks(files);
  if (newest === undefined) return [check, ...unchecked];
  return [check, ...headChecks(key, signedBy, keyFile), coverCheck(seen, now), ...unchecked];
}

function changedAt(dir: string, { file }: FileReport): number {
  const path = join(dir, file);
  return exists(path) ? lstatSync(path).mtimeMs : 0;
}

/** The key itself: there, this user's alone, of the right kind, and its public half beside it. */
function keyCheck(path: string, wasUsed: boolean): { readonly key?: string | undefined; readonly check: Check } {
  const check = about('audit.signing');
  let key: string | undefined;
  try {
    key = signingKeyAt(path);
  } catch (error) {
    return { check: check.fail(...whyUnusable(path, error)) };
  }
  if (key === undefined && wasUsed) {
    const why = `the signing key ${quote(path)} is gone, and the newest log was signed: the next process makes another key`;
    return {
      check: check.warn(why, 'Find out who removed it. Keep the old public key: it proves what was signed so far.'),
    };
  }
  if (key === undefined) return { check: check.pass(`the signing key ${quote(path)} is made with the first record`) };
  if (publicKeyAt(`${path}.pub`) === key)
    return { key, check: check.pass(`${quote(path)} signs, its public half is beside it`) };
  const how = `Write it anew: openssl pkey -in ${visible(path)} -pubout -out ${visible(path)}.pub`;
  return { key, check: check.warn(`${quote(`${path}.pub`)} is missing or of another key`, how) };
}

function whyUnusable(path: string, error: unknown): [detail: string, fix: string] {
  const unsigned = 'so heads of the audit log are not signed';
  const stat = lstatSync(path);
  const anew =
    'Move it away: the next process makes another. Keep its public half, which proves what was signed so far.';
  if (!stat.isFile()) return [`the signing key ${quote(path)} is a link or no file, ${unsigned}`, anew];
  const isPosix = process.platform !== 'win32';
  if (isPosix && stat.uid !== process.geteuid?.())
    return [
      `the signing key ${quote(path)} belongs to user ${stat.uid}, ${unsigned}`,
      'Give it to the user who runs the proxy.',
    ];
  if (isPosix && (stat.mode & 0o077) !== 0) {
    const opened = `Whoever read it can sign. If nobody did: chmod 600 ${visible(path)}; else move it away, and the next process makes another.`;
    return [`the signing key ${quote(path)}, mode ${modeOf(stat)}, is open to others, ${unsigned}`, opened];
  }
  const why = error instanceof Error ? error.message : String(error);
  return [`the signing key ${quote(path)} cannot be used, ${unsigned}: ${visible(why)}`, anew];
}

function publicKeyAt(path: string): string | undefined {
  try {
    const [key, ...more] = publicKeysIn(readFileSync(path, 'utf8'));
    return more.length === 0 ? key : undefined;
  } catch {
    return undefined;
  }
}

/** Whose signatures the newest log has. */
function headChecks(key: string | undefined, signedBy: unknown, keyFile: string): readonly Check[] {
  const check = about('audit.heads');
  if (typeof signedBy !== 'string') {
    const fix =
      'Correct what audit.signing says; the next process signs. Until then only copies elsewhere show a rewrite.';
    return [check.warn('the newest log is not signed', fix)];
  }
  if (key === undefined) return [];
  if (key === signedBy) return [check.pass('the newest log is signed by this key')];
  return [
    check.warn(
      `the newest log is signed by another key (${visible(signedBy)}) than ${quote(keyFile)} (${visible(key)})`,
      'Was the key replaced on purpose? Then keep both public keys for `audit verify --public-key`. Else find out who wrote that log.',
    ),
  ];
}

/** Records that stand under no signature, leaving out what a running process is about to sign. */
function coverCheck(files: ReadonlyArray<FileReport & { readonly at: number }>, now: number): Check {
  const check = about('audit.covered');
  const records = files.reduce((sum, file) => sum + file.records, 0);
  const unsigned = files.filter(({ signed }) => signed === undefined);
  const behind = files.filter(
    (file) => file.signed !== undefined && file.signed < file.records && now - file.at > SIGNED_WITHIN_MS,
  );
  if (unsigned.length === 0 && behind.length === 0) return check.pass(`signed heads stand over the ${records} records`);
  const left = behind.reduce((sum, file) => sum + file.records - (file.signed ?? 0), 0);
  const parts = [
    ...(unsigned.length === 0 ? [] : [`${unsigned.length} files are not signed at all${firstOf(unsigned)}`]),
    ...(behind.length === 0
      ? []
      : [`${left} records stand behind the last head of processes that were killed${firstOf(behind)}`]),
  ];
  return check.warn(
    parts.join('; '),
    'Their chain is whole, but whoever can write them can make them up. Compare them with the export or the copy elsewhere.',
  );
}

function firstOf([first]: readonly FileReport[]): string {
  return first === undefined ? '' : ` (${quote(first.file)})`;
}

function versionChecks(files: readonly FileReport[]): readonly Check[] {
  const newer = files.filter(({ state }) => state === 'unchecked');
  if (newer.length === 0) return [];
  return [
    about('audit.versions').warn(
      `${newer.length} files of a newer version were not checked${firstOf(newer)}`,
      'Check them by `audit verify` of the version that wrote them. If none ever ran here, somebody edited them.',
    ),
  ];
}
