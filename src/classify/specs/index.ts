import type { Effect } from '../../domain/assessment.js';
import { ARCHIVES } from './archives.js';
import { CHANGERS } from './changers.js';
import { type Compiled, compile, programs } from './compile.js';
import { CONTAINERS } from './containers.js';
import { DATABASES } from './databases.js';
import { DEVELOPMENT } from './development.js';
import { FILES } from './files.js';
import { FILTERS } from './filters.js';
import { FIREWALL } from './firewall.js';
import { GIT } from './git.js';
import { HARDWARE } from './hardware.js';
import { INTERFACES } from './interfaces.js';
import { IPROUTE } from './iproute.js';
import { KUBERNETES } from './kubernetes.js';
import { LANGUAGE_PACKAGES } from './language-packages.js';
import { NETWORK } from './network.js';
import { PACKAGES } from './packages.js';
import { PROCESSES } from './processes.js';
import { SECURITY } from './security.js';
import { SERVICES } from './services.js';
import { SHELL } from './shell.js';
import { STORAGE } from './storage.js';
import { SYSTEM } from './system.js';
import { SYSTEMD } from './systemd.js';
import type { CommandSpec, Family } from './types.js';
import { VIRTUALIZATION } from './virtualization.js';
import { VOLUMES } from './volumes.js';
import { WEB } from './web.js';
import { WRAPPERS } from './wrappers.js';

/** All that is known of Linux programs. */
export const FAMILIES: readonly Family[] = [
  SHELL,
  WRAPPERS,
  FILES,
  FILTERS,
  ARCHIVES,
  PROCESSES,
  SYSTEM,
  SYSTEMD,
  SERVICES,
  HARDWARE,
  STORAGE,
  VOLUMES,
  NETWORK,
  INTERFACES,
  IPROUTE,
  FIREWALL,
  WEB,
  SECURITY,
  PACKAGES,
  LANGUAGE_PACKAGES,
  GIT,
  CONTAINERS,
  KUBERNETES,
  VIRTUALIZATION,
  DATABASES,
  DEVELOPMENT,
  CHANGERS,
];

const KNOWN = new Map<string, readonly [CommandSpec, Effect]>();
for (const family of FAMILIES) for (const [name, spec] of programs(family)) KNOWN.set(name, [spec, family.effect]);
const compiled = new Map<string, Compiled>();

/** Knows programs by their exact names. */
export type FindProgram = (name: string) => Compiled | undefined;

/** The built-in programs. */
export function findProgram(name: string): Compiled | undefined {
  const ready = compiled.get(name);
  if (ready !== undefined) return ready;
  const known = KNOWN.get(name);
  if (known === undefined) return undefined;
  const made = compile(name, known[0], known[1]);
  compiled.set(name, made);
  return made;
}

/** The names of all programs that are listed. */
export function programNames(): readonly string[] {
  return [...KNOWN.keys()];
}
