import { isHarmless, type Mark, type Part, replaceAfter } from './marks.js';
import { isPath, isPlainValue, isSecretName } from './names.js';

interface Head {
  readonly head: RegExp;
  readonly part?: Part;
}

const QUOTED = `(?:'[^']{0,200}'|"[^"]{0,200}")`;

/** What precedes a secret's word in any text. */
const HEADS: readonly Head[] = [
  { head: /(?<![\w-])(?:pass|plain):(?=\S)/g },
  // SQL
  { head: /(?<!\w)identified\s{1,4}(?:(?:with|via)\s{1,4}\S{1,60}\s{1,4})?(?:by|as)\s{1,4}(?:password\s{1,4})?/gi },
  { head: /(?<!\w)password(?:\s{1,4}|\s{0,4}\(\s{0,4})(?=['"])/gi },
  { head: /(?<!\w)password\s{1,4}\\?\$\\?\$/gi },
  { head: /(?<!\w)set\s{1,4}password\s{1,4}(?:for\s{1,4}[^=;\n]{1,120})?=\s{0,4}(?!password\s{0,4}\(|\s)/gi },
  { head: /(?<!\w)sp_(?:addlogin|password)\s{1,4}N?'[^']{0,100}'\s{0,4},\s{0,4}/gi },
  // what a program's own configuration calls it
  { head: /(?<![\w-])(?:requirepass|masterauth)\s{1,4}(?=[^\s.*'"])/g },
  { head: /(?<!\w)login\s{1,20}\S{1,100}\s{1,20}password\s{1,4}/gi },
  { head: /(?<![\w-])bearer\s{1,4}(?=[^\s'"]{6})/gi },
  { head: /"auth\\{0,3}"\s{0,4}:\s{0,4}(?=\\{0,3}"[A-Za-z0-9+/=]{8})/g },
  { head: /(?<=[;"'])pwd\s{0,4}=\s{0,4}/gi },
  {
    head: /(?<!\w)pwd\s{0,4}=\s{0,4}(?=[^;\s/~$.][^;\s]{0,200};\s{0,4}(?:server|data\s?source|uid|user(?:\s?id)?|driver|database|dsn|initial\s?catalog|host|port)\s{0,4}=)/gi,
  },
  { head: /(?<!\w)conn(?:ect)?\s{1,4}\w{1,60}\/(?=[^\s/@]{1,200}@)/gi, part: 'before_at' },
  { head: /jdbc:oracle:\w{1,10}:[\w$#]{1,60}\//gi, part: 'before_at' },
  // calls of functions
  {
    head: /(?<!\w)(?:NetworkCredential|PSCredential|HTTPBasicAuth|auth\s{0,4}=)(?:\]::new)?[\s(@]{1,8}(?:-ArgumentList[\s(@]{1,8})?(?:'[^']{0,200}'|"[^"]{0,200}")\s{0,4},\s{0,4}/gi,
  },
  {
    head: /(?<!\w)(?!get|is|has|ask|read|prompt|check)\w{0,40}password\w{0,10}\(\s{0,4}(?:['"][^'"]{0,100}['"]\s{0,4},\s{0,4})?(?=['"])/gi,
  },
  {
    head: new RegExp(
      String.raw`(?<!\w)(?:PDO|DirectoryEntry|adsi\]::new)[\s(@]{1,8}(?:${QUOTED}\s{0,4},\s{0,4}){2}`,
      'gi',
    ),
  },
  { head: /\.Change\((?:[^,()\n]{1,80},){7}\s{0,4}/gi },
  { head: /["'](?:bearer|basic|token)\s{1,4}\{0\}["']\s{1,4}-f\s{1,4}/gi },
  { head: new RegExp(String.raw`(?<![^\s(=;])(?=${QUOTED}\.ToCharArray\(\))`, 'gi') },
  { head: /(?<!\w)crypt\(\s{0,4}(?=['"])/g },
  { head: /(?<!\w)GetBytes\(\s{0,4}(?=['"])/gi, part: 'after_colon' },
  { head: new RegExp(String.raw`(?<=[(\s=])(?=${QUOTED}\s{0,4}\|\s{0,4}ConvertTo-SecureString)`, 'gi') },
  // what answers a prompt, and what stands in for a file
  { head: /ass(?:word|phrase)[^\n;{]{0,60}[;\n{]\s{0,20}send\s{1,4}(?:--\s{1,4})?/gi },
  {
    head: /(?:passw|passphrase|secret|token|vault|key)[\w-]{0,40}[\s=]{1,4}(?:<\(|["']?\$\()\s{0,4}(?:echo|printf)\s{1,4}(?:-\w{1,4}\s{1,4})?/gi,
  },
  { head: /[_-](?:cmd|command)[\s=]{1,4}["'](?:echo|printf)\s{1,4}(?:-\w{1,4}\s{1,4})?(?=[^'"]{1,200}["'])/gi },
  { head: /(?:passw|secret|token)\w{0,20}\s{0,4}[=:]\s{0,4}%s[^'"\s]{0,40}['"]\s{1,4}/gi },
];

/** The same where the head's first group is a name, and only a secret's name counts. */
const NAMED: readonly RegExp[] = [
  /(?<![\w./-])((?:x-[\w-]{1,60}|[\w-]{1,40}-(?:token|key|secret)))\s?:(?=[^\s:/]{6})/gi,
  /\(\s{0,4}\\{0,3}['"]([\w.-]{1,128})\\{0,3}['"]\s{0,4},\s{0,4}(?=\\{0,3}['"])/g,
  /(?<![\w.-])([\w.-]{1,128})\\{0,3}["']?\s{0,4}:\s{0,4}\[\s{0,40}(?=\\{0,3}["'])/g,
  /["'](?:name|key)\\{0,3}["']\s{0,4}:\s{0,4}\\{0,3}["']([\w.-]{1,128})\\{0,3}["']\s{0,4},\s{0,40}\\{0,3}["']value\\{0,3}["']\s{0,4}:\s{0,4}/gi,
  /(?<!\w)(?:key|name)=\\{0,3}["']([\w.-]{1,128})\\{0,3}["']\s{1,40}value=/gi,
  /-Name\s{1,4}['"]?([\w.-]{1,80})['"]?\s{1,4}(?:-\w{1,40}\s{1,4}[^\s-]\S{0,80}\s{1,4}){0,4}-Value\s{1,4}/gi,
  /printf\s{1,4}-v\s{1,4}(\w{1,60})\s{1,4}\S{1,40}\s{1,4}/g,
  /(?<![\w$:])env:\\?(\w{1,60})['"]?\s{1,4}(?:-Value\s{1,4})?(?![-=|)\s])/gi,
  /(?<![\w-])(?:(?:set|new)-itemproperty|sp)\s{1,4}[^\s-]\S{0,200}\s{1,4}['"]?([\w.-]{1,80})['"]?\s{1,4}(?![-\s])/gi,
  /(?<!\w)read\s{1,4}(?:-\w{1,10}\s{1,4}){0,4}(\w{1,60})\s{0,4}<<<\s{0,4}/g,
];

/** What precedes a secret in the input of a program that the text names. */
const OF_PROGRAM: readonly (Head & { readonly program: RegExp })[] = [
  {
    program: /(?<!\w)l?ftp(?!\w)/i,
    head: /^[ \t]{0,8}(?:quote[ \t]{1,4})?(?:user[ \t]{1,4}\S{1,60}|pass)[ \t]{1,4}(?=\S{4,200}[ \t\r]{0,4}$)/gim,
  },
  {
    program: /(?<!\w)curl(?!\w)/i,
    head: /(?<![\w-])(?:proxy-)?user\s{0,4}[=:]\s{0,4}(?=["']?[^\s:"']{1,60}:[^\s:"'/]{4})/gi,
    part: 'after_colon',
  },
  {
    program: /(?:redis|valkey|keydb)-cli|6379/,
    head: /(?<!\w)AUTH\s{1,4}(?:[A-Za-z]\w{0,40}\s{1,4})?(?=[^\s\\"'-])/g,
  },
];
const PWD_MEMBER = /(?<![^\s{,;(@"'])pwd\\{0,3}["']?\s{0,4}[:=]\s{0,4}(?=\\{0,3}["'{])/gi;

/** Marks what follows words that announce a secret. */
export function heads(text: string, mark: Mark): string {
  const plain = HEADS.reduce((result, { head, part }) => replaceAfter(result, head, mark, undefined, part), text);
  const named = NAMED.reduce(
    (result, head) =>
      replaceAfter(result, head, mark, { name: isSecretName, value: (name, inner) => !isPlainValue(name, inner) }),
    plain,
  );
  const members = replaceAfter(named, PWD_MEMBER, mark, { name: () => true, value: (_, inner) => !isPath(inner) });
  return OF_PROGRAM.reduce(
    (result, { program, head, part }) =>
      program.test(result) ? replaceAfter(result, head, mark, undefined, part) : result,
    members,
  );
}

const SCHEME = '(?:bearer|basic|digest|negotiate|ntlm|token|apikey|bot|aws4-hmac-sha256)';
const AUTHORIZATION = String.raw`(?<!\w)(?:proxy-)?authorization(?:\\{0,7}["'])?\]?\s{0,4}[:=]\s{0,4}(?:\\{0,7}["'])?`;
const PARAMETERS = String.raw`\w{1,40}=\\{0,3}"[^"\\\r\n]{0,2000}\\{0,3}"(?:,\s{0,4}\w{1,40}=(?:\\{0,3}"[^"\\\r\n]{0,2000}\\{0,3}"|[\w./-]{1,2000})){0,20}`;
const BY_PARAMETERS = new RegExp(String.raw`(${AUTHORIZATION}\w{1,30}\s{1,4})(${PARAMETERS})`, 'gi');
const BY_VALUE = new RegExp(String.raw`(${AUTHORIZATION}(?:${SCHEME}\s{1,4})?)([^"'\r\n\\]{1,8192})`, 'gi');

/** The value of an Authorization header, in the header's line or as a member of that name. */
export function authorization(text: string, mark: Mark): string {
  const one = (whole: string, head: string, value: string): string =>
    isHarmless(value) || /^\$\{?\w+\}?$/.test(value.trim()) ? whole : head + mark(value);
  return text.replace(BY_PARAMETERS, one).replace(BY_VALUE, one);
}
