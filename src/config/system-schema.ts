import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { configJsonSchema, type JsonSchema } from './json-schema.js';
import { schemaAt } from './plain.js';
import type { Shape } from './problems.js';
import { configSchema } from './schema.js';

type Context = z.core.$RefinementCtx;

interface NamedFile {
  readonly path: (string | number)[];
  readonly file: string | null | undefined;
}

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

/** Whoever can write the files of `zvm` and `ansible` decides as well, and those are looked at like the config itself; all must be named in full. */
function absolutePaths({ zvm, ansible, export: exported }: z.output<typeof configSchema>, context: Context): void {
  const sites = zvm === undefined || zvm === 'simulator' ? [] : zvm.sites;
  const { inventorySnapshot: snapshot } = ansible;
  const named: readonly NamedFile[] = [
    ...sites.map(({ tls }, index) => ({ path: ['zvm', 'sites', index, 'tls', 'caFile'], file: tls?.caFile })),
    {
      path: ['ansible', 'inventorySnapshot'],
      file: snapshot === null || typeof snapshot === 'string' ? snapshot : snapshot.file,
    },
    ...exportPaths(exported),
  ];
  for (const { path, file } of named)
    if (file !== undefined && file !== null && !isAbsolute(file))
      context.addIssue({ code: 'custom', path, message: 'must be an absolute path here' });
}

function exportPaths({ otlp, syslog, ocsf }: z.output<typeof configSchema>['export']): readonly NamedFile[] {
  const under = (path: readonly string[], files: Readonly<Record<string, string | undefined>> = {}) =>
    Object.entries(files).map(([key, file]) => ({ path: ['export', ...path, key], file }));
  const filesOf = (tls: NonNullable<typeof syslog>['tls']) => ({
    caFile: tls?.caFile,
    certFile: tls?.certFile,
    keyFile: tls?.keyFile,
  });
  return [
    ...under(['otlp', 'headersFile'], otlp?.headersFile),
    ...under(['otlp', 'tls'], filesOf(otlp?.tls)),
    ...under(['syslog', 'tls'], filesOf(syslog?.tls)),
    ...under(['ocsf'], { dir: ocsf?.dir }),
  ];
}
