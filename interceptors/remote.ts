import type { HostName } from '../src/domain/call.js';

const REACHES =
  /(?:^|[^\w.-])(?:ssh|scp|sftp|rsync|sshpass|plink|pscp|ansible[\w-]*|pssh|mosh|winrs|psexec|Enter-PSSession|Invoke-Command|New-PSSession)(?:\.exe)?(?![\w-])|-(?:ComputerName|CN|Cn|VMName)\b|\\\\(?:[?.]\\UNC\\)?[\w.-]+\\/i;
/** Those of them whose hosts are read where the command is judged. */
const JUDGED = /(?<=^|[^\w.-])(?:ssh|scp|sftp|rsync|sshpass)(?![\w-])/gi;
const FLAG = '-[46AaCfgKkMNnqsTtVvXxYy]+';
const VALUED = '-[bceilmpw]\\s*[\\w.,:@/~+-]+';
const HOST = '(?:ssh://)?(?:[\\w.-]+@)?([A-Za-z0-9][\\w.-]*)(?::\\d+)?';
const SSH = new RegExp(
  `^\\s*(?:sudo\\s+|timeout\\s+\\w+\\s+)*ssh(?:\\s+(?:${FLAG}|${VALUED}))*\\s+${HOST}(?:\\s+([\\s\\S]*))?$`,
);

/**
 * The hosts that a command text reaches out to from where it runs: one for a plain `ssh HOST …`; `''` where it cannot be told which ones, of the
 * role `unknown` where judging the command cannot tell either; undefined where it reaches none.
 */
export function remoteHosts(source: string): readonly HostName[] | undefined {
  if (!REACHES.test(source)) return undefined;
  const [, host, command = ''] = SSH.exec(source) ?? [];
  const isPlain = host !== undefined && !REACHES.test(command) && !QUOTING.test(unquoted(command));
  if (isPlain) return [{ value: host, argument: '', client: 'ssh' }];
  return [{ value: '', argument: '', ...(REACHES.test(source.replace(JUDGED, '-')) && { role: 'unknown' as const }) }];
}

const QUOTING = /[;&|<>`$()\n\r'"]/;

function unquoted(command: string): string {
  return command.replace(/\\.|'[^']*'|"(?:[^"\\$`]|\\.)*"/g, '');
}
