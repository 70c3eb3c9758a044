import type { ToolCall } from '../../src/domain/call.js';
import { type Grounds, Permit } from '../../src/domain/permit.js';

let mint: ReturnType<typeof Permit.key> | undefined;

/** A permit outside the guard, for tests of what takes one. A test that also loads the guard gets an error: there is one key. */
export function mintPermit(call: ToolCall, grounds: Grounds = { kind: 'read_only' }): Permit {
  mint ??= Permit.key();
  return mint(call, grounds);
}
