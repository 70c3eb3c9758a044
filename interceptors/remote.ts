const REACHES =
  /(?:^|[^\w.-])(?:ssh|scp|sftp|rsync|sshpass|plink|pscp|ansible[\w-]*|pssh|mosh|winrs|psexec|Enter-PSSession|Invoke-Command|New-PSSession)(?:\.exe)?(?![\w-])|-(?:ComputerName|CN|Cn|VMName)\b|\\\\[\w.-]+\\/i;
const FLAG = '-[46AaCfgKkMNnqsTtVvXxYy]+';
const VALUED = '-[bceilmpw]\\s*[\\w.,:@/~+-]+';
const HOST = '(?:ssh://)?(?:[\\w.-]+@)?([A-Za-z0-9][\\w.-]*)(?::\\d+)?';
const SSH = new RegExp(
  `^\\s*(?:sudo\\s+|timeout\\s+\\w+\\s+)*ssh(?:\\s+(?:${FLAG}|${VALUED}))*\\s+${HOST}(?:\\s+([\\s\\S]*))?$`,
);

/**
 * The hosts that a command text reaches out to from where it runs: one for a plain `ssh HOST …`; `''` where it cannot be told which ones;
 * undefined where it reaches none.
 */
export function remoteHosts(source: string): readonly string[] | undefined {
  if (!REACHES.test(source)) return undefined;
  const [, host, command = ''] = SSH.exec(source) ?? [];
  if (host === undefined || REACHES.test(command)) return [''];
  const bare = command.replace(/\\.|'[^']*'|"(?:[^"\\$`]|\\.)*"/g, '');
  return /[;&|<>`$()\n\r'"]/.test(bare) ? [''] : [host];
}
