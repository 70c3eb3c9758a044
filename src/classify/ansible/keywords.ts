import { isPlainExpression } from './expression.js';
import { harmlessVariables, isOwnVariable } from './readers.js';
import { hasTemplate, isPlainData } from './text.js';

/** Says why a keyword keeps what stands under it from being read_only; undefined where it does not. */
type Keyword = (value: unknown) => string | undefined;

const harmless: Keyword = () => undefined;
const empty =
  (why: string): Keyword =>
  (value) =>
    isEmpty(value) ? undefined : why;
const oneOf = (values: string, why: string): Keyword => {
  const known = new Set(values.split(' '));
  return (value) => (typeof value === 'string' && known.has(value) ? undefined : why);
};
const condition: Keyword = (value) => (isPlainExpression(value) ? undefined : 'the condition may call something');
const word: Keyword = (value) =>
  typeof value === 'string' && /^\w[\w.@\\-]*$/.test(value) ? undefined : 'it is no plain name';
const list: Keyword = (value) =>
  Array.isArray(value) && isPlainData(value) ? undefined : 'what it goes through is not known';

/** Of tasks and blocks; a play takes most of them too. */
const KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ...(
    'name tags notify listen any_errors_fatal ignore_errors ignore_unreachable no_log run_once throttle timeout diff delay retries poll ' +
    'port delegate_facts become check_mode'
  )
    .split(' ')
    .map((name): [string, Keyword] => [name, harmless]),
  ['when', condition],
  ['until', condition],
  ['failed_when', condition],
  ['changed_when', condition],
  ['vars', (value) => (isHarmlessVars(value) ? undefined : 'a variable may change what the tasks do')],
  [
    'register',
    (value) =>
      typeof value === 'string' && isOwnVariable(value) ? undefined : 'the variable may change what later tasks do',
  ],
  ['loop', list],
  ['with_items', list],
  ['with_list', list],
  ['loop_control', (value) => (isLoopControl(value) ? undefined : 'how it loops is not known')],
  ['environment', empty('variables of the environment may change what a program does')],
  ['module_defaults', empty('defaults change what the modules do')],
  ['collections', empty('short names may stand for other modules')],
  ['become_exe', empty('it chooses the program that gives the rights')],
  ['become_flags', empty('it chooses options of the program that gives the rights')],
  ['debugger', empty('a debugger may run anything')],
  ['async', (value) => (isEmpty(value) || value === 0 ? undefined : 'a job in the background leaves files behind')],
  ['connection', oneOf('ssh smart local paramiko paramiko_ssh winrm psrp', 'the connection is not known')],
  ['become_method', oneOf('sudo su doas runas', 'the program that gives the rights is not known')],
  ['become_user', word],
  ['remote_user', word],
  ['delegate_to', word],
]);

/** Of plays alone: in a task `user` is a module. */
const PLAY_KEYWORDS: ReadonlyMap<string, Keyword> = new Map<string, Keyword>([
  ...'hosts order max_fail_percentage force_handlers gather_facts gather_subset gather_timeout serial'
    .split(' ')
    .map((name): [string, Keyword] => [name, harmless]),
  ['roles', empty('the roles are not seen')],
  ['vars_files', empty('the files of variables are not seen')],
  ['vars_prompt', empty('what is answered to a prompt is not known')],
  ['fact_path', empty('the facts are programs')],
  ['strategy', oneOf('linear free host_pinned', 'the strategy is not known')],
  ['user', word],
]);

/** Whether ansible takes the name for a keyword of a task or a block; any other key of a task is a module. */
export function isTaskKeyword(name: string): boolean {
  return KEYWORDS.has(name) || name.startsWith('with_');
}

/** Why a keyword of a task, or of a play, keeps it from being read_only. */
export function keywordDoubt(name: string, value: unknown, of: 'task' | 'play'): string | undefined {
  if (hasTemplate(value)) return 'the controller renders a template in it';
  const keyword = KEYWORDS.get(name) ?? (of === 'play' ? PLAY_KEYWORDS.get(name) : undefined);
  return keyword === undefined ? 'the keyword is not known' : keyword(value);
}

function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && !(value instanceof Date) && Object.keys(value).length === 0;
}

function isHarmlessVars(value: unknown): boolean {
  if (isEmpty(value)) return true;
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && harmlessVariables(Object.entries(value))
  );
}

function isLoopControl(value: unknown): boolean {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  return Object.entries(value).every(([name, inner]) => {
    if (name === 'loop_var' || name === 'index_var') return typeof inner === 'string' && isOwnVariable(inner);
    return ['label', 'pause', 'extended', 'extended_allitems'].includes(name) && isPlainData(inner);
  });
}
