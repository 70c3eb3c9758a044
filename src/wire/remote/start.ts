import { PassThrough, type Readable, type Writable } from 'node:stream';
import { finished } from 'node:stream/promises';
import type { Logger } from '../../domain/ports.js';
import type { DownstreamEnd, DownstreamExit, Unanswered } from '../downstream-end.js';
import { readServerMessage } from '../message.js';
import { takeLines } from '../pipe.js';
import { RemoteHttp } from './http.js';
import { HttpSse } from './http-sse.js';
import { Link, pause } from './link.js';
import { Outlet } from './outlet.js';
import { Requests } from './requests.js';
import { Streamable } from './streamable.js';
import type { Outgoing, Transport } from './transport.js';
import { checkHeaders, isLoopback, remoteUrl } from './url.js';

export interface RemoteOptions {
  /** The downstream's name, for what is said of it. */
  readonly server: string;
  readonly url: string;
  /** `http` is Streamable HTTP, or the older HTTP+SSE where the server turns that down; `sse` is only the latter. */
  readonly transport: 'http' | 'sse';
  /** Sent with each request; a login stands here. */
  readonly headers: Readonly<Record<string, string>>;
  /** Where HTTPS_PROXY, HTTP_PROXY and NO_PROXY stand. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly log: Logger;
}

/** What was written last may still leave; with the goodbye and the reader's turn in all below 3 seconds. */
const LEAVE_MS = 500;
const READ_MS = 400;

/** A server behind HTTP as a downstream of lines. Nothing is sent before the first line. Throws CONFIG_INVALID for what cannot be a URL or a header. */
export function startRemote(options: RemoteOptions): DownstreamEnd {
  return new Remote(options, openRemote(options));
}

/** The HTTP towards such a server, without a connection yet. Throws CONFIG_INVALID for what cannot be a URL or a header. */
export function openRemote(options: Omit<RemoteOptions, 'transport'>): RemoteHttp {
  const url = remoteUrl(options.url);
  checkHeaders(options.headers);
  if (url.protocol === 'http:' && !isLoopback(url)) {
    options.log.warn(
      { server: options.server, host: url.host },
      'the MCP server is spoken to without encryption (http:)',
    );
  }
  return new RemoteHttp({ url, headers: options.headers, env: options.env });
}

class Remote implements DownstreamEnd {
  readonly input: Writable;
  readonly output: Readable;
  readonly exit: Promise<DownstreamExit>;
  readonly #link: Link;
  readonly #taken: Promise<void>;
  readonly #output = new PassThrough();
  #transport: Transport;
  #take: ((unanswered: Unanswered) => void) | undefined;
  #resolve: ((exit: DownstreamExit) => void) | undefined;
  #ended = false;
  #stopping: Promise<DownstreamExit> | undefined;

  constructor({ server, transport, log }: RemoteOptions, http: RemoteHttp) {
    const input = new PassThrough();
    this.input = input;
    this.output = this.#output;
    this.exit = new Promise((resolve) => {
      this.#resolve = resolve;
    });
    const requests = new Requests();
    const link = new Link({
      server,
      http,
      requests,
      outlet: new Outlet(this.#output, requests, log),
      log,
      unanswered: (unanswered) => {
        this.#take?.(unanswered);
        return this.#take !== undefined;
      },
      end: (exit) => void this.#end(exit),
    });
    this.#link = link;
    this.#transport = transport === 'sse' ? new HttpSse(link, server) : this.#either(server);
    this.#taken = takeLines(input, (line) => this.#line(line));
  }

  onUnanswered(take: (unanswered: Unanswered) => void): void {
    this.#take = take;
  }

  stop(): Promise<DownstreamExit> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  #line(line: Buffer): Promise<void> | undefined {
    const message = readServerMessage(line);
    if (message.kind !== 'request' && message.kind !== 'notification' && message.kind !== 'response') return undefined;
    if (this.#link.over) {
      this.#tooLate(message);
      return undefined;
    }
    return this.#transport.send(message);
  }

  #tooLate(message: Outgoing): void {
    if (message.kind !== 'request') return;
    this.#link.giveUp(this.#link.requests.add(message, false), `The connection to ${this.#link.who} is over.`, false);
  }

  /** Streamable HTTP; where the server turns its first request down and names an endpoint for the older transport, that one. */
  #either(server: string): Transport {
    const older = new HttpSse(this.#link, server);
    return new Streamable(this.#link, {
      server,
      older: async (entry) => {
        if ((await older.open()).kind === 'failed') return false;
        this.#link.log.info({ server }, 'the server speaks the older transport HTTP+SSE');
        this.#transport = older;
        // Its answer may be long in coming; what follows may leave.
        void older.resend(entry.request, entry);
        return true;
      },
    });
  }

  async #stop(): Promise<DownstreamExit> {
    this.input.end();
    await Promise.race([this.#taken, pause(LEAVE_MS), this.exit]);
    if (!this.#link.over) await this.#transport.close();
    this.#link.close();
    void this.#end({ code: 0, signal: null });
    await Promise.race([this.exit, pause(READ_MS)]);
    this.#output.destroy();
    return this.exit;
  }

  async #end(exit: DownstreamExit): Promise<void> {
    if (this.#ended) return;
    this.#ended = true;
    await this.#link.http.destroy();
    this.#output.end();
    await finished(this.#output, { writable: false }).catch(() => undefined);
    this.#resolve?.(exit);
  }
}
