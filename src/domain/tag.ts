const ALLOWED = /[^A-Za-z0-9._:/@+=, -]+/g;
const MAX = 128;

/** What a tag says. `action` is server, tool and program name, never command text. */
export interface TagParts {
  readonly agent: string;
  readonly action: string;
  readonly vm: string;
  readonly change: string;
  readonly at: Date;
}

/**
 * `ai:<agent> | <action> | vm=<vm> | change=<id> | <utc>`, at most 128 characters of the safe set; the action is cut first,
 * then agent and VM name, never change and time: they keep the tag unique.
 */
export function tagName(parts: TagParts): string {
  const change = clean(parts.change);
  const utc = parts.at.toISOString();
  const room = MAX - `ai: |  | vm= | change=${change} | ${utc}`.length;
  const vm = clean(parts.vm).slice(0, Math.max(8, room - 16));
  const agent = clean(parts.agent).slice(0, Math.max(8, Math.min(32, room - vm.length)));
  const action = clean(parts.action).slice(0, Math.max(0, room - vm.length - agent.length));
  return `ai:${agent} | ${action} | vm=${vm} | change=${change} | ${utc}`;
}

function clean(field: string): string {
  return field.replace(ALLOWED, '_').trim() || '_';
}
