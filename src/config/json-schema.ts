import { z } from 'zod';
import { configSchema } from './schema.js';

/** As much of JSON Schema as is read here. */
export interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly additionalProperties?: JsonSchema | boolean;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly [key: string]: unknown;
}

/** The JSON Schema (2020-12) of the config file, as editors use it; it ships as proxy.config.schema.json. */
export function configJsonSchema(): JsonSchema {
  const schema = z.toJSONSchema(configSchema, { io: 'input', unrepresentable: 'any' });
  return {
    ...schema,
    title: 'zerto-rewind-proxy config',
    description: 'JSON with comments. See docs/configuration.md.',
  } as JsonSchema;
}
