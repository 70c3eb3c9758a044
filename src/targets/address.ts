import { BlockList, isIP } from 'node:net';
import { readShareName } from '../domain/share-name.js';

/** A host as callers write it: `user@host:port`, `[v6]:port`, `https://host/wsman`, `\\\\host\\share`, a trailing dot. `host` is what is left. */
export function bareHost(value: string): string {
  const host = hostAndPort(value);
  const bracketed = /^\[([^\]]*)\](?::\d{1,5})?$/.exec(host);
  if (bracketed !== null) return bracketed[1] ?? '';
  const plain = isIP(host) === 6 ? host : host.replace(/:\d{1,5}$/, '');
  return plain === '.' ? plain : plain.replace(/\.$/, '');
}

/** Like `bareHost`, with the port where the caller wrote one. */
export function hostAndPort(value: string): string {
  const share = readShareName(value);
  if (share.kind === 'share') return withPort(share.host, share.port);
  if (share.kind === 'device') return '.';
  // Readers differ on its machine: nothing is cut off, so that no VM has such a name.
  if (share.kind === 'unclear') return value.trim();
  const authority = authorityOf(value.trim());
  return authority.slice(authority.lastIndexOf('@') + 1);
}

function withPort(host: string, port: number | undefined): string {
  if (port === undefined) return host;
  return `${isIP(host) === 6 ? `[${host}]` : host}:${port}`;
}

function authorityOf(text: string): string {
  const [, rest = ''] = /^[a-z][a-z0-9+.-]*:(?:\/\/|\\\\)(.*)$/is.exec(text) ?? [];
  if (rest === '') return text.replace(/\/+$/, '');
  const authority = rest.split(/[/?#]/, 1)[0] ?? '';
  // Readers differ on which of the two parts is the host.
  return authority.includes('\\') ? text : authority;
}

/** One spelling for each IP address, IPv4 in IPv6 as IPv4; undefined where the text is none. Octal and short forms are none: readers differ on them. */
export function canonicalAddress(text: string): string | undefined {
  const version = isIP(text);
  if (version === 4) return text;
  if (version !== 6 || text.includes('%')) return undefined;
  const canonical = new URL(`http://[${text}]/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (mapped === null) return canonical;
  return [mapped[1], mapped[2]]
    .map((part) => Number.parseInt(part ?? '0', 16))
    .flatMap((part) => [part >> 8, part & 255])
    .join('.');
}

const LOCAL = new BlockList();
LOCAL.addSubnet('127.0.0.0', 8, 'ipv4');
LOCAL.addSubnet('0.0.0.0', 8, 'ipv4');
LOCAL.addAddress('::1', 'ipv6');
LOCAL.addAddress('::', 'ipv6');

const LINK = new BlockList();
LINK.addSubnet('169.254.0.0', 16, 'ipv4');
LINK.addSubnet('fe80::', 10, 'ipv6');

/** Names and addresses of the machine that looks them up; `.` is one on Windows. */
export function isLoopback(host: string): boolean {
  if (
    /^(\.|localhost|.+\.localhost|localhost\.localdomain|localhost[46](\..+)?|ip6-localhost|ip6-loopback)$/i.test(host)
  )
    return true;
  return within(LOCAL, host);
}

/**
 * Addresses that container engines and hypervisors give each machine they run on, or each of their guests: bridges of docker (`docker0` and
 * the first ones of its further networks), podman, libvirt, minikube and VirtualBox, and VirtualBox's own guest network.
 */
const REPEATED = new BlockList();
for (const second of Array.from({ length: 15 }, (_, index) => 17 + index))
  REPEATED.addAddress(`172.${second}.0.1`, 'ipv4');
for (const address of [
  '10.88.0.1',
  '192.168.122.1',
  '192.168.49.1',
  '192.168.56.1',
  '192.168.99.1',
  '10.0.2.2',
  '10.0.2.15',
])
  REPEATED.addAddress(address, 'ipv4');

/** Whether an address that a VM reports says which VM it is: not one that exists on many machines. */
export function isTelling(address: string): boolean {
  return ![LOCAL, LINK, REPEATED].some((list) => within(list, address));
}

/** Whether a host, as an address, lies in `network/prefix`. False for a name and for a rule that is no network. */
export function inNetwork(host: string, rule: string): boolean {
  const address = canonicalAddress(host);
  const [network, bits, more] = rule.split('/');
  const base = canonicalAddress(network ?? '');
  if (
    address === undefined ||
    base === undefined ||
    bits === undefined ||
    more !== undefined ||
    !/^\d{1,3}$/.test(bits)
  )
    return false;
  const version = isIP(base) === 4 ? 'ipv4' : 'ipv6';
  if (Number(bits) > (version === 'ipv4' ? 32 : 128)) return false;
  const list = new BlockList();
  list.addSubnet(base, Number(bits), version);
  return list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}

function within(list: BlockList, text: string): boolean {
  const address = canonicalAddress(text);
  return address !== undefined && list.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6');
}
