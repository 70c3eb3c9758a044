import type { AnsibleRun, Playbook } from '../src/domain/call.js';
import { isPlaybookText } from './ansible.js';
import { isEmpty } from './commands.js';
import { isTexts, type Slot } from './roles.js';
import { words } from './words.js';

type Args = Readonly<Record<string, unknown>>;

/** Which argument of a tool says what of the hosts of its run. */
export interface RunArguments {
  readonly pattern?: string;
  readonly playbook?: string;
  readonly limit?: string;
  readonly inventory?: string;
  readonly connection?: string;
  readonly extraVars?: readonly string[];
  readonly cwd?: string;
  /** Any that is not empty may change the hosts in a way that is not followed. */
  readonly unclear?: readonly string[];
  /** The server is known to take an inventory of its own where the call names none. */
  readonly ownInventory?: true;
  /** It puts its arguments into a shell's command line. */
  readonly shell?: true;
}

const ANYTHING = /[^\w.,:/@%+=*?[\]!~ -]/;
const SHELL = /[^\w.,:/@%+=-]/;

/** The run that a call of a known tool asks for. */
export function runOf(args: Args, names: RunArguments): AnsibleRun {
  const given = (name: string | undefined): unknown =>
    name !== undefined && Object.hasOwn(args, name) && !isEmpty(args[name]) ? args[name] : undefined;
  const run = {
    argument: names.pattern ?? names.limit ?? names.playbook ?? '',
    pattern: listed(given(names.pattern)),
    playbooks: playbooksOf(given(names.playbook)),
    limit: listed(given(names.limit)),
    inventories: inventoriesOf(given(names.inventory)) ?? [],
    connection: textOf(given(names.connection)),
    extraVars: (names.extraVars ?? []).map(given).filter((value) => value !== undefined),
    cwd: textOf(given(names.cwd)),
  };
  const odd = (names.unclear ?? []).find((name) => given(name) !== undefined);
  const unread = (['pattern', 'playbook', 'limit', 'connection', 'cwd', 'inventory'] as const).find(
    (key) => given(names[key]) !== undefined && isUnread(run, key),
  );
  const why = odd === undefined ? (unread === undefined ? doubtOf(run, names) : UNREAD) : mayChange(odd);
  return { ...run, ...(why !== undefined && { unclear: why }) };
}

const UNREAD = 'an argument that names hosts cannot be read';

function isUnread(
  run: AnsibleRun,
  key: 'pattern' | 'playbook' | 'limit' | 'connection' | 'cwd' | 'inventory',
): boolean {
  if (key === 'inventory') return run.inventories.length === 0;
  return key === 'playbook' ? run.playbooks === undefined : run[key] === undefined;
}

function mayChange(argument: string): string {
  return `"${argument}" may change which hosts it runs on`;
}

function doubtOf(run: AnsibleRun, { ownInventory, shell }: RunArguments): string | undefined {
  if (ownInventory === true && run.inventories.length === 0) return 'the server takes an inventory of its own';
  return namesHosts(run, shell === true);
}

function namesHosts(run: AnsibleRun, shell: boolean): string | undefined {
  if (run.pattern === undefined && run.playbooks === undefined) return 'the call does not say on which hosts it runs';
  const paths = (run.playbooks ?? []).flatMap((playbook) => ('path' in playbook ? [playbook.path] : []));
  const texts = [run.pattern, run.limit, run.connection, run.cwd, ...run.inventories, ...paths].filter(
    (text) => text !== undefined,
  );
  if (texts.some((text) => text.trimStart().startsWith('-'))) return 'a part of it may be read as an option';
  if (texts.some((text) => (shell ? SHELL : ANYTHING).test(text))) return 'a shell could read more than a name in it';
  return undefined;
}

