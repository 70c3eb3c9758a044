/** A word that says what a command runs: the name of a program or package, or the path of a script whose package is to be looked up. */
export interface ProgramWord {
  readonly kind: 'name' | 'script';
  readonly word: string;
}

interface Launcher {
  /** Words before what is run. */
  readonly verbs?: readonly string[];
  /** Options whose value is a package, and those whose value is nothing of interest. */
  readonly packages?: readonly string[];
  readonly valued?: readonly string[];
  /** What stands behind the options is a command of its own, or (`line`) the text of one. */
  readonly rest?: 'command' | 'line';
}

const NODE: Launcher = { valued: ['-r', '--require', '--import', '--loader', '--env-file', '-C', '--conditions'] };
const NPM: Launcher = {
  verbs: ['dlx', 'exec', 'x', 'run', 'tool', 'start'],
  packages: ['-p', '--package', '--from', '-m'],
  valued: ['-c', '--call', '--with', '--python', '--directory', '--project', '--prefix', '-w', '--index-url', '--cwd'],
};
const PYTHON: Launcher = { packages: ['-m'], valued: ['-W', '-X'] };
const CONTAINER: Launcher = {
  verbs: ['run', 'exec', 'container', 'compose'],
  valued: (
    '-e --env -v --volume --mount --name --network --net -p --publish -w --workdir -u --user --entrypoint --env-file ' +
    '-h --hostname --add-host --platform --label -l --cpus -m --memory --cap-add --cap-drop --security-opt --tmpfs ' +
    '--pull --restart --dns --gpus --runtime --shm-size --ulimit --ipc --pid --device --log-driver -f --file'
  ).split(' '),
};
const SHELL: Launcher = { rest: 'line' };
const BEFORE: Launcher = { rest: 'command', valued: ['-u', '--user', '-g', '-n', '-k', '-s', '-d', '--distribution'] };

const LAUNCHERS: ReadonlyMap<string, Launcher> = new Map([
  ...['node', 'nodejs', 'tsx', 'ts-node'].map((name) => [name, NODE] as const),
  ...['npx', 'npm', 'pnpm', 'pnpx', 'yarn', 'bun', 'bunx', 'deno', 'uv', 'uvx', 'pipx', 'go'].map(
    (name) => [name, NPM] as const,
  ),
  ...['python', 'python3', 'py'].map((name) => [name, PYTHON] as const),
  ...['docker', 'podman', 'nerdctl'].map((name) => [name, CONTAINER] as const),
  ...['sh', 'bash', 'zsh', 'dash', 'cmd', 'powershell', 'pwsh'].map((name) => [name, SHELL] as const),
  ...['env', 'sudo', 'nice', 'nohup', 'timeout', 'wsl', 'exec', 'mise', 'direnv'].map(
    (name) => [name, BEFORE] as const,
  ),
]);
/** More wrappers around wrappers than this are nobody's config. */
const DEEPEST = 5;

/** What a command line runs, by the words that name a program or a package. Words that the server itself gets are none of them, and so is where a program lies. */
export function programWords(command: string, args: readonly string[], depth = 0): readonly ProgramWord[] {
  const program = programName(command);
  const launcher = LAUNCHERS.get(program.replace(/^python3?\.\d+$/, 'python3'));
  if (launcher === undefined || depth > DEEPEST) return [{ kind: 'name', word: program }];
  const { packages, rest } = behindOptions(launcher, args);
  const named = packages.map(nameOrScript);
  if (launcher.rest !== undefined) return [...named, ...behind(launcher.rest, rest, depth)];
  return [...named, ...rest.slice(0, 1).map(nameOrScript)];
}

/** The last part of a path without the ending of a program, in lower case. */
export function programName(command: string): string {
  const name = command.slice(Math.max(command.lastIndexOf('/'), command.lastIndexOf('\\')) + 1);
  return name.toLowerCase().replace(/\.(?:exe|cmd|bat|ps1)$/, '');
}

/** Whether a command starts another one that its arguments name. */
export function isLauncher(command: string): boolean {
  return LAUNCHERS.has(programName(command));
}

function behind(rest: 'command' | 'line', words: readonly string[], depth: number): readonly ProgramWord[] {
  // A text is cut at its spaces: enough to find a name, and nothing is ever run by it.
  const lines =
    rest === 'command'
      ? [words]
      : words
          .join(' ')
          .split(/[;&|\n]+/)
          .map((line) => line.split(/[\s'"]+/));
  return lines.flatMap((line) => {
    const from = line.findIndex((word) => word !== '' && !/^(?:[A-Za-z_]\w*=.*|\d+[smh]?|exec|--)$/.test(word));
    const command = line[from];
    return command === undefined ? [] : programWords(command, line.slice(from + 1), depth + 1);
  });
}

function behindOptions(launcher: Launcher, args: readonly string[]) {
  const packages: string[] = [];
  let rest = args;
  for (let word = rest[0]; word !== undefined && isPassed(word, launcher); word = rest[0]) {
    const { name, value, length } = optionAt(rest, launcher);
    if (value !== undefined) packages.push(value);
    // What follows the module of `python -m` is the module's own.
    if (value !== undefined && name === '-m') return { packages, rest: [] };
    rest = rest.slice(length);
  }
  return { packages, rest };
}

/** Options, which `cmd` has behind a slash, and words like `dlx`. */
function isPassed(word: string, { verbs, rest }: Launcher): boolean {
  return word.startsWith('-') || verbs?.includes(word) === true || (rest === 'line' && /^\/[a-z]$/i.test(word));
}

/** `value`: the package that an option names. */
function optionAt([word = '', next]: readonly string[], launcher: Launcher) {
  const [name = '', inline] = word.split(/=(.*)/s);
  const isPackage = launcher.packages?.includes(name) === true;
  const takesNext = inline === undefined && (isPackage || launcher.valued?.includes(name) === true);
  return { name, value: isPackage ? (inline ?? next) : undefined, length: takesNext ? 2 : 1 };
}

/** `@scope/name@1.2`, `name[extra]==1.2`, `registry/name:tag`, `github:owner/name#ref` give names; a path gives a script. */
function nameOrScript(word: string): ProgramWord {
  if (/^(?:file:|\.{0,2}[\\/]|~|[A-Za-z]:[\\/])|\.(?:[cm]?[jt]s|py)$|[$%{]/.test(word)) {
    return { kind: 'script', word: word.replace(/^file:(?:\/\/)?/, '') };
  }
  const scoped = /^@[^/\s]+\/[^@/\s]+/.exec(word)?.[0];
  if (scoped !== undefined) return { kind: 'name', word: scoped };
  const last =
    word
      .replace(/^(?:npm|jsr|github|gitlab|bitbucket):|[?#].*$/gs, '')
      .split('/')
      .at(-1) ?? '';
  return { kind: 'name', word: last.replace(/(?:\.git)?(?:[@:[=<>~!;].*)?$/s, '') };
}
