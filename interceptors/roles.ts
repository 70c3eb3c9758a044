import type { Operation, Role } from '../src/domain/call.js';
import type { ValueType } from './names.js';
import { fold, names } from './words.js';

/** One value of a call: `argument` is the top-level argument it stands in, `name` its own name. */
export interface Slot {
  readonly argument: string;
  readonly name: string;
  readonly role: Role;
  readonly value: unknown;
}

export type RoleOf = (name: string, type: ValueType) => Role;

export interface Collected {
  readonly roles: Readonly<Record<string, Role>>;
  readonly slots: readonly Slot[];
  /** What keeps the call from being read_only whatever its command says. */
  readonly doubts: readonly Operation[];
}

const MAX_DEPTH = 16;
const NESTED: ReadonlySet<Role> = new Set([
  'host',
  'host_list',
  'connection',
  'unknown',
  'command',
  'script',
  'option',
  'session',
  'secret',
]);
/** Content that is a request rather than a file's. */
const REQUESTS = names('payload body data');
/** What keeps its role inside a secret: the host of a login is a host. */
const PLACES: ReadonlySet<Role> = new Set(['host', 'host_list', 'connection']);

/** One role for each argument present, nested values by their own names; a name without a role, or two that fold alike, is a doubt. */
export function collect(args: Readonly<Record<string, unknown>>, roleOf: RoleOf): Collected {
  const doubts = twins(args);
  const slots: Slot[] = [];
  const roles = Object.entries(args).map(([argument, value]): [string, Role] => {
    const role = roleOf(argument, typeOf(value));
    if (role === 'unknown') doubts.push(doubt(argument, 'the argument is not known'));
    for (const odd of oddCommand(argument, value, role)) doubts.push(odd);
    const inner = opens(value, role, argument) ? within(argument, value, beneath(role, roleOf), doubts, 0) : undefined;
    for (const slot of inner ?? [{ argument, name: argument, role, value }]) slots.push(slot);
    return [argument, inner?.some((slot) => slot.role === 'secret') === true ? 'secret' : role];
  });
  return { roles: Object.fromEntries(roles), slots, doubts };
}

/** A part of a call that proves nothing. The subject is an argument's name, never its value: that may be a secret. */
export function doubt(subject: string, why: string): Operation & { kind: 'fixed' } {
  return { kind: 'fixed', effect: 'unknown', subject, why };
}

export function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function typeOf(value: unknown): ValueType {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  const type = typeof value;
  return type === 'string' || type === 'number' || type === 'boolean' || type === 'object' ? type : 'any';
}

function within(argument: string, value: object, roleOf: RoleOf, doubts: Operation[], depth: number): Slot[] {
  if (depth > MAX_DEPTH) {
    doubts.push(doubt(argument, 'the value is nested too deep to be read'));
    return [];
  }
  if (Array.isArray(value)) {
    return value.flatMap((item: unknown) =>
      typeof item === 'object' && item !== null
        ? within(argument, item, roleOf, doubts, depth + 1)
        : [{ argument, name: argument, role: roleOf(argument, typeOf(item)), value: item }],
    );
  }
  for (const twin of twins(value)) doubts.push(twin);
  return Object.entries(value).flatMap(([name, inner]): Slot[] => {
    const role = roleOf(name, typeOf(inner));
    if (role === 'unknown') doubts.push(doubt(`${argument}: ${name}`, 'the argument is not known'));
    if (opens(inner, role, name)) return within(argument, inner, beneath(role, roleOf), doubts, depth + 1);
    return [{ argument, name, role, value: inner }];
  });
}

function opens(value: unknown, role: Role, name: string): value is object {
  return isNested(value) && (NESTED.has(role) || (role === 'content' && REQUESTS.has(name)));
}

function beneath(outer: Role, roleOf: RoleOf): RoleOf {
  if (outer !== 'secret') return roleOf;
  return (name, type) => {
    const role = roleOf(name, type);
    return PLACES.has(role) ? role : 'secret';
  };
}

/** A list of objects may hold commands by their own names; an object or a list of lists in place of a text may be anything. */
function oddCommand(argument: string, value: unknown, role: Role): readonly Operation[] {
  if ((role !== 'command' && role !== 'script') || typeof value !== 'object' || value === null) return [];
  const odd = Array.isArray(value) ? value.some((item) => Array.isArray(item)) : true;
  return odd ? [doubt(argument, 'a command that is no text cannot be judged')] : [];
}

function isNested(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return !Array.isArray(value) || value.some((item) => typeof item === 'object' && item !== null);
}

function twins(args: object): Operation[] {
  const names = Object.keys(args);
  if (names.length < 2) return [];
  const seen = new Set<string>();
  return names.flatMap((name) => {
    const folded = fold(name).replace(/[\s_-]+/g, '');
    if (!seen.has(folded)) {
      seen.add(folded);
      return [];
    }
    return [doubt(name, 'two arguments have the same name but for case, form or `_`')];
  });
}
