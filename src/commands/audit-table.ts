import type { CallEntry } from '../audit/entry.js';
import { quote, visible } from '../domain/text.js';

/** The columns of `audit list`, by the names that the members of `--json` have. */
const COLUMNS: ReadonlyArray<readonly [name: string, cell: (entry: CallEntry) => string]> = [
  ['at', ({ at }) => visible(at)],
  ['agent', ({ agent }) => quote(agent)],
  ['server', ({ server }) => quote(server)],
  ['tool', ({ tool }) => quote(tool)],
  ['vms', ({ vms }) => vms.map((vm) => quote(vm)).join(',')],
  ['effect', ({ effect }) => effect],
  ['decision', ({ decision }) => decision],
  ['outcome', ({ outcome, result }) => `${outcome}${result === undefined ? '' : `(${result})`}`],
  [
    'permit',
    ({ permit, mode, simulated }) => [permit, mode, simulated === true ? 'simulated' : ''].filter(Boolean).join(','),
  ],
  ['receipt', ({ receipt = '' }) => visible(receipt)],
  ['tags', ({ tags }) => tags.map((tag) => quote(tag)).join(' ')],
];

/** A header and one line per call, in columns. */
export function tableOf(entries: readonly CallEntry[]): string {
  const rows = [COLUMNS.map(([name]) => name), ...entries.map(cellsOf)];
  const widths = COLUMNS.map((_, index) => rows.reduce((most, row) => Math.max(most, row[index]?.length ?? 0), 0));
  return rows
    .map(
      (row) =>
        `${row
          .map((cell, index) => cell.padEnd(widths[index] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('');
}

/** One call without a header. */
export function lineOf(entry: CallEntry): string {
  return cellsOf(entry).join('  ').trimEnd();
}

function cellsOf(entry: CallEntry): readonly string[] {
  return COLUMNS.map(([, cell]) => cell(entry) || '-');
}
