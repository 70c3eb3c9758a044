import { readFile } from 'node:fs/promises';
import { homedir, userInfo } from 'node:os';
import { NO_RULES, operatorRedaction } from '../audit/redact/config.js';
import type { Config } from '../config/config.js';
import { configFile, loadConfig } from '../config/load.js';
import { type Surroundings, type SystemPlace, stateDir } from '../config/paths.js';
import { isSystemFileThere, systemPlace } from '../config/system-file.js';
import type { Logger } from '../domain/ports.js';
import { clientEnvironment } from '../fleet/launcher.js';
import type { GlobalOptions } from './command-line.js';
import { createLog } from './log.js';

/** The process as the commands see it. */
export interface Io {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

/** What every command gets: where it writes, when to stop, and the config, read when it is asked for. */
export interface Context {
  readonly io: Io;
  readonly options: GlobalOptions;
  readonly signal: AbortSignal;
  readonly surroundings: Surroundings;
  readonly log: Logger;
  readonly config: () => Promise<Config>;
  readonly version: () => Promise<string>;
}

export function createContext(options: GlobalOptions, io: Io, signal: AbortSignal): Context {
  const { platform } = process;
  const env = clientEnvironment(process.env);
  const surroundings = surroundingsUnder(systemPlace(platform), { env, platform, home: homedir() });
  let redaction = NO_RULES;
  const log = createLog(options.logLevel, () => redaction);
  let config: Promise<Config> | undefined;
  return {
    io,
    options,
    signal,
    surroundings,
    log,
    config: () => {
      config ??= loadConfig({ ...surroundings, file: options.config }).then((loaded) => {
        redaction = operatorRedaction(loaded.audit.redact);
        return told(loaded, log);
      });
      return config;
    },
    version: packageVersion,
  };
}

/** Where a system config is there, no variable moves the user's files: they lie in the home directory that the account has. */
export function surroundingsUnder(system: SystemPlace, own: Surroundings): Surroundings {
  if (!isSystemFileThere(system)) return { ...own, system };
  return { ...own, system, isFixed: true, home: accountHome() };
}

/** An account that nobody knows has no home, and nothing can be recorded there. */
function accountHome(): string {
  try {
    return userInfo().homedir;
  } catch {
    return '/nonexistent';
  }
}

/** Says on stderr what of a user's config does not hold. */
function told(config: Config, log: Logger): Config {
  const { locked, system } = config;
  if (locked !== undefined) log.error({ problem: locked }, LOCKED);
  if (system !== undefined && system.ignored.length > 0)
    log.warn({ file: system.userFile, keys: system.ignored, system: system.path }, IGNORED);
  return config;
}

const LOCKED = 'the system config cannot be used: whatever may change something is refused until it is corrected';
const IGNORED = 'the system config does not let a user set these keys: they do not hold';

export async function packageVersion(): Promise<string> {
  const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** The config for a command that contacts nobody: its secrets need not be there. */
export function settingsOf({ surroundings, options }: Context): Promise<Config> {
  return loadConfig({ ...surroundings, file: options.config, secrets: 'later' });
}

/** The path of the user's config that is read, or that was looked for. */
export function configPlace({ surroundings, options }: Context): string {
  return configFile({ ...surroundings, file: options.config }).path;
}

/** Where the audit log lies, by the config in force. */
export async function auditDirOf(context: Context): Promise<string> {
  const { surroundings } = context;
  const { dir } = (await settingsOf(context)).audit;
  return dir ?? `${stateDir(surroundings)}/audit`;
}
