import type { HostName, Operation } from '../src/domain/call.js';
import { isEmpty } from './commands.js';
import { doubt } from './roles.js';

type Args = Readonly<Record<string, unknown>>;

/** Which argument of a tool holds what; the others that are named change how or as whom it runs. */
export interface AnsibleArguments {
  readonly module?: string;
  readonly args?: string;
  readonly playbook?: string;
  readonly pattern?: string;
  readonly limit?: string;
  readonly inventory?: string;
  /** Present only where the server is known to hand it on as `--check`. */
  readonly check?: string;
  /** Variables for the run, environment and the like: any that is not empty may change what every task does. */
  readonly changing?: readonly string[];
}

const STATIC = /(?:\.(?:ini|ya?ml|json)|(?:^|[\\/])hosts|^[\w.,-]*,[\w.,-]*)$/i;

/** One module against hosts. */
export function adHoc(args: Args, names: AnsibleArguments): readonly Operation[] {
  const module = text(args, names.module);
  return [
    ...surroundings(args, names),
    module === undefined || module === ''
      ? doubt(names.module ?? 'module', 'it is not known which module runs')
      : { kind: 'ansible_module', module, args: value(args, names.args), check: isChecked(args, names) },
  ];
}

/** A playbook, by its text; of one that is a file the content is not seen. */
export function playbook(args: Args, names: AnsibleArguments): readonly Operation[] {
  const source = text(args, names.playbook);
  const run: Operation = isPlaybookText(source)
    ? { kind: 'ansible_playbook', source, check: isChecked(args, names) }
    : doubt(names.playbook ?? 'playbook', 'the playbook is a file that is not seen');
  return [...surroundings(args, names), run];
}

/** What keeps a run from being read_only whatever it runs: an inventory that may be a program, variables, patterns that are options. */
export function surroundings(args: Args, names: AnsibleArguments): readonly Operation[] {
  const changing = (names.changing ?? []).filter((name) => !isEmpty(value(args, name)));
  const options = [names.pattern, names.limit].filter((name) => /(?:^|[\s,:;])-/.test(text(args, name) ?? ''));
  return [
    ...(isStaticInventory(value(args, names.inventory))
      ? []
      : [doubt(names.inventory ?? '', 'the inventory may be a program')]),
    ...changing.map((name) => doubt(name, 'it may change what every task does')),
    ...options.map((name) => doubt(name ?? '', 'a part of it may be read as an option')),
  ];
}

/** The hosts of a run of a playbook: its limit, else those that stand in its text, else some that are not known. */
export function playbookHosts(args: Args, names: AnsibleArguments): readonly HostName[] {
  const argument = names.playbook ?? '';
  const limit = text(args, names.limit);
  if (names.limit !== undefined && limit !== undefined && limit.trim() !== '') {
    return limit.split(/[\s,]+/).map((host) => ({ value: host, argument: names.limit ?? '' }));
  }
  const found = hostsIn(text(args, names.playbook));
  return (found ?? ['']).map((host) => ({ value: host, argument }));
}

/** A call that runs on hosts and names none of them runs on some that are not known. */
export function patternHosts(args: Args, { pattern }: AnsibleArguments): readonly HostName[] {
  return pattern === undefined || !isEmpty(value(args, pattern)) ? [] : [{ value: '', argument: pattern }];
}

/** An inventory by a name of a file that holds one, or a list of hosts. Like any file, it is taken for what its name says. */
function isStaticInventory(inventory: unknown): boolean {
  if (isEmpty(inventory)) return true;
  const items: readonly unknown[] = Array.isArray(inventory) ? inventory : [inventory];
  return items.every((item) => typeof item === 'string' && STATIC.test(item) && !/(?:^|,)-/.test(item));
}

/** A name of a file stands on one line. */
export function isPlaybookText(source: string | undefined): source is string {
  return source !== undefined && /[\n[]/.test(source.trim());
}

const ELSEWHERE = /delegate_to|local_action|add_host|import_|include|roles|action:|limit|\\|\{[{%#]|<<|\*|&|!|\?/;

/** Only where every play names plain hosts, and no task can go anywhere else; undefined where that is not sure. */
function hostsIn(source: string | undefined): readonly string[] | undefined {
  if (!isPlaybookText(source) || ELSEWHERE.test(source)) return undefined;
  const named = [...source.matchAll(/^(?:- | {2})hosts: *([\w.-]+(?:,[\w.-]+)*) *\r?$/gm)].map(
    ([, hosts = '']) => hosts,
  );
  const plays = source.match(/^- /gm)?.length ?? 0;
  const mentioned = source.match(/hosts/g)?.length ?? 0;
  return named.length === plays && named.length === mentioned ? named.flatMap((hosts) => hosts.split(',')) : undefined;
}

function isChecked(args: Args, { check }: AnsibleArguments): boolean {
  return value(args, check) === true;
}

function text(args: Args, name: string | undefined): string | undefined {
  const found = value(args, name);
  return typeof found === 'string' ? found : undefined;
}

function value(args: Args, name: string | undefined): unknown {
  return name !== undefined && Object.hasOwn(args, name) ? args[name] : undefined;
}
