import { type Planted, secretFor } from './planted.js';

type Make = (secret: string) => Readonly<Record<string, unknown>>;
type Shaped = readonly [title: string, make: Make, keep: string];

const utf16 = (text: string): string => Buffer.from(text, 'utf16le').toString('base64');
const lines = (text: string): string => text.replace(/.{76}/g, '$&\n');
const base64 = (text: string): string => Buffer.from(text).toString('base64');

const SHAPED: readonly Shaped[] = [
  ['a member with a secret name', (s) => ({ command: 'ls /srv', password: s }), 'ls /srv'],
  ['a nested member', (s) => ({ command: 'ls /srv', options: { auth: { apiToken: s, retries: 3 } } }), 'retries'],
  ['camel case', (s) => ({ command: 'ls /srv', sudoPassword: s, clientSecret: s }), 'ls /srv'],
  ['env', (s) => ({ command: 'deploy', env: { DB_PASSWORD: s, PORT: '80' } }), 'PORT'],
  [
    'pairs of name and value',
    (s) => ({
      variables: [
        { name: 'API_TOKEN', value: s },
        { name: 'A', value: 'b' },
      ],
    }),
    '"b"',
  ],
  ['pairs of key and value', (s) => ({ variables: [{ key: 'db.password', value: s }], command: 'ls /srv' }), 'ls /srv'],
  ['a vector, option apart', (s) => ({ argv: ['deploy', '--password', s, '--now'] }), '--now'],
  ['a vector, option attached', (s) => ({ argv: ['mysql', '-u', 'root', `-p${s}`, 'shop'] }), 'shop'],
  ['a vector of sshpass', (s) => ({ argv: ['sshpass', '-p', s, 'ssh', 'app01'] }), 'app01'],
  ['a vector of curl', (s) => ({ argv: ['curl', '-u', `bob:${s}`, 'https://app01/'] }), 'https://app01/'],
  ['a vector of net user', (s) => ({ argv: ['net', 'user', 'bob', s, '/add'] }), '/add'],
  ['a vector of sudo bash -c', (s) => ({ argv: ['bash', '-c', `mysql -u root -p${s} shop`] }), 'shop'],
  ['a vector with an assignment', (s) => ({ argv: ['env', `PGPASSWORD=${s}`, 'psql', '-h', 'db01'] }), 'db01'],
  [
    'a vector with an encoded command',
    (s) => ({ argv: ['powershell', '-enc', utf16(`$password = '${s}'; Get-Service`)] }),
    'Get-Service',
  ],
  ['program and args', (s) => ({ program: 'mysql', args: ['-u', 'root', `-p${s}`, '-e', 'status'] }), 'status'],
  ['headers', (s) => ({ url: 'https://app01/', headers: { Authorization: `Bearer ${s}`, Accept: '*/*' } }), '*/*'],
  ['headers in a list', (s) => ({ headers: [`Authorization: Bearer ${s}`, 'Accept: */*'] }), '*/*'],
  ['cookies', (s) => ({ headers: { Cookie: `sid=${s}`, Accept: '*/*' } }), '*/*'],
  ['JSON in a text', (s) => ({ body: JSON.stringify({ user: 'bob', password: s, port: 1 }) }), 'bob'],
  ['JSON in JSON', (s) => ({ body: JSON.stringify(JSON.stringify({ user: 'bob', secret: s })) }), 'bob'],
  ['extra variables of ansible', (s) => ({ extra_vars: { ansible_become_pass: s, x: 'y' } }), '"y"'],
  ['extra variables as text', (s) => ({ extra_vars: `ansible_password=${s} x=y` }), 'x=y'],
  [
    'an inventory',
    (s) => ({ inventory: `[web]\napp01 ansible_user=root ansible_password=${s}\n[db]\ndb01\n` }),
    'ansible_user=root',
  ],
  ['a playbook', (s) => ({ playbook: `- hosts: web\n  vars:\n    db_password: ${s}\n  tasks: []\n` }), 'tasks'],
  ['a host with a login', (s) => ({ host: `root:${s}@app01`, command: 'ls /srv' }), 'app01'],
  ['a host as URL', (s) => ({ host: `ssh://root:${s}@app01:22`, command: 'ls /srv' }), 'app01'],
  ['a connection string', (s) => ({ connection: `Server=db01;User Id=sa;Password=${s}` }), 'db01'],
  [
    'a key as text',
    (s) => ({ privateKey: `-----BEGIN OPENSSH PRIVATE KEY-----\n${s}\n-----END OPENSSH PRIVATE KEY-----`, a: 'kept' }),
    'kept',
  ],
  [
    'a key in lines',
    (s) => ({ lines: ['-----BEGIN RSA PRIVATE KEY-----', s, '-----END RSA PRIVATE KEY-----'], a: 'kept' }),
    'kept',
  ],
  ['a secret that another argument repeats', (s) => ({ password: s, command: `echo ${s} > /tmp/x` }), '/tmp/x'],
  [
    'a secret that an earlier argument repeats',
    (s) => ({ command: `printf %s ${s} > /tmp/x`, zPassword: s }),
    '/tmp/x',
  ],
  [
    'a secret that a command repeats',
    (s) => ({ command: `export TOKEN=${s}; curl -d ${s} https://app01/` }),
    'https://app01/',
  ],
  [
    'a secret repeated in another form',
    (s) => ({ password: `${s}/+`, body: encodeURIComponent(`${s}/+`), a: 'kept' }),
    'kept',
  ],
  ['a secret as a key', (s) => ({ map: { [`TOKEN=${s}`]: 1 }, a: 'kept' }), 'kept'],
  [
    'powershell -EncodedCommand',
    (s) => ({ command: `powershell -NoProfile -EncodedCommand ${utf16(`$password = '${s}'; Get-Service`)}` }),
    'Get-Service',
  ],
  ['powershell.exe -e', (s) => ({ command: `powershell.exe -e ${utf16(`net user bob ${s} /add`)}` }), '/add'],
  [
    'pwsh -ec',
    (s) => ({ command: `pwsh -ec "${utf16(`ConvertTo-SecureString '${s}' -AsPlainText -Force`)}"` }),
    '-AsPlainText',
  ],
  [
    'cmd with an encoded command',
    (s) => ({ command: `cmd /c "powershell -EncodedCommand ${utf16(`Invoke-Sqlcmd -Password ${s} -Query q1`)}"` }),
    'q1',
  ],
  [
    'base64 piped to a shell',
    (s) => ({ command: `echo ${base64(`mysql -u root -p${s} shop`)} | base64 -d | sh` }),
    'base64 -d',
  ],
  [
    'base64 of a file',
    (s) => ({ command: `base64 -d > /etc/app.env <<< ${base64(`DB_PASSWORD=${s}\nPORT=80\n`)}` }),
    '/etc/app.env',
  ],
  [
    'base64 in PowerShell',
    (s) => ({
      command: `[Text.Encoding]::Unicode.GetString([Convert]::FromBase64String('${utf16(`$token = "${s}"`)}'))`,
    }),
    'FromBase64String',
  ],
  [
    'base64 of a login',
    (s) => ({ command: `curl -H "X-Auth: ${base64(`bob:${s}`)}" -u bob:${s} https://app01/` }),
    'https://app01/',
  ],
  [
    'base64 in lines',
    (s) => ({
      command: `base64 -d <<EOF | sh\n${lines(base64(`# ${'a'.repeat(53)}\nmysql -u root -p${s} shop\n`))}\nEOF`,
    }),
    'base64 -d',
  ],
  [
    'base64 behind a byte order mark',
    (s) => ({ command: `powershell -enc ${utf16(`\ufeff$password = '${s}'; Get-Service`)}` }),
    'Get-Service',
  ],
  [
    'base64 that is cut where it is too long',
    (s) => ({ command: `powershell -enc ${utf16(`$password = '${s}'; Get-Service; ${'#'.repeat(150_000)}`)}` }),
    'powershell -enc',
  ],
  [
    'hexadecimal digits',
    (s) => ({ command: `echo ${Buffer.from(`mysql -uroot -p${s}`).toString('hex')} | xxd -r -p | sh` }),
    'xxd -r -p',
  ],
  [
    'escaped bytes',
    (s) => ({
      command: `printf '${[...Buffer.from(`DB_PASSWORD=${s}`)].map((byte) => `\\x${byte.toString(16)}`).join('')}' > a.conf`,
    }),
    'a.conf',
  ],
  [
    'encoded thrice',
    (s) => ({
      command: `powershell -enc ${utf16(`powershell -enc ${utf16(`powershell -enc ${utf16(`net user bob ${s}`)}`)}`)}`,
    }),
    'powershell -enc',
  ],
  [
    'percent-encoded',
    (s) => ({ command: `curl -d 'body=password%3D${s}%26user%3Dbob' https://app01/` }),
    'https://app01/',
  ],
  [
    'standard input of sudo',
    (s) => ({ command: 'sudo -S systemctl restart app', stdin: `${s}\n` }),
    'systemctl restart app',
  ],
  ['standard input of chpasswd', (s) => ({ command: 'chpasswd', stdin: `root:${s}\n` }), 'chpasswd'],
  ['answer to a prompt', (s) => ({ command: 'passwd bob', input: `${s}\n${s}\n` }), 'passwd bob'],
  ['.env as content', (s) => ({ path: '/srv/.env', text: `DB_PASSWORD=${s}\nDEBUG=1\n` }), '/srv/.env'],
  ['numbers as a secret', (s) => ({ pin_code: 1, otp: s, command: 'ls /srv' }), 'ls /srv'],
];

export const STRUCTURED: readonly Planted[] = SHAPED.map(([title, make, keep]) => {
  const secret = secretFor(title);
  return { title, shell: 'arguments', args: make(secret), secret, keep };
});
