import { existsSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBackups } from '../clients/backups.js';
import { packageOfScript } from '../clients/package-of.js';
import { projectDirectories, projectPlaces, userPlaces } from '../clients/places.js';
import type { Setting } from '../clients/survey.js';
import { stateDir } from '../config/paths.js';
import type { Context } from './context.js';

/** The clients of this user and of the project in `cwd`. The entries that are written start this very program, with the config that was named on the command line, if any. */
export function settingOf({ surroundings, options }: Pick<Context, 'surroundings' | 'options'>, cwd: string): Setting {
  const directories = projectDirectories(cwd, surroundings, existsSync);
  const program = fileURLToPath(new URL('../main.js', import.meta.url));
  const config = options.config === undefined ? [] : ['--config', resolve(cwd, options.config)];
  return {
    places: [...userPlaces(surroundings, namesIn), ...projectPlaces(directories, surroundings.platform)],
    wrapper: { node: process.execPath, program, options: config },
    backups: openBackups(join(stateDir(surroundings), 'backups')),
    packageOf: packageOfScript,
    exists: existsSync,
  };
}

/** What to say of a program that will not stay where it is: npm empties the directory from which `npx` starts it. */
export function fleeting(program: string): string | undefined {
  if (!/[\\/]_npx[\\/]/.test(program)) return undefined;
  return 'the program lies in the cache of npx, which npm may empty: the entries would start nothing then. Install the package (npm install --global) and run install again from there';
}

function namesIn(dir: string): readonly string[] {
  try {
    return readdirSync(dir);
  } catch {
    return [];
  }
}
