/** What a launcher starts: absolute paths of node and of the program's main file. */
export interface LauncherPaths {
  readonly node: string;
  readonly program: string;
}

/** Under this prefix a launcher hands on what it took out of the proxy's own environment. */
export const HANDED_ON = 'ZERTO_REWIND_CHILD_';

/** Variables that the proxy itself may have: where it is, in which language and zone, and the desktop that a notification goes to. None of them makes Node or a shell load anything. */
const OWN = 'HOME|LANG|LC_ALL|LC_CTYPE|LOGNAME|USER|TZ|PWD|OLDPWD|SHLVL|DISPLAY|WAYLAND_DISPLAY|XDG_RUNTIME_DIR';
/** A shell does not let these go, or goes by them itself; they mean nothing to Node. */
const KEPT = 'IFS|UID|EUID|PPID|BASHOPTS|SHELLOPTS|BASH_VERSINFO|_|zrp_*';

/**
 * A script for root to install: it starts the proxy with an environment of its own and a fixed PATH, and hands on the client's variables for the
 * wrapped server alone. It uses nothing but the shell's special built-ins and one program by its full path, since whoever sets the
 * environment may have set functions and PATH. A shell that is bash takes options from it too: with SHELLOPTS=xtrace:allexport each traced
 * command would set what PS4 says, so tracing ends first, and what the one expansion before it may have set is set again. Throws RangeError
 * for a path that cannot stand in it.
 */
export function shellLauncher({ node, program }: LauncherPaths): string {
  return `#!/bin/sh
# Starts zerto-rewind-proxy. Owner root, mode 0755. Only the variables named below reach the proxy itself;
# all others are handed on for the wrapped server. What the system's loader reads before this line
# (LD_PRELOAD and the like) cannot be undone here.
set +x +a -f
IFS='
'
for zrp_pair in $(/usr/bin/env); do
  case $zrp_pair in [A-Za-z_]*=*) ;; *) continue ;; esac
  zrp_name=\${zrp_pair%%=*}
  case $zrp_name in
    *[!A-Za-z0-9_]* | ${OWN} | ${KEPT}) continue ;;
  esac
  eval "zrp_there=\\\${$zrp_name+x}"
  case $zrp_there in x) ;; *) continue ;; esac
  eval "export \\"${HANDED_ON}$zrp_name=\\$$zrp_name\\""
  case $zrp_name in PATH) ;; *) unset "$zrp_name" ;; esac
done
PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
export PATH
exec ${shellWord(node)} ${shellWord(program)} "$@"
`;
}

/** The same for Windows. An exclamation mark in an argument is lost: the entries that are meant for it have none. */
export function cmdLauncher({ node, program }: LauncherPaths): string {
  return [
    '@echo off',
    'rem Starts zerto-rewind-proxy. Only administrators may write this file. NODE_* reach the wrapped server alone.',
    'setlocal EnableExtensions EnableDelayedExpansion',
    `for /f "tokens=1 delims==" %%V in ('set NODE_ 2^>nul') do (`,
    `  set "${HANDED_ON}%%V=!%%V!"`,
    '  set "%%V="',
    ')',
    `set "${HANDED_ON}PATH=!PATH!"`,
    'set "PATH=C:\\Windows\\System32;C:\\Windows;C:\\Windows\\System32\\Wbem"',
    `${cmdWord(node)} ${cmdWord(program)} %*`,
    'exit /b !ERRORLEVEL!',
    '',
  ].join('\r\n');
}

function shellWord(path: string): string {
  if (!/^\/[^\0\r\n]*$/.test(path)) throw new RangeError(`${JSON.stringify(path)} is not an absolute path`);
  return `'${path.replaceAll("'", `'\\''`)}'`;
}

function cmdWord(path: string): string {
  if (!/^[A-Za-z]:\\[^"%!\0\r\n]*$/.test(path))
    throw new RangeError(`${JSON.stringify(path)} is not an absolute path, or has a character that cmd would read`);
  return `"${path}"`;
}

/** The client's environment, as it was before a launcher took it apart; the same where none did. */
export function clientEnvironment(
  env: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, string | undefined>> {
  const entries = Object.entries(env);
  const handedOn = entries.filter(([name]) => name.startsWith(HANDED_ON) && name.length > HANDED_ON.length);
  if (handedOn.length === 0) return env;
  const own = entries.filter(([name]) => !name.startsWith(HANDED_ON));
  return Object.fromEntries([
    ...own,
    ...handedOn.map(([name, value]) => [name.slice(HANDED_ON.length), value] as const),
  ]);
}
