import { ProxyError } from '../domain/errors.js';
import { type CommandLine, parseCommandLine } from './command-line.js';
import { auditDirOf, type Context, createContext, type Io, packageVersion, settingsOf } from './context.js';
import { asksForHelp, COMPLETED, describedBy, noCommand } from './help.js';

const HELP = `zerto-rewind-proxy: an MCP proxy that pins a tagged Zerto checkpoint before a tool call may change a VM.

usage:
  zerto-rewind-proxy [--config FILE] [--as NAME] -- COMMAND [ARG…]   wrap one stdio MCP server
  zerto-rewind-proxy [--config FILE] [--as NAME] --command "LINE"    the same, for clients that join arguments
  zerto-rewind-proxy [--config FILE] [--as NAME] --url URL           wrap one MCP server behind HTTP
  zerto-rewind-proxy [--config FILE] --server NAME                   wrap a server of the config
  zerto-rewind-proxy [--config FILE]                                 front all servers of the config as one
  zerto-rewind-proxy [--config FILE] serve --listen HOST:PORT        the same over Streamable HTTP, at /mcp; serve --help
  zerto-rewind-proxy classify [--shell bash|powershell|cmd] COMMAND  the verdict on a command, and why
  zerto-rewind-proxy classify --jsonl | --catalog | --tools FILE
  zerto-rewind-proxy explain --server S --tool T --args JSON         what would be done with a call, without sending it
  zerto-rewind-proxy audit list|show|verify|export|reconcile         the audit log: read it, send it on, compare it
  zerto-rewind-proxy setup                                           logs in, lists VMs, proposes targets, writes the config
  zerto-rewind-proxy coverage [--json]                               every host in reach, and why one cannot be rewound
  zerto-rewind-proxy doctor [--live [--pin VM]]                      what is wrong with the set-up, and how to mend it
  zerto-rewind-proxy approve [CODE [--deny|--always]]                what agents wait for, and the answer
  zerto-rewind-proxy recover --receipt ID --path P [--to DIR]        a human takes files of any size from the journal
  zerto-rewind-proxy rewind CHANGE|SESSION                           the plan to undo what an agent did, step by step
  zerto-rewind-proxy drill --vm NAME --path P [--expect SHA256]      proves that files can be recovered, for a scheduler
  zerto-rewind-proxy breakglass start|end                            lets some VMs be changed without a checkpoint, for minutes
  zerto-rewind-proxy export launcher|managed                         what binds a fleet to the proxy: a launcher, the clients' files
  zerto-rewind-proxy hook --client NAME                              what a client runs before a command in its own shell
  zerto-rewind-proxy install|uninstall [--dry-run]                   puts the proxy into the configs of MCP clients, or takes it out
  zerto-rewind-proxy status [--json]                                 servers behind the proxy or not; questions, answers, waivers
  zerto-rewind-proxy simulator [--port N]                            the embedded appliance
  zerto-rewind-proxy demo                                            the whole loop, in a clone
  zerto-rewind-proxy completion bash|zsh|fish|powershell             a script by which the shell completes all of this
  zerto-rewind-proxy help COMMAND                                    how a command is called

options: --config FILE, --log-level debug|info|warn|error|silent, --version, --help
`;

/** One command of the contract: its arguments in, the exit code out. */
type Command = (args: readonly string[], context: Context) => Promise<number>;

/** Each is loaded when it runs: a wrapped server must not wait for what it never uses. */
const COMMANDS: ReadonlyMap<string, Command> = new Map<string, Command>([
  ['classify', classify],
  ['audit', audit],
  [
    'simulator',
    async (args, { io, signal }) => (await import('./simulator.js')).simulatorCommand([...args], io, signal),
  ],
  ['setup', async (args, context) => (await import('./setup.js')).setupCommand(args, context)],
  ['serve', async (args, context) => (await import('./serve.js')).serveCommand(args, context)],
  ['doctor', async (args, context) => (await import('./doctor.js')).doctorCommand(args, context)],
  ['explain', async (args, context) => (await import('./explain.js')).explainCommand(args, context)],
  ['approve', async (args, context) => (await import('./approve.js')).approveCommand(args, context)],
  ['coverage', async (args, context) => (await import('./coverage.js')).coverageCommand(args, context)],
  ['recover', async (args, context) => (await import('./recover.js')).recoverCommand(args, context)],
  ['rewind', async (args, context) => (await import('./rewind.js')).rewindCommand(args, context)],
  ['drill', async (args, context) => (await import('./drill.js')).drillCommand(args, context)],
  ['breakglass', async (args, context) => (await import('./breakglass.js')).breakglassCommand(args, context)],
  ['export', async (args, context) => (await import('./export.js')).exportCommand(args, context)],
  ['hook', async (args, context) => (await import('./hook.js')).hookCommand(args, context)],
  ['install', async (args, context) => (await import('./install.js')).installCommand(args, context)],
  ['uninstall', async (args, context) => (await import('./install.js')).uninstallCommand(args, context)],
  ['status', async (args, context) => (await import('./status.js')).statusCommand(args, context)],
  [
    'completion',
    async (args, context) => (await import('./completion.js')).completionCommand(args, context, COMPLETED),
  ],
  ['demo', async (args, context) => (await import('./demo.js')).demo(args, context)],
]);

