import { readFileSync } from 'node:fs';
import { join } from 'node:path';

interface AttributeFacts {
  readonly type: string;
  readonly array?: boolean;
  readonly required?: boolean;
  readonly enum?: readonly (number | string)[];
  readonly profile?: string;
}
interface ObjectFacts {
  readonly attributes: Readonly<Record<string, AttributeFacts>>;
  readonly constraints?: { readonly at_least_one?: readonly string[] };
}
interface Schema {
  readonly version: string;
  readonly classes: Readonly<Record<string, ObjectFacts>>;
  readonly objects: Readonly<Record<string, ObjectFacts>>;
  readonly basic: Readonly<Record<string, string>>;
}

/** Facts of release 1.8.0 of the schema, of the classes and objects that are written. */
const SCHEMA = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', 'fixtures', 'export', 'ocsf-1.8.0.json'), 'utf8'),
) as Schema;

type Wire = Readonly<Record<string, unknown>>;

/** What an event has that the schema does not allow, and what it lacks. */
export function faultsIn(event: Wire): string[] {
  const facts = SCHEMA.classes[String(event['class_uid'])];
  if (facts === undefined) return [`class ${String(event['class_uid'])}`];
  const { metadata } = event as { metadata?: { profiles?: readonly string[]; version?: string } };
  const sums = [
    event['type_uid'] === Number(event['class_uid']) * 100 + Number(event['activity_id']) ? [] : ['type_uid'],
    event['category_uid'] === Math.floor(Number(event['class_uid']) / 1000) ? [] : ['category_uid'],
    metadata?.version === SCHEMA.version ? [] : ['metadata.version'],
  ].flat();
  return [...sums, ...faultsOf(event, facts, '', new Set(metadata?.profiles ?? []))];
}

function faultsOf(
  value: Wire,
  { attributes, constraints }: ObjectFacts,
  path: string,
  profiles: Set<string>,
): string[] {
  const missing = Object.entries(attributes).filter(
    ([name, { required, profile }]) =>
      required === true && value[name] === undefined && (profile === undefined || profiles.has(profile)),
  );
  const oneOf = constraints?.at_least_one ?? [];
  return [
    ...missing.map(([name]) => `${path}${name} is missing`),
    ...(oneOf.length === 0 || oneOf.some((name) => value[name] !== undefined) ? [] : [`${path} none of ${oneOf}`]),
    ...Object.entries(value).flatMap(([name, member]) => {
      const facts = attributes[name];
      const at = `${path}${name}`;
      if (facts === undefined) return [`${at} is unknown`];
      if (facts.profile !== undefined && !profiles.has(facts.profile)) return [`${at} needs profile ${facts.profile}`];
      if (facts.array !== true) return memberFaults(member, facts, at, profiles);
      if (!Array.isArray(member)) return [`${at} is no list`];
      return member.flatMap((item, index) => memberFaults(item, facts, `${at}[${index}]`, profiles));
    }),
  ];
}

/** The classes' own numbers are checked by their sums. */
const SUMMED = new Set(['class_uid', 'category_uid']);

function memberFaults(value: unknown, facts: AttributeFacts, at: string, profiles: Set<string>): string[] {
  const object = SCHEMA.objects[facts.type];
  if (object !== undefined) {
    if (typeof value !== 'object' || value === null) return [`${at} is no object`];
    return faultsOf(value as Wire, object, `${at}.`, profiles);
  }
  const isListed = facts.enum === undefined || SUMMED.has(at) || facts.enum.includes(value as number);
  return [
    ...(isKind(value, SCHEMA.basic[facts.type] ?? facts.type) ? [] : [`${at} is no ${facts.type}`]),
    ...(isListed ? [] : [`${at} is none of its values: ${String(value)}`]),
  ];
}

function isKind(value: unknown, kind: string): boolean {
  if (kind === 'string_t') return typeof value === 'string' && value !== '';
  if (kind === 'boolean_t') return typeof value === 'boolean';
  if (kind === 'integer_t' || kind === 'long_t') return Number.isSafeInteger(value);
  if (kind === 'float_t') return typeof value === 'number';
  return kind === 'json_t' || (kind === 'object' && typeof value === 'object' && value !== null);
}
