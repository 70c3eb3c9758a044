const ALLOWED = /[^A-Za-z0-9._:/@+=, -]+/g;
const MAX = 128;
/** An agent or VM is never cut below it. */
const SHORTEST_FIELD = 8;

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
  const vm = clean(parts.vm).slice(0, Math.max(SHORTEST_FIELD, room - 16));
  const agent = clean(parts.agent).slice(0, Math.max(SHORTEST_FIELD, Math.min(32, room - vm.length)));
  const action = clean(parts.action).slice(0, Math.max(0, room - vm.length - agent.length));
  return `ai:${agent} | ${action} | vm=${vm} | change=${change} | ${utc}`;
}

const FIELD = '[A-Za-z0-9._:/@+=, -]';
const UTC = '\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z';
const FORM = new RegExp(
  `ai:(${FIELD}{1,128}) \\| (${FIELD}{0,128}) \\| vm=(${FIELD}{1,128}) \\| change=(${FIELD}{1,128}) \\| (${UTC})`,
);
const SHORTEST_CUT = 20;

/** The first whole tag in a text of the appliance, such as an event's, with what it says; undefined where there is none. */
export function readTag(text: string): (TagParts & { readonly name: string }) | undefined {
  const [name, agent = '', action = '', vm = '', change = '', utc = ''] = FORM.exec(text.slice(0, 4096)) ?? [];
  return name === undefined ? undefined : { name, agent, action, vm, change, at: new Date(utc) };
}

/** Whether a name has the form of a tag of the proxy, also one that the appliance cut. */
export function isTagForm(name: string): boolean {
  return readTag(name) !== undefined || (name.length >= SHORTEST_CUT && /^ai:[^|]{1,128} \| /.test(name));
}

/** Whether what the appliance lists is the beginning of a tag's name, long enough to tell. */
export function isCutTag(listed: string, name: string): boolean {
  return listed.length >= SHORTEST_CUT && listed.length < name.length && name.startsWith(listed);
}

/** Whether a tag's agent or VM stands for this name, of which the tag may hold the beginning alone. */
export function isNameIn(field: string, name: string): boolean {
  const whole = clean(name);
  return field === whole || (field.length >= SHORTEST_FIELD && whole.startsWith(field));
}

/** Whether a tag's action begins with these words; it is cut first, and may be gone. */
export function isActionIn(field: string, words: string): boolean {
  const whole = clean(words);
  return field === whole || field.startsWith(`${whole} `) || whole.startsWith(field);
}

function clean(field: string): string {
  return field.replace(ALLOWED, '_').trim() || '_';
}
