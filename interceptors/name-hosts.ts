import type { Role } from '../src/domain/call.js';
import type { ValueType } from './names.js';
import { names } from './words.js';

const ONE =
  names(`host hostname server computer machine node vm vmid guest instance workstation appliance device system router switch minion
  controller ip fqdn`);
const MANY =
  names(`hosts hostnames servers computers machines nodes vms vmids guests instances workstations appliances devices systems routers
  switches minions ips fqdns`);
const SUFFIX = names('name id alias ip address fqdn uuid ref identifier');
const SUFFIXES = names('names ids aliases ips addresses identifiers');
/** Hosts that a call talks about without running anything on them. */
const ABOUT =
  names(`proxy smtp mail dns ntp log syslog redirect bind listen local callback registry api web http https license ldap
  known strict allowed denied trusted forward tunnel parent key is has use no origin git repo content media type input output`);
/** Hosts that the program on the call's own host talks to. */
const BEHIND = names(
  `db database sql mysql mariadb postgres postgresql pg redis mongo mongodb oracle mssql broker queue kafka rabbitmq`,
);
/** Numbers name only these. */
const NUMBERED = names('vm vmid node instance guest vms vmids nodes');

/**
 * The role of an argument whose name ends with a word for a machine: `source_host`, `destNodeName`, `inventory_hostname`, `vm_ids`. `lone`:
 * see NameContext.
 */
export function hostRole(parts: readonly string[], type: ValueType, lone: boolean): Role | undefined {
  const { noun, before, plural } = machine(parts);
  if (type === 'boolean' || (!ONE.has(noun) && !MANY.has(noun))) return undefined;
  if (type === 'number' && !NUMBERED.has(noun)) return undefined;
  if (noun === 'controller' && before.at(-1) !== 'domain') return undefined;
  if (before.some((word) => ABOUT.has(word) || (!lone && BEHIND.has(word)))) return undefined;
  return plural ? 'host_list' : 'host';
}

/** The word that may stand for a machine, before `_name`, `_id` and the like, and the words before it. */
function machine(parts: readonly string[]): { noun: string; before: readonly string[]; plural: boolean } {
  const last = parts.at(-1) ?? '';
  const isNoun = parts.length === 1 || ONE.has(last) || MANY.has(last);
  const stem = !isNoun && (SUFFIX.has(last) || SUFFIXES.has(last)) ? parts.slice(0, -1) : parts;
  const noun = stem.at(-1) ?? '';
  return { noun, before: stem.slice(0, -1), plural: MANY.has(noun) || SUFFIXES.has(last) };
}
