import type { Role, ToolDescription } from '../src/domain/call.js';
import { schemaProperties, schemaType } from './schema.js';

const LEAD =
  '(?:(?:the|an?|one or more|list of|array of|raw|full|complete|exact|single|actual|arbitrary|new|optional:?|required:?)\\s+)*';
const KIND =
  '(?:(?:shell|bash|sh|posix|powershell|ps|cmd|linux|unix|windows|remote|terminal|os|system|sql|python|ssh|docker|kubectl|ansible|ad-hoc)\\s+)*';
const COMMAND = new RegExp(
  `^${LEAD}${KIND}(?:commands?(?:[- ]lines?)?|scripts?(?: block| text| content| body)?|code|pipeline|one-liner|cmdlet|statements?)(?=$|[\\s.,;:()])` +
    '(?!\\s+(?:id|ids|identifier|timeout|output|history|names?|type|path|file|alias|prefix|pattern|status|results?|arguments?|template|working|will|queue))',
  'i',
);
const TO_RUN =
  /\b(?:commands?|scripts?|code|statements?)\s+(?:to|that (?:will|should) be|which (?:will|should) be)\s+(?:be\s+)?(?:run|execute|evaluate|invoke|send)/i;
const PLACE =
  '(?:(?:remote|target|destination|source|ssh|winrm|windows|linux|esxi?|hyper-v|proxmox|virtual|managed|configured)\\s+)*';
const MACHINE =
  '(?:host(?:name)?s?|servers?|machines?|computers?|nodes?|vms?|virtual machines?|ip(?: address(?:es)?)?|fqdn|instances?)';
const HOST = new RegExp(
  `^${LEAD}(?:(?:names?|ids?|alias|address(?:es)?|ips?|hostnames?)(?:\\s*(?:,|or|/)\\s*\\w+)*\\s+(?:of|for)\\s+(?:the\\s+|an?\\s+)?)?${PLACE}${MACHINE}(?=$|[\\s.,;:()/])` +
    '(?!\\s+(?:keys?|ports?|os|type|config|side|certificate|timeout|response|command|output|log|path|version|state|status))',
  'i',
);

/**
 * What a schema's own words say of arguments that their names do not tell. It may add a command to judge or a host to protect, but it is the
 * server's word alone: such an argument keeps a call from being read_only.
 */
export function describedRoles(description: ToolDescription | undefined): ReadonlyMap<string, Role> {
  return new Map(
    Object.entries(schemaProperties(description)).flatMap(([name, schema]): [string, Role][] => {
      const role = described(schema);
      return role === undefined ? [] : [[name, role]];
    }),
  );
}

function described(schema: unknown): Role | undefined {
  const type = schemaType(schema);
  if (type === 'number' || type === 'boolean') return undefined;
  const text =
    typeof schema === 'object' && schema !== null && 'description' in schema ? schema.description : undefined;
  if (typeof text !== 'string') return undefined;
  const start = text.slice(0, 200).trim();
  if (COMMAND.test(start) || TO_RUN.test(start)) return 'command';
  if (!HOST.test(start)) return undefined;
  return type === 'array' ? 'host_list' : 'host';
}
