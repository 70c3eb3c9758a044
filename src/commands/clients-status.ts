import { type Choice, survey } from '../clients/survey.js';
import type { Context } from './context.js';
import { type FileReport, fileReport, headOf, nameOf, problemText } from './install-report.js';
import { settingOf } from './install-setting.js';

/** How the clients of this user and of the project in `cwd` start their servers. `ok`: every ssh, ansible and winrm server is behind the proxy, and every file could be read. */
export interface ClientsStatus {
  readonly ok: boolean;
  readonly files: readonly FileReport[];
  /** One for each server, and one for each file that cannot be read; for people. */
  readonly lines: readonly string[];
}

/** The client part of `status`: reads, and changes nothing. */
export async function clientsStatus(
  context: Pick<Context, 'surroundings' | 'options'>,
  choice: Choice = { clients: [], only: [] },
  cwd = process.cwd(),
): Promise<ClientsStatus> {
  const setting = settingOf(context, cwd);
  const files = (await survey(setting, choice)).map((file) => fileReport(file, setting));
  const ok = files.every(
    ({ problem, servers }) =>
      problem === undefined &&
      servers.every(({ family, wrapped, why }) => (wrapped ? why === undefined : family === undefined)),
  );
  return { ok, files, lines: files.flatMap(linesOf) };
}

function linesOf(report: FileReport): readonly string[] {
  const head = headOf(report);
  if (report.problem !== undefined) return [`${head}: ${problemText(report.problem)}`];
  return report.servers.map((server) => {
    const what = `${server.wrapped ? 'wrapped' : 'not wrapped'}${server.why === undefined ? '' : `: ${server.why}`}`;
    return `${head}: ${nameOf(server)}: ${what}`;
  });
}
