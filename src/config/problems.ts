import { closest, distance } from 'fastest-levenshtein';
import type { z } from 'zod';
import { ProxyError } from '../domain/errors.js';
import { visible } from '../domain/text.js';
import { configJsonSchema, type JsonSchema } from './json-schema.js';
import { type Document, type Problem, parseJsonc } from './jsonc.js';
import { plainMessage, schemaAt } from './plain.js';
import { type ConfigFile, configSchema } from './schema.js';

type Issue = z.core.$ZodIssue;

/** What a file may hold: the schema that checks it, and the same for the words of a problem. */
export interface Shape<T> {
  readonly schema: z.ZodType<T>;
  readonly json: () => JsonSchema;
}

const USER: Shape<ConfigFile> = { schema: configSchema, json: configJsonSchema };

/** Checks a config file's text. Rejects with CONFIG_INVALID that lists every problem with its place; values are never repeated. */
export function parseConfigFile(source: string, file: string): ConfigFile {
  const parsed = parseShape(parseJsonc(source), USER);
  if ('problems' in parsed) throw invalid(file, parsed.problems);
  return parsed.value;
}

/** The same for a value that two files made together: nothing in it stands at one place. */
export function parseConfigValue(value: unknown, file: string): ConfigFile {
  const parsed = parseShape({ ...parseJsonc(JSON.stringify(value)), locate: () => undefined }, USER);
  if ('problems' in parsed) throw invalid(file, parsed.problems);
  return parsed.value;
}

/** The value of a document in this shape, or everything that is wrong with it. */
export function parseShape<T>(
  document: Document,
  { schema, json }: Shape<T>,
): { readonly value: T } | { readonly problems: readonly Problem[] } {
  if (document.problems.length > 0) return { problems: document.problems };
  const result = schema.safeParse(document.value);
  if (result.success) return { value: result.data };
  return { problems: result.error.issues.flatMap((issue) => toProblems(issue, [], document, json())) };
}

/** One error for all problems of a file. */
export function invalid(
  file: string,
  problems: readonly Problem[],
  advice = 'Correct the file and try again.',
): ProxyError {
  const message = `The config file ${visible(file)} cannot be used:\n${linesOf(problems).join('\n')}\nNothing was started. ${advice}`;
  return new ProxyError('CONFIG_INVALID', message, { details: { file, problems } });
}

/** A line for each problem, with its place. */
export function linesOf(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ path, message, line, column }) => {
    const place = line === undefined ? '' : ` (line ${line}, column ${column})`;
    return `  ${path.length === 0 ? '' : `${dotted(path)}: `}${message}${place}`;
  });
}

function toProblems(
  issue: Issue,
  base: readonly PropertyKey[],
  document: Document,
  json: JsonSchema,
): readonly Problem[] {
  const path = [...base, ...issue.path];
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: [...path, key],
      message: unknownKey(key, keysAt(json, path)),
      ...document.locate(path, key),
    }));
  }
  if (issue.code === 'invalid_union') {
    const branch = closestBranch(issue.errors);
    if (branch !== undefined) return branch.flatMap((inner) => toProblems(inner, path, document, json));
  }
  const isMissing = !document.has(path);
  const message = plainMessage(issue, schemaAt(json, path), isMissing);
  return [{ path, message, ...document.locate(path) }];
}

/** The branch of a union that the value was meant for: one that its type fits. */
function closestBranch(branches: readonly (readonly Issue[])[]): readonly Issue[] | undefined {
  return branches.find((branch) =>
    branch.every((issue) => issue.path.length > 0 || issue.code === 'unrecognized_keys' || issue.code === 'custom'),
  );
}

function unknownKey(key: string, known: readonly string[]): string {
  if (known.length === 0) return 'unknown key';
  const nearest = closest(
    key.toLowerCase(),
    known.map((name) => name.toLowerCase()),
  );
  const name = known.find((one) => one.toLowerCase() === nearest) ?? nearest;
  const far = distance(key.toLowerCase(), nearest);
  const near = far <= Math.max(3, name.length / 2) || key.toLowerCase().startsWith(nearest);
  return near
    ? `unknown key; did you mean "${name}"?`
    : `unknown key; the nearest known key is "${name}" of ${known.join(', ')}`;
}

/** The keys that an object at `path` may have, over all branches of unions. */
function keysAt(json: JsonSchema, path: readonly PropertyKey[]): readonly string[] {
  const schema = schemaAt(json, path);
  return schema === undefined ? [] : keysOf(schema);
}

function keysOf(schema: JsonSchema): readonly string[] {
  const branches = [...(schema.anyOf ?? []), ...(schema.oneOf ?? [])];
  return [...new Set([...Object.keys(schema.properties ?? {}), ...branches.flatMap(keysOf)])];
}

function dotted(path: readonly PropertyKey[]): string {
  return path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      const key = String(step);
      return /^[A-Za-z0-9_$-]+$/.test(key) ? `${index === 0 ? '' : '.'}${key}` : `["${visible(key.slice(0, 80))}"]`;
    })
    .join('');
}
