import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { Config } from '../config/config.js';
import { configFile, loadConfig } from '../config/load.js';
import { type Surroundings, stateDir } from '../config/paths.js';
import type { Logger } from '../domain/ports.js';
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
  const surroundings = { env: process.env, platform: process.platform, home: homedir() };
  let config: Promise<Config> | undefined;
  return {
    io,
    options,
    signal,
    surroundings,
    log: createLog(options.logLevel),
    config: () => {
      config ??= loadConfig({ ...surroundings, file: options.config });
      return config;
    },
    version: packageVersion,
  };
}

export async function packageVersion(): Promise<string> {
  const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** The config for a command that contacts nobody: its secrets need not be there. */
export function settingsOf({ surroundings, options }: Context): Promise<Config> {
  return loadConfig({ ...surroundings, file: options.config, secrets: 'later' });
}

/** The path of the config that is read, or that was looked for. */
export function configPlace({ surroundings, options }: Context): string {
  return configFile({ ...surroundings, file: options.config }).path;
}

/** Where the audit log lies, by the config in force. */
export async function auditDirOf(context: Context): Promise<string> {
  const { surroundings } = context;
  const { dir } = (await settingsOf(context)).audit;
  return dir ?? `${stateDir(surroundings)}/audit`;
}
