import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { ProxyError } from '../domain/errors.js';
import { visible } from '../domain/text.js';
import { literalKeys, missingSecrets } from './check-secrets.js';
import type { Config } from './config.js';
import { configDir, type Surroundings } from './paths.js';
import { invalid, parseConfigFile } from './problems.js';
import { resolveConfig } from './resolve.js';
import { type ConfigFile, configSchema } from './schema.js';

const NAME = 'proxy.config.json';

/** `file` is what `--config` names; a relative path starts at the current directory, since the user typed it. */
export interface LoadOptions extends Surroundings {
  readonly file?: string | undefined;
  /** `later`: what contacts nobody needs no secret; else each must be there. */
  readonly secrets?: 'now' | 'later' | undefined;
}

/** The file that is read, and whether it must be there. A file that was looked for and is not there is an empty config. */
export function configFile({ file, ...surroundings }: LoadOptions): { readonly path: string; readonly named: boolean } {
  if (file !== undefined) return { path: resolve(file), named: true };
  const variable = surroundings.env['ZERTO_REWIND_CONFIG'];
  if (variable === undefined || variable === '') return { path: join(configDir(surroundings), NAME), named: false };
  if (!isAbsolute(variable)) {
    throw new ProxyError(
      'CONFIG_INVALID',
      'ZERTO_REWIND_CONFIG is not an absolute path. Nothing was started. Set it to one.',
    );
  }
  return { path: variable, named: true };
}

/** Reads and checks the config. No file at the usual place is an empty config, which can pin nothing. Rejects with CONFIG_INVALID. */
export async function loadConfig(options: LoadOptions): Promise<Config> {
  const { path, named } = configFile(options);
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' && !named) return undefined;
    const message = `The config file ${visible(path)} cannot be read (${cause.code ?? 'error'}). Nothing was started. Check the path and its permissions.`;
    throw new ProxyError('CONFIG_INVALID', message, { details: { file: path }, cause });
  });
  if (bytes === undefined) return resolveConfig(configSchema.parse({}), options.env, dirname(path), undefined);
  const file = parseConfigFile(decode(bytes, path), path);
  const missing = options.secrets === 'later' ? [] : await missingSecrets(file, options.env, dirname(path));
  // One of several servers does not keep the others away: whoever starts it says what is missing.
  const needed = missing.filter((problem) => problem.path[0] !== 'mcpServers' || !hasSeveral(file));
  if (needed.length > 0) throw invalid(path, needed);
  return resolveConfig(file, options.env, dirname(path), path);
}

/** The keys of the file under which secrets stand as they are; none where there is no file. Rejects with CONFIG_INVALID. */
export async function literalSecrets(options: LoadOptions): Promise<readonly string[]> {
  const { path } = configFile(options);
  const bytes = await readFile(path).catch(() => undefined);
  return bytes === undefined ? [] : literalKeys(parseConfigFile(decode(bytes, path), path));
}

function hasSeveral({ mcpServers }: ConfigFile): boolean {
  return Object.values(mcpServers).filter(({ command, url }) => (command ?? url) !== undefined).length > 1;
}

function decode(bytes: Uint8Array, path: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw invalid(path, [{ path: [], message: 'the file is not UTF-8; save it as UTF-8' }]);
  }
}