/** Options of ansible that say nothing of hosts, by the words of their names. */
const HARMLESS = new Set(
  (
    'tags skip_tags become become_user become_method ask_become_pass check check_mode dry_run diff verbose verbosity forks timeout syntax_check ' +
    'list_tasks list_hosts list_tags start_at_task step force_handlers flush_cache one_line poll background async tree remote_user user ' +
    'private_key private_key_file key_file vault_password_file vault_id module_name module module_args args module_path output_format format'
  ).split(' '),
);
const EXTRA = new Set('extra_vars extra_variables vars variables extravars extra'.split(' '));
const DIRECTORY = new Set(
  'cwd chdir working_directory working_dir workdir directory project_root project_path workspace'.split(' '),
);

/** The values of a call that name the directory in which its commands start. */
export function directoriesOf(slots: readonly Slot[]): readonly unknown[] {
  return slots
    .filter(({ name, value }) => !isEmpty(value) && DIRECTORY.has(words(name).join('_')))
    .map(({ value }) => value);
}

/** The run that a call of any tool of ansible's asks for, by the roles of its values; undefined where nothing in it speaks of one. */
export function runOfSlots(slots: readonly Slot[]): AnsibleRun | undefined {
  const given = slots.filter((slot) => !isEmpty(slot.value));
  const of = (...roles: Slot['role'][]): readonly Slot[] => given.filter(({ role }) => roles.includes(role));
  const named = (set: ReadonlySet<string>): readonly Slot[] =>
    given.filter(({ name }) => set.has(words(name).join('_')));
  const patterns = of('host', 'host_list');
  const playbooks = of('playbook');
  if (patterns.length + playbooks.length + of('module', 'limit', 'inventory').length === 0) return undefined;
  const directories = named(DIRECTORY);
  const extra = [
    ...given.filter(({ argument }) => EXTRA.has(words(argument).join('_'))),
    ...(playbooks.length > 0 ? of('module_args') : []),
  ];
  const connections = given.filter(({ name }) => words(name).join('_') === 'connection');
  const read = new Set<Slot>([
    ...patterns,
    ...playbooks,
    ...of('limit', 'inventory', 'module', 'module_args', 'command'),
    ...directories,
    ...extra,
    ...connections,
  ]);
  const odd = given.find(
    (slot) =>
      !read.has(slot) && !HARMLESS.has(words(slot.name).join('_')) && slot.role !== 'option' && slot.role !== 'secret',
  );
  const several = [patterns, playbooks, of('limit'), of('inventory'), directories, connections].find(
    ({ length }) => length > 1,
  );
  const args: Record<string, unknown> = {};
  const put = (key: string, [slot]: readonly Slot[]): void => {
    if (slot !== undefined) args[key] = slot.value;
  };
  put('pattern', patterns);
  put('playbook', playbooks);
  put('limit', of('limit'));
  put('inventory', of('inventory'));
  put('cwd', directories);
  put('connection', connections);
  const run = runOf(args, {
    ...(patterns.length > 0 && { pattern: 'pattern' }),
    ...(playbooks.length > 0 && { playbook: 'playbook' }),
    limit: 'limit',
    inventory: 'inventory',
    cwd: 'cwd',
    connection: 'connection',
  });
  const subject = odd ?? several?.[1];
  return {
    ...run,
    argument: patterns[0]?.argument ?? of('limit')[0]?.argument ?? playbooks[0]?.argument ?? '',
    extraVars: extra.map(({ argument, name, value }) => (name === argument ? value : { [name]: value })),
    ...(subject !== undefined && { unclear: mayChange(subject.name) }),
  };
}

/** A list of patterns is their union. */
function listed(value: unknown): string | undefined {
  if (isTexts(value) && value.every((item) => !item.includes(','))) return value.join(',');
  return textOf(value);
}

function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

function playbooksOf(value: unknown): readonly Playbook[] | undefined {
  const texts = typeof value === 'string' ? [value] : isTexts(value) ? value : undefined;
  return texts?.map((text) => (isPlaybookText(text) ? { text } : { path: text }));
}

/** None where the call names none; undefined where it cannot be read. */
function inventoriesOf(value: unknown): readonly string[] | undefined {
  if (value === undefined) return [];
  if (typeof value === 'string') return [value];
  return isTexts(value) ? value : undefined;
}
