import type { HostName, Reading, ToolCall } from '../src/domain/call.js';
import type { Interceptor } from '../src/domain/ports.js';
import { isEmpty } from './commands.js';
import type { Connections } from './connections.js';
import { remoteHosts } from './remote.js';

type Call = Pick<ToolCall, 'tool' | 'arguments'>;

/** What a call made, as later calls name it, and the hosts that it stands for. */
export interface Handle {
  readonly handle: string;
  readonly hosts: readonly string[];
}

type Maker = (args: Readonly<Record<string, unknown>>, answer: string | undefined) => Handle | undefined;

/** Tools of known servers that open something. The name is the caller's own, or stands in the answer. */
const MAKERS: ReadonlyMap<string, Maker> = new Map<string, Maker>([
  ['open-session', (args) => handle(args['name'], args['profile'])],
  ['ssh_session_start', (args, answer) => handle(found(answer, /\bSession ID:\s*([\w.:-]+)/), args['server'])],
  ['ssh_connect', (args) => handle(args['connectionId'] ?? 'default', args['host'])],
  ['start_process', started],
  ['validate_script', (args, answer) => handle(found(answer, /\btoken\b["'\s:=]+([\w.:-]+)/), args['host'])],
]);
const NAMED_IN_ANSWER = /\b(?:session|connection)[ _]?id\b\\?["'`*\s:=]+([\w.:-]{3,})/i;

/**
 * The handle that a call makes, told from its arguments before it is sent, or with the answer's text where the server chooses the name. Of a tool
 * that is not known, one that names its host and answers with an id of a session or connection.
 */
export function handleOf(call: Call, hosts: readonly string[], answer?: string): Handle | undefined {
  const known = MAKERS.get(call.tool)?.(call.arguments, answer);
  if (known !== undefined) return known;
  const name = found(answer, NAMED_IN_ANSWER);
  return name === undefined || hosts.length === 0 ? undefined : { handle: name, hosts };
}

/** Whether the tool is known to open something, told from its arguments alone. */
export function makesHandle(tool: string): boolean {
  return MAKERS.has(tool);
}

const LARGEST_ANSWER = 1 << 20;

/** Whether the answer may name what the call made; most answers are told apart by their bytes, without being read. */
export function mayNameHandle(tool: string, answer: Uint8Array): boolean {
  if (makesHandle(tool)) return true;
  if (answer.length > LARGEST_ANSWER) return false;
  const bytes = Buffer.from(answer.buffer, answer.byteOffset, answer.byteLength);
  return /session|connection|\\u/i.test(bytes.toString('latin1'));
}

/** The texts of a tool's answer, structured content included, as one text. */
export function answerText(raw: Uint8Array): string {
  try {
    const { result } = JSON.parse(new TextDecoder().decode(raw)) as {
      result?: { content?: unknown; structuredContent?: unknown };
    };
    const parts: readonly unknown[] = Array.isArray(result?.content) ? result.content : [];
    const texts = parts
      .map((part) => (part as { text?: unknown } | null)?.text)
      .filter((text) => typeof text === 'string');
    return [...texts, JSON.stringify(result?.structuredContent ?? '')].join('\n');
  } catch {
    return '';
  }
}

/** Reads as `inner` does, with the hosts that names of sessions and connections stand for, as far as this session's calls made them. */
export function withHandles(inner: Interceptor, handles: Pick<Connections, 'find'>): Interceptor {
  return {
    name: inner.name,
    claims: (server, tool, description) => inner.claims(server, tool, description),
    read: (call) => {
      const reading = inner.read(call);
      return { ...reading, hosts: standFor(reading, call, handles) };
    },
  };
}

function standFor(
  reading: Reading,
  call: Pick<ToolCall, 'server' | 'arguments'>,
  handles: Pick<Connections, 'find'>,
): readonly HostName[] {
  const named = reading.hosts.flatMap((host): readonly HostName[] => {
    const known = isHandle(reading, host.argument) ? opened(call, host.argument, host.value, handles) : undefined;
    return known ?? [host];
  });
  const sure = named.filter(({ value }) => value !== '');
  if (sure.length > 0) return named;
  const sessions = Object.entries(call.arguments).flatMap(([argument, value]) =>
    reading.roles[argument] === 'session' ? (opened(call, argument, value, handles) ?? []) : [],
  );
  return sessions.length > 0 ? sessions : named;
}

/** Also an argument that is not there: the server fills in a name of its own. */
function isHandle({ roles }: Reading, argument: string): boolean {
  const role = Object.hasOwn(roles, argument) ? roles[argument] : 'connection';
  return role === 'connection' || role === 'host_list';
}

function opened(
  { server }: Pick<ToolCall, 'server'>,
  argument: string,
  value: unknown,
  handles: Pick<Connections, 'find'>,
): readonly HostName[] | undefined {
  if (typeof value !== 'string' && typeof value !== 'number') return undefined;
  return handles.find(keyOf(server.name, String(value)))?.hosts.map((host) => ({ value: host, argument }));
}

/** Handles of one server are no handles of another. */
export function keyOf(server: string, name: string): string {
  return `${server}\n${name}`;
}

/** A process on the server's own machine, or one that talks to the host which its command reaches. */
function started(args: Readonly<Record<string, unknown>>, answer: string | undefined): Handle | undefined {
  const command = args['command'];
  const pid = found(answer, /\bPID:?\s+(\d+)/i);
  if (typeof command !== 'string' || pid === undefined) return undefined;
  return { handle: pid, hosts: remoteHosts(command) ?? ['localhost'] };
}

function handle(name: unknown, host: unknown): Handle | undefined {
  if (isEmpty(name) || isEmpty(host) || typeof host !== 'string') return undefined;
  return typeof name === 'string' || typeof name === 'number' ? { handle: String(name), hosts: [host] } : undefined;
}

function found(text: string | undefined, pattern: RegExp): string | undefined {
  return text === undefined ? undefined : pattern.exec(text)?.[1];
}
