import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign as signBytes,
  verify as verifyBytes,
} from 'node:crypto';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Logger } from '../domain/ports.js';
import { errnoOf } from './directory.js';
import { makePrivate, readPrivate } from './private-file.js';

/** Signs heads of the chain with Ed25519. `key` names the public half: its 32 bytes in base64url, as records carry it. */
export interface Signer {
  readonly key: string;
  /** The signature in base64url. */
  sign(text: string): string;
}

/** What is in front of the canonical JSON that is signed, so that a signature serves nothing else. */
const CONTEXT = 'zerto-rewind-proxy audit head 1\n';

/**
 * The key of this user's heads at `path` (PKCS #8 PEM, 0600), made now where there is none, with its public half beside it
 * (`….pub`, SPKI PEM). Where it cannot be used nothing is signed: the log is written all the same, and says so by its missing key.
 */
export function openSigner(path: string, log: Logger): Signer | undefined {
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    const found = readPrivate(path);
    const secret = privateKeyIn(found ?? makePrivate(path, newKey()));
    const open = createPublicKey(secret);
    if (found === undefined) publish(`${path}.pub`, open);
    return {
      key: nameOf(open),
      sign: (text) => signBytes(undefined, Buffer.from(CONTEXT + text), secret).toString('base64url'),
    };
  } catch (error) {
    log.warn({ path, errno: errnoOf(error) }, 'the signing key cannot be used: heads of the audit log are not signed');
    return undefined;
  }
}

function privateKeyIn(pem: string): KeyObject {
  const secret = createPrivateKey(pem);
  if (secret.asymmetricKeyType !== 'ed25519') throw new TypeError('not an Ed25519 key');
  return secret;
}

/** The name of the signing key at `path`; nothing where there is none. Throws where it cannot be used. */
export function signingKeyAt(path: string): string | undefined {
  const found = readPrivate(path);
  return found === undefined ? undefined : nameOf(createPublicKey(privateKeyIn(found)));
}

function newKey(): string {
  return generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
}

/** Another process that made the same key at the same moment may be first: the text is the same. */
function publish(path: string, key: KeyObject): void {
  rmSync(path, { force: true });
  try {
    writeFileSync(path, key.export({ type: 'spki', format: 'pem' }), { flag: 'wx', mode: 0o644 });
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error;
  }
}

function nameOf(key: KeyObject): string {
  return String(key.export({ format: 'jwk' }).x);
}

/** Whether the signature over the text is by the key of this name. */
export function isSigned(text: string, key: string, signature: unknown): boolean {
  if (typeof signature !== 'string' || !/^[\w-]{86}$/.test(signature)) return false;
  try {
    const object = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: key }, format: 'jwk' });
    return verifyBytes(undefined, Buffer.from(CONTEXT + text), object, Buffer.from(signature, 'base64url'));
  } catch {
    return false;
  }
}

/** The names of the Ed25519 keys in a PEM text, one block or several. Throws where there is none, or another kind. */
export function publicKeysIn(pem: string): ReadonlySet<string> {
  const blocks = pem.match(/-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/g) ?? [];
  const keys = blocks.map((block) => createPublicKey(block));
  if (keys.length === 0 || keys.some((key) => key.asymmetricKeyType !== 'ed25519')) {
    throw new TypeError('no Ed25519 public key in PEM form');
  }
  return new Set(keys.map(nameOf));
}
