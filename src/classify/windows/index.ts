import type { Effect } from '../../domain/assessment.js';
import { compileTool, type Tool, toolsOf } from './compile.js';
import { BUILT_IN, FILES } from './tools/files.js';
import { NETWORK } from './tools/network.js';
import { SECURITY } from './tools/security.js';
import { SHELLS } from './tools/shells.js';
import { STORAGE } from './tools/storage.js';
import { SYSTEM } from './tools/system.js';
import type { ToolFamily, ToolSpec } from './types.js';

/** All that is known of Windows programs and of what is part of cmd. */
export const TOOL_FAMILIES: readonly ToolFamily[] = [BUILT_IN, FILES, NETWORK, SYSTEM, STORAGE, SECURITY, SHELLS];

interface Known {
  readonly spec: ToolSpec;
  readonly effect: Effect;
  readonly builtIn: boolean;
}

const KNOWN = new Map<string, Known>();
for (const family of TOOL_FAMILIES) {
  for (const [name, spec] of toolsOf(family)) {
    KNOWN.set(name, { spec, effect: family.effect, builtIn: family.builtIn === true });
  }
}
const compiled = new Map<string, Tool>();

/** The spec of a program by its lower-case name without `.exe`. Parts of cmd are only found where `inCmd`. */
export function findTool(name: string, inCmd: boolean): Tool | undefined {
  const known = KNOWN.get(name);
  if (known === undefined || (known.builtIn && !inCmd)) return undefined;
  const ready = compiled.get(name);
  if (ready !== undefined) return ready;
  const made = compileTool(name, known.spec, known.effect);
  compiled.set(name, made);
  return made;
}
