import type { DownstreamEnd } from '../wire/downstream-end.js';
import { readServerMessage, type ServerMessage } from '../wire/message.js';
import { takeLines } from '../wire/pipe.js';

/** What a server said of itself. */
export interface Greeted {
  readonly name: string;
  readonly version: string;
  readonly revision: string;
  readonly tools: readonly string[];
}

/** `why`: in words for a person, nothing of it quoted yet. */
export type Handshake =
  | { readonly kind: 'greeted'; readonly by: Greeted }
  | { readonly kind: 'failed'; readonly why: string };

type Reply = { readonly kind: 'result'; readonly result: unknown } | { readonly kind: 'failed'; readonly why: string };
type Call = (method: string, params: object) => Promise<Reply>;

const REVISION = '2025-11-25';
const PAGES = 100;

/** Greets a started server as a client does and reads its list of tools, then ends it. Never rejects. */
export async function handshake(
  end: DownstreamEnd,
  self: { readonly name: string; readonly version: string },
  timeoutMs: number,
): Promise<Handshake> {
  const deadline = AbortSignal.timeout(timeoutMs);
  const gone = end.exit.then(({ code, signal, spawnError, why }): Reply => {
    const how =
      spawnError?.message ?? why ?? (signal === null ? `it ended with code ${code}` : `it ended by ${signal}`);
    return { kind: 'failed', why: how };
  });
  const late = new Promise<Reply>((resolve) => {
    const why = `no answer within ${Math.round(timeoutMs / 1000)} s`;
    deadline.addEventListener('abort', () => resolve({ kind: 'failed', why }), { once: true });
  });
  const { call, notify } = speak(end);
  const patient: Call = (method, params) => Promise.race([call(method, params), gone, late]);
  try {
    return await greet(patient, notify, self);
  } finally {
    await end.stop();
  }
}

async function greet(call: Call, notify: (method: string) => void, self: object): Promise<Handshake> {
  const hello = await call('initialize', { protocolVersion: REVISION, capabilities: {}, clientInfo: self });
  if (hello.kind === 'failed') return hello;
  notify('notifications/initialized');
  const { serverInfo, protocolVersion, capabilities } = members(hello.result);
  const { name, version } = members(serverInfo);
  const about = { name: text(name), version: text(version), revision: text(protocolVersion) };
  if (members(capabilities)['tools'] === undefined) return { kind: 'greeted', by: { ...about, tools: [] } };
  const tools: string[] = [];
  let cursor: unknown;
  for (let page = 0; page < PAGES; page += 1) {
    const listed = await call('tools/list', cursor === undefined ? {} : { cursor });
    if (listed.kind === 'failed') return { kind: 'failed', why: `tools/list: ${listed.why}` };
    const { tools: found, nextCursor } = members(listed.result);
    tools.push(...(Array.isArray(found) ? found : []).map((tool) => text(members(tool)['name'])));
    cursor = nextCursor;
    if (typeof cursor !== 'string') break;
  }
  return { kind: 'greeted', by: { ...about, tools } };
}

/** JSON-RPC over the lines of a downstream. What it asks of its client is answered with what a client without features says. */
function speak(end: DownstreamEnd): { readonly call: Call; readonly notify: (method: string) => void } {
  const waiting = new Map<string, (reply: Reply) => void>();
  let count = 0;
  end.input.on('error', () => undefined);
  const write = (message: object) => void end.input.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  void takeLines(end.output, (line) => {
    const message = readServerMessage(line);
    if (message.kind === 'request') end.input.write(`${refusalOf(message)}\n`);
    if (message.kind === 'response') waiting.get(message.idKey)?.(replyOf(message));
    return undefined;
  });
  return {
    call: (method, params) => {
      count += 1;
      const id = `doctor-${count}`;
      return new Promise((resolve) => {
        waiting.set(`s:${id}`, resolve);
        write({ id, method, params });
      });
    },
    notify: (method) => write({ method }),
  };
}

function refusalOf({ idText, method }: ServerMessage & { kind: 'request' }): string {
  const answer = method === 'ping' ? '"result":{}' : '"error":{"code":-32601,"message":"Method not found"}';
  return `{"jsonrpc":"2.0","id":${idText},${answer}}`;
}

function replyOf({ isError, result, raw }: ServerMessage & { kind: 'response' }): Reply {
  if (!isError) return { kind: 'result', result };
  const { message } = members(members(JSON.parse(raw.toString('utf8')))['error']);
  return { kind: 'failed', why: text(message) };
}

function members(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
