import type { ToolCall } from '../src/domain/call.js';
import type { DownstreamAnswer } from '../src/domain/ports.js';
import { ownValue } from './catalogued.js';
import type { Connections } from './connections.js';

type Args = Readonly<Record<string, unknown>>;
/** The part of a call that what it opens is told from. */
export type Sent = Pick<ToolCall, 'id' | 'tool' | 'arguments'>;

/**
 * How a catalogued tool opens something: the arguments that name its host, and the name that later calls give. That name is the caller's own
 * (`named`, else `otherwise`), or the server tells it where no command of the call can write. A tool that runs a command opens nothing by its output.
 */
export interface Opening {
  readonly hosts: readonly string[];
  readonly named?: string;
  readonly otherwise?: string;
  readonly told?: Told;
}

/**
 * A member of the structured answer (`field`: or of the one JSON text in its place), or a line of the first text whose first line begins with
 * `first`.
 */
export type Told =
  | { readonly kind: 'structured' | 'field'; readonly name: string }
  | { readonly kind: 'lines'; readonly first: string; readonly name: RegExp };

/** What the names of a server's own making are, to its later calls. */
export interface Handles {
  /** Arguments whose values are such names, whatever their role. */
  readonly arguments: ReadonlySet<string>;
  /** Arguments that say who logs in, not where. */
  readonly logins?: ReadonlySet<string>;
  /** The name that a call means which gives none. */
  readonly implicit?: string;
  /** A call that names a host and a name which nothing opened opens that name itself. */
  readonly fresh?: true;
  /** Names of connections are the operator's, from the server's own config, and no tool changes them. */
  readonly names?: 'operator';
}

/** Takes down what a call opens: by its arguments before it is sent; by its answer where the server chose the name. */
export function noteOpening(opening: Opening, call: Sent, connections: Connections, answer?: DownstreamAnswer): void {
  if (answer?.isError === true) {
    connections.remove(call.id);
    return;
  }
  const hosts = opening.hosts.flatMap((name) => texts(call.arguments, name));
  if (hosts.length === 0) return;
  for (const handle of namesOf(opening, call.arguments, answer)) {
    connections.add(call.id, { handle, hosts, plain: false });
  }
}

function namesOf({ named, otherwise, told }: Opening, args: Args, answer?: DownstreamAnswer): readonly string[] {
  const [given = otherwise] = named === undefined ? [] : texts(args, named);
  if (given !== undefined) return [given];
  if (named === undefined && otherwise !== undefined) return [otherwise];
  if (told === undefined || answer === undefined) return [];
  const name = toldName(told, answer.raw);
  return name === undefined ? [] : [name];
}

const NAME = /^[\w.:@-]{1,200}$/;

/** The name that an answer tells, where the server writes it and nothing else can; undefined where it does not stand there. */
export function toldName(told: Told, raw: Uint8Array): string | undefined {
  const result = resultOf(raw);
  if (result === undefined) return undefined;
  const [text, ...more] = textsOf(result);
  if (told.kind === 'lines') return text === undefined ? undefined : nameInLines(text, told);
  const structured = ownMember(result, 'structuredContent');
  // The text stands in for it only where there is no structured answer, and nothing beside it.
  const value = structured ?? (told.kind === 'field' && more.length === 0 ? parsed(text) : undefined);
  const name = ownMember(value, told.name);
  const plain = typeof name === 'number' ? String(name) : name;
  return typeof plain === 'string' && NAME.test(plain) ? plain : undefined;
}

function nameInLines(text: string, { first, name }: Told & { kind: 'lines' }): string | undefined {
  const lines = text.split('\n');
  if (!lines[0]?.startsWith(first)) return undefined;
  // The first line that matches is the server's: what a caller or a host could add stands below it.
  const found = lines.slice(0, 8).flatMap((line) => name.exec(line)?.[1] ?? [])[0];
  return found !== undefined && NAME.test(found) ? found : undefined;
}

const LARGEST = 1 << 18;

function resultOf(raw: Uint8Array): unknown {
  if (raw.length > LARGEST) return undefined;
  return ownMember(parsed(new TextDecoder().decode(raw)), 'result');
}

function textsOf(result: unknown): readonly string[] {
  const content = ownMember(result, 'content');
  return (Array.isArray(content) ? content : []).flatMap((part: unknown) => {
    const text = ownMember(part, 'text');
    return typeof text === 'string' ? [text] : [];
  });
}

function parsed(text: string | undefined): unknown {
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function ownMember(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? ownValue({ ...value }, name)
    : undefined;
}

/** The texts of one argument; a number is one too. */
export function texts(args: Args, name: string): readonly string[] {
  return [ownValue(args, name)]
    .flat()
    .map((value: unknown) => (typeof value === 'number' ? String(value) : value))
    .filter((value): value is string => typeof value === 'string' && value !== '');
}
