import { type Answers, countAnswers } from '../audit/answers.js';
import { readCalls } from '../audit/calls.js';
import { type CallEntry, entryOf } from '../audit/entry.js';
import { lagText } from '../checks/export.js';
import { counted, quote, seconds, visible } from '../domain/text.js';
import { clientsStatus } from './clients-status.js';
import { auditDirOf, type Context, settingsOf } from './context.js';
import { exportLag } from './export-lag.js';
import { OPTIONS as INSTALL_OPTIONS, readInstallOptions } from './install-options.js';

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy status [--json] [--client NAME]… [--only NAME|FAMILY]…

A line for each server of each MCP client (the user's own configs and those of the project in the current directory), wrapped or
not; then, from the audit log, how often people were asked and how they answered, what was sent without a checkpoint and why, and
how far each destination of the export is.

Exit codes: 0 every ssh, ansible and winrm server is behind the proxy; 1 one is not, or a file cannot be read; 2 usage error.
`;

/** Its options: those of `install` that change nothing. */
export const OPTIONS = { json: INSTALL_OPTIONS.json, client: INSTALL_OPTIONS.client, only: INSTALL_OPTIONS.only };

/** `status`: reads, and changes nothing. */
export async function statusCommand(args: readonly string[], context: Context): Promise<number> {
  const { io } = context;
  const options = args.some((word) => /^(--dry-run|--yes|-y)$/.test(word))
    ? 'it changes nothing: leave --dry-run and --yes out'
    : readInstallOptions(args);
  if (typeof options === 'string') {
    io.stderr.write(`status: ${options}\n${USAGE}`);
    return 2;
  }
  const clients = await clientsStatus(context, options);
  const dir = await auditDirOf(context);
  const answers = await answersIn(dir);
  const lags = await exportLag(context, await settingsOf(context), dir);
  if (options.json) {
    io.stdout.write(
      `${JSON.stringify({ ok: clients.ok, files: clients.files, audit: { dir, ...told(answers) }, export: lags }, undefined, 2)}\n`,
    );
  } else {
    const servers = clients.lines.length === 0 ? ['No MCP client with a server was found.'] : clients.lines;
    io.stdout.write(
      `${[...servers, '', ...linesOf(dir, answers), ...lags.map((lag) => `Export ${lag.name}: ${lagText(lag)}`)].join('\n')}\n`,
    );
  }
  return clients.ok ? 0 : 1;
}

/** The counts, or why the log cannot be read; a log that nobody has begun is empty. */
async function answersIn(dir: string): Promise<Answers | string> {
  const entries: CallEntry[] = [];
  try {
    for await (const call of readCalls(dir)) entries.push(entryOf(call));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') return visible(String(error));
  }
  return countAnswers(entries);
}

function told(answers: Answers | string): object {
  return typeof answers === 'string' ? { problem: answers } : answers;
}

function linesOf(dir: string, answers: Answers | string): readonly string[] {
  if (typeof answers === 'string') return [`The audit log in ${quote(dir, 500)} cannot be read: ${answers}`];
  const { calls, asked, approved, denied, unanswered, medianAnswerMs, longestAnswerMs, waived } = answers;
  const times =
    medianAnswerMs === undefined || longestAnswerMs === undefined
      ? ''
      : `; answers took ${seconds(medianAnswerMs)} in the median, ${seconds(longestAnswerMs)} at most`;
  return [
    `Audit log in ${quote(dir, 500)}: ${counted(calls, 'call')}, ${asked} of them put to a human.`,
    ...(asked === 0 ? [] : [`Approved ${approved}, denied ${denied}, not answered ${unanswered}${times}.`]),
    ...waived.map((each) => `Sent without a checkpoint: ${each.calls} by ${quote(each.by, 200)}`),
  ];
}
