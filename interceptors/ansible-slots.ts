import type { HostName, Operation } from '../src/domain/call.js';
import { adHoc, playbook, playbookHosts, surroundings } from './ansible.js';
import { isEmpty } from './commands.js';
import { doubt, type Slot } from './roles.js';

/** What ansible runs, by the roles of a call's values, whatever their names: one module, or a playbook by its text. `--check` is not counted on. */
export function ansibleOperations(slots: readonly Slot[]): readonly Operation[] {
  const given = slots.filter((slot) => !isEmpty(slot.value));
  const of = (role: Slot['role']): readonly Slot[] => given.filter((slot) => slot.role === role);
  const [module, ...modules] = of('module');
  const [args, ...more] = of('module_args');
  const [book, ...books] = of('playbook');
  if (module === undefined && book === undefined) return [];
  if (modules.length + more.length + books.length > 0 || (module !== undefined && book !== undefined))
    return [doubt('module', 'it is not clear what ansible runs')];
  const around = [...of('inventory'), ...of('limit'), ...of('host_list')].flatMap((slot) =>
    surroundings({ value: slot.value }, slot.role === 'inventory' ? { inventory: 'value' } : { pattern: 'value' }),
  );
  const named = { module: module?.value, args: args?.value, book: book?.value };
  if (module !== undefined) return [...around, ...adHoc(named, { module: 'module', args: 'args' })];
  return [
    ...around,
    ...playbook(named, { playbook: 'book' }),
    ...(args === undefined ? [] : [doubt(args.name, 'it may change what every task does')]),
  ];
}

/** The hosts of a run: its limit; those of a playbook that names none elsewhere are in its text, or not known. */
export function runHosts(slots: readonly Slot[]): readonly HostName[] {
  const limit = slots.find((slot) => slot.role === 'limit' && !isEmpty(slot.value));
  const book = slots.find((slot) => slot.role === 'playbook' && !isEmpty(slot.value));
  const elsewhere = slots.some((slot) => slot.role === 'host' || slot.role === 'host_list');
  if (book === undefined || elsewhere) return [];
  return playbookHosts(
    { [book.argument]: book.value, ...(limit !== undefined && { [limit.argument]: limit.value }) },
    { playbook: book.argument, ...(limit !== undefined && { limit: limit.argument }) },
  );
}
