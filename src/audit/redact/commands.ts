import type { Part } from './marks.js';

/** Programs that take a secret by a short option or by position. `head` matches what stands right before the secret's word. */
export interface CommandRule {
  readonly program: RegExp;
  readonly head: RegExp;
  readonly part: Part;
  /** The program's names where they are plain words: a quick look spares most rules the pattern. */
  readonly names?: readonly string[] | undefined;
  /** The head's first group is a name, and only a secret's name makes the word a secret. */
  readonly named: boolean;
}

const rule = (program: string, head: RegExp, part: Part = 'all', named = false): CommandRule => ({
  program: new RegExp(String.raw`(?<![\w.-])(?:${program})(?:\.exe)?(?![\w-])`, 'i'),
  names: /^[\w|-]+$/.test(program) ? program.toLowerCase().split('|') : undefined,
  head,
  part,
  named,
});

const MYSQL =
  'mysql|mysqldump|mysqladmin|mysqlimport|mysqlcheck|mysqlshow|mysqlsh|mysqlpump|mysqlbinlog|mysqlslap|mariabackup|xtrabackup|mycli|mariadb(?:-\\w+)?';
const MONGO = 'mongo|mongosh|mongodump|mongorestore|mongoexport|mongoimport';
const REMOTE =
  'psexec(?:64)?|paexec|smbmap|enum4linux|rabbitmqadmin|hdbsql|jboss-cli\\.sh|add-user\\.sh|winexe|evil-winrm|nxc|netexec|crackmapexec|rdesktop|racadm|esxcli|cqlsh|twine|doveadm|certutil';
const IMPACKET = String.raw`impacket-\w+|(?:psexec|wmiexec|smbexec|atexec|dcomexec|secretsdump|mssqlclient|get\w+)\.py`;
const SMB = 'smbclient|rpcclient|smbmap|smbget|smbcacls|(?:pth-)?winexe|net';
const WRITER = String.raw`(?:set|add)-content(?=\s[^|;\n]{0,300}(?:secret|passw|credential|token|\.env))`;

/** What makes a shell say the word after it. */
const SAYS = String.raw`\s{0,4}(?:echo|printf)\s{1,4}(?:-\w{1,4}\s{1,4})?`;

/** `htpasswd -b [FILE] USER SECRET`: so many words stand between its options and the secret; with `-n` there is no file. */
function htpasswd(isShown: boolean, words: number): RegExp {
  const options = String.raw`(?:\s{1,4}-\w{1,10}(?:\s{1,4}\d{1,6})?){0,6}`;
  const shown = String.raw`(?${isShown ? '=' : '!'}${options}\s{1,4}-\w{0,8}n)`;
  return new RegExp(
    String.raw`htpasswd(?:\.exe)?(?=${options}\s{1,4}-\w{0,8}b)${shown}${options}(?:\s{1,4}[^\s-]\S{0,200}){${words}}\s{1,4}`,
    'g',
  );
}

