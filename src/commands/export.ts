import { fileURLToPath } from 'node:url';
import { bareCommands } from '../checks/config-file.js';
import { writersOf } from '../checks/owners.js';
import { ProxyError } from '../domain/errors.js';
import { quote } from '../domain/text.js';
import { cmdLauncher, shellLauncher } from '../fleet/launcher.js';
import { LAUNCHER, MANAGED_CLIENTS, managedFiles, PLATFORMS, type Platform } from '../fleet/managed.js';
import { type Context, settingsOf } from './context.js';
import { type Arguments, readArguments } from './options.js';

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy export launcher [--platform linux|darwin|win32] [--node FILE] [--program FILE]
       zerto-rewind-proxy export managed --client claude-code|copilot|codex|gemini [--platform …] [--launcher FILE] [--shell deny|hook] [--json]

Prints the files by which a fleet is bound to the proxy; nothing is written.

  launcher          a script for root to install: starts the proxy with an environment and a PATH of its own, and hands the client's on to the
                    wrapped server
  managed           what a client's administrator deploys: the servers of the config as constant entries, an exact allowlist, the hook

  --launcher FILE   where the launcher lies (/usr/local/bin/zerto-rewind-proxy)
  --shell deny      the client's shell may not start ssh and the like (default); hook: it may, behind the hook
  --json            {"files":[{"path","content"}]}

Exit codes: 0 printed, 2 wrong usage, or a config without servers.
`;

/** Its options. */
export const OPTIONS = {
  client: { type: 'string', value: MANAGED_CLIENTS },
  platform: { type: 'string', value: PLATFORMS },
  node: { type: 'string', value: 'file' },
  program: { type: 'string', value: 'file' },
  launcher: { type: 'string', value: 'file' },
  shell: { type: 'string', default: 'deny', value: ['deny', 'hook'] },
  json: { type: 'boolean', default: false },
} as const;

/** The words that it takes first. */
export const WORDS = ['launcher', 'managed'] as const;

/** `export launcher|managed`. */
export async function exportCommand(args: readonly string[], context: Context): Promise<number> {
  const { io, surroundings } = context;
  const given = readArguments(args, OPTIONS, { words: true });
  if (typeof given === 'string') return usage(io, given);
  const [what, ...more] = given.words;
  const platform = PLATFORMS.find((each) => each === (given.values.platform ?? surroundings.platform));
  if (more.length > 0 || (what !== 'launcher' && what !== 'managed')) return usage(io, 'launcher or managed is needed');
  if (platform === undefined) return usage(io, `--platform is one of ${PLATFORMS.join(', ')}`);
  if (what === 'launcher') return launcher(given.values, platform, context);
  return managed(given.values, platform, context);
}

type Values = Arguments<typeof OPTIONS>['values'];

function launcher({ node, program }: Values, platform: Platform, { io, surroundings }: Context): number {
  const paths = {
    node: node ?? process.execPath,
    program: program ?? fileURLToPath(new URL('../main.js', import.meta.url)),
  };
  let text: string;
  try {
    text = platform === 'win32' ? cmdLauncher(paths) : shellLauncher(paths);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return usage(io, error.message);
  }
  io.stdout.write(text);
  if (platform !== surroundings.platform) return 0;
  for (const path of Object.values(paths)) {
    const { kind } = writersOf(path, platform);
    if (kind === 'user' || kind === 'others')
      io.stderr.write(`export: ${quote(path, 500)} can be changed by others than root: install it as root first.\n`);
  }
  return 0;
}

async function managed(values: Values, platform: Platform, context: Context): Promise<number> {
  const { io } = context;
  const client = MANAGED_CLIENTS.find((each) => each === values.client);
  if (client === undefined) return usage(io, `--client is one of ${MANAGED_CLIENTS.join(', ')}`);
  if (values.shell !== 'deny' && values.shell !== 'hook') return usage(io, '--shell is deny or hook');
  const path = values.launcher ?? LAUNCHER[platform];
  const isAbsolute = platform === 'win32' ? /^[A-Za-z]:\\[^"%!\r\n]*$/.test(path) : /^\/[^\r\n]*$/.test(path);
  if (!isAbsolute) return usage(io, '--launcher is an absolute path');
  const config = await settingsOf(context);
  const servers = Object.values(config.mcpServers).flatMap(({ name, start }) =>
    start.kind === 'settings' ? [] : [name],
  );
  if (servers.length === 0)
    throw new ProxyError(
      'CONFIG_INVALID',
      'The config has no server that could be started. Name one under "mcpServers" of the system config.',
    );
  const files = managedFiles(client, { platform, launcher: path, servers, shell: values.shell });
  for (const { name, command } of bareCommands(config))
    io.stderr.write(
      `export: server ${quote(name)} is started by ${quote(command)}, which PATH leads somewhere: give its full path.\n`,
    );
  if (values.json) io.stdout.write(`${JSON.stringify({ files }, undefined, 2)}\n`);
  else io.stdout.write(files.map((file) => `==> ${file.path}\n${file.content}`).join('\n'));
  return 0;
}

function usage(io: Context['io'], problem: string): number {
  io.stderr.write(`export: ${problem}\n${USAGE}`);
  return 2;
}
