import { cannotTell } from './cannot-tell.js';

/** A host as inventories and patterns write it, with the port that stands behind it. */
export interface HostPort {
  readonly host: string;
  readonly port?: number | undefined;
}

const NUMBERS = String.raw`\[[0-9]+:[0-9]+(?::[0-9]+)?\]`;
const HEX = String.raw`\[[0-9a-f]+:[0-9a-f]+(?::[0-9]+)?\]`;
const LETTERS = String.raw`\[(?:[a-z]:[a-z]|[0-9]+:[0-9]+)(?::[0-9]+)?\]`;
const OCTET = `(?:[01]?[0-9]{1,2}|2[0-4][0-9]|25[0-5]|${NUMBERS})`;
const WORD = `(?:[0-9a-f]{1,4}|${HEX})`;
const LABEL = `(?:\\w|${LETTERS})(?:[\\w-]|${LETTERS})*(?<![_-])`;
const DOTTED = `(?:${WORD}\\.){3}${WORD}`;

const IPV4 = new RegExp(`^(?:${OCTET}\\.){3}${OCTET}$`, 'i');
// As in ansible, only the last form has to reach the end of the text: the others may be followed by anything.
const IPV6 = new RegExp(
  `^(?:${[
    `(?:${WORD}:){7}${WORD}`,
    `(?:${WORD}:){1,6}:`,
    ...[1, 2, 3, 4, 5, 6].map((left) => `(?:${WORD}:){${left}}(?::${WORD}){1,${7 - left}}`),
    `:(?::${WORD}){1,6}`,
    `${WORD}?::`,
    `(?:0:){6}${DOTTED}`,
    `::(?:ffff:)?${DOTTED}`,
    `(?:0:){5}ffff:${DOTTED}$`,
  ].join('|')})`,
  'i',
);
const NAME = new RegExp(`^${LABEL}(?:\\.${LABEL})*$`, 'i');
const BRACKETED = /^\[(.+)\]:([0-9]+)$/;
const WITH_PORT = /^((?:[^:[\]]|\[[^\]]*\])*):([0-9]+)$/;

/** A host name or address, ranges like `[01:10]` in it allowed, and its port; undefined where ansible takes the text for none. */
export function parseAddress(text: string): HostPort | undefined {
  if (text.length > 1000 || /[^\x20-\x7e]/.test(text)) cannotTell('a host name is too long, or not in ASCII');
  let host = text;
  let port: number | undefined;
  for (const form of [BRACKETED, WITH_PORT]) {
    const [, name, number] = form.exec(host) ?? [];
    if (name === undefined || number === undefined) continue;
    host = name;
    port = Number(number);
  }
  if (host === '' || ![IPV4, IPV6, NAME].some((form) => form.test(host))) return undefined;
  return { host, port };
}

/** The hosts that an entry of an inventory stands for. */
export function expandEntry(entry: string): { readonly hosts: readonly string[]; readonly port?: number | undefined } {
  const { host, port } = parseAddress(entry) ?? { host: entry, port: undefined };
  return { hosts: host.includes('[') ? expandRanges(host, 0) : [host], port };
}

const MOST = 20_000;
const ALPHABET = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ';

function expandRanges(text: string, depth: number): readonly string[] {
  const parts = text.replace('[', '|').replace(']', '|').split('|');
  const [head, range, tail] = parts;
  if (parts.length !== 3 || head === undefined || range === undefined || tail === undefined || depth > 8)
    return cannotTell('a range of hosts in the inventory cannot be read');
  const names = steps(range).map((step) => head + step + tail);
  const all = tail.includes('[') ? names.flatMap((name) => expandRanges(name, depth + 1)) : names;
  return all.length > MOST ? cannotTell('a range of hosts in the inventory is too long') : all;
}

function steps(range: string): readonly string[] {
  const [first, last, by = '1', more] = range.split(':');
  const step = Number(by);
  if (!last || more !== undefined || !/^[0-9]{1,6}$/.test(by) || step === 0)
    return cannotTell('a range of hosts in the inventory cannot be read');
  const from = first === '' || first === undefined ? '0' : first;
  const padded = from.startsWith('0') && from.length > 1;
  if (padded && from.length !== last.length) return cannotTell('a range of hosts in the inventory cannot be read');
  if (ALPHABET.includes(from) && ALPHABET.includes(last)) return letters(from, last, step);
  if (!/^[0-9]{1,9}$/.test(from) || !/^[0-9]{1,9}$/.test(last))
    return cannotTell('a range of hosts in the inventory cannot be read');
  const count = Math.max(0, Math.floor((Number(last) - Number(from)) / step) + 1);
  if (count > MOST) return cannotTell('a range of hosts in the inventory is too long');
  return Array.from({ length: count }, (_, index) =>
    String(Number(from) + index * step).padStart(padded ? from.length : 0, '0'),
  );
}

function letters(from: string, last: string, step: number): readonly string[] {
  const start = ALPHABET.indexOf(from);
  const end = ALPHABET.indexOf(last);
  if (start > end) return cannotTell('a range of hosts in the inventory cannot be read');
  return [...ALPHABET.slice(start, end + 1)].filter((_, index) => index % step === 0);
}
