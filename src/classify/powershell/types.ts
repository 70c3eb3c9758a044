import type { Own } from './value.js';

const words = (list: string): ReadonlySet<string> => new Set(list.toLowerCase().split(/\s+/));

/** A type's name without blanks, case and the leading `System.`. */
export function typeName(written: string): string {
  return written
    .replace(/^\[|\]$/g, '')
    .replace(/\s+/g, '')
    .toLowerCase()
    .replace(/(^|\[)system\./g, '$1');
}

/** Types that a value may be turned into without running anything that is not known: text, numbers, times, data. */
const DATA = words(
  `string char byte sbyte int int16 int32 int64 uint16 uint32 uint64 long short uint ushort ulong bigint float single double decimal bool boolean
   datetime datetimeoffset timespan guid version semver uri ipaddress net.ipaddress net.mail.mailaddress mailaddress net.networkinformation.physicaladdress
   xml xml.xmldocument regex text.regularexpressions.regex array hashtable collections.hashtable collections.arraylist arraylist ordered
   pscustomobject psobject management.automation.pscustomobject management.automation.psobject object void switch cultureinfo
   globalization.cultureinfo timezoneinfo dayofweek adsi adsisearcher directoryservices.directorysearcher consolecolor securestring security.securestring text.encoding io.fileinfo io.directoryinfo fileinfo
   security.principal.securityidentifier security.principal.ntaccount security.principal.windowsprincipal security.principal.windowsbuiltinrole
   serviceprocess.servicecontrollerstatus io.fileattributes net.securityprotocoltype enum nullable numerics.biginteger exception`,
);
/** Collections that a text may make for itself. */
const COLLECTIONS =
  /^(?:collections\.(?:arraylist|hashtable|queue|stack|sortedlist|generic\.(?:list|dictionary|hashset|queue|stack|sorteddictionary|sortedlist|linkedlist)(?:\[[\w.,[\]]*\]|`\d(?:\[[\w.,[\]]*\])?)?|specialized\.ordereddictionary)|arraylist|hashtable|text\.stringbuilder|diagnostics\.stopwatch|object|psobject|management\.automation\.psobject|text\.utf8encoding|random|net\.cookiecontainer)$/;
const COLLECTION_KINDS: readonly (readonly [RegExp, Own | 'table'])[] = [
  [/(?:hashtable|dictionary|sortedlist)(?:$|[[`])/, 'table'],
  [/(?:^|\.)(?:queue|stack)(?:$|[[`])/, 'queue'],
  [/(?:arraylist|list|hashset)(?:$|[[`])/, 'list'],
  [/stringbuilder$/, 'builder'],
  [/stopwatch$/, 'watch'],
];
const SOCKETS = words('net.sockets.tcpclient net.sockets.udpclient');

/** Whether a cast to this type, or a comparison with it, only converts. */
export function convertsOnly(name: string): boolean {
  const element = name.replace(/(?:\[,*\])+$/, '');
  return DATA.has(element) || COLLECTIONS.test(element);
}

/** The kind of object that a constructor of this type gives, where making one has no effect. */
export function constructs(name: string): Own | 'table' | 'data' | undefined {
  if (SOCKETS.has(name)) return 'socket';
  if (COLLECTIONS.test(name)) return COLLECTION_KINDS.find(([pattern]) => pattern.test(name))?.[1] ?? 'object';
  return DATA.has(name.replace(/(?:\[,*\])+$/, '')) ? 'data' : undefined;
}

/** Static members that only compute or look, by type. Those that give text are behind the bar. */
const STATICS: Readonly<Record<string, string>> = {
  math: 'abs acos asin atan atan2 bigmul ceiling clamp cos divrem e exp floor log log10 log2 max min pi pow round sign sin sqrt tan truncate',
  'datetime datetimeoffset':
    'now utcnow today parse parseexact tryparse fromfiletime fromfiletimeutc frombinary fromoadate specifykind daysinmonth isleapyear compare maxvalue minvalue unixepoch fromunixtimeseconds fromunixtimemilliseconds',
  timespan: 'fromdays fromhours fromminutes fromseconds frommilliseconds fromticks parse zero maxvalue minvalue',
  string: 'isnullorempty isnullorwhitespace compare equals | join format concat empty',
  'int int32 int64 long double decimal uint32 uint64 byte int16 uint16 float single bigint bool char version guid ipaddress net.ipaddress':
    'maxvalue minvalue parse tryparse newguid empty isdigit isletter isletterordigit isupper islower iswhitespace any loopback none nan positiveinfinity getnumericvalue',
  environment:
    'machinename username userdomainname osversion processorcount is64bitoperatingsystem is64bitprocess version tickcount tickcount64 currentdirectory systemdirectory userinteractive workingset getenvironmentvariables | getenvironmentvariable getfolderpath newline commandline expandenvironmentvariables',
  'io.path':
    'ispathrooted hasextension directoryseparatorchar | getfilename getfilenamewithoutextension getextension getdirectoryname getfullpath getpathroot combine changeextension gettemppath getrandomfilename join',
  'io.file':
    'exists getlastwritetime getlastwritetimeutc getcreationtime getcreationtimeutc getlastaccesstime getattributes readalllines readallbytes readlines | readalltext',
  'io.directory':
    'exists getfiles getdirectories getfilesystementries enumeratefiles enumeratedirectories getcreationtime getlastwritetime getlogicaldrives getparent | getcurrentdirectory',
  'io.driveinfo': 'getdrives',
  convert:
    'toint32 toint64 toint16 touint32 touint64 todouble todecimal toboolean todatetime tobyte frombase64string tochar | tostring tobase64string tohexstring',
  'text.encoding': 'utf8 ascii unicode utf32 default bigendianunicode latin1 getencoding getencodings',
  bitconverter: 'tostring getbytes toint32 touint32 toint64 touint64 toint16 touint16 islittleendian',
  'regex text.regularexpressions.regex': 'ismatch match matches split | escape unescape replace',
  enum: 'getnames getvalues isdefined getname',
  'diagnostics.eventlog': 'exists geteventlogs sourceexists',
  'directoryservices.activedirectory.domain': 'getcurrentdomain getcomputerdomain',
  'directoryservices.activedirectory.forest': 'getcurrentforest',
  'net.dns': 'gethostentry gethostaddresses gethostbyname gethostbyaddress resolve | gethostname',
  'diagnostics.process': 'getcurrentprocess getprocesses getprocessesbyname getprocessbyid',
  'diagnostics.stopwatch': 'gettimestamp frequency',
  'diagnostics.fileversioninfo': 'getversioninfo',
  'serviceprocess.servicecontroller': 'getservices getdevices',
  'security.principal.windowsidentity': 'getcurrent',
  'security.principal.windowsbuiltinrole': 'administrator user guest poweruser',
  'timezoneinfo timezone':
    'local utc getsystemtimezones findsystemtimezonebyid converttimefromutc converttimetoutc converttimebysystemtimezoneid converttime currenttimezone',
  'globalization.cultureinfo cultureinfo':
    'currentculture currentuiculture invariantculture installeduiculture getcultureinfo',
  'net.networkinformation.ipglobalproperties': 'getipglobalproperties',
  'net.networkinformation.networkinterface': 'getallnetworkinterfaces getisnetworkavailable',
  'net.servicepointmanager': 'securityprotocol defaultconnectionlimit expect100continue',
  'net.securityprotocoltype': 'tls tls11 tls12 tls13 ssl3 systemdefault',
  'runtime.interopservices.runtimeinformation':
    'osarchitecture processarchitecture isosplatform | osdescription frameworkdescription',
  'net.webutility web.httputility uri':
    'trycreate isWellFormeduristring | urlencode urldecode htmlencode htmldecode escapedatastring unescapedatastring escapeuristring',
  'serviceprocess.servicecontrollerstatus': 'running stopped paused startpending stoppending',
  dayofweek: 'monday tuesday wednesday thursday friday saturday sunday',
  stringcomparison:
    'ordinal ordinalignorecase currentculture currentcultureignorecase invariantculture invariantcultureignorecase',
  'text.regularexpressions.regexoptions': 'ignorecase multiline singleline none compiled',
  'management.automation.wildcardpattern wildcardpattern': 'containswildcardcharacters | escape',
  console: 'outputencoding inputencoding windowwidth bufferwidth title',
  'io.fileattributes': 'hidden system readonly directory archive reparsepoint',
  'environment+specialfolder': 'system windows commonapplicationdata programfiles userprofile desktop',
  'net.networkinformation.operationalstatus': 'up down',
  intptr: 'size zero',
};

interface Statics {
  readonly data: ReadonlySet<string>;
  readonly text: ReadonlySet<string>;
}
const BY_TYPE = new Map<string, Statics>();
for (const [types, members] of Object.entries(STATICS)) {
  const [data = '', text = ''] = members.split('|').map((part) => part.trim());
  for (const type of types.split(' ')) BY_TYPE.set(type, { data: words(data), text: words(text) });
}

/** What a static member gives: text or other data; undefined where it is not listed as harmless. */
export function staticMember(type: string, member: string): 'text' | 'data' | undefined {
  const statics = BY_TYPE.get(type);
  const name = member.toLowerCase();
  if (statics?.text.has(name) === true) return 'text';
  return statics?.data.has(name) === true ? 'data' : undefined;
}
