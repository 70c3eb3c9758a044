import { readFile } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import { ProxyError } from '../domain/errors.js';
import type { Surroundings } from './paths.js';

/** Fetches a secret when it is needed, so that it never stands in an object that could be logged. Rejects with CONFIG_INVALID. */
export type Secret = () => Promise<string>;

/** Where a secret stands: in the file itself, in a variable, or in a file of its own. */
export interface SecretPlaces {
  readonly key: string;
  readonly value?: string | undefined;
  readonly variable?: string | undefined;
  readonly file?: string | undefined;
}

/** `base`: the directory of the config file, where relative paths start. */
export function secret({ key, value, variable, file }: SecretPlaces, env: Surroundings['env'], base: string): Secret {
  if (value !== undefined) return async () => value;
  if (variable !== undefined) return async () => fromVariable(key, variable, env);
  if (file !== undefined) return () => fromFile(key, isAbsolute(file) ? file : resolve(base, file));
  return async () => {
    throw missing(key, 'is not given');
  };
}

function fromVariable(key: string, variable: string, env: Surroundings['env']): string {
  const value = Object.hasOwn(env, variable) ? env[variable] : undefined;
  if (value === undefined || value === '')
    throw missing(key, `is to come from the environment variable ${variable}, which is not set`);
  return value;
}

async function fromFile(key: string, file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((cause: NodeJS.ErrnoException) => {
    throw missing(key, `is to come from the file ${file}, which cannot be read (${cause.code ?? 'error'})`);
  });
  const value = text.replace(/^\uFEFF/, '').replace(/\r?\n$/, '');
  if (value === '') throw missing(key, `is to come from the file ${file}, which is empty`);
  return value;
}

function missing(key: string, what: string): ProxyError {
  const message =
    'A secret that the proxy needs is not there. Nothing was sent. Ask the operator to look at the log of the proxy.';
  return new ProxyError('CONFIG_INVALID', message, { details: { key, problem: `${key} ${what}` } });
}
