import { access, readFile } from 'node:fs/promises';
import { BadAnchor } from '../audit/claims.js';
import { publicKeysIn } from '../audit/signing.js';
import { type Verification, verify } from '../audit/verify.js';
import type { FileReport } from '../audit/verify-chain.js';
import { quote, visible } from '../domain/text.js';
import type { CommandIo } from './audit.js';

interface Values {
  readonly json?: boolean | undefined;
  readonly 'public-key'?: string | undefined;
  readonly anchor?: string | undefined;
}

/** Nothing is broken, but files of a newer version were not looked at. */
const NOT_CHECKED = 3;

/** `audit verify`. Exit codes: 0 whole, 1 broken, 2 a key or an anchor that cannot be used, 3 not all of it could be checked. */
export async function verifyDirectory(values: Values, dir: string, io: CommandIo): Promise<number> {
  let result: Verification;
  try {
    const keyFile = values['public-key'];
    const keys = keyFile === undefined ? undefined : await keysIn(keyFile);
    result = await verify(dir, { keys, anchor: values.anchor && (await anchorAt(values.anchor)) });
  } catch (error) {
    const why = whyUnusable(error, values.anchor);
    if (why === undefined) throw error;
    io.stderr.write(`audit: ${why}. Nothing was checked.\n`);
    return 2;
  }
  if (values.json === true) io.stdout.write(`${JSON.stringify(result, undefined, 2)}\n`);
  else io.stdout.write(textOf(result, dir));
  if (!result.ok) return 1;
  return result.unchecked === undefined ? 0 : NOT_CHECKED;
}

class Unusable extends Error {}

function whyUnusable(error: unknown, anchor = ''): string | undefined {
  if (error instanceof Unusable) return error.message;
  return error instanceof BadAnchor ? `the anchor ${quote(anchor)} cannot be used: ${error.message}` : undefined;
}

async function keysIn(file: string): Promise<ReadonlySet<string>> {
  const pem = await readFile(file, 'utf8').catch((error: unknown) => {
    throw new Unusable(`the public key ${quote(file)} cannot be read: ${visible(String(error))}`);
  });
  try {
    return publicKeysIn(pem);
  } catch {
    throw new Unusable(`${quote(file)} holds no Ed25519 public key in PEM form`);
  }
}

async function anchorAt(file: string): Promise<string> {
  await access(file).catch((error: unknown) => {
    throw new Unusable(`the anchor ${quote(file)} cannot be read: ${visible(String(error))}`);
  });
  return file;
}

function textOf({ ok, files, broken, unchecked, removed = [] }: Verification, dir: string): string {
  if (files.length === 0) return `no audit records in ${quote(dir)}\n`;
  const policy = removed.map(
    ({ file, seq }) => `removed by retention: ${quote(file)} and what came before it, up to record ${seq}`,
  );
  return `${[...files.map(lineOf), ...policy, verdict(ok, broken, unchecked)].join('\n')}\n`;
}

function lineOf({ file, state, records, signed, version, broken }: FileReport): string {
  if (state === 'unchecked') return `${state}  ${quote(file)}  written by version ${version} of the format`;
  const head = `${state}  ${quote(file)}  ${records} records`;
  if (broken !== undefined) {
    const seq = broken.seq === undefined ? '' : ` (record ${broken.seq})`;
    return `${head}: line ${broken.line}${seq}: ${visible(broken.why)}`;
  }
  return signed === undefined ? head : `${head}, ${signed} of them under a signed head`;
}

function verdict(ok: boolean, broken: Verification['broken'], unchecked = 0): string {
  if (!ok) return `broken: first in ${quote(broken?.file ?? '')}, line ${broken?.line}: ${visible(broken?.why ?? '')}`;
  if (unchecked === 0) return 'ok';
  return `not checked: ${unchecked} of the files, which a newer version of the proxy wrote; the others are ok`;
}
