import { expect, test } from 'vitest';
import { createClassify, prepareFor } from '../../src/classify/index.js';
import type { Shell } from '../../src/domain/call.js';
import { remotePart } from '../../src/hooks/remote-part.js';

const classify = createClassify();
async function part(source: string, language: Shell = 'bash') {
  const operations = [{ kind: 'command', language, source } as const];
  await prepareFor(operations);
  return remotePart(classify(operations), source);
}

test.each([
  'ls -la',
  'npm test',
  'npm run build && node dist/x.js',
  './deploy.sh --fast',
  'make -j4',
  'rm -rf build',
  'git commit -m "fix ssh and scp"',
  'git push origin main',
  'FOO=1 npm test',
  'python3 -m pytest',
  'cat ~/.ssh/config',
  'apt-get install -y openssh-client',
  'grep -rn "ssh " src',
  'echo "ssh db01 uptime" > notes.txt',
  'kubectl delete pod x',
  'docker compose up -d',
])('%s stays on the client’s own machine', async (source) => {
  expect(await part(source)).toBeUndefined();
});

test.each([
  ['ssh db01 uptime', 'read_only', ['db01']],
  ['ssh db01 "rm -rf /x"', 'mutating', ['db01']],
  ['rm x && ssh db01 rm y', 'mutating', ['db01']],
  ['s""sh db01 rm y', 'mutating', ['db01']],
  ['bash -c "ssh db01 reboot"', 'mutating', ['db01']],
  ['scp f db01:/etc/f', 'mutating', ['db01']],
  ['rsync -a a/ db01:/b', 'mutating', ['db01']],
  ['psql -h db01 -c "drop table x"', 'mutating', ['db01']],
  ['ansible-playbook site.yml', 'unknown', ['']],
  ['winrs -r:db01 dir', 'unknown', ['']],
  ['for h in a b; do ssh $h reboot; done', 'mutating', ['']],
  ['cat hosts | xargs -I{} ssh {} reboot', 'unknown', ['']],
] as const)('%s is %s on %j', async (source, effect, hosts) => {
  const found = await part(source);
  expect(found?.effect).toBe(effect);
  const reached = found?.findings.flatMap(({ reaches = [] }) => reaches.map(({ host }) => host));
  expect([...new Set(reached)]).toEqual(hosts);
  // What it changes on the client's own machine is nobody's concern here.
  expect(found?.findings.every(({ elsewhere }) => elsewhere === true)).toBe(true);
});

test.each([
  'X=ssh; $X db01 rm y',
  '$(printf s; printf sh) db01 reboot',
  'eval "$(base64 -d <<< c3No)"',
  'python3 -c "import paramiko; paramiko.SSHClient()"',
  'tmux send-keys "ssh db01 reboot" Enter',
  'if [',
  'my-own-ssh-wrapper; custom "ssh db01"',
])('%s cannot be told, and is judged', async (source) => {
  expect(await part(source)).toMatchObject({ effect: 'unknown' });
});

test('PowerShell that names a computer is judged', async () => {
  expect(await part('Invoke-Command -ComputerName db01 { Remove-Item C:/x }', 'powershell')).toBeDefined();
  expect(await part('Get-ChildItem', 'powershell')).toBeUndefined();
});