/** A segment's secrets by program, for what no long option's name gives away. */
export const COMMAND_RULES: readonly CommandRule[] = [
  rule(MYSQL, /\s-p(?=\S)/g),
  rule('mysqladmin', /\spassword\s{1,4}/g),
  rule('sshpass', /sshpass(?:\.exe)?(?:\s{1,4}-(?:v|P\s{1,4}\S{1,60})){0,3}\s{1,4}-p\s{0,4}/gi),
  rule('plink|pscp|psftp|putty', /\s-pw\s{1,4}/g),
  rule(`${MONGO}|${REMOTE}`, /\s[-/]p[\s=]{0,4}/g),
  rule('(?:docker|podman|nerdctl|buildah|skopeo|az|oc|helm|crane)\\s(?:.{1,100}\\s)?login', /\s-p[\s=]{0,4}/g),
  rule('skopeo|podman|buildah', /\s--(?:src-|dest-)?creds[\s=]{1,4}/g, 'after_colon'),
  rule('az\\s(?:.{1,100}\\s)?secret\\s{1,4}set', /\s--value[\s=]{1,4}/g),
  rule('curl|wget', /\s(?:-[A-Za-z]{0,8}[uU]|--user|--proxy-user)[\s=]{0,4}/g, 'after_colon'),
  rule('curl', /\s(?:-E|--cert|--proxy-cert)[\s=]{0,4}(?!['"]?[A-Za-z]:[\\/])/g, 'after_colon'),
  rule('curl', /\s(?:-[A-Za-z]{0,8}b|--cookie)[\s=]{0,4}(?=['"]?[^\s'"=]{1,200}=)/g, 'after_equals'),
  rule('https?', /\s(?:-a|--auth)[\s=]{0,4}/g, 'after_colon'),
  rule('etcdctl', /\s--user[\s=]{1,4}/g, 'after_colon'),
  rule(IMPACKET, /\s-hashes\s{1,4}/g),
  rule(IMPACKET, /\s(?=['"]?[\w./\\-]{1,100}:[^\s@]{1,200}@)/g, 'login'),
  rule('ldap(?:search|add|modify|delete|passwd|whoami|compare|modrdn)', /\s-[A-Za-z]{0,3}[ws]\s{0,4}/g),
  rule(
    'ldap(?:search|add|modify|delete|passwd|whoami|compare|modrdn)',
    new RegExp(String.raw`\s-y\s{1,4}<\(${SAYS}`, 'g'),
  ),
  rule('kadmin(?:\\.local)?', /\s-p?w\s{1,4}/g),
  rule('slappasswd', /\s-s\s{1,4}/g),
  rule('redis-cli|valkey-cli|keydb-cli', /\s(?:-a|AUTH)[\s=]{1,4}/gi),
  rule('redis-cli|valkey-cli|keydb-cli', /\sAUTH\s{1,4}\S{1,200}\s{1,4}(?!-)/gi),
  rule(SMB, /\s(?:-U\s{0,4}|--user[\s=]{1,4})/g, 'after_percent'),
  rule('mount(?:\\.cifs)?', /(?<!\w)user(?:name)?=(?=[^\s,%]{1,60}%)/g, 'after_percent'),
  rule('samba-tool', /\suser\s{1,4}(?:create|add)\s{1,4}\S{1,100}\s{1,4}(?![-\s])/g),
  rule('net', /\srpc\s{1,4}(?:user\s{1,4}add|password)\s{1,4}\S{1,100}\s{1,4}(?![-\s])/gi),
  rule('smbclient', /\s['"]?(?:\/\/|\\\\)\S{1,200}\s{1,4}(?![-\s])/g),
  rule('sqlcmd|bcp|isql|osql|tsql|ipmitool|mssql-cli|mosquitto_\\w+', /\s[-/]P\s{0,4}/g),
  rule('ipmitool', /\suser\s{1,4}set\s{1,4}password\s{1,4}\d{1,3}\s{1,4}/g),
  rule('(?:net-)?snmp[\\w-]+', /\s-[cAX]\s{0,4}/g),
  rule('zip|unzip', /\s-[A-Za-z]{0,6}P\s{0,4}/g),
  rule('qpdf', /\s--encrypt\s{1,4}/g),
  rule('qpdf', /\s--encrypt\s{1,4}\S{1,200}\s{1,4}/g),
  rule('pdftk', /\s(?:user|owner|input)_pw\s{1,4}/g),
  rule('mosquitto_passwd', /\s-b\s{1,4}\S{1,200}\s{1,4}\S{1,100}\s{1,4}/g),
  rule('ncat|nmap', /\s--proxy-auth[\s=]{1,4}/g, 'after_colon'),
  rule('govc', /\s-u[\s=]{1,4}/g, 'login'),
  rule('racadm', /\sset\s{1,4}[\w.]{1,80}\.password\s{1,4}/gi),
  rule('wpa_cli', /\s(?:psk|password|wep_key\d)\s{1,4}/g),
  rule('iw', /\skeys?\s{1,4}/g, 'after_colon'),
  rule('caddy', /\s--plaintext[\s=]{1,4}/g),
  rule('isql|iusql', /isql(?:\s{1,4}-\w{1,8}){0,4}(?:\s{1,4}[^\s-]\S{0,60}){2}\s{1,4}(?![-\s])/g),
  rule('db2', /\susing\s{1,4}/gi),
  rule('hdbuserstore', /\sset(?:\s{1,4}[^\s-]\S{0,100}){3}\s{1,4}/gi),
  rule('glab', /\s-t\s{1,4}/g),
  rule('gh\\s{1,4}(?:secret|variable)', /\s(?:-b|--body)[\s=]{1,4}/g),
  rule('7z|7za|7zz|rar|unrar', /\s-h?p(?=\S)/g),
  rule('useradd|usermod|groupadd|groupmod', /\s-p\s{1,4}/g),
  rule('ssh-keygen', /\s-[NP]\s{1,4}/g),
  rule('lftp', /\s-u\s{0,4}/g, 'after_comma'),
  rule('rabbitmqctl', /\s(?:add_user|change_password|authenticate_user)\s{1,4}\S{1,100}\s{1,4}/g),
  rule(
    'grafana(?:-cli|-server)?',
    /\sreset-admin-password\s{1,4}(?:--?[\w-]{1,40}[\s=]\S{1,200}\s{1,4}){0,4}(?![-\s])/g,
  ),
  rule('vault', /\s(?:login|operator\s{1,4}unseal|token\s{1,4}(?:renew|revoke|lookup))\s{1,4}(?![-\s]|\w{1,40}=)/g),
  rule('vault\\s{1,4}kv\\s{1,4}(?:put|patch)', /\s(?!-|user|host|port|name|ttl|path)[\w./-]{1,80}=(?!\[)/g),
  rule('rclone|bw', /\s(?:obscure|unlock)\s{1,4}(?!-)/g),
  rule('mc', /\s(?:alias\s{1,4}set|config\s{1,4}host\s{1,4}add)(?:\s{1,4}[^\s-]\S{0,200}){3}\s{1,4}/g),
  rule('(?:kubectl|oc)\\s.{0,100}\\ssecret', /\s--from-literal[\s=]{1,4}/g, 'after_equals'),
  rule('aws\\s(?:\\S{1,100}\\s){0,6}(?:ssm|secretsmanager)', /\s--(?:value|secret-string|secret-binary)[\s=]{1,4}/g),
  rule(
    'npm|yarn|pnpm|aws|git|rclone|gh|poetry|composer|pulumi|gcloud',
    /(?<![\w.-])([\w.-]{1,80})\s{1,4}(?![-\s])/g,
    'all',
    true,
  ),
  rule('setx', /setx(?:\.exe)?\s{1,4}([\w.-]{1,80})\s{1,4}(?!\/)/gi, 'all', true),
  rule(
    'reg',
    /\/d\s{1,4}(?=(?:"[^"]{0,200}"|[^\s"]{1,200})\s(?:[^\n]{0,80}\s)?\/v\s{1,4}"?([\w.-]{1,80}))/gi,
    'all',
    true,
  ),
  rule('reg', /\/v\s{1,4}"?([\w.-]{1,80})"?\s(?:[^\n]{0,80}\s)?\/d\s{1,4}/gi, 'all', true),
  rule('ansible-vault', /\sencrypt_string(?:\s{1,4}--?[\w-]{1,40}[\s=]{1,4}[^\s-]\S{0,80}){0,4}\s{1,4}(?![-\s])/g),
  rule('xfreerdp|wfreerdp|cmdkey|winrs|wmic|net1?', /\s[-/](?:p|pass|password):/gi),
  rule('vaultcmd', /\/authenticator:/gi),
  rule('schtasks|setx', /\s\/r?p[\s:]{1,4}(?!\/)/gi),
  rule('netdom', /\/p[do]:/gi),
  rule('rasdial', /rasdial(?:\s{1,4}[^\s/]\S{0,100}){2}\s{1,4}(?![/\s])/gi),
  rule('ldifde|csvde', /\s-b(?:\s{1,4}[^\s-]\S{0,100}){2}\s{1,4}(?![-\s])/gi),
  rule('iscsicli', /\sQLoginTarget(?:\s{1,4}\S{1,200}){2}\s{1,4}/gi),
  rule('prn\\w+\\.vbs', /\s-w\s{1,4}/gi),
  rule('sc', /\spassword=\s{1,4}/gi),
  rule('netsh', /\skey=/gi),
  rule('dsmod|dsadd', /\s-pwd\s{1,4}/gi),
  rule('bitsadmin', /\/setcredentials(?:\s{1,4}\S{1,100}){4}\s{1,4}/gi),
  rule('htpasswd', htpasswd(true, 1)),
  rule('htpasswd', htpasswd(false, 2)),
  rule(
    'net1?',
    /(?<!\srpc)\suser\s{1,4}(?:\/[\w:]{1,40}\s{1,4}){0,3}(?:"[^"]{1,100}"|'[^']{1,100}'|[^\s/"']{1,100})\s{1,4}(?![/\s])/gi,
  ),
  rule(
    'net1?',
    /\suse\s{1,4}(?:[A-Za-z*]:?\s{1,4})?(?:(["'])\\\\[^"'\n]{1,200}\1|['"]?\\\\[^\s"']{1,200}['"]?|https?:\/\/\S{1,200})\s{1,4}(?![/\s])/gi,
  ),
  rule('net1?', /\/u(?:ser)?:(?:"[^"]{1,100}"|[^\s"]{1,100})\s{1,4}(?![/\s])/gi),
  rule('nmcli', /\s(?:password|\S{0,20}psk|psk)\s{1,4}/g),
  rule('wpa_passphrase', /wpa_passphrase\s{1,4}(?:"[^"]{1,60}"|'[^']{1,60}'|\S{1,60})\s{1,4}/g),
  rule('openssl', /\s-(?:[kK]|hmac)\s{1,4}/g),
  rule('openssl', /\spasswd(?:\s{1,4}-(?:salt\s{1,4}\S{1,60}|\w{1,20})){0,6}\s{1,4}(?![-\s])/g),
  rule('mkpasswd', /mkpasswd(?:\s{1,4}-(?:[mSR]\s{0,4}\S{1,60}|-\S{1,60}|\w)){0,6}\s{1,4}(?![-\s])/g),
  rule('gpg2?', /\s--passphrase\s{1,4}/g),
  rule('sqlplus|expdp|impdp|rman|sqlldr', /\s[A-Za-z]\w{0,60}\/(?=[^\s/])/g, 'before_at'),
  rule(WRITER, /\s-Value\s{1,4}/gi),
  rule('convertto-securestring', /ConvertTo-SecureString\s{1,8}(?:-\w{1,12}\s{1,4}){0,3}(?!-)/gi),
];

/** Most text names none of the programs that take or read secrets, and needs no look at its segments. */
export const NAMES_PROGRAM = new RegExp(
  [...new Set(COMMAND_RULES.map(({ program }) => program.source))].join('|'),
  'i',
);
