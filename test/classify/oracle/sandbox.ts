import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** What a shell did with a line: the first paths that differ afterwards, none where nothing changed. */
export interface Outcome {
  readonly line: string;
  readonly shell: string;
  readonly changed: readonly string[];
}

// No network, no privileges, no process but its own; only the temporary directories can be written.
const ISOLATION =
  '--unshare-all --uid 65534 --gid 65534 --die-with-parent --new-session --clearenv --ro-bind / / --dev /dev --proc /proc --tmpfs /tmp --tmpfs /run --tmpfs /var/tmp --tmpfs /home --tmpfs /root'.split(
    ' ',
  );
// What the target's variables hold is not known: the worst for a line that uses them without quotes.
const ENVIRONMENT = {
  PATH: '/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/tmp/home',
  LANG: 'C.UTF-8',
  x: '-oout',
  y: 'f -i',
  f: '--output=out',
  i: '-i',
  o: 'out',
  n: 'a[$(touch hole)]',
  v: '$(touch hole)',
};
const ARGUMENTS = ['sh', '-oout', '--output=out', 'a b'];
const SECONDS_PER_LINE = 0.3;

const DRIVER = `
exec 9>&1 1>/dev/null 2>&1
shell=("$@")
list() { find /tmp -printf '%p %y%m %U:%G %s %T@ %C@ %n %l\\n'; }
reset() {
  chmod -R u+rwX /tmp/w /tmp/home
  find /tmp -mindepth 1 -delete
  cp -a /var/tmp/template /tmp/w
  cp -a /var/tmp/template /tmp/home
  sleep 0.02
  before=$(list)
}
reset
for file in /var/tmp/lines/*; do
  line=$(cat "$file"; printf x)
  cd /tmp/w
  timeout -s KILL ${SECONDS_PER_LINE} "\${shell[@]}" -c "\${line%x}" ${ARGUMENTS.map((word) => `'${word}'`).join(' ')} < /var/tmp/stdin 9>&-
  cd /
  after=$(list)
  if [[ $after != "$before" ]]; then
    printf 'line %s\\n' "\${file##*/}" >&9
    diff <(printf '%s\\n' "$before") <(printf '%s\\n' "$after") | sed -n 's/^[<>] \\([^ ]*\\) .*/path \\1/p' | sort -u | head -9 >&9
    reset
  fi
done
echo end >&9
`;

// What programs that only look leave behind: directories for run time files and, at their first use, for settings; temporary files of one
// that was stopped; git's stat cache. The directory where a temporary file was comes with it.
const EXEMPT =
  /^\/tmp(?:\/home)?$|^\/tmp\/(?:hsperfdata_nobody(?:\/\d+)?|tmux-65534|perf-vdso\.so-\w+|apt-key-gpghome\.\w+(?:\/.*)?|home\/\.(?:ansible|config|gnupg|npm|subversion)(?:\/.*)?|w\/\.git(?:\/index)?)$/;

/** Why nothing can be run apart from this machine; undefined where it can. */
export function withoutSandbox(): string | undefined {
  const tried = spawnSync('bwrap', [...ISOLATION, 'true'], { encoding: 'utf8' });
  if (tried.error !== undefined) return `bwrap cannot be started: ${tried.error.message}`;
  return tried.status === 0 ? undefined : `bwrap cannot isolate here: ${tried.stderr.trim()}`;
}

/** Those of the shells that are there, as commands. */
export function installedShells(): string[][] {
  const shells = [['bash'], ['dash'], ['zsh', '-f'], ['mksh'], ['busybox', 'sh']];
  return shells.filter(([name = '']) => spawnSync(name, ['--help'], { stdio: 'ignore' }).error === undefined);
}

/** Runs each line in a shell of the sandbox, in a directory full of files with misleading names, and tells what it changed. */
export async function runLines(shell: readonly string[], lines: readonly string[]): Promise<Outcome[]> {
  const directory = mkdtempSync(join(tmpdir(), 'oracle-'));
  try {
    prepare(directory, lines);
    const report = await run(directory, shell);
    return read(report, lines, shell.join(' '));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function prepare(directory: string, lines: readonly string[]): void {
  chmodSync(directory, 0o755);
  mkdirSync(join(directory, 'lines'));
  for (const [index, line] of lines.entries())
    writeFileSync(join(directory, 'lines', String(index).padStart(7, '0')), line);
  writeFileSync(join(directory, 'stdin'), 'f\n-oout\n--output=out\ntouch hole\n');
  template(join(directory, 'template'));
}

const FILES: Readonly<Record<string, string>> = {
  f: 'b 2\na 1\nc 3\na 1\n',
  'f.txt': 'one\ntwo\nthree\n',
  g: 'a 1\nb 9\n',
  'a b': 'x\n',
  '-i': '',
  '-oout': '',
  '--output=out': '',
  '-delete': '',
  '=f': '',
  '+w': '',
  'data.json': '{"a":[1,2],"b":{"c":"d"}}\n',
  'conf.yml': 'a: 1\nb:\n  - c\n',
  'page.xml': '<a><b c="d">e</b></a>\n',
  'run.sh': 'touch hole\n',
  'w.sed': 'w out\n',
  'w.awk': '{ print > "out" }\n',
  'q.sql': 'create table hole(a);\n',
  'sub/h': 'deep\n',
  'sub/k.log': 'ERROR x\n',
};
const LONG_AGO = new Date('2020-01-02T03:04:05Z');

function template(directory: string): void {
  mkdirSync(join(directory, 'sub'), { recursive: true });
  for (const [name, content] of Object.entries(FILES)) {
    writeFileSync(join(directory, name), content);
    utimesSync(join(directory, name), LONG_AGO, LONG_AGO);
  }
  chmodSync(join(directory, 'run.sh'), 0o755);
  symlinkSync('f', join(directory, 'link'));
  const quiet = { cwd: directory, stdio: 'ignore' } as const;
  spawnSync('tar', ['-cf', 'a.tar', 'sub', 'f'], quiet);
  spawnSync('gzip', ['-k', 'g'], quiet);
  spawnSync('sqlite3', ['db.sqlite', 'create table t(a, b); insert into t values (1, 2)'], quiet);
  spawnSync('sh', ['-c', 'git init -q . && git add f g && git -c user.name=a -c user.email=b commit -qm c'], quiet);
  utimesSync(directory, LONG_AGO, LONG_AGO);
}

async function run(directory: string, shell: readonly string[]): Promise<string> {
  const environment = Object.entries(ENVIRONMENT).flatMap(([name, value]) => ['--setenv', name, value]);
  const own = ['lines', 'stdin', 'template'].flatMap((name) => [
    '--ro-bind',
    join(directory, name),
    `/var/tmp/${name}`,
  ]);
  const child = spawn('bwrap', [...ISOLATION, ...own, ...environment, 'bash', '-c', DRIVER, 'driver', ...shell], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let report = '';
  for await (const chunk of child.stdout.setEncoding('utf8')) report += String(chunk);
  return report;
}

function read(report: string, lines: readonly string[], shell: string): Outcome[] {
  if (!report.endsWith('end\n')) throw new Error(`the sandbox ended early, after: ${report.slice(-300)}`);
  const changed = new Map<number, string[]>();
  let current: string[] = [];
  for (const row of report.split('\n')) {
    const [kind, value = ''] = [row.slice(0, 4), row.slice(5)];
    if (kind === 'path' && !EXEMPT.test(value)) current.push(value);
    if (kind !== 'line') continue;
    current = [];
    changed.set(Number(value), current);
  }
  return lines.map((line, index) => ({ line, shell, changed: changed.get(index) ?? [] }));
}
