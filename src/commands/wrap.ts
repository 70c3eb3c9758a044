import { basename } from 'node:path';
import type { App, AppOptions } from '../app.js';
import { type Config, type ServerEntry, secretVariables } from '../config/config.js';
import type { Server } from '../domain/call.js';
import { ProxyError } from '../domain/errors.js';
import { quote, visible } from '../domain/text.js';
import type { AbsentStart, DownstreamStart, Downstreams } from '../downstream.js';
import { startCommand } from '../downstream-command.js';
import type { HumanRecovery } from '../human-recovery.js';
import { type MeasuringOptions, pushedMetrics } from '../measuring.js';
import type { DownstreamEnd } from '../wire/downstream-end.js';
import { type Context, configPlace } from './context.js';
import { inherited } from './inherited.js';

/** What to do where no appliance is configured. */
export const CONNECT = '`zerto-rewind-proxy setup` connects one, and "zvm": "simulator" in the config is for trying';

/** Not an error: a client may start the proxy before anybody wrote a config. */
const NO_CONFIG =
  'there is no config file: no Zerto appliance is known, so only calls that read are forwarded; zerto-rewind-proxy setup writes one';

/** `[--as NAME] -- COMMAND [ARG…]`: the downstream is on the command line, its settings under NAME in the config. */
export async function runWrapped(
  context: Context,
  {
    as,
    downstream: [command, ...args],
  }: { readonly as?: string | undefined; readonly downstream: readonly [string, ...string[]] },
): Promise<number> {
  const config = await context.config();
  mustBeAllowed(config, [command, ...args]);
  if (config.file === undefined && config.locked === undefined)
    context.log.warn({ file: configPlace(context) }, NO_CONFIG);
  const entry = as === undefined || config.file === undefined ? undefined : entryOf(config, as);
  const env = entry?.start.kind === 'command' ? entry.start.env : {};
  const server = serverOf(as ?? nameOf([command, ...args]), entry);
  return run(context, config, [withEnv(context, config, { kind: 'command', server, command, args, env })]);
}

/** `[--as NAME] --url URL`: a server behind HTTP; its settings and headers stand under NAME in the config. */
export async function runUrl(
  context: Context,
  { as, url }: { readonly as?: string | undefined; readonly url: string },
): Promise<number> {
  const config = await context.config();
  mustBeAllowed(config, [url]);
  const entry = as === undefined ? undefined : entryOf(config, as);
  const server = serverOf(as ?? (URL.canParse(url) ? new URL(url).hostname : 'server'), entry);
  const { transport, headers } = loginOf(url, entry);
  const start = { kind: 'url', server, url, transport, headers: await headers(), env: {} } as const;
  return run(context, config, [withEnv(context, config, start)]);
}

/** Where a system config is in force, it says what may stand on the command line. Throws CONFIG_INVALID. */
function mustBeAllowed({ system, mcpServers }: Config, words: readonly string[]): void {
  if (system === undefined || system.mayWrapAll) return;
  const isListed = system.allowCommands.some(
    (command) => command.length === words.length && command.every((word, index) => word === words[index]),
  );
  if (isListed) return;
  const known = Object.keys(mcpServers).map((name) => quote(name));
  throw invalid(
    `The system config ${visible(system.path)} does not let this server be wrapped. Nothing was started. Name one of its servers by --server NAME: it has ${known.length > 0 ? known.join(', ') : 'none'}.`,
  );
}

/** `--server NAME`: one server of the config. Without a name all of them, as one server. */
export async function runNamed(context: Context, name: string | undefined): Promise<number> {
  const config = await context.config();
  needsFile(context, config);
  return run(context, config, await startsOf(context, config, name));
}

async function run(context: Context, config: Config, starts: Downstreams): Promise<number> {
  const { io, signal } = context;
  const early = startEarly(context, config, starts);
  try {
    const metrics = pushedMetrics(await measuringOptions(context, config));
    const wrap = (app: App) => app.wrap(starts, { input: io.stdin, output: io.stdout }, signal, early);
    return await withApp(context, config, wrap, { metrics, transport: 'pipe' });
  } catch (error) {
    await early?.stop();
    throw error;
  }
}

/** What a process's metrics are made with. */
export async function measuringOptions({ log, version }: Context, config: Config): Promise<MeasuringOptions> {
  return { config: config.export, version: await version(), log };
}

/** A server that is a process comes up while the rest of this program loads; not where an operator's rules could still be refused. */
function startEarly(
  { log }: Context,
  { classifier }: Config,
  [start, another]: Downstreams,
): DownstreamEnd | undefined {
  if (start.kind !== 'command' || another !== undefined) return undefined;
  const rules = [classifier.tools, classifier.commands].some((each) => Object.keys(each).length > 0);
  return rules ? undefined : startCommand(start, log);
}

/** Throws CONFIG_INVALID where there is no config file, which names the path that was looked for. */
export function needsFile(context: Context, config: Config): void {
  if (config.file === undefined) {
    const place = visible(configPlace(context));
    throw invalid(
      `There is no config file: ${place} was looked for. Write one (zerto-rewind-proxy setup does), name another with --config FILE, or wrap a server with -- COMMAND [ARG…]. See zerto-rewind-proxy --help.`,
    );
  }
}

/** Makes the proxy's parts, and closes them whatever happens. */
export async function withApp<T>(
  { log, surroundings, version }: Context,
  config: Config,
  use: (app: App) => Promise<T>,
  more: Pick<AppOptions, 'metrics' | 'transport'> = {},
): Promise<T> {
  // The examples of an operator's tools are judged at the start.
  if (/power.?shell|pwsh|"ps1?"/i.test(JSON.stringify(config.classifier.tools))) {
    await (await import('../classify/index.js')).preparePowerShell();
  }
  const { createApp } = await import('../app.js');
  const app = createApp({ config, surroundings, log, version: await version(), ...more });
  try {
    return await use(app);
  } finally {
    await app.close();
  }
}

