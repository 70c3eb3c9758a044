import { mutating, type Ruling, readOnly, unknown } from '../posix/context.js';
import type { Word } from '../posix/word.js';
import { isReadableClass } from './wmi-classes.js';

const SWITCHES = new Set(
  'node user password namespace role implevel authlevel locale privileges trace failfast value all translate every repeat'.split(
    ' ',
  ),
);
const FORMATS = new Set(
  'list csv table htable hform mof xml rawxml value texttable texttablewsys textvaluelist'.split(' '),
);
/** Aliases of classes whose listing only reads; that of `product`, `softwarefeature` and `softwareelement` repairs packages. */
const ALIASES = new Set(
  `alias baseboard bios bootconfig cdrom computersystem cpu csproduct datafile dcomapp desktop desktopmonitor devicememoryaddress diskdrive
   diskquota dmachannel environment fsdir group idecontroller irq job loadorder logicaldisk logon memcache memorychip memphysical netclient
   netlogin netprotocol netuse nic nicconfig ntdomain ntevent nteventlog onboarddevice os pagefile pagefileset partition port portconnector
   printer printerconfig printjob process qfe quotasetting rdaccount rdnic rdpermissions rdtoggle recoveros registry scsicontroller server
   service shadowcopy shadowstorage share soundcard startup sysaccount sysdriver systemenclosure systemslot tapedrive temperature timezone
   ups useraccount voltage volume volumequotasetting volumeuserquota wmiset`.split(/\s+/),
);

/** wmic: `get` and `list` of an alias or a class that is known to only read. */
export function checkWmic(words: readonly Word[]): Ruling {
  const texts = words.map((word) => word.literal?.toLowerCase());
  const known = texts.filter((text) => text !== undefined);
  const joined = ` ${known.join(' ')} `;
  if (/[^a-z0-9_](?:call|create|delete|set|assoc)[^a-z0-9_]/.test(joined))
    return mutating('calls, creates, deletes or sets');
  if (/\/(?:output|append|record)\b/.test(joined)) return mutating('writes its output to a file');
  if (known.length < texts.length) return unknown('words that are not known before it runs');
  return switchProblem(joined) ?? judgeTarget(known.filter((text) => !text.startsWith('/')));
}

function switchProblem(joined: string): Ruling | undefined {
  for (const [, name = '', value = ''] of joined.matchAll(/[\s"']\/([a-z]*)(?::\s*("[^"]*"|[^\s]*))?/g)) {
    if (name === 'format') {
      if (!FORMATS.has(value.replaceAll('"', '').replace(/\.xsl$/, '')))
        return unknown('a format that is not listed may run code');
    } else if (!SWITCHES.has(name)) {
      return unknown(`the switch /${name} is not listed as reading`);
    }
  }
  return undefined;
}

function judgeTarget(words: readonly string[]): Ruling {
  const [first = '', second = ''] = words;
  const byClass = first === 'path' || first === 'class';
  const rest = words.slice(byClass ? 2 : 1);
  if (/^(?:product|softwarefeature|softwareelement)$/.test(first) || (byClass && /product|software/.test(second))) {
    return mutating('listing these makes the installer check and repair packages');
  }
  if (byClass ? !isReadableClass(second) : !ALIASES.has(first))
    return unknown(`${byClass ? second : first} is not listed as reading`);
  return rest.some((word) => word === 'get' || word === 'list') ? readOnly('lists') : unknown('neither get nor list');
}
