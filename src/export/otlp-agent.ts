import { type AgentOptions, Agent as PlainAgent } from 'node:http';
import { Agent as TlsAgent } from 'node:https';
import type { Duplex } from 'node:stream';
import type { PeerTls } from '../domain/export-targets.js';
import { connectTrusted } from './tls.js';

export type HttpAgent = PlainAgent | TlsAgent;

const OPTIONS: AgentOptions = { keepAlive: true, maxSockets: 1 };

/** The agent of a collector: each connection's certificate is checked before a byte of a request goes out. */
export function agentFor(url: string, trust: PeerTls): HttpAgent {
  const { protocol, hostname, port } = new URL(url);
  if (protocol === 'http:') return new PlainAgent(OPTIONS);
  const host = hostname.replace(/^\[|\]$/g, '');
  return new TrustingAgent({ host, port: Number(port || 443) }, trust);
}

type Connected = (error: Error | null, socket?: Duplex) => void;

class TrustingAgent extends TlsAgent {
  readonly #at: { readonly host: string; readonly port: number };
  readonly #trust: PeerTls;
  readonly #destroyed = new AbortController();

  constructor(at: { readonly host: string; readonly port: number }, trust: PeerTls) {
    super({ ...OPTIONS, maxCachedSessions: 0 });
    this.#at = at;
    this.#trust = trust;
  }

  /** Node calls it for each connection; the socket goes to `connected`. */
  override createConnection(_options: unknown, connected: Connected): undefined {
    connectTrusted(this.#at, this.#trust, this.#destroyed.signal).then(
      (socket) => connected(null, socket),
      (error: Error) => connected(error),
    );
  }

  override destroy(): void {
    this.#destroyed.abort();
    super.destroy();
  }
}
