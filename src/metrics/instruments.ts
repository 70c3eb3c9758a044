import type { MeterProvider } from '@opentelemetry/sdk-metrics';
import type { Gauges, Meters } from '../domain/meters.js';
import { errorType, methodName } from './words.js';

type Meter = ReturnType<MeterProvider['getMeter']>;
type Attributes = Readonly<Record<string, string | boolean>>;

/** Seconds; the first line is the one that the conventions for MCP give. */
const OPERATION = { explicitBucketBoundaries: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300] };
const SESSION = { explicitBucketBoundaries: [1, 10, 60, 300, 900, 3600, 14_400, 86_400] };
/** Tags were seen to be listed after about 4, 34 and 128 seconds. */
const PIN = {
  explicitBucketBoundaries: [1, 2, 3, 4, 5, 6, 8, 10, 15, 20, 30, 40, 50, 60, 90, 120, 150, 180, 300, 900],
};

/** The instruments behind `Meters`: OpenTelemetry's names for MCP where there are some, the others under `zerto_rewind.`. */
export function createMeters(meter: Meter, transport: 'pipe' | 'tcp'): Meters {
  const operations = meter.createHistogram('mcp.server.operation.duration', {
    description: 'From a request of a client until its answer.',
    unit: 's',
    advice: OPERATION,
  });
  const sessions = meter.createHistogram('mcp.server.session.duration', {
    description: 'How long sessions lasted that have ended.',
    unit: 's',
    advice: SESSION,
  });
  const calls = meter.createCounter('zerto_rewind.calls', {
    description: 'Calls of tools at their end, by what they may change, what was decided and what became of them.',
  });
  const waits = meter.createHistogram('zerto_rewind.pin.wait', {
    description: 'How long calls were held for their checkpoints, by the slowest kind of site among them.',
    unit: 's',
    advice: PIN,
  });
  const tags = meter.createHistogram('zerto_rewind.tag.duration', {
    description: 'From the insert of a tag until the appliance listed it, or until that failed.',
    unit: 's',
    advice: PIN,
  });
  const requests = meter.createCounter('zerto_rewind.zvm.requests', {
    description: 'Requests to appliances; with error.type where they were refused or not answered.',
  });
  const children = meter.createUpDownCounter('zerto_rewind.children', {
    description: 'Processes of wrapped servers that run.',
  });
  children.add(0);
  return {
    operation: (method, seconds, problem) =>
      operations.record(seconds, {
        'mcp.method.name': methodName(method),
        'network.transport': transport,
        ...failed(problem),
      }),
    session: (seconds) => sessions.record(seconds, { 'network.transport': transport }),
    call: ({ effect, decision, outcome, native, permit, problem }) =>
      calls.add(1, {
        'zerto_rewind.effect': effect,
        'zerto_rewind.decision': decision,
        'zerto_rewind.outcome': outcome,
        'zerto_rewind.native': native,
        ...(permit !== undefined && { 'zerto_rewind.permit': permit }),
        ...failed(problem),
      }),
    pinWait: (profile, seconds, problem) =>
      waits.record(seconds, { 'zerto_rewind.profile': profile, ...failed(problem) }),
    tag: (profile, seconds, problem) => tags.record(seconds, { 'zerto_rewind.profile': profile, ...failed(problem) }),
    zvmRequest: ({ site, method, endpoint, problem }) =>
      requests.add(1, {
        'zerto_rewind.site': site,
        'http.request.method': method,
        'url.template': endpoint,
        ...failed(problem),
      }),
    child: (change) => children.add(change),
  };
}

/** What is read when somebody looks; what a process does not know shows nowhere. */
export function watchGauges(meter: Meter, read: () => Gauges): void {
  const gauge = (
    name: string,
    description: string,
    value: (now: Gauges) => number | undefined,
    unit?: string,
  ): void => {
    meter.createObservableGauge(name, { description, ...(unit !== undefined && { unit }) }).addCallback((result) => {
      const now = value(read());
      if (now !== undefined) result.observe(now);
    });
  };
  gauge('zerto_rewind.sessions', 'Open sessions of clients.', ({ sessions }) => sessions);
  gauge('zerto_rewind.requests.pending', 'Requests that wait for an answer.', ({ pending }) => pending);
  const bytes = 'By';
  gauge('zerto_rewind.buffered.requests', 'Messages of clients that are held.', (now) => now.bufferedRequests, bytes);
  gauge('zerto_rewind.buffered.answers', 'What waits for clients to read it.', (now) => now.bufferedAnswers, bytes);
  gauge('zerto_rewind.audit.queue', 'Audit records that are not on disk yet.', ({ auditQueue }) => auditQueue);
  gauge(
    'zerto_rewind.audit.writable',
    '0 once calls that change something are stopped, since they could not be recorded.',
    ({ auditWritable }) => Number(auditWritable),
  );
}

function failed(problem: string | undefined): Attributes {
  return problem === undefined ? {} : { 'error.type': errorType(problem) };
}
