import { createServer } from 'node:net';

/** A port of that address that nobody listens on. */
export function freePort(host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, host, () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : 0));
    });
  });
}

/** Why that address cannot be listened on; undefined where it can. Not every platform has all of 127.0.0.0/8. */
export async function whyNoLoopback(host: string): Promise<string | undefined> {
  return freePort(host).then(
    () => undefined,
    () => `${host} cannot be listened on`,
  );
}

/** A part that is missing: the reason to skip. Where CI says that all real parts are there, it throws instead. */
export function skipReason(what: string, why: string | undefined): string | undefined {
  if (why !== undefined && process.env['CI'] === 'true') throw new Error(`${what} missing although CI=true: ${why}`);
  return why;
}
