import { isIP } from 'node:net';
import type { Exchange } from '../zerto/http.js';

/** A request to an appliance and its answer, without anything that names a customer, a machine or a person. */
export interface AnonymousExchange {
  readonly site: string;
  readonly method: string;
  readonly endpoint: string;
  readonly path: string;
  readonly status?: number | undefined;
  readonly body?: unknown;
  /** Why no answer came. */
  readonly reason?: string | undefined;
}

/** What is written for a report. */
export interface Transcript {
  readonly v: 1;
  readonly program: string;
  readonly exchanges: readonly AnonymousExchange[];
}

const GUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi;
/** What may be left of an identifier once its GUIDs are replaced. */
const ID_REST = /^(?:G(?:\.G|\.vm-\d+)?(?:\?VpgIdentifier=G)?)$/i;
const DATE = /^(?:\d{4}-\d\d-\d\dT[\d:.]{5,16}Z?|\/Date\(\d+\)\/)$/;
/** Members that hold words of the API itself. */
const WORDS = /^(?:type|rel|sitetype|flrsessionstatus|flrsessiontype|state|version|token_type|error)$/i;
const WORD = /^[A-Za-z0-9 ._:+()-]{0,60}$/;

/** Records exchanges. The same value is always replaced by the same stand-in, so that what belongs together can still be seen. */
export function createTranscript(program: string) {
  const exchanges: AnonymousExchange[] = [];
  const names = createStandIns();
  return {
    observe: (exchange: Exchange): void => {
      exchanges.push(anonymous(exchange, names));
    },
    read: (): Transcript => ({ v: 1, program, exchanges }),
  };
}

type StandIns = ReturnType<typeof createStandIns>;

function createStandIns() {
  const seen = new Map<string, Map<string, number>>();
  const number = (kind: string, value: string): number => {
    const known = seen.get(kind) ?? new Map<string, number>();
    seen.set(kind, known);
    const given = known.get(value) ?? known.size + 1;
    known.set(value, given);
    return given;
  };
  return {
    guid: (value: string) => `00000000-0000-4000-8000-${String(number('guid', value.toLowerCase())).padStart(12, '0')}`,
    address: (value: string) => {
      const at = number('address', value);
      return isIP(value) === 6 ? `2001:db8::${at.toString(16)}` : `192.0.2.${at % 256}`;
    },
    text: (value: string) => `text-${number('text', value)}`,
    key: (value: string) => `key-${number('key', value)}`,
    site: (value: string) => `site-${number('site', value)}`,
  };
}

function anonymous(
  { site, method, endpoint, path, status, text, reason }: Exchange,
  names: StandIns,
): AnonymousExchange {
  const base = { site: names.site(site), method, endpoint, path: pathOf(endpoint, path, names) };
  if (status === undefined) return { ...base, reason: WORD.test(reason ?? '') ? reason : 'error' };
  return { ...base, status, body: bodyOf(endpoint, text ?? '', names) };
}

function pathOf(endpoint: string, path: string, names: StandIns): string {
  const url = new URL(path, 'https://zvm.invalid');
  const template = endpoint.split('/').filter((part) => part !== '');
  const segments = url.pathname.split('/').filter((part) => part !== '');
  const kept = segments.map((segment, index) =>
    template[index] === segment ? segment : encodeURIComponent(stringOf(undefined, decoded(segment), names)),
  );
  for (const [name, value] of [...url.searchParams]) url.searchParams.set(name, stringOf(undefined, value, names));
  return `/${kept.join('/')}${url.search}`;
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment);
  } catch {
    return segment;
  }
}

/** A login's answer is known by its form; what stands in it is a secret. */
function bodyOf(endpoint: string, text: string, names: StandIns): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { notJson: text.length };
  }
  if (!endpoint.includes('openid-connect')) return anyOf(undefined, value, names);
  if (typeof value !== 'object' || value === null) return null;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]: [string, unknown]) => [
      keyOf(key, names),
      typeof member === 'number' ? member : WORDS.test(key) ? anyOf(key, member, names) : 'withheld',
    ]),
  );
}

function anyOf(key: string | undefined, value: unknown, names: StandIns): unknown {
  if (typeof value === 'string') return stringOf(key, value, names);
  if (Array.isArray(value)) return value.map((item) => anyOf(key, item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, unknown]) => [keyOf(name, names), anyOf(name, member, names)]),
  );
}

function keyOf(key: string, names: StandIns): string {
  return /^[A-Za-z_$-]{1,40}$/.test(key) ? key : names.key(key);
}

function stringOf(key: string | undefined, value: string, names: StandIns): string {
  if (value === '' || DATE.test(value) || /^\d{1,19}$/.test(value)) return value;
  if (key !== undefined && WORDS.test(key) && WORD.test(value)) return value;
  if (ID_REST.test(value.replace(GUID, 'G'))) return value.replace(GUID, (guid) => names.guid(guid));
  if (isIP(value) !== 0) return names.address(value);
  return names.text(value);
}
