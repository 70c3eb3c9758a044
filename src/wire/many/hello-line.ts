import { quote } from '../../domain/text.js';
import { setMember } from '../edit.js';
import { objectAt } from '../json-splice.js';
import type { ResponseMessage } from '../message.js';
import { isRecord, record, SERVER_INFO, type ServerInfo } from '../relay-peers.js';
import { lastNamed, latin1 } from '../scan.js';
import { type JsonValue, union } from './union.js';

/** What one server answered to initialize or server/discover. */
export interface Hello {
  readonly server: string;
  readonly response: ResponseMessage;
}

/** What the client is told: the answer, or that the servers have no protocol version in common. */
export type Joined =
  | { readonly kind: 'line'; readonly line: Buffer; readonly result: Readonly<Record<string, unknown>> }
  | { readonly kind: 'apart' };

/**
 * One answer in the place of several, in the order of the config: capabilities united, instructions joined under the servers' names,
 * `serverInfo` the proxy's own. `wanted`: the version that the client asked for, absent for server/discover.
 */
export function joinHellos(
  idText: string,
  hellos: readonly Hello[],
  self: ServerInfo,
  wanted: string | undefined,
): Joined {
  const raw = Buffer.from(`{"jsonrpc":"2.0","id":${idText},"result":${union(hellos.flatMap(resultOf))}}`);
  const results = hellos.map(({ response }) => record(response.result));
  const set = (line: Buffer, name: string, value: unknown) =>
    value === undefined ? line : setMember(line, ['result'], name, JSON.stringify(value));
  let line = set(raw, 'instructions', instructionsOf(hellos));
  if (wanted !== undefined) {
    line = set(set(line, 'serverInfo', self), 'protocolVersion', versionOf(results, wanted));
  } else {
    const versions = versionsOf(results);
    if (versions.length === 0) return { kind: 'apart' };
    line = set(setOwnInfo(line, results, self), 'supportedVersions', versions);
    line = set(line, 'ttlMs', shortest(results));
  }
  return { kind: 'line', line, result: record(record(JSON.parse(line.toString('utf8')))['result']) };
}

/**
 * The newest version that a server answered, but none newer than the client asked for. A server that answers an older one does not
 * hold the others back: between stateful revisions the messages only gained members, which an older peer skips, and requests that
 * go by a capability it does not have; batches, which went away, pass the proxy in neither direction.
 */
function versionOf(results: readonly Readonly<Record<string, unknown>>[], wanted: string): string {
  const answered = results.map((result) => String(result['protocolVersion'] ?? wanted)).sort();
  return answered.findLast((version) => version <= wanted) ?? answered[0] ?? wanted;
}

/** Those of the first that all the others support too; none is assumed where a server names none. */
function versionsOf(results: readonly Readonly<Record<string, unknown>>[]): readonly unknown[] {
  const lists = results.map((result) =>
    Array.isArray(result['supportedVersions']) ? result['supportedVersions'] : [],
  );
  const [first = [], ...others] = lists;
  return first.filter((version: unknown) => others.every((list) => list.includes(version)));
}

function instructionsOf(hellos: readonly Hello[]): string | undefined {
  const parts = hellos.flatMap(({ server, response }) => {
    const text = record(response.result)['instructions'];
    return typeof text === 'string' && text.trim() !== '' ? [`# ${quote(server)}\n\n${text}`] : [];
  });
  return parts.length === 0 ? undefined : parts.join('\n\n');
}

/** Revision 2026-07-28 has the server's name in `_meta`; a server may give it at the top as well. */
function setOwnInfo(line: Buffer, results: readonly Readonly<Record<string, unknown>>[], self: ServerInfo): Buffer {
  const own = JSON.stringify(self);
  const top = results.some((result) => isRecord(result['serverInfo']))
    ? setMember(line, ['result'], 'serverInfo', own)
    : line;
  const meta = results.some((result) => isRecord(result['_meta'])) ? top : setMember(top, ['result'], '_meta', '{}');
  return setMember(meta, ['result', '_meta'], SERVER_INFO, own);
}

function shortest(results: readonly Readonly<Record<string, unknown>>[]): number | undefined {
  const times = results.flatMap(({ ttlMs }) => (typeof ttlMs === 'number' ? [ttlMs] : []));
  if (times.length === 0) return undefined;
  return times.length < results.length ? 0 : Math.min(...times);
}

function resultOf({ response }: Hello): JsonValue[] {
  const text = latin1(response.raw);
  const item = lastNamed(objectAt(text, []), 'result');
  return item === undefined ? [] : [{ text, start: item.valueStart, end: item.end }];
}
