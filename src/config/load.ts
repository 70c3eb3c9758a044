import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { ProxyError } from '../domain/errors.js';
import { visible } from '../domain/text.js';
import { literalKeys, missingSecrets } from './check-secrets.js';
import type { Config, SystemRules } from './config.js';
import { parseJsonc } from './jsonc.js';
import { addUserConfig, withAbsolutePaths } from './override.js';
import { configDir, type Surroundings } from './paths.js';
import { invalid, parseConfigFile, parseConfigValue } from './problems.js';
import { resolveConfig } from './resolve.js';
import { type ConfigFile, configSchema } from './schema.js';
import { readSystemFile, type SystemFile } from './system-file.js';

const NAME = 'proxy.config.json';

/** `file` is what `--config` names; a relative path starts at the current directory, since the user typed it. */
export interface LoadOptions extends Surroundings {
  readonly file?: string | undefined;
  /** `later`: what contacts nobody needs no secret; else each must be there. */
  readonly secrets?: 'now' | 'later' | undefined;
}

/** The user's file that is read, and whether it must be there. A file that was looked for and is not there is an empty config. */
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

/**
 * Reads and checks the config: the system's where there is one, with what it lets a user add, else the user's. No file at the usual place is an
 * empty config, which can pin nothing. A system config that cannot be used locks the proxy: `locked` says why. Rejects with CONFIG_INVALID.
 */
export async function loadConfig(options: LoadOptions): Promise<Config> {
  let system: SystemFile | undefined;
  try {
    system = readSystemFile(options.system);
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    return lockedConfig(options, error.message);
  }
  const { file, path, base, rules } = system === undefined ? await readUser(options) : await readBoth(system, options);
  const missing =
    options.secrets === 'later' || path === undefined ? [] : await missingSecrets(file, options.env, base);
  // One of several servers does not keep the others away: whoever starts it says what is missing.
  const needed = missing.filter((problem) => problem.path[0] !== 'mcpServers' || !hasSeveral(file));
  if (needed.length > 0 && path !== undefined) throw invalid(path, needed, PUT_IT_THERE);
  const config = resolveConfig(file, options.env, base, path);
  return rules === undefined ? config : { ...config, system: rules };
}

const PUT_IT_THERE =
  'Set each variable where the proxy is started (an MCP client: "env" of its entry), write each file, and try again.';

/** The keys of the file under which secrets stand as they are; none where there is no file. Rejects with CONFIG_INVALID. */
export async function literalSecrets(options: LoadOptions): Promise<readonly string[]> {
  const system = readSystemFile(options.system);
  const { file } = system === undefined ? await readUser(options) : await readBoth(system, options);
  return literalKeys(file);
}

/** What the files say together; relative paths in it start at `base`. `path`: the file that decides, where there is one. */
interface Read {
  readonly file: ConfigFile;
  readonly path: string | undefined;
  readonly base: string;
  readonly rules?: SystemRules;
}

async function readUser(options: LoadOptions): Promise<Read> {
  const { path } = configFile(options);
  const text = await textOf(options);
  if (text === undefined) return { file: configSchema.parse({}), path: undefined, base: dirname(path) };
  return { file: parseConfigFile(text, path), path, base: dirname(path) };
}

async function readBoth({ path, raw, config }: SystemFile, options: LoadOptions): Promise<Read> {
  const { allowOverride, allowCommands, allowSimulator, breakGlass: _, ...own } = config;
  const rules = { path, ignored: [], mayWrapAll: allowOverride.includes('mcpServers'), allowCommands };
  const base = dirname(path);
  // What may add nothing is not even read: whoever writes it cannot stop the proxy either.
  if (allowOverride.length === 0) return { file: own, path, base, rules };
  const userFile = configFile(options).path;
  const text = await textOf(options);
  if (text === undefined) return { file: own, path, base, rules };
  parseConfigFile(text, userFile);
  const user = withAbsolutePaths(parseJsonc(text).value, dirname(userFile)) as Readonly<Record<string, unknown>>;
  const { zvm, ...withoutZvm } = user;
  const isForbidden = zvm === 'simulator' && !allowSimulator;
  const { allowOverride: _o, allowCommands: _c, allowSimulator: _s, breakGlass: _b, ...system } = raw;
  const { value, ignored } = addUserConfig(system, isForbidden ? withoutZvm : user, allowOverride);
  const file = parseConfigValue(value, userFile);
  return { file, path, base, rules: { ...rules, userFile, ignored: isForbidden ? ['zvm', ...ignored] : ignored } };
}

/** Nothing of a config but the servers of the user's file, so that reading goes on; whatever may change something is refused. */
async function lockedConfig(options: LoadOptions, locked: string): Promise<Config> {
  const { file, base, path } = await readUser(options).catch(
    (): Read => ({ file: configSchema.parse({}), path: undefined, base: dirname(options.system?.path ?? '/') }),
  );
  const { mcpServers } = file;
  return { ...resolveConfig(configSchema.parse({ mcpServers }), options.env, base, path), locked };
}

/** The text of the user's file; undefined where none is at the usual place. */
async function textOf(options: LoadOptions): Promise<string | undefined> {
  const { path, named } = configFile(options);
  const bytes = await readFile(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === 'ENOENT' && !named) return undefined;
    const message = `The config file ${visible(path)} cannot be read (${cause.code ?? 'error'}). Nothing was started. Check the path and its permissions.`;
    throw new ProxyError('CONFIG_INVALID', message, { details: { file: path }, cause });
  });
  return bytes === undefined ? undefined : decode(bytes, path);
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
