import { readFileSync } from 'node:fs';
import { dirname, isAbsolute, join } from 'node:path';
import { parse } from 'smol-toml';

/** Up from the script: its package's own description is not far. */
const HIGHEST = 6;

/** The package that a script belongs to: by the `package.json` or `pyproject.toml` above it, else by `node_modules` in its path. Where it lies says nothing. */
export function packageOfScript(script: string): string | undefined {
  const installed = /[\\/]node_modules[\\/]((?:@[^\\/]+[\\/])?[^\\/@][^\\/]*)/.exec(script)?.[1]?.replace('\\', '/');
  if (installed !== undefined || !isAbsolute(script)) return installed;
  let dir = dirname(script);
  for (let up = 0; up < HIGHEST && dirname(dir) !== dir; up += 1, dir = dirname(dir)) {
    const name = nameIn(join(dir, 'package.json'), JSON.parse) ?? projectIn(join(dir, 'pyproject.toml'));
    if (name !== undefined) return name;
  }
  return undefined;
}

function nameIn(file: string, read: (text: string) => unknown): string | undefined {
  try {
    const { name } = read(readFileSync(file, 'utf8')) as { name?: unknown };
    return typeof name === 'string' ? name : undefined;
  } catch {
    return undefined;
  }
}

function projectIn(file: string): string | undefined {
  return nameIn(file, (text) => parse(text)['project'] ?? {});
}
