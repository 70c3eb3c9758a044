/** The names under which a listening server may be addressed, as they stand in a Host header, in lower case. */
export type OwnNames = ReadonlySet<string>;

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];
const ANY_ADDRESS = ['0.0.0.0', '[::]'];

/** `host` is the address that is listened on; `extra` are NAME (with and without the port) or NAME:PORT (just that). */
export function ownNames(host: string, port: number, extra: readonly string[]): OwnNames {
  const literal = host.includes(':') ? `[${host}]` : host.toLowerCase();
  const hosts = ANY_ADDRESS.includes(literal) ? LOOPBACK : [...LOOPBACK, literal];
  const named = extra.flatMap((name) => {
    const lower = name.toLowerCase();
    return hasPort(lower) ? [lower] : [lower, `${lower}:${port}`];
  });
  const plain = port === 80 ? hosts : [];
  return new Set([...hosts.map((name) => `${name}:${port}`), ...plain, ...named]);
}

/** True for the value of a Host header that is one of the server's own. */
export function isOwnHost(names: OwnNames, host: string | undefined): boolean {
  return host !== undefined && names.has(host.toLowerCase());
}

/** True where there is no Origin, as with every client that is no browser, or where it is the server's own. */
export function isOwnOrigin(names: OwnNames, origin: string | undefined): boolean {
  if (origin === undefined) return true;
  const authority = /^https?:\/\/([^/?#@]+)$/.exec(origin.toLowerCase())?.[1];
  return authority !== undefined && names.has(authority);
}

function hasPort(name: string): boolean {
  return /:\d+$/.test(name.startsWith('[') ? name.slice(name.indexOf(']')) : name);
}
