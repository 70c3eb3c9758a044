import { isPlainExpression } from './expression.js';
import { type Ruling, readOnly, unknown } from './ruling.js';
import { isPlainData, isVariable } from './text.js';

type Options = ReadonlyMap<string, unknown>;
type Check = (options: Options) => Ruling | undefined;

/** A module that only reads, with the options under which it does; one that is not named may do more. */
interface Reader {
  readonly options: ReadonlySet<string>;
  readonly check?: Check | undefined;
}

const READS = readOnly('the module only reads');
const FIND = `age patterns pattern excludes exclude contains read_whole_file paths path name file_type recurse size age_stamp hidden
  follow get_checksum checksum_algorithm use_regex depth limit`;
const STAT = `path dest name follow get_checksum checksum_algorithm checksum checksum_algo get_mime mime mime_type mime-type
  get_attributes attr attributes get_size`;
const WAIT =
  'host timeout connect_timeout delay port state path sleep exclude_hosts active_connection_states search_regex regex msg';

/** By full name. A fact directory (`fact_path`) and a job's `mode` are left out or checked: they run or remove something. */
const READERS: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['ansible.builtin.assert', reader('that fail_msg success_msg msg quiet', conditions)],
  ['ansible.builtin.async_status', reader('jid mode', jobStatus)],
  ['ansible.builtin.debug', reader('msg var verbosity', printed)],
  ['ansible.builtin.fail', reader('msg')],
  ['ansible.builtin.find', reader(FIND)],
  ['ansible.builtin.gather_facts', reader('parallel gather_subset gather_timeout filter')],
  ['ansible.builtin.getent', reader('database key service split fail_key')],
  ['ansible.builtin.group_by', reader('key parents')],
  ['ansible.builtin.package_facts', reader('manager strategy')],
  ['ansible.builtin.pause', reader('minutes seconds prompt echo')],
  ['ansible.builtin.ping', reader('data')],
  ['ansible.builtin.service_facts', reader('')],
  ['ansible.builtin.set_stats', reader('data per_host aggregate')],
  ['ansible.builtin.setup', reader('gather_subset gather_timeout filter')],
  ['ansible.builtin.slurp', reader('src path')],
  ['ansible.builtin.stat', reader(STAT)],
  ['ansible.builtin.validate_argument_spec', reader('argument_spec provided_arguments')],
  ['ansible.builtin.wait_for', reader(WAIT)],
  ['ansible.builtin.wait_for_connection', reader('connect_timeout delay sleep timeout')],
  ['ansible.windows.async_status', reader('jid mode', jobStatus)],
  ['ansible.windows.setup', reader('gather_subset gather_timeout filter')],
  ['ansible.windows.slurp', reader('src path')],
  ['ansible.windows.win_find', reader(FIND)],
  ['ansible.windows.win_ping', reader('data')],
  ['ansible.windows.win_reg_stat', reader('path key name entry value')],
  ['ansible.windows.win_service_info', reader('name')],
  ['ansible.windows.win_stat', reader(STAT)],
  ['ansible.windows.win_wait_for', reader(WAIT)],
  ['ansible.windows.win_whoami', reader('')],
]);

/** Names of options that choose a program, its arguments or a place to write. */
const CHOOSES =
  /(?:^|_)(?:exec|executable|bin|binary|cli|clients?|arguments?|command|script|program|interpreter|plugins?|dest|output)(?:_|$)/;
/** Modules whose `command` is one of a fixed list of questions. */
const ASKS = /\.(?:\w*redfish_info|ocapi_info|listen_ports_facts)$/;

/** What a module from the table of those that only read amounts to with these options; templates are judged before. */
export function judgeReader(name: string, options: Options): Ruling {
  if (name === 'ansible.builtin.set_fact') return variables(options) ?? READS;
  const known = READERS.get(name);
  const stray = [...options.keys()].find((option) =>
    known === undefined
      ? CHOOSES.test(option) && !(option === 'command' && ASKS.test(name))
      : !known.options.has(option),
  );
  if (stray !== undefined) return unknown(`what the option ${stray} makes of it is not known`);
  return known?.check?.(options) ?? READS;
}

/** Whether variables of these names and values leave every later task what it is. */
export function harmlessVariables(entries: Iterable<readonly [string, unknown]>): boolean {
  return [...entries].every(([name, value]) => isOwnVariable(name) && isPlainData(value));
}

/** `ansible_*` say how a host is reached and with which program. */
export function isOwnVariable(name: string): boolean {
  return /^[A-Za-z]\w*$/.test(name) && !/^(?:ansible|discovered_interpreter)/i.test(name);
}

function variables(options: Options): Ruling | undefined {
  const own = [...options].filter(([name]) => name !== 'cacheable');
  if (options.get('cacheable') !== undefined && options.get('cacheable') !== false)
    return unknown('the variable is kept for later runs');
  return harmlessVariables(own) ? undefined : unknown('the variable may change what later tasks do');
}

function conditions(options: Options): Ruling | undefined {
  return isPlainExpression(options.get('that') ?? null) ? undefined : unknown('the condition may call something');
}

function printed(options: Options): Ruling | undefined {
  const variable = options.get('var');
  if (variable === undefined || (typeof variable === 'string' && isVariable(variable))) return undefined;
  return unknown('the expression may call something');
}

function jobStatus(options: Options): Ruling | undefined {
  const mode = options.get('mode') ?? 'status';
  return mode === 'status' ? undefined : unknown('it removes the file of the job');
}

function reader(options: string, check?: Check): Reader {
  return { options: new Set(options.split(/\s+/).filter((option) => option !== '')), check };
}
