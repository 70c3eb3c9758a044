import type { HostName } from '../domain/call.js';
import type { Machine } from '../domain/target.js';
import { agreed, refused, type Said, type State, unknownName } from './reader.js';
import type { Facts } from './start.js';
import { own, port, text } from './values.js';

/** Named connections of a JSON file or command line; `byDefault` is the one of a call that names none. */
export type Connections =
  | {
      readonly kind: 'known';
      readonly machines: ReadonlyMap<string, Machine>;
      readonly byDefault?: string | undefined;
      readonly more?: Said;
    }
  | { readonly kind: 'unusable'; readonly said: Said };

/** What a name stands for in every state of the connections. `more` is said of a name that is not among them. */
export function connectionOf({ value }: HostName, states: readonly Connections[]): Said {
  return agreed(states.map((state) => inState(value, state)));
}

function inState(value: string, state: Connections): Said {
  if (state.kind === 'unusable') return state.said;
  const name = value === '' ? state.byDefault : value;
  const machine = name === undefined ? undefined : state.machines.get(name);
  if (machine !== undefined) return { kind: 'machines', machines: [machine] };
  return state.more ?? unknownName('connection', state.machines.keys());
}

/** The names of the connections. */
export function connectionNames(state: Connections): readonly string[] {
  return state.kind === 'known' ? [...state.machines.keys()] : [];
}

/** One connection as such files write it. Without a host the client connects to its own machine. */
export function connection(name: string, value: unknown): Machine {
  const proxied = text(own(value, 'proxy')) ?? text(own(value, 'socksProxy'));
  return {
    name,
    address: text(own(value, 'host')) ?? 'localhost',
    port: port(own(value, 'port')) ?? 22,
    ...(proxied !== undefined && { via: ['a proxy'] }),
  };
}

/** A server that would not start with its configuration serves no call. */
export const NOT_STARTED: Connections = {
  kind: 'unusable',
  said: refused('the configuration of the server is not one that it starts with'),
};

/** The JSON of a file; undefined where there is none, `unusable` where it cannot be read. */
export async function readJson(
  path: string,
  { readText }: Facts,
): Promise<
  State<{ readonly kind: 'json'; readonly json: unknown } | (Connections & { readonly kind: 'unusable' }) | undefined>
> {
  const file = await readText(path);
  if (file.kind === 'absent') return { texts: [], value: undefined };
  if (file.kind === 'unreadable') {
    const said: Said = { kind: 'stop', why: `the configuration of the server: ${file.why}`, found: [] };
    return { texts: [file.why], value: { kind: 'unusable', said } };
  }
  try {
    return { texts: [file.text], value: { kind: 'json', json: JSON.parse(file.text) as unknown } };
  } catch {
    return {
      texts: [file.text],
      value: { kind: 'unusable', said: refused('the configuration of the server is no JSON') },
    };
  }
}
