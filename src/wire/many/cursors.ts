import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Where a list of several servers goes on: at a server, with that server's own cursor. */
interface Position {
  readonly server: string;
  readonly cursor: string;
}

const MAC_BYTES = 16;

/** Cursors that only this process can have made, each for one method: what a client makes up is no position. */
export class Cursors {
  readonly #key = randomBytes(32);

  seal(method: string, { server, cursor }: Position): string {
    const body = Buffer.from(JSON.stringify([server, cursor]));
    return Buffer.concat([this.#mac(method, body), body]).toString('base64url');
  }

  /** Undefined for everything that `seal` did not give for this method. */
  open(method: string, sealed: unknown): Position | undefined {
    if (typeof sealed !== 'string') return undefined;
    const bytes = Buffer.from(sealed, 'base64url');
    const body = bytes.subarray(MAC_BYTES);
    // The decoder skips what is no base64url, so that other texts than the one given out would pass.
    if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== sealed) return undefined;
    if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), this.#mac(method, body))) return undefined;
    const [server, cursor] = JSON.parse(body.toString('utf8')) as [string, string];
    return { server, cursor };
  }

  #mac(method: string, body: Buffer): Buffer {
    return createHmac('sha256', this.#key).update(method).update('\0').update(body).digest().subarray(0, MAC_BYTES);
  }
}
