import { textAt } from './records.js';
import type { JsonObject } from './spool.js';
import { type TraceParent, traceOf } from './trace-parent.js';

export interface TargetFacts {
  readonly host?: string | undefined;
  readonly vm?: string | undefined;
  readonly vmIdentifier?: string | undefined;
}

/** What the intent and the permit say of a call, for its later records. Names were redacted when they were written. */
export interface CallFacts {
  readonly id: string;
  readonly at: string;
  readonly session: string;
  readonly agent: string;
  readonly server: string;
  readonly tool: string;
  readonly effect: string;
  readonly decision: string;
  readonly rule: string;
  /** One of the proxy's own tools. */
  readonly native: boolean;
  readonly targets: readonly TargetFacts[];
  readonly trace?: TraceParent | undefined;
  /** How its client is connected with the proxy. */
  readonly transport?: string | undefined;
  readonly permittedAt?: string | undefined;
}

/** Calls that are remembered at the same time; of the others only what a record itself says is known. */
const MOST = 2048;
const MOST_TARGETS = 50;

/** Joins the records of a call as they are read in order: an outcome does not repeat what the intent said. */
export class CallBook {
  readonly #calls = new Map<string, CallFacts>();
  /** By chain: a process has one for all its clients. */
  readonly #transports = new Map<string, string | undefined>();

  /** Takes the next record of a chain; answers what is known of its call. */
  take(chain: string, record: JsonObject): CallFacts | undefined {
    if (record['kind'] === 'start') this.#transports.set(chain, textAt(record, 'transport'));
    if (record['kind'] === 'end') this.#transports.delete(chain);
    const id = textAt(record, 'call');
    if (id === undefined) return undefined;
    const known = record['kind'] === 'intent' ? factsOf(id, record, this.#transports.get(chain)) : this.#calls.get(id);
    if (known === undefined) return undefined;
    const facts = record['kind'] === 'permit' ? { ...known, permittedAt: textAt(record, 'at') } : known;
    this.#calls.delete(id);
    if (record['kind'] !== 'outcome') this.#calls.set(id, facts);
    if (this.#calls.size > MOST) this.#calls.delete(this.#calls.keys().next().value ?? '');
    return facts;
  }

  forget(): void {
    this.#calls.clear();
    this.#transports.clear();
  }
}

function factsOf(id: string, record: JsonObject, transport: string | undefined): CallFacts {
  const text = (name: string) => textAt(record, name) ?? '';
  return {
    id,
    at: text('at'),
    session: text('session'),
    agent: text('agent'),
    server: text('server'),
    tool: text('tool'),
    effect: text('effect'),
    decision: text('decision'),
    rule: text('rule'),
    native: record['interceptor'] === 'native',
    targets: targetsOf(record),
    trace: traceOf(record['trace']),
    transport,
  };
}

/** The VMs, and the hosts that led to none. */
function targetsOf(record: JsonObject): readonly TargetFacts[] {
  const targets = objects(record['targets']).map((target) => ({
    host: textAt(target, 'host'),
    vm: textAt(target, 'vm'),
    vmIdentifier: textAt(target, 'vmIdentifier'),
  }));
  const hosts = Array.isArray(record['hosts']) ? record['hosts'].filter((host) => typeof host === 'string') : [];
  const others = hosts.filter((host) => !targets.some((target) => target.host === host));
  return [...targets, ...others.map((host) => ({ host }))].slice(0, MOST_TARGETS);
}

/** The objects of a list; none where it is no list. */
export function objects(value: unknown): readonly JsonObject[] {
  if (!Array.isArray(value)) return [];
  return value.filter((item): item is JsonObject => typeof item === 'object' && item !== null && !Array.isArray(item));
}
