import { readFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import type { Config } from '../config/config.js';
import { loadConfig } from '../config/load.js';
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

/** Where the audit log lies, by the config in force. */
export async function auditDirOf({ config, surroundings }: Context): Promise<string> {
  const { dir } = (await config()).audit;
  return dir ?? `${stateDir(surroundings)}/audit`;
}
