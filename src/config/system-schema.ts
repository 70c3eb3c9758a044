import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { configJsonSchema, type JsonSchema } from './json-schema.js';
import { schemaAt } from './plain.js';
import type { Shape } from './problems.js';
import { configSchema } from './schema.js';

type Context = z.core.$RefinementCtx;

const schemaOf = () =>
  configSchema
    .extend({
      allowOverride: z
        .array(z.string().superRefine(settable))
        .default([])
        .describe('Keys that a user may still set, by dotted paths. Of a map: names that are not in it yet.'),
      allowCommands: z
        .array(z.array(z.string()).min(1))
        .default([])
        .describe('Commands, word for word, that may be wrapped with -- COMMAND beside the servers of this file.'),
      allowSimulator: z
        .boolean()
        .default(false)
        .describe('Whether a user who may set "zvm" may set it to "simulator".'),
      breakGlass: z
        .strictObject({ allow: z.boolean().default(false), maxMinutes: z.int().positive().max(1440).default(60) })
        .prefault({}),
    })
    .superRefine(absolutePaths);

/** What only the machine's administrator decides: the whole of a config, and what may be set beside it. */
export type SystemConfig = z.output<ReturnType<typeof schemaOf>>;

/** Made where there is a system config: most machines have none. */
export function systemShape(): Shape<SystemConfig> {
  const schema = schemaOf();
  return { schema, json: () => z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema };
}

/** A key of the config; of `zvm` only the whole. */
function settable(path: string, context: Context): void {
  const isKey = path !== '' && schemaAt(configJsonSchema(), path.split('.')) !== undefined;
  if (!isKey || path.startsWith('zvm.'))
    context.addIssue({
      code: 'custom',
      message: 'expected a key of the config, such as "targets" or "guard.answerWithinSeconds"; of "zvm" the whole',
    });
}

/** Whoever can write these files decides as well; they are looked at like the config itself, and must be named in full. */
function absolutePaths({ zvm, ansible }: z.output<typeof configSchema>, context: Context): void {
  const sites = zvm === undefined || zvm === 'simulator' ? [] : zvm.sites;
  const { inventorySnapshot: snapshot } = ansible;
  const named = [
    ...sites.map(({ tls }, index) => ({ path: ['zvm', 'sites', index, 'tls', 'caFile'], file: tls?.caFile })),
    {
      path: ['ansible', 'inventorySnapshot'],
      file: snapshot === null || typeof snapshot === 'string' ? snapshot : snapshot.file,
    },
  ];
  for (const { path, file } of named)
    if (file !== undefined && file !== null && !isAbsolute(file))
      context.addIssue({ code: 'custom', path, message: 'must be an absolute path here' });
}
