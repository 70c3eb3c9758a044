import { readdir } from 'node:fs/promises';
import { type PlatformPath, posix, win32 } from 'node:path';
import type { ReadText } from '../read-text.js';

/** Where ssh(1) looks for its configuration, and how files there are read. */
export interface Places {
  readonly path: PlatformPath;
  readonly windows: boolean;
  /** Of the account: OpenSSH does not ask the environment. */
  readonly home: string;
  readonly systemDir: string;
  readonly readText: ReadText;
  readonly list: (directory: string) => Promise<readonly string[]>;
}

/** The places of a platform. On Windows the system's lie below `%PROGRAMDATA%`. */
export function placesOf(
  platform: NodeJS.Platform,
  home: string,
  env: Readonly<Record<string, string | undefined>>,
  readText: ReadText,
): Places {
  const windows = platform === 'win32';
  const path = windows ? win32 : posix;
  const systemDir = windows ? win32.join(env['PROGRAMDATA'] ?? 'C:\\ProgramData', 'ssh') : '/etc/ssh';
  return { path, windows, home, systemDir, readText, list };
}

async function list(directory: string): Promise<readonly string[]> {
  return readdir(directory).catch(() => []);
}
