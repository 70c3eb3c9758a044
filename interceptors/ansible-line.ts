import type { AnsibleRun, Operation } from '../src/domain/call.js';

/** Ansible where a command may begin, also behind what starts another. */
const STARTS =
  /(?:^|[;&|(`\n]|\b(?:sudo|doas|env|nohup|time|timeout|exec|xargs|nice|command|sh|bash|then|do|else)\s[^;&|\n]*?)\s*(?:\w+=\S*\s+)*["']?(?:[\w./~-]*\/)?ansible(?:-playbook|-pull|-console)?(?=["'\s]|$)/;

/** Options with a value that say nothing of hosts. */
const VALUED = new Set(
  (
    '-m --module-name -a --args -f --forks -u --user -t --tree --tags --skip-tags -B --background -P --poll -T --timeout --private-key --key-file ' +
    '--become-user --become-method --become-password-file --connection-password-file --vault-id --vault-password-file --vault-pass-file ' +
    '--task-timeout --start-at-task -M --module-path'
  ).split(' '),
);
const FLAGS = new Set(
  (
    '-b --become -C --check -D --diff -K --ask-become-pass -k --ask-pass -o --one-line -v -vv -vvv -vvvv -vvvvv --verbose --syntax-check ' +
    '--list-hosts --list-tasks --list-tags --step --force-handlers --flush-cache -J --ask-vault-pass --ask-vault-password'
  ).split(' '),
);
/** Options that say something of hosts, by what they give. */
const KEYS: Readonly<Record<string, 'inventory' | 'limit' | 'extra' | 'connection'>> = {
  '-i': 'inventory',
  '--inventory': 'inventory',
  '--inventory-file': 'inventory',
  '-l': 'limit',
  '--limit': 'limit',
  '-e': 'extra',
  '--extra-vars': 'extra',
  '-c': 'connection',
  '--connection': 'connection',
};

/**
 * Where the commands of a call run: on a machine whose inventory is not seen, or on that of the proxy. `directories`: in which the call says that
 * they start; `steady`: without that they start where the server itself was started, whatever earlier calls did.
 */
export type Where = 'elsewhere' | { readonly directories: readonly unknown[]; readonly steady: boolean };

/** The runs of ansible in the commands of a call. */
export function runsOfCommands(operations: readonly Operation[], where: Where): readonly AnsibleRun[] {
  const commands = operations.filter((operation) => operation.kind === 'command');
  const runs = commands.flatMap(({ source }) => runOfCommand(source, where) ?? []);
  if (runs.length === 0 || runs.length === commands.length) return runs;
  return runs.map((run) => ({ ...run, unclear: 'the call runs other commands beside ansible' }));
}

const NOTHING = { argument: '', inventories: [] };
const UNREAD = { ...NOTHING, unclear: 'the command line of ansible cannot be read for sure' };

/** The run of ansible in a command text; undefined where there is none. */
function runOfCommand(source: string, where: Where): AnsibleRun | undefined {
  if (!STARTS.test(source)) return undefined;
  if (where === 'elsewhere')
    return { ...NOTHING, unclear: 'ansible runs on another machine, whose inventory is not seen' };
  const [program = '', ...args] = plainWords(source) ?? [];
  const name = /^(?:\/usr\/(?:local\/)?bin\/)?(ansible(?:-playbook)?)$/.exec(program)?.[1];
  const read = name === undefined ? undefined : readArguments(args);
  return read === undefined ? UNREAD : startedIn(where, named(name, read));
}

function named(name: string | undefined, { positional, ...given }: Given): AnsibleRun {
  const [pattern, ...more] = positional;
  if (pattern === undefined) return UNREAD;
  if (name === 'ansible-playbook') return { ...NOTHING, ...given, playbooks: positional.map((path) => ({ path })) };
  return more.length > 0 ? UNREAD : { ...NOTHING, ...given, pattern };
}

/** Paths that do not start at the root are those of a directory that has to be known. */
function startedIn({ directories, steady }: Exclude<Where, 'elsewhere'>, run: AnsibleRun): AnsibleRun {
  const [directory, ...more] = directories;
  const unknown = { ...run, unclear: 'the directory that ansible starts in is not known' };
  if (directory !== undefined)
    return typeof directory === 'string' && directory.startsWith('/') && more.length === 0
      ? { ...run, cwd: directory }
      : unknown;
  const playbooks = (run.playbooks ?? []).map((playbook) => ('path' in playbook ? playbook.path : ''));
  const paths = [...run.inventories.filter((inventory) => !inventory.includes(',')), ...playbooks];
  const fixed =
    run.inventories.length > 0 && run.limit?.includes('@') !== true && paths.every((path) => /^(?:~?\/)/.test(path));
  return steady || fixed ? run : unknown;
}

type Given = Pick<AnsibleRun, 'inventories' | 'limit' | 'connection' | 'extraVars'> & {
  readonly positional: readonly string[];
};

type Key = (typeof KEYS)[string] | 'positional' | 'other';

function readArguments(args: readonly string[]): Given | undefined {
  const rest = [...args];
  const found: Record<Key, string[]> = {
    positional: [],
    inventory: [],
    limit: [],
    extra: [],
    connection: [],
    other: [],
  };
  while (rest.length > 0) {
    const word = rest.shift() ?? '';
    if (FLAGS.has(word)) continue;
    const option = optionOf(word);
    const value = option.value ?? rest.shift();
    if (option.key === undefined || value === undefined) return undefined;
    found[option.key].push(value);
  }
  const { positional, inventory, limit, extra, connection } = found;
  if (limit.length > 1 || connection.length > 1) return undefined;
  return { positional, inventories: inventory, limit: limit[0], connection: connection[0], extraVars: extra };
}

/** A word, and the value that is stuck to it. No `key`: it is not known. */
function optionOf(word: string): { readonly key?: Key | undefined; readonly value?: string | undefined } {
  if (!word.startsWith('-')) return { key: 'positional', value: word };
  const [, option = word, value] = /^(--[a-z-]+)=(.*)$/s.exec(word) ?? /^(-[a-zA-Z])(.+)$/s.exec(word) ?? [];
  if (Object.hasOwn(KEYS, option)) return { key: KEYS[option], value };
  return { key: VALUED.has(option) ? 'other' : undefined, value };
}

/** The words of one simple command, where no shell could make more of them; undefined where it could. */
function plainWords(source: string): readonly string[] | undefined {
  const words: string[] = [];
  let rest = source.trim();
  while (rest !== '') {
    const [part, word] =
      /^((?:[\w./:=,@%+-]+|(?<=[\w=:,/])[~!]+|!(?=[\w])|'[^'\n]*'|"[^"\\$`\n]*")+)(?:[ \t]+|$)/.exec(rest) ?? [];
    if (part === undefined || word === undefined) return undefined;
    words.push(
      word.replace(
        /'([^']*)'|"([^"]*)"/g,
        (_, single: string | undefined, double: string | undefined) => single ?? double ?? '',
      ),
    );
    rest = rest.slice(part.length);
  }
  return words;
}
