import { createInterface } from 'node:readline/promises';
import { carryOut, type Done, isChosen, type Plan, planInstall, planUninstall } from '../clients/install.js';
import { quote, visible } from '../domain/text.js';
import { type Context, type Io, settingsOf } from './context.js';
import { type InstallOptions, OPTIONS, readInstallOptions } from './install-options.js';
import { fleeting, settingOf } from './install-setting.js';
import { jsonOf, type Outcome, textOf } from './install-text.js';

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy [--config FILE] install [--client NAME]… [--only NAME|FAMILY]… [--dry-run] [--yes] [--json]

Puts the proxy in front of the ssh, ansible and winrm servers in the configs of MCP clients: Claude Desktop, Claude Code, VS Code,
Cursor, OpenCode, Windsurf, Codex, Gemini CLI and Copilot CLI; the user's own and those of the project in the current directory. A server counts
by its name, its package or the tools that its entry names. One with a URL is reported and left alone.

  --client NAME   only this client: claude-desktop, claude-code, vscode, cursor, opencode, windsurf, codex, gemini, copilot
  --only NAME     only the server of this name, whatever it is, or those of this family: ssh, ansible, winrm
  --dry-run       shows what would be done, and changes nothing
  --yes           does not ask. At a terminal the command asks before it writes; without a terminal it asks nothing and goes on
  --json          one JSON object instead of text; it asks nothing and goes on
  --config FILE   (before "install") the config that the wrapped servers are to use; else the proxy's usual place

Only the values of "command" and "args" change. A copy of each file is kept under the state directory before it is written.

Exit codes: 0 all is done, or there was nothing to do; 1 a file was left alone that should not be; 2 usage error.
`;

/** The same for the other direction. */
export const UNINSTALL_USAGE = `usage: zerto-rewind-proxy uninstall [--client NAME]… [--only NAME|FAMILY]… [--dry-run] [--yes] [--json]

Takes the proxy out of the configs of MCP clients again. A file that nobody edited since is as it was, byte for byte; in any other
the proxy's own words are taken out of "command" and "args". What a person had wrapped before "install" stays wrapped.

Options and exit codes are those of "install". Without a terminal it asks nothing and goes on.
`;

export { OPTIONS };

interface Verb {
  readonly name: 'install' | 'uninstall';
  readonly usage: string;
  readonly plan: typeof planInstall;
}

const INSTALL: Verb = { name: 'install', usage: USAGE, plan: planInstall };
const UNINSTALL: Verb = { name: 'uninstall', usage: UNINSTALL_USAGE, plan: planUninstall };

export function installCommand(args: readonly string[], context: Context): Promise<number> {
  return run(INSTALL, args, context);
}

export function uninstallCommand(args: readonly string[], context: Context): Promise<number> {
  return run(UNINSTALL, args, context);
}

async function run(verb: Verb, args: readonly string[], context: Context): Promise<number> {
  const { io } = context;
  const options = readInstallOptions(args);
  if (typeof options === 'string') {
    io.stderr.write(`${verb.name}: ${options}\n${verb.usage}`);
    return 2;
  }
  const setting = settingOf(context, process.cwd());
  const plans = await verb.plan(setting, options);
  const shown = (done: readonly Done[], isPlan: boolean): Outcome => {
    return { command: verb.name, done, setting, choice: options, isPlan };
  };
  const isChange = plans.some(({ next }) => next !== undefined);
  if (verb.name === 'install' && isChange) await warn(setting.wrapper.program, context);
  if (isChange && asks(io, options) && !(await agrees(textOf(shown(plans.map(pending), true)), context))) {
    io.stdout.write('Nothing was changed.\n');
    return 0;
  }
  const done: Done[] = [];
  for (const plan of plans) done.push(options.dryRun ? pending(plan) : await carryOut(setting, plan));
  const unknown = unmatched(plans, options);
  const ok = unknown.length === 0 && done.every((each) => isWell(verb, each, options));
  const outcome = shown(done, options.dryRun);
  io.stdout.write(options.json ? jsonOf(outcome, ok) : textOf(outcome));
  for (const name of unknown) io.stderr.write(`${verb.name}: no server and no family is called ${quote(name, 80)}\n`);
  return ok ? 0 : 1;
}

/** Nothing was left alone that should not be. A server with a URL is no concern of `install`. */
function isWell(verb: Verb, { plan, problem }: Done, options: InstallOptions): boolean {
  const left = plan.file.servers.filter(
    (server) => isChosen(server, options) && server.whyNot !== undefined && server.entry.launch.kind !== 'url',
  );
  const isLeft = verb.name === 'install' && left.length > 0;
  return problem === undefined && plan.file.problem === undefined && !isLeft;
}

const pending = (plan: Plan): Done => ({ plan, problem: plan.problem });

/** What `--only` names and no file has. */
function unmatched(plans: readonly Plan[], { only }: InstallOptions): readonly string[] {
  const servers = plans.flatMap(({ file }) => file.servers);
  const families = ['ssh', 'ansible', 'winrm'];
  return only.filter(
    (name) => !families.includes(name) && !servers.some((server) => isChosen(server, { clients: [], only: [name] })),
  );
}

async function warn(program: string, context: Context): Promise<void> {
  for (const warning of [fleeting(program), await underSystemConfig(context)])
    if (warning !== undefined) context.io.stderr.write(`install: ${warning}.\n`);
}

/** What to say where a system config decides what may be wrapped: an entry that it does not allow starts nothing. */
async function underSystemConfig(context: Context): Promise<string | undefined> {
  if (context.surroundings.isFixed !== true) return undefined;
  const { system, mcpServers, locked } = await settingsOf(context);
  if (locked !== undefined) return `the system config cannot be used: ${visible(locked)}`;
  if (system === undefined || system.mayWrapAll) return undefined;
  const names = Object.keys(mcpServers).map((name) => quote(name));
  return `the system config ${visible(system.path)} says which servers may be wrapped; an entry with another command starts nothing. By --server NAME it has ${names.join(', ') || 'none'}`;
}

function asks({ stdin }: Io, { dryRun, yes, json }: InstallOptions): boolean {
  return stdin.isTTY === true && !dryRun && !yes && !json;
}

async function agrees(plan: string, { io, signal }: Context): Promise<boolean> {
  io.stdout.write(plan);
  const lines = createInterface({ input: io.stdin, output: io.stdout });
  try {
    return /^\s*y(?:es)?\s*$/i.test(await lines.question('Change these files? [y/N] ', { signal }));
  } catch {
    return false;
  } finally {
    lines.close();
  }
}
