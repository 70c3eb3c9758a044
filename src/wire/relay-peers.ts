/** Members of `_meta` by which a 2026-07-28 client says with each request who it is. */
export const PROTOCOL_VERSION = 'io.modelcontextprotocol/protocolVersion';
const CLIENT_INFO = 'io.modelcontextprotocol/clientInfo';
const CLIENT_CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';
export const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';

export interface ServerInfo {
  readonly name: string;
  readonly version: string;
}

/** What both ends have said of themselves so far, by initialize, by server/discover or in a request's `_meta`. */
export class Peers {
  #clientName: string | undefined;
  #clientCapabilities: Readonly<Record<string, unknown>> = {};
  #serverInfo: ServerInfo | undefined;
  #serverCapabilities: Readonly<Record<string, unknown>> | undefined;
  #initialized = false;
  #joined = false;

  clientSaid(params: unknown): void {
    const hello = record(params);
    this.#clientName = nameOf(hello['clientInfo']) ?? this.#clientName;
    this.#clientCapabilities = record(hello['capabilities']);
  }

  serverSaid(result: unknown, initialized: boolean): void {
    const hello = record(result);
    const meta = record(hello['_meta']);
    this.#serverInfo = infoOf(hello['serverInfo']) ?? infoOf(meta[SERVER_INFO]) ?? this.#serverInfo;
    this.#serverCapabilities = record(hello['capabilities']);
    if (initialized) this.#initialized = true;
  }

  /** The client's own name, where it gave one: for this request first, else for the connection. */
  clientName(meta: unknown): string | undefined {
    return nameOf(record(meta)[CLIENT_INFO]) ?? this.#clientName;
  }

  get serverInfo(): ServerInfo | undefined {
    return this.#serverInfo;
  }

  /** True once initialize was answered with a result. */
  get initialized(): boolean {
    return this.#initialized;
  }

  /** The session began before anyone listened. */
  joined(): void {
    this.#joined = true;
  }

  /** The server can be asked in this session. */
  get underWay(): boolean {
    return this.#initialized || this.#joined;
  }

  /** False only where the server listed its capabilities and this one was not among them. */
  serverMayHave(capability: string): boolean {
    return this.#serverCapabilities === undefined || Object.hasOwn(this.#serverCapabilities, capability);
  }

  /** A client of a stateful revision that can show a form. */
  get canElicit(): boolean {
    return this.initialized && hasForm(this.#clientCapabilities);
  }
}

/** The three members of a request's `_meta` that a stateless server needs with each request; undefined for a stateful client's. */
export function statelessMeta(meta: unknown): Readonly<Record<string, unknown>> | undefined {
  const all = record(meta);
  if (typeof all[PROTOCOL_VERSION] !== 'string') return undefined;
  const kept = [PROTOCOL_VERSION, CLIENT_INFO, CLIENT_CAPABILITIES].filter((key) => key in all);
  return Object.fromEntries(kept.map((key) => [key, all[key]]));
}

/** Whether a stateless client said with this request that it can show a form. */
export function statelessCanElicit(meta: unknown): boolean {
  return statelessMeta(meta) !== undefined && hasForm(record(record(meta)[CLIENT_CAPABILITIES]));
}

/** `{}` means form; `{"url":{}}` alone does not. */
function hasForm(capabilities: Readonly<Record<string, unknown>>): boolean {
  const elicitation = capabilities['elicitation'];
  return isRecord(elicitation) && (Object.keys(elicitation).length === 0 || 'form' in elicitation);
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value if it is an object, else an empty one: members of a stranger's message are looked up through this. */
export function record(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {};
}

function nameOf(info: unknown): string | undefined {
  const name = record(info)['name'];
  return typeof name === 'string' && name !== '' ? name : undefined;
}

function infoOf(info: unknown): ServerInfo | undefined {
  const name = nameOf(info);
  const version = record(info)['version'];
  return name === undefined ? undefined : { name, version: typeof version === 'string' ? version : '' };
}
