import type { z } from 'zod';
import type { JsonSchema } from './json-schema.js';

type Issue = z.core.$ZodIssue;

/** What is wrong with one value, in the words of somebody who writes a config. `schema`: what may stand there. The value itself is never repeated. */
export function plainMessage(issue: Issue, schema: JsonSchema | undefined, isMissing: boolean): string {
  switch (issue.code) {
    case 'custom':
      return issue.message;
    case 'too_small':
      return tooSmall(issue);
    case 'too_big':
      return `must be at most ${issue.maximum}${unitOf(issue.origin)}`;
    case 'invalid_format':
      return issue.format === 'url' ? 'must be an http or https URL' : lowerFirst(issue.message);
    case 'invalid_key':
      return 'has a name that is empty or too long';
    default: {
      const wanted = schema === undefined ? 'something else' : describe(schema);
      return isMissing ? `is missing; it must be ${wanted}` : `must be ${wanted}`;
    }
  }
}

function tooSmall({ origin, minimum, inclusive }: Extract<Issue, { code: 'too_small' }>): string {
  if (Number(minimum) === 1 && origin === 'string') return 'must not be empty';
  if (origin === 'array') return `must have at least ${minimum === 1 ? 'one entry' : `${minimum} entries`}`;
  return `must be ${inclusive === false ? 'more than' : 'at least'} ${minimum}${unitOf(origin)}`;
}

function unitOf(origin: string): string {
  if (origin === 'string') return ' characters long';
  return origin === 'array' ? ' entries long' : '';
}

const ONE: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null',
};
const MANY: Readonly<Record<string, string>> = {
  string: 'texts',
  number: 'numbers',
  integer: 'whole numbers',
  object: 'objects',
};

/** `a list of texts`, `one of ask, pin, refuse`. */
function describe(schema: JsonSchema): string {
  const alternatives = schema.anyOf ?? schema.oneOf ?? [];
  if (alternatives.length > 0) return [...new Set(alternatives.map(describe))].join(' or ');
  const { const: constant, enum: values, type, items } = schema;
  if (constant !== undefined) return JSON.stringify(constant);
  if (Array.isArray(values)) return `one of ${values.join(', ')}`;
  const many = type === 'array' ? MANY[String(items?.['type'])] : undefined;
  return many === undefined ? (ONE[String(type)] ?? 'another value') : `a list of ${many}`;
}

/** What may stand at `path`, over all branches of unions; undefined where nothing may. */
export function schemaAt(schema: JsonSchema, path: readonly PropertyKey[]): JsonSchema | undefined {
  const [step, ...rest] = path;
  if (step === undefined) return schema;
  const branches = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].flatMap((branch) => below(branch, step));
  const found = branches.map((branch) => schemaAt(branch, rest)).filter((each) => each !== undefined);
  return found.length > 1 ? { anyOf: found } : found[0];
}

function below(schema: JsonSchema, step: PropertyKey): readonly JsonSchema[] {
  if (typeof step === 'number') return schema.items === undefined ? [] : [schema.items];
  const own = Object.entries(schema.properties ?? {}).find(([key]) => key === step)?.[1];
  const any = typeof schema.additionalProperties === 'object' ? schema.additionalProperties : undefined;
  return [own ?? any].filter((branch) => branch !== undefined);
}

function lowerFirst(text: string): string {
  return text.slice(0, 1).toLowerCase() + text.slice(1);
}
