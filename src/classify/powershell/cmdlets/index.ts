import type { Effect } from '../../../domain/assessment.js';
import { CHANGERS } from './changers.js';
import { type Cmdlet, cmdletsOf, compileCmdlet } from './compile.js';
import { DIRECTORY } from './directory.js';
import { FILES } from './files.js';
import { NETWORK } from './network.js';
import { OBJECTS } from './objects.js';
import { SERVERS } from './servers.js';
import { STORAGE } from './storage.js';
import { SYSTEM } from './system.js';
import type { CmdletFamily, CmdletSpec } from './types.js';

/** All that is known of cmdlets. */
export const CMDLET_FAMILIES: readonly CmdletFamily[] = [
  OBJECTS,
  FILES,
  SYSTEM,
  NETWORK,
  STORAGE,
  DIRECTORY,
  SERVERS,
  CHANGERS,
];

interface Known {
  readonly name: string;
  readonly spec: CmdletSpec;
  readonly effect: Effect;
}

const KNOWN = new Map<string, Known>();
for (const family of CMDLET_FAMILIES) {
  for (const [name, spec] of cmdletsOf(family)) KNOWN.set(name.toLowerCase(), { name, spec, effect: family.effect });
}
const compiled = new Map<string, Cmdlet>();

/** The spec of a cmdlet by its full name in lower case. */
export function findCmdlet(name: string): Cmdlet | undefined {
  const ready = compiled.get(name);
  if (ready !== undefined) return ready;
  const known = KNOWN.get(name);
  if (known === undefined) return undefined;
  const made = compileCmdlet(known.name, known.spec, known.effect);
  compiled.set(name, made);
  return made;
}
