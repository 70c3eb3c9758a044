import { createServer as createPlain, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { type Certificate, makeCertificate } from '../../src/simulator/certificate.js';

type Value = string | number | boolean | readonly Value[];

/** A log record or a span as it arrived, its attributes by name. */
export interface Arrived {
  readonly [member: string]: unknown;
  readonly attributes: Readonly<Record<string, Value>>;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

type How = (path: string) => Answer | 'cut' | 'silent' | undefined;

/** A collector's HTTP end over TLS: what it takes is decoded by the JSON mapping of OTLP. */
export interface OtlpReceiver {
  readonly url: string;
  readonly certificate: Certificate;
  readonly requests: { readonly path: string; readonly headers: IncomingMessage['headers'] }[];
  readonly logs: Arrived[];
  readonly spans: Arrived[];
  readonly metrics: Arrived[];
  /** Resource attributes of what came last. */
  resource(): Readonly<Record<string, Value>>;
  /** What the next requests are answered; undefined takes them, and so does `silent`, which never says so. `cut` ends the connection after the request was read. */
  answer(how: How | undefined): void;
  close(): Promise<void>;
}

export interface ReceiverOptions {
  readonly certificate?: Certificate;
  readonly port?: number;
  readonly plain?: boolean;
  /** Before each answer. */
  readonly delayMs?: number;
}

export async function startOtlpReceiver(options: ReceiverOptions = {}): Promise<OtlpReceiver> {
  const certificate = options.certificate ?? (await makeCertificate('collector'));
  const receiver = { requests: [], logs: [], spans: [], metrics: [] } as Pick<
    OtlpReceiver,
    'requests' | 'logs' | 'spans' | 'metrics'
  >;
  let how: How | undefined;
  let resource: Readonly<Record<string, Value>> = {};
  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const path = request.url ?? '';
    const text = await bodyOf(request);
    receiver.requests.push({ path, headers: request.headers });
    const answer = how?.(path);
    if (answer === 'cut') return void request.socket.destroy();
    if (keeps(answer)) resource = take(path, JSON.parse(text), receiver) ?? resource;
    if (answer === 'silent') return;
    if (options.delayMs !== undefined) await new Promise((resolve) => setTimeout(resolve, options.delayMs));
    response.writeHead(answer?.status ?? 200, { 'content-type': 'application/json', ...answer?.headers });
    response.end(answer?.body ?? '{}');
  };
  const listener = (request: IncomingMessage, response: ServerResponse) => void handle(request, response);
  const server =
    options.plain === true
      ? createPlain(listener)
      : createServer({ key: certificate.key, cert: certificate.certificate }, listener);
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    ...receiver,
    url: `${options.plain === true ? 'http' : 'https'}://127.0.0.1:${port}`,
    certificate,
    resource: () => resource,
    answer: (given) => {
      how = given;
    },
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

/** Whether what is answered so was taken. */
function keeps(answer: ReturnType<How>): boolean {
  return typeof answer !== 'object' || answer.status === 200;
}

interface Point {
  readonly attributes?: readonly KeyValue[];
  readonly count?: string | number;
  readonly asInt?: string | number;
  readonly asDouble?: number;
}

/** What a metric that came last says of points with these attributes: observations of a histogram, else the sum of their values. */
export function metricValue(
  { metrics }: Pick<OtlpReceiver, 'metrics'>,
  name: string,
  attributes: Readonly<Record<string, Value>> = {},
): number | undefined {
  const found = metrics.findLast((metric) => metric['name'] === name);
  if (found === undefined) return undefined;
  const data = (found['histogram'] ?? found['sum'] ?? found['gauge']) as { readonly dataPoints: readonly Point[] };
  const points = data.dataPoints.filter((point) => {
    const own = attributesOf(point.attributes ?? []);
    return Object.entries(attributes).every(([key, value]) => own[key] === value);
  });
  return points.reduce((sum, { count, asInt, asDouble }) => sum + Number(count ?? asInt ?? asDouble), 0);
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const bytes = Buffer.concat(chunks);
  return (request.headers['content-encoding'] === 'gzip' ? gunzipSync(bytes) : bytes).toString('utf8');
}

interface KeyValue {
  readonly key: string;
  readonly value: AnyValue;
}
type AnyValue = Readonly<{
  stringValue?: string;
  intValue?: string | number;
  doubleValue?: number;
  boolValue?: boolean;
  arrayValue?: { values?: readonly AnyValue[] };
}>;
type Scoped = Readonly<Record<string, readonly (Record<string, unknown> & { attributes?: readonly KeyValue[] })[]>>;
type Request = Readonly<
  Record<string, readonly (Record<string, unknown> & { resource: { attributes: KeyValue[] } })[]>
>;

function take(
  path: string,
  request: Request,
  to: Pick<OtlpReceiver, 'logs' | 'spans' | 'metrics'>,
): Readonly<Record<string, Value>> | undefined {
  const kinds = {
    '/v1/logs': ['resourceLogs', 'scopeLogs', 'logRecords', to.logs],
    '/v1/traces': ['resourceSpans', 'scopeSpans', 'spans', to.spans],
    '/v1/metrics': ['resourceMetrics', 'scopeMetrics', 'metrics', to.metrics],
  } as const;
  const [outer, middle, inner, list] = kinds[path as keyof typeof kinds];
  let resource: Readonly<Record<string, Value>> | undefined;
  for (const part of request[outer] ?? []) {
    resource = attributesOf(part.resource.attributes);
    for (const scope of part[middle] as readonly Scoped[]) {
      for (const item of scope[inner] ?? []) list.push({ ...item, attributes: attributesOf(item.attributes ?? []) });
    }
  }
  return resource;
}

function attributesOf(list: readonly KeyValue[]): Readonly<Record<string, Value>> {
  return Object.fromEntries(list.map(({ key, value }) => [key, plainOf(value)]));
}

function plainOf(value: AnyValue): Value {
  const { stringValue, intValue, doubleValue, boolValue, arrayValue } = value;
  if (arrayValue !== undefined) return (arrayValue.values ?? []).map(plainOf);
  return stringValue ?? doubleValue ?? boolValue ?? Number(intValue);
}