/** The same with what a human's commands take files from the journal with; they need a config file. */
export async function withRecovery<T>(context: Context, use: (human: HumanRecovery) => Promise<T>): Promise<T> {
  const config = await context.config();
  needsFile(context, config);
  return withApp(context, config, async (app) => use(await app.recovering()));
}

/** The downstream with the environment it gets: the proxy's own without its secrets, and what the config adds. */
export function withEnv<Start extends Pick<DownstreamStart, 'env'>>(
  { surroundings }: Context,
  config: Config,
  start: Start,
): Start {
  const own = inherited(surroundings.env, secretVariables(config), surroundings.platform);
  return { ...start, env: { ...own, ...start.env } };
}

/** How the server of that name is started, or without one all of the config. Rejects with CONFIG_INVALID. */
export async function startsOf(context: Context, config: Config, name: string | undefined): Promise<Downstreams> {
  const entries = name === undefined ? allEntries(config) : [entryOf(config, name)];
  const [first, ...others] = await startsFor(context, entries);
  if (first === undefined)
    throw invalid('The config has no server under "mcpServers". Add one there, or wrap one with -- COMMAND [ARG…].');
  return [withEnv(context, config, first), ...others.map((start) => withEnv(context, config, start))];
}

/** Where one of several lacks a secret it is reported, and the others are started. */
async function startsFor(
  { log }: Context,
  entries: readonly ServerEntry[],
): Promise<readonly (DownstreamStart | AbsentStart)[]> {
  const tried = await Promise.all(
    entries.map((entry) =>
      startOf(entry).catch((error: unknown) => {
        const problem = error instanceof ProxyError ? error.details['problem'] : undefined;
        if (typeof problem !== 'string') throw error;
        return { entry, problem };
      }),
    ),
  );
  const problems = tried.flatMap((each) => ('problem' in each ? [each.problem] : []));
  if (problems.length > 0 && problems.length === entries.length)
    throw invalid(`A secret is not there: ${problems.join('; ')}. Nothing was started.`);
  return tried.map((each): DownstreamStart | AbsentStart => {
    if (!('problem' in each)) return each;
    const server = serverOf(each.entry.name, each.entry);
    log.error(
      { server: server.name, problem: each.problem },
      'a server of the config is not started: a secret is missing',
    );
    const why = `The MCP server ${quote(server.name)} was not started: a secret that it needs is not there. Ask the operator to look at the log of the proxy.`;
    return { kind: 'absent', server, env: {}, why };
  });
}

/** An entry that only describes a server of the command line is none to start, unless there is no other. */
function allEntries({ mcpServers }: Config): readonly ServerEntry[] {
  const all = Object.values(mcpServers);
  const startable = all.filter(({ start }) => start.kind !== 'settings');
  return startable.length > 0 ? startable : all;
}

/** How a server of the config is started; the environment is what the config adds. Throws CONFIG_INVALID. */
async function startOf(entry: ServerEntry): Promise<DownstreamStart> {
  const { start } = entry;
  const server = serverOf(entry.name, entry);
  if (start.kind === 'command') return { ...start, server };
  if (start.kind === 'url') return { ...start, server, headers: await start.headers(), env: {} };
  throw invalid(
    `Server ${quote(entry.name)} has no command and no url. Give it one: without, it only describes a server that is wrapped alone, by zerto-rewind-proxy --as ${entry.name} -- COMMAND.`,
  );
}

/** The headers of an entry are its login: they go only to the host that the entry names, or that the command line names for it. */
function loginOf(
  url: string,
  entry: ServerEntry | undefined,
): { readonly transport: 'http' | 'sse'; readonly headers: () => Promise<Readonly<Record<string, string>>> } {
  const start = entry?.start;
  if (start?.kind === 'url') {
    if (URL.canParse(url) && new URL(url).origin === new URL(start.url).origin) return start;
    throw invalid(`Server ${quote(entry?.name ?? '')} has the URL of another host in the config. Name it by --server.`);
  }
  return { transport: 'http', headers: start?.kind === 'settings' ? start.headers : async () => ({}) };
}

function entryOf({ mcpServers }: Config, name: string): ServerEntry {
  const entry = Object.hasOwn(mcpServers, name) ? mcpServers[name] : undefined;
  if (entry !== undefined) return entry;
  const known = Object.keys(mcpServers).map((each) => quote(each));
  throw invalid(`The config has no server ${quote(name)}. It has ${known.length > 0 ? known.join(', ') : 'none'}.`);
}

/** A server as the config describes it, before it is started. */
export function serverOf(name: string, entry: ServerEntry | undefined): Server {
  return { name, family: entry?.family, shell: entry?.shell, target: entry?.target };
}

const LAUNCHERS: ReadonlySet<string> = new Set([
  'node',
  'npx',
  'bunx',
  'uvx',
  'pnpm',
  'dlx',
  'exec',
  'python',
  'python3',
]);

/** A name for a server that has none: its program or package, without version and ending. */
function nameOf(words: readonly string[]): string {
  const plain = words.filter((word) => !word.startsWith('-')).map((word) => basename(word.replaceAll('\\', '/')));
  const program = plain.find((word) => !LAUNCHERS.has(word.replace(/\.(exe|cmd)$/i, ''))) ?? plain[0] ?? 'server';
  return program.replace(/(.)@.*$/, '$1').replace(/\.(exe|cmd|m?js|py)$/i, '');
}

function invalid(message: string): ProxyError {
  return new ProxyError('CONFIG_INVALID', message);
}
