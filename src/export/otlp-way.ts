import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { DiagLogLevel, diag } from '@opentelemetry/api';
import type { PeerTls } from '../domain/export-targets.js';
import type { Logger } from '../domain/ports.js';
import { agentFor, type HttpAgent } from './otlp-agent.js';
import { reasonOf, Undelivered } from './sink.js';

export interface OtlpTarget {
  readonly url: string;
  readonly headers: () => Promise<Readonly<Record<string, string>>>;
  readonly trust: PeerTls;
}

/** Who sends. */
export interface OtlpOptions {
  readonly version: string;
  readonly hostname: string;
  readonly log: Logger;
}

export type Signal = 'logs' | 'traces' | 'metrics';

/** How an official exporter says that it is done; 0 is success. */
export type Done = (result: { readonly code: number; readonly error?: Error }) => void;

/** The way of one signal to a collector, one request at a time. */
export interface OtlpWay {
  /** What the official exporter of the signal is made with. */
  readonly config: {
    readonly url: string;
    readonly headers: () => Promise<Record<string, string>>;
    readonly httpAgentOptions: () => HttpAgent;
    readonly timeoutMillis: number;
    readonly concurrencyLimit: number;
  };
  /** `put` hands something to the exporter. Resolves when the collector has taken it; rejects with Undelivered. */
  send(put: (done: Done) => void, abort?: AbortSignal): Promise<void>;
  close(): void;
}

const TIMEOUT = 10_000;
const REPORTS = 'the collector or its exporter reports';

export function otlpWay(signal: Signal, target: OtlpTarget, log: Logger): OtlpWay {
  tellTroubles(log);
  const agent = agentFor(target.url, target.trust);
  const answers = watchAnswers(agent);
  return {
    config: {
      url: signalUrl(target.url, signal),
      headers: target.headers as () => Promise<Record<string, string>>,
      httpAgentOptions: () => agent,
      timeoutMillis: TIMEOUT,
      concurrencyLimit: 1,
    },
    send: (put, abort) =>
      new Promise((resolve, reject) => {
        answers.forget();
        const ended = () => reject(new Undelivered('the export is ending'));
        abort?.addEventListener('abort', ended, { once: true });
        put(({ code, error }) => {
          abort?.removeEventListener('abort', ended);
          if (code === 0) resolve();
          else reject(undelivered(target.url, error, answers.last()));
        });
      }),
    close: () => {
      answers.close();
      agent.destroy();
    },
  };
}

/** What a collector takes without keeping it (partial success) shows nowhere else. */
function tellTroubles(log: Logger): void {
  const told = (...words: readonly unknown[]): void =>
    log.warn({ why: words.map((word) => (typeof word === 'string' ? word : JSON.stringify(word))).join(' ') }, REPORTS);
  const nothing = () => undefined;
  const logger = { error: told, warn: told, info: nothing, debug: nothing, verbose: nothing };
  diag.setLogger(logger, { logLevel: DiagLogLevel.WARN, suppressOverrideMessage: true });
}

/** The address of one signal, as the specification makes it from the collector's. */
function signalUrl(url: string, signal: Signal): string {
  return `${url.replace(/\/+$/, '')}/v1/${signal}`;
}

interface Answer {
  readonly status: number;
  readonly retryAfterMs: number | undefined;
}

/** The exporters do not tell status and Retry-After of the last answer. */
function watchAnswers(agent: HttpAgent): {
  readonly last: () => Answer | undefined;
  readonly forget: () => void;
  readonly close: () => void;
} {
  let answer: Answer | undefined;
  const seen = (message: unknown): void => {
    const { request, response } = message as {
      request: ClientRequest & { agent?: unknown };
      response: IncomingMessage;
    };
    if (request.agent !== agent) return;
    answer = { status: response.statusCode ?? 0, retryAfterMs: retryAfter(response.headers['retry-after']) };
  };
  subscribe('http.client.response.finish', seen);
  return {
    last: () => answer,
    forget: () => {
      answer = undefined;
    },
    close: () => unsubscribe('http.client.response.finish', seen),
  };
}

/** Seconds or a date; at most an hour. */
function retryAfter(value: string | undefined): number | undefined {
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, ms), 3_600_000);
}

function undelivered(url: string, error: Error | undefined, answer: Answer | undefined): Undelivered {
  const { host } = new URL(url);
  if (answer === undefined || answer.status < 300) {
    const why = error === undefined ? 'no answer' : reasonOf(error);
    return new Undelivered(why.startsWith(host) ? why : `${host}: ${why}`, { cause: error });
  }
  return new Undelivered(`${host} answered ${answer.status}`, {
    refused: answer.status === 400 || answer.status === 413,
    retryAfterMs: answer.retryAfterMs,
    cause: error,
  });
}