/** They leave files behind where they are not waited for. */
const CLEARS_UP: ReadonlySet<string> = new Set([
  'coverage',
  'demo',
  'doctor',
  'drill',
  'recover',
  'rewind',
  'simulator',
]);

/** What goes out of the machine, or asks the appliances, has files of its own. */
async function audit(args: readonly string[], context: Context): Promise<number> {
  const [command, ...rest] = args;
  if (command === 'export') return (await import('./audit-export.js')).auditExportCommand(rest, context);
  if (command === 'reconcile') return (await import('./audit-reconcile.js')).auditReconcileCommand(rest, context);
  return (await import('./audit.js')).auditCommand(args, await auditDirOf(context), context.io, context.signal);
}

/** By the built-in rules and those of the config. */
async function classify(args: readonly string[], context: Context): Promise<number> {
  const [{ classifyCommandLine }, { createClassify }, { userPrograms }] = await Promise.all([
    import('./classify.js'),
    import('../classify/index.js'),
    import('../classify/user-commands.js'),
  ]);
  const rules = (await settingsOf(context)).classifier.commands;
  return classifyCommandLine([...args], context.io, createClassify(userPrograms(rules)));
}

/** `stop` aborts on the signals by which a client or a human ends the proxy. Exit codes: 0 ok, 1 the check failed, 2 usage or config error; a wrapped server's own code where it ends first. */
export async function main(argv: readonly string[], io: Io, stop: AbortSignal): Promise<number> {
  const line = parseCommandLine(argv);
  try {
    return await run(line, io, stop);
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    io.stderr.write(`${error.code}: ${error.message}\n`);
    return error.code === 'CONFIG_INVALID' ? 2 : 1;
  }
}

async function run(line: CommandLine, io: Io, stop: AbortSignal): Promise<number> {
  switch (line.kind) {
    case 'help':
      io.stdout.write(HELP);
      return 0;
    case 'version':
      io.stdout.write(`${await packageVersion()}\n`);
      return 0;
    case 'usage':
      return usage(io, line.why);
    case 'wrap':
      return (await import('./wrap.js')).runWrapped(createContext(line.options, io, stop), line);
    case 'url':
      return (await import('./wrap.js')).runUrl(createContext(line.options, io, stop), line);
    case 'named':
      return (await import('./wrap.js')).runNamed(createContext(line.options, io, stop), line.server);
    case 'command':
      return runCommand(line, io, stop);
  }
}

async function runCommand(line: CommandLine & { kind: 'command' }, io: Io, stop: AbortSignal): Promise<number> {
  const { name, args, options } = line;
  if (name === 'help') return help(io, args[0], args.slice(1));
  const command = COMMANDS.get(name);
  if (command === undefined) return usage(io, noCommand(name));
  if (asksForHelp(args)) return help(io, name, args);
  const left = new AbortController();
  // A reader that left (`| head`) has what it wants: the command ends, after it has cleared up what it made.
  const quiet = new Promise<number>((resolve, reject) => {
    io.stdout.once('error', (error: NodeJS.ErrnoException) => {
      left.abort();
      if (error.code !== 'EPIPE') reject(error);
      else if (!CLEARS_UP.has(name)) resolve(0);
    });
  });
  return Promise.race([quiet, command(args, createContext(options, io, AbortSignal.any([stop, left.signal])))]);
}

async function help(io: Io, name: string | undefined, args: readonly string[]): Promise<number> {
  if (name !== undefined && !COMMANDS.has(name) && name !== 'help') return usage(io, noCommand(name));
  io.stdout.write((await describedBy(name ?? '', args))?.usage ?? HELP);
  return 0;
}

function usage(io: Io, why: string): number {
  io.stderr.write(`zerto-rewind-proxy: ${why.endsWith('?') ? why : `${why}.`}\nSee zerto-rewind-proxy --help.\n`);
  return 2;
}
