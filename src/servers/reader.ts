import { hash } from 'node:crypto';
import type { HostName, Server } from '../domain/call.js';
import type { Machine, Meaning } from '../domain/target.js';
import type { Facts, ServerStart } from './start.js';

/** What one state of a configuration says of a name. `refused`: the server itself would turn the call down. */
export type Said =
  | Meaning
  | {
      readonly kind: 'refused';
      readonly why: string;
      readonly found: readonly string[];
      readonly unknown?: true | undefined;
    };

/** One server's configuration, with every state of it that was seen since the server may have been started. */
export interface OpenReader {
  /** Takes down the state before the server reads it. */
  note(facts: Facts): Promise<void>;
  means(hosts: readonly HostName[], facts: Facts): Promise<readonly Meaning[]>;
}

export interface ServerReader {
  /** Whether it is this server, by how it was started, what it calls itself and who read the call. */
  claims(server: Server, start: ServerStart, interceptor: string): boolean;
  open(): OpenReader;
  /** The names that its configuration knows now, as calls write them; a list is no promise that a call can name nothing else. */
  list?(facts: Facts): Promise<readonly string[]>;
}

/** A state of a configuration, and the texts that it was read from. */
export interface State<Value> {
  readonly texts: readonly string[];
  readonly value: Value;
}

const MOST_STATES = 32;

/**
 * A reader that keeps the states of a configuration apart: a server may go on with the one that it was started with, or with a connection that it
 * opened under an older one. `mean` is given the newest first.
 */
export function configured<Value>(parts: {
  readonly claims: ServerReader['claims'];
  readonly load: (facts: Facts) => Promise<State<Value>>;
  readonly mean: (host: HostName, states: readonly [Value, ...Value[]]) => Said;
  readonly list: (value: Value) => readonly string[];
}): ServerReader {
  return {
    claims: parts.claims,
    list: async (facts) => parts.list((await parts.load(facts)).value),
    open: () => {
      const seen = new Map<string, Value>();
      const refresh = async (facts: Facts): Promise<readonly [Value, ...Value[]]> => {
        const { texts, value } = await parts.load(facts);
        const key = hash('sha256', JSON.stringify(texts));
        seen.delete(key);
        seen.set(key, value);
        const [, ...older] = [...seen.values()].reverse();
        return [value, ...older];
      };
      return {
        note: async (facts) => {
          await refresh(facts);
        },
        means: async (hosts, facts) => {
          const states = await refresh(facts);
          if (states.length > MOST_STATES) return hosts.map(() => CHANGED_OFTEN);
          return hosts.map((host) => settled(parts.mean(host, states)));
        },
      };
    },
  };
}

const CHANGED_OFTEN: Meaning = {
  kind: 'stop',
  why: 'the configuration of the server changed too often to know which state it goes by; start the proxy again',
  found: [],
};

function settled(said: Said): Meaning {
  return said.kind === 'refused' ? { ...said, kind: 'stop' } : said;
}

/**
 * What a name means where it is not known which state of its configuration a server goes by: all that know it must say the same. A state in which
 * the server would refuse reaches no machine.
 */
export function agreed(says: readonly Said[]): Said {
  const stop = says.find((said) => said.kind === 'stop');
  if (stop !== undefined) return stop;
  const machines = says.filter((said) => said.kind === 'machines');
  const [first, ...others] = machines;
  if (first === undefined) return says[0] ?? { kind: 'as_written' };
  const text = JSON.stringify(first.machines);
  return others.every((other) => JSON.stringify(other.machines) === text) ? first : changed(machines.map(addresses));
}

/** The configuration has no such name; `names`: some that it has. */
export function unknownName(what: string, names: Iterable<string>): Exclude<Said, Meaning> {
  const why = `the configuration of the server has no ${what} of this name`;
  return { kind: 'refused', why, found: [...names].slice(0, 10), unknown: true };
}

/** The server may still go by what stood there before. */
export function changed(found: readonly string[]): Said {
  return {
    kind: 'stop',
    why: 'the configuration of the server changed while it runs, and it may still go by the former one; start the proxy again',
    found: [...new Set(found)],
  };
}

export function refused(why: string, found: readonly string[] = []): Exclude<Said, Meaning> {
  return { kind: 'refused', why, found };
}

export function addresses({ machines }: { readonly machines: readonly Machine[] }): string {
  return machines
    .map(({ name, address, port }) => `${name} at ${address ?? name}${port === undefined ? '' : `:${port}`}`)
    .join(', ');
}
