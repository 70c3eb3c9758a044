import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { type LoadOptions, loadConfig } from '../../src/config/load.js';
import type { ProxyError } from '../../src/domain/errors.js';

export async function directory(): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'rewind-config-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

export async function load(content: unknown, options: Partial<LoadOptions> = {}) {
  const dir = await directory();
  const file = join(dir, 'proxy.config.json');
  await writeFile(
    file,
    typeof content === 'string' || content instanceof Uint8Array ? content : JSON.stringify(content),
  );
  return loadConfig({ file, env: { ZVM_PASSWORD: 'of a test' }, platform: process.platform, home: dir, ...options });
}

/** The lines of a rejection, without the file's name. */
export async function problems(content: unknown): Promise<readonly string[]> {
  const error: ProxyError = await load(content).then(
    () => {
      throw new Error('the config was accepted');
    },
    (rejected) => rejected,
  );
  if (error.code !== 'CONFIG_INVALID') throw error;
  return error.message
    .split('\n')
    .filter((line) => line.startsWith('  '))
    .map((line) => line.trim());
}

export const site = (more: object = {}) => ({
  name: 'site-a',
  url: 'https://zvm.example',
  auth: { grant: 'password', username: 'rewind', passwordEnv: 'ZVM_PASSWORD' },
  ...more,
});
