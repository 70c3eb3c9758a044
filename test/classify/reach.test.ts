import { describe, expect, it } from 'vitest';
import { classifyCommand, preparePowerShell } from '../../src/classify/index.js';
import { coverage, reachOf } from '../../src/domain/assessment.js';
import type { Shell } from '../../src/domain/call.js';

await preparePowerShell();

const reach = (shell: Shell, command: string): string => {
  const { here, others } = reachOf(classifyCommand(shell, command));
  const named = others.map(({ host, client }) => `${client === 'ssh' ? 'ssh ' : ''}${host === '' ? '?' : host}`);
  return [...(here ? ['here'] : []), ...named].join(', ');
};

describe('what a command acts on', () => {
  it.each([
    ['rm x', 'here'],
    ['ls', ''],
    ["ssh db01 'rm x'", 'ssh db01'],
    ["ssh -p 22 root@db01 'rm x; touch y'", 'ssh ssh://db01:22'],
    ['ssh ssh://root@db01:2222 rm x', 'ssh ssh://db01:2222'],
    ['ssh -p 2222 ssh://db01:2222 rm x', 'ssh ssh://db01:2222'],
    ['ssh -p 22 ssh://db01:2222 rm x', '?'],
    ['ssh -p "$p" db01 rm x', '?'],
    ['ssh -o Port=2202 db01 rm x', 'ssh ssh://db01:2202'],
    ['ssh -p 2202 2001:db8::5 rm x', 'ssh ssh://[2001:db8::5]:2202'],
    ['ssh -p 2202 localhost rm x', 'ssh ssh://localhost:2202'],
    ['ssh localhost rm x', 'here'],
    ['ssh -o ControlPath=/tmp/c db01 rm x', '?'],
    ['scp -o ControlPath=/tmp/c a db01:/b', '?'],
    ['scp -o Unheard=of a db01:/b', '?'],
    ['ssh 2001:db8::1:5 rm x', 'ssh 2001:db8::1:5'],
    ["ssh -J bastion db01 'rm x'", 'ssh db01'],
    ["ssh a 'ssh b rm x'", 'ssh b'],
    ["ssh a rm x; ssh b 'rm y'; rm z", 'here, ssh a, ssh b'],
    ['ssh db01 ls; rm x', 'here'],
    ['ssh "$h" rm x', '?'],
    ['for h in a b; do ssh $h rm x; done', '?'],
    ['ssh -o HostName=other db01 rm x', '?'],
    ['ssh -o "ProxyCommand=nc other 22" db01 rm x', '?'],
    ['ssh -F file db01 rm x', '?'],
    ["RSYNC_RSH='ssh -S /tmp/s' rsync f db01:", '?, ssh db01'],
    ['env GIT_SSH_COMMAND=x git push', 'here, ?'],
    ['PGHOST=10.0.0.9 psql -c "drop table t"', 'here, ?'],
    ["export RSYNC_RSH='ssh -J far'; rsync -a f db01:/srv", '?, ssh db01'],
    ['RSYNC_RSH=x; export RSYNC_RSH; rsync -a f db01:/srv', '?, ssh db01'],
    ['export RSYNC_RSH; rsync -a f db01:/srv', '?, ssh db01'],
    ["declare -x RSYNC_RSH='ssh -J far' && rsync -a f db01:/srv", '?, ssh db01'],
    ['typeset -x GIT_SSH_COMMAND=x; git push', 'here, ?'],
    ['readonly PGHOST=db02; psql -c "drop table x"', 'here, ?'],
    ['set -a; RSYNC_RSH=x; rsync -a f db01:/srv', 'here, ?, ssh db01'],
    ['set -a; . ./env; rsync -a f db01:/srv', 'here, ?'],
    ['source env; scp f db01:', 'here, ?'],
    ['eval "$(cat env)"; ssh db01 rm x', 'here, ?'],
    ['eval "export RSYNC_RSH=x"; rsync -a f db01:/srv', 'here, ?, ssh db01'],
    ['command export RSYNC_RSH=x; rsync -a f db01:/srv', '?, ssh db01'],
    ['export $(cat env); rsync -a f db01:/srv', 'here, ?'],
    ['read RSYNC_RSH < f; rsync -a f db01:/srv', '?, ssh db01'],
    ['printf -v RSYNC_RSH x; rsync -a f db01:/srv', '?, ssh db01'],
    ['printf -vRSYNC_RSH x; rsync -a f db01:/srv', '?, ssh db01'],
    ['mapfile RSYNC_RSH < f; rsync -a f db01:/srv', '?, ssh db01'],
    ['for RSYNC_RSH in x; do rsync -a f db01:/srv; done', '?, ssh db01'],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: a parameter expansion of the shell
    [': ${RSYNC_RSH:=x}; rsync -a f db01:/srv', '?, ssh db01'],
    ['export PATH=/x:$PATH; rsync -a f db01:/srv', 'here, ?'],
    ['alias rsync=x; rsync -a f db01:/srv', 'here, ?'],
    ['rsync() { x; }; rsync -a f db01:/srv', 'here, ?'],
    ['export RSYNC_PROXY=x; rsync -a f db01::mod', '?, db01'],
    ['DATABASE_URL=postgres://u@db02/x ./migrate', 'here, ?'],
    ['DATABASE_URL=postgres://u@localhost/x ./migrate', 'here'],
    ['DATABASE_URL=postgres://u@localhost/x?host=db02 ./migrate', 'here, ?'],
    ['export PGHOST=localhost; psql -c "drop table x"', 'here'],
    ['PGHOST=/var/run/postgresql psql -c "drop table x"', 'here'],
    ['RSYNC_RSH=/tmp/x rsync -a f db01:/srv', '?, ssh db01'],
    ['export LANG=C APP_MODE=x; rsync -a f db01:/srv', 'here, ssh db01'],
    ['PGPASSWORD=x psql -h db01 -c "drop table t"', 'db01'],
    ["sed -i 's/DB_HOST=.*/DB_HOST=x/' f", 'here'],
    ['ssh -o BatchMode=yes db01 rm x', 'ssh db01'],
    ["sshpass -p x ssh db01 'rm x'", 'ssh db01'],
    ['scp a db01:/b', 'ssh db01'],
    ['scp -P 22 -r a b root@db01:', 'ssh ssh://db01:22'],
    ['scp a scp://db01:2202/b', 'ssh ssh://db01:2202'],
    ['sftp -P 2202 db01', 'ssh ssh://db01:2202'],
    ['scp db01:/a b', 'here'],
    ['scp a:/x b:/y', 'ssh b'],
    ['scp a "$to"', '?'],
    ['scp h:/a "/srv/$x"', 'here'],
    ['rsync -a -e "ssh -p 22" a/ db01:/b/', 'ssh ssh://db01:22'],
    ['rsync -a -e "ssh -i k -o BatchMode=yes" a/ db01:/b/', 'ssh db01'],
    ['rsync -a -e "ssh -S /tmp/c" a/ db01:/b/', '?'],
    ['rsync -a -e nc a/ db01:/b/', '?'],
    ['rsync -a --rsh=/tmp/ssh a/ db01:/b/', '?'],
    ['rsync -a a/ db01::mod/b', 'db01'],
    ['rsync -a db01:/b/ a/', 'here'],
    ['rsync -a --remove-source-files db01:/b/ a/', 'ssh db01'],
    ['rsync -a --exclude x a rsync://db01/m/', 'db01'],
    ['rsync -a -e "ssh -F f" a db01:/b', '?'],
    ['sftp -b batch db01', 'ssh db01'],
    ['ssh-copy-id db01', 'ssh db01'],
    ['psql -h db01 -c "delete from t"', 'db01'],
    ['psql postgresql://u:p@db01/app -c "drop table t"', 'db01'],
    ['mysql -h "$h" -e "drop table t"', '?'],
    ['psql -h localhost -c "delete from t"', 'here'],
    ['docker -H tcp://db01:2375 rm x', 'db01'],
    ['docker -H ssh://db01 rm x', 'ssh db01'],
    ['kubectl delete pod x', ''],
    ['aws s3 rm s3://a/b', ''],
    ["smbclient //db01/data -c 'put x'", 'db01'],
    ["smbclient -I 10.0.0.6 //db01/data -c 'put x'", '10.0.0.6, db01'],
    ["smbclient //me@db01/data -c 'put x'", '?'],
    ["ansible web -m shell -a 'rm x'", '?'],
    ['plink db01 rm x', '?'],
    ['ansible-playbook site.yml', '?'],
  ])('%j: %s', (command, expected) => {
    expect(reach('bash', command)).toBe(expected);
  });

  it.each([
    ['Remove-Item C:\\x', 'here'],
    ['Get-Service -ComputerName db01', ''],
    ['Restart-Computer -ComputerName db01 -Force', 'here, db01'],
    ['Invoke-Command -ComputerName web1,web2 -ScriptBlock { Remove-Item C:\\x }', 'here, web1, web2'],
    ["icm -cn 'web1' { Remove-Item C:\\x }", 'here, web1'],
    ['Invoke-Command -ComputerName $c -ScriptBlock { Remove-Item C:\\x }', 'here, ?'],
    ['Invoke-Command web1 { Remove-Item C:\\x }', 'here, web1'],
    ['Invoke-Command { Remove-Item C:\\x }', 'here'],
    ['Enter-PSSession db01', 'here, db01'],
    ['Restart-Computer -ComputerName localhost', 'here'],
    ['Copy-Item a \\\\db01\\c$\\x', 'here, db01'],
    ['Copy-Item a \\\\?\\C:\\x', 'here'],
    ['Set-Content \\\\?\\UNC\\db01\\share\\x 1', 'here, db01'],
    ['Set-Content \\\\.\\unc\\db01\\share\\x 1', 'here, db01'],
    ['Set-Content //db01/share/x 1', 'here, db01'],
    ['Set-Content FileSystem::\\\\db01\\share\\x 1', 'here, db01'],
    ['Set-Content FileSystem:://db01/share/x 1', 'here, db01'],
    ['Set-Content \\\\db01@SSL@443\\share\\x 1', 'here, db01'],
    ['Set-Content \\\\evil@db01\\share\\x 1', 'here, ?'],
    ['Set-Content \\\\\\\\db01\\share\\x 1', 'here, ?'],
    ['Set-Content \\\\localhost\\c$\\x 1', 'here'],
    ['Set-Content \\\\.\\pipe\\x 1', 'here'],
    ['Invoke-WebRequest https://db01/share -OutFile C:\\x', 'here'],
    ['ssh db01 rm x', 'here, ?'],
  ])('PowerShell %j: %s', (command, expected) => {
    expect(reach('powershell', command)).toBe(expected);
  });

  it.each([
    ['copy a \\\\db01\\share\\b', 'here, db01'],
    ['cscript //nologo x.vbs', 'here'],
    ['shutdown /m \\\\db01 /r', 'here, db01'],
    ['winrs -r:db01 del x', 'here, db01'],
    ['schtasks /delete /s db01 /tn x /f', 'here, db01'],
    ['wmic /node:db01 process call create x', 'here, db01'],
    ['del /s C:\\x', 'here'],
    ['psexec \\\\db01 cmd /c del x', 'here, db01'],
  ])('cmd %j: %s', (command, expected) => {
    expect(reach('cmd', command)).toBe(expected);
  });
});

it('what has a checkpoint of its own is covered', () => {
  const of = (command: string, pinned: readonly string[]) =>
    coverage(classifyCommand('bash', command), new Set(pinned));
  expect(of('ssh db01 rm x', ['db01'])).toBe('vm');
  expect(of('ssh db01 rm x', ['app01'])).toBe('elsewhere');
  expect(of('rm x; ssh db01 rm x', ['db01'])).toBe('vm');
  expect(of('rm x; ssh db01 rm x; ssh web01 rm x', ['db01'])).toBe('partly');
  expect(of('kubectl delete pod x', ['db01'])).toBe('elsewhere');
  const copied = classifyCommand('cmd', 'copy a \\\\db01\\share\\b');
  expect([coverage(copied), coverage(copied, new Set(['db01']))]).toEqual(['partly', 'vm']);
});

it('a text of any size is searched in a moment, or not at all', () => {
  for (const part of ['sc ', 'winrs ', '-comp a,', '\\\\a', 'schtasks /s ', '/node:'])
    expect(reach('cmd', `del x & ${part.repeat(100_000)}`)).toMatch(/\?$/);
});
