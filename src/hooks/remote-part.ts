import { type Assessment, assess, type Finding } from '../domain/assessment.js';

/** Programs and libraries that reach other machines, as a text may name them. */
const NAMES =
  /(?:^|[^\w.-])(?:ssh|scp|sftp|rsync|sshpass|plink|pscp|psftp|ansible[\w-]*|pssh|pscp|mosh|winrs|psexec|paramiko|fabric|asyncssh|pywinrm|winrm|Enter-PSSession|Invoke-Command|New-PSSession|netmiko)(?:\.exe)?(?![\w-])|-ComputerName\b/i;

/** They run nothing of what they are given, whatever its words. */
const RUNS_NOTHING: ReadonlySet<string> = new Set(
  'git mkdir rmdir touch cp mv rm ln chmod chown chgrp tee truncate apt apt-get dnf yum brew pip pip3 npm pnpm yarn'.split(
    ' ',
  ),
);
/** They run a text as code: one that comes to be only when it runs may be anything. */
const RUNS_TEXT: ReadonlySet<string> = new Set(
  'eval source . sh bash dash zsh ksh xargs env python python3 perl ruby node php pwsh powershell'.split(' '),
);
/** A program by its own name that is in no list: what it does is its own affair, and whatever script it is may hold anything. */
const UNLISTED = /is not (?:in a system directory|a program that is listed)$/;

/**
 * What of a command in the client's own shell concerns other machines, or may: undefined where it does not. Parts that only change the client's
 * own machine are left out; a part whose program cannot be told from the text stays.
 */
export function remotePart({ findings }: Assessment, source: string): Assessment | undefined {
  const isNamed = NAMES.test(source);
  const kept = findings.flatMap((finding): readonly Finding[] => {
    if (finding.reaches !== undefined) return [{ ...finding, elsewhere: true }];
    return isLocal(finding, isNamed) ? [] : [{ ...finding, effect: 'unknown' }];
  });
  return kept.length === 0 ? undefined : assess(kept);
}

/** By positive proof: its program is known by name, and none that could run a text which names a remote program. */
function isLocal({ effect, program, why, subject }: Finding, isNamed: boolean): boolean {
  if (effect === 'read_only') return true;
  if (effect === 'mutating') return !isNamed || program === undefined || RUNS_NOTHING.has(program);
  const isAssignment = /^[A-Za-z_]\w*=/.test(subject) && why.startsWith('this variable may change');
  if (isNamed) return isAssignment || (program !== undefined && RUNS_NOTHING.has(program));
  if (program !== undefined) return !(RUNS_TEXT.has(program) && /[$`]/.test(subject));
  return isAssignment || UNLISTED.test(why);
}
