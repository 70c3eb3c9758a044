import type { Problem } from '../clients/document.js';
import { type Done, isChosen } from '../clients/install.js';
import type { Choice, FoundServer, Setting } from '../clients/survey.js';
import { counted, visible } from '../domain/text.js';
import { type FileReport, fileReport, headOf, nameOf, problemText, type ServerReport } from './install-report.js';

/** What `install` or `uninstall` did; `isPlan`: would do. */
export interface Outcome {
  readonly command: 'install' | 'uninstall';
  readonly done: readonly Done[];
  readonly setting: Setting;
  readonly choice: Choice;
  readonly isPlan: boolean;
}

const WORDS = {
  install: { did: 'wrapped', would: 'would be wrapped' },
  uninstall: { did: 'no longer wrapped', would: 'would no longer be wrapped' },
} as const;

/** For machines. */
export function jsonOf({ command, done, setting, isPlan }: Outcome, ok: boolean): string {
  const files = done.map((each) => {
    const report = reportOf(each, setting);
    const servers = each.plan.file.servers.map((server, index) => {
      const changed = isChanged(each, server);
      const { why, wrapped = false, ...rest } = report.servers[index] ?? {};
      const now = changed && !isPlan ? command === 'install' : wrapped;
      return { ...rest, wrapped: now, changed, ...(!changed && { why }) };
    });
    return { ...report, backup: each.backup, servers };
  });
  return `${JSON.stringify({ command, dryRun: isPlan, ok, files }, undefined, 2)}\n`;
}

/** For people. */
export function textOf(outcome: Outcome): string {
  const lines = outcome.done.flatMap((each) => fileLines(outcome, each));
  return `${[...lines, lastLine(outcome)].join('\n')}\n`;
}

function lastLine({ command, done, isPlan }: Outcome): string {
  const changed = done.filter(({ plan, problem }) => plan.next !== undefined && problem === undefined);
  const servers = changed.reduce((sum, { plan }) => sum + plan.changes.length, 0);
  if (done.length === 0) return 'No config of a client was found.';
  if (servers === 0) return done.some(isLeftAlone) ? 'Nothing was changed.' : 'There is nothing to change.';
  const what = `${counted(servers, 'server')} in ${counted(changed.length, 'file')}`;
  if (isPlan) return `${what} ${WORDS[command].would}.`;
  return `${what} ${WORDS[command].did}. Start the clients again that are running.`;
}

function isLeftAlone({ plan, problem }: Done): boolean {
  return problem !== undefined || plan.file.problem !== undefined;
}

/** A problem that has a place in the file is one that a person can mend there. */
function adviceOn({ line }: Problem): string {
  return line === undefined ? '' : '; correct it there, then run this again';
}

function fileLines(outcome: Outcome, done: Done): readonly string[] {
  const report = reportOf(done, outcome.setting);
  const servers = done.plan.file.servers.flatMap((server, index) => {
    const own = report.servers[index];
    const what = own === undefined ? undefined : whatOf(outcome, done, server, own);
    return own === undefined || what === undefined ? [] : [`  ${nameOf(own)}: ${what}`];
  });
  if (outcome.command === 'uninstall' && report.problem === undefined && servers.length === 0) return [];
  return [
    headOf(report),
    ...(report.problem === undefined
      ? []
      : [`  left alone: ${problemText(report.problem)}${adviceOn(report.problem)}`]),
    ...servers,
    ...(done.backup === undefined ? [] : [`  copy of the file before: ${visible(done.backup)}`]),
  ];
}

/** What is said of a server; nothing where there is nothing to say. */
function whatOf(
  { command, choice, isPlan }: Outcome,
  done: Done,
  server: FoundServer,
  { wrapped, why, family }: ServerReport,
): string | undefined {
  if (isChanged(done, server)) return WORDS[command][isPlan ? 'would' : 'did'];
  if (command === 'uninstall') return wrapped ? 'left alone' : undefined;
  if (wrapped) return why ?? 'is wrapped';
  if (server.whyNot !== undefined) return `left alone: ${server.whyNot}`;
  const isOut = family !== undefined && !isChosen(server, choice);
  return `left alone: ${isOut ? 'not chosen' : (why ?? 'not chosen')}`;
}

function isChanged({ plan, problem }: Done, server: FoundServer): boolean {
  return problem === undefined && plan.changes.includes(server);
}

/** With what kept the file from being written. */
function reportOf({ plan, problem }: Done, setting: Setting): FileReport {
  const report = fileReport(plan.file, setting);
  return problem === undefined || report.problem !== undefined ? report : { ...report, problem: { message: problem } };
}
