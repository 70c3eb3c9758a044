import type { ToolDescription } from '../src/domain/call.js';
import type { ValueType } from './names.js';

const TYPES: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'array', 'object', 'null']);

/** `properties` of an input schema; empty where it has none. */
export function schemaProperties(description: ToolDescription | undefined): Readonly<Record<string, unknown>> {
  const schema = description?.inputSchema;
  const properties =
    typeof schema === 'object' && schema !== null && 'properties' in schema ? schema.properties : undefined;
  return typeof properties === 'object' && properties !== null ? { ...properties } : {};
}

/** The type that a property's schema gives it; of several the one beside `null`, `any` where there are more. */
export function schemaType(schema: unknown): ValueType {
  const types = [...new Set(typesOf(schema))].filter((type) => type !== 'null');
  const [only = 'any', ...others] = types;
  if (others.length > 0) return 'any';
  if (only === 'integer') return 'number';
  return TYPES.has(only) ? (only as ValueType) : 'any';
}

function typesOf(schema: unknown, depth = 0): readonly string[] {
  if (typeof schema !== 'object' || schema === null || depth > 4) return [];
  const { type, anyOf, oneOf } = schema as Readonly<Record<string, unknown>>;
  const own = [type].flat().filter((each) => typeof each === 'string');
  const inner = [anyOf, oneOf].flatMap((each) => (Array.isArray(each) ? each : []));
  return [...own, ...inner.flatMap((each: unknown) => typesOf(each, depth + 1))];
}
