import { spawnSync } from 'node:child_process';

/** The python that ansible runs on; undefined where there is no ansible-core. */
export function ansiblePython(): string | undefined {
  const found = spawnSync('ansible', ['--version'], { encoding: 'utf8' });
  if (found.status !== 0) return undefined;
  return /^ *python version = .*\((\/[^)]+)\)$/m.exec(found.stdout)?.[1] ?? 'python3';
}

/** Why ansible cannot speak WinRM here; undefined where it can. */
export function whyNoAnsibleWinrm(): string | undefined {
  const python = ansiblePython();
  if (python === undefined) return 'ansible is not installed';
  const found = spawnSync(python, ['-c', 'import winrm'], { encoding: 'utf8' });
  return found.status === 0 ? undefined : 'the python of ansible has no winrm (Debian: python3-winrm)';
}
