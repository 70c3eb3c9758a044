/** Which part of the word after an option is the secret. */
export type Part = 'all' | 'after_colon' | 'after_percent' | 'after_comma';

/** Programs that take a secret by a short option or by position. `heads` match what stands right before the secret's word. */
export interface CommandRule {
  readonly program: RegExp;
  readonly head: RegExp;
  readonly part: Part;
}

const rule = (program: string, head: RegExp, part: Part = 'all'): CommandRule => ({
  program: new RegExp(String.raw`(?<![\w.-])(?:${program})(?:\.exe)?(?![\w-])`, 'i'),
  head,
  part,
});

/** A segment's secrets by program, for what no long option's name gives away. */
export const COMMAND_RULES: readonly CommandRule[] = [
  rule('mysql|mysqldump|mysqladmin|mysqlimport|mysqlcheck|mysqlshow|mysqlsh|mycli|mariadb(?:-\\w+)?', /\s-p(?=\S)/g),
  rule('sshpass', /\s-p\s{0,4}/g),
  rule('plink|pscp|psftp|putty', /\s-pw\s{1,4}/g),
  rule('mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport|psexec(?:64)?|paexec|winexe', /\s[-/]p\s{0,4}/g),
  rule('(?:docker|podman|nerdctl|buildah|skopeo|az|oc|helm\\s+registry|crane\\s+auth)\\s+login', /\s-p[\s=]{0,4}/g),
  rule('curl|wget', /\s(?:-[A-Za-z]{0,8}[uU]|--user|--proxy-user)[\s=]{0,4}/g, 'after_colon'),
  rule('https?', /\s(?:-a|--auth)[\s=]{0,4}/g, 'after_colon'),
  rule('ldap(?:search|add|modify|delete|passwd|whoami|compare|modrdn)', /\s-[ws]\s{0,4}/g),
  rule('redis-cli|valkey-cli|keydb-cli', /\s-a\s{1,4}/g),
  rule('smbclient|rpcclient|smbmap|smbget|smbcacls|net', /\s-U\s{0,4}/g, 'after_percent'),
  rule('sqlcmd|bcp|isql|osql|ipmitool|zip|unzip|mssql-cli', /\s[-/]P\s{0,4}/g),
  rule('snmp\\w+', /\s-[cAX]\s{1,4}/g),
  rule('7z|7za|7zz|rar|unrar', /\s-h?p(?=\S)/g),
  rule('useradd|usermod|groupadd|groupmod', /\s-p\s{1,4}/g),
  rule('lftp', /\s-u\s{0,4}/g, 'after_comma'),
  rule('xfreerdp|wfreerdp|cmdkey|winrs|wmic|net1?', /\s[-/](?:p|pass|password):/gi),
  rule('schtasks', /\s\/r?p\s{1,4}(?!\/)/gi),
  rule('htpasswd', /\s-[A-Za-z]{0,6}b[A-Za-z]{0,6}\s+[^\s]{1,200}\s+[^\s]{1,200}\s+/g),
  rule('net1?', /\suser\s+[^\s/]{1,100}\s+(?!\/)/gi),
  rule('net1?', /\suse\s+(?:[A-Za-z*]:?\s+)?\\\\[^\s]{1,200}\s+(?!\/)/gi),
  rule('nmcli', /\s(?:password|\S{0,20}psk|psk)\s+/g),
  rule('openssl', /\s-[kK]\s+/g),
  rule('gpg2?', /\s--passphrase\s+/g),
  rule('sqlplus|expdp|impdp|rman|sqlldr', /\s[A-Za-z]\w{0,60}\/(?=[^\s/])/g),
  rule('convertto-securestring', /ConvertTo-SecureString\s{1,8}(?:-(?:String|AsPlainText|Force)\s{1,4}){0,3}(?!-)/gi),
  rule(
    'new-object|pscredential|networkcredential',
    /NetworkCredential[\s(@]{1,8}(?:'[^']{0,200}'|"[^"]{0,200}")\s{0,4},\s{0,4}/gi,
  ),
];

/** Most text names none of the programs that take or read secrets, and needs no look at its segments. */
export const NAMES_PROGRAM = new RegExp(
  [
    ...COMMAND_RULES.map(({ program }) => program.source),
    String.raw`passwd|cryptsetup|kinit|\bsudo?\b|securestring|-stdin|-fd`,
  ].join('|'),
  'i',
);

/** What precedes a secret's word in any text. */
export const HEADS: readonly RegExp[] = [
  /(?<![\w-])(?:pass|plain):(?=\S)/g,
  /(?<!\w)identified\s{1,4}(?:with\s{1,4}\S{1,60}\s{1,4})?(?:by|as)\s{1,4}(?:password\s{1,4})?/gi,
  /(?<!\w)password(?:\s{1,4}|\s{0,4}\(\s{0,4})(?=['"])/gi,
  /(?<![\w-])bearer\s{1,4}(?=[^\s'"]{6})/gi,
  /(?<=[;"'])pwd\s{0,4}=\s{0,4}/gi,
];

/** Reads a password from its standard input; matched against one segment of a pipeline. */
export const READS_PASSWORD =
  /^\s*(?:sudo\s+(?:-[A-Za-z]+\s+){0,4})?(?:\/\S{0,60}\/)?(?:chpasswd|passwd|smbpasswd|cryptsetup|saslpasswd2|kinit|su|ConvertTo-SecureString)(?:\s|$)|^\s*sudo\s(?:.{0,200}\s)?(?:-[A-Za-z]{0,8}S|--stdin)(?:\s|$)|\s--(?:password-stdin|passphrase-fd|stdin|token-stdin)(?:[\s=]|$)/i;
/** Writes its arguments to its standard output; a bare string does in PowerShell. */
export const WRITES_TEXT = /^\s*(?:(?:echo|printf|print|write-output)(?:\s+-\w{1,20})*(?:\s|$)|(?=['"]))/i;

/** A file that holds keys or passwords, named on the line that starts a here-document. */
export const SECRET_FILE =
  /id_(?:rsa|dsa|ecdsa|ed25519)|\.(?:pem|key|p12|pfx|ppk|jks|kdbx|env|netrc|pgpass|my\.cnf|htpasswd)(?![\w.])|authinfo|credential|secret|passw|token|shadow|kubeconfig|vault/i;
