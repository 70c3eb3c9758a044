import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { auditChecks } from '../checks/audit-dir.js';
import { type Canary, readCanary } from '../checks/canary.js';
import { about, type Check, type Group, type Status, summaryOf } from '../checks/check.js';
import { configChecks } from '../checks/config-file.js';
import { exportChecks } from '../checks/export.js';
import { exposureChecks } from '../checks/exposure.js';
import { programChecks } from '../checks/program.js';
import { type Startable, serverChecks } from '../checks/servers.js';
import { siteChecks } from '../checks/site.js';
import { openSites, type SitesOptions } from '../checks/site-clients.js';
import { listChecks } from '../checks/site-lists.js';
import { createTranscript } from '../checks/transcript.js';
import type { Config } from '../config/config.js';
import { signingKeyFile, stateDir } from '../config/paths.js';
import { ProxyError } from '../domain/errors.js';
import { visible } from '../domain/text.js';
import type { Context } from './context.js';
import { tryPin } from './doctor-pin.js';
import { exportLag } from './export-lag.js';
import { readArguments } from './options.js';
import { CONNECT, startsOf } from './wrap.js';

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy [--config FILE] doctor [--json] [--live] [--pin VM] [--canary HOST:PATH] [--transcript FILE]

Looks at the config, the appliances, the wrapped servers (each is started and ended again), the audit log, and what this user
could change. Each failure comes with its fix. Nothing is changed, except by --pin and --canary.

  --live             reads the appliances' lists too: VMs, VPGs, journals, mounts
  --pin VM           makes one real tag on each VPG of the VM: how long until it is listed, and how it is stamped
  --canary HOST:PATH tags the host's VM, then writes a file there by ssh, and looks whether the tag holds it
  --transcript FILE  writes what the appliances were asked and answered, without names, ids or secrets, for a report
  --server NAME      looks at this server of the config alone

Exit codes: 0 nothing failed, 1 something did, 2 wrong usage.
`;

/** Its options. */
export const OPTIONS = {
  json: { type: 'boolean' },
  live: { type: 'boolean' },
  pin: { type: 'string' },
  canary: { type: 'string' },
  transcript: { type: 'string', value: 'file' },
  server: { type: 'string' },
} as const;

interface Wanted {
  readonly json: boolean;
  readonly live: boolean;
  readonly pin: string | undefined;
  readonly canary: Canary | undefined;
  readonly transcript: string | undefined;
  readonly server: string | undefined;
}

/** `doctor`: one group of checks after the other, each told as soon as it is done. */
export async function doctorCommand(args: readonly string[], context: Context): Promise<number> {
  const { io } = context;
  const wanted = read(args);
  if (typeof wanted === 'string') {
    io.stderr.write(`doctor: ${wanted}\n${USAGE}`);
    return 2;
  }
  const groups: Group[] = [];
  const done = (title: string, checks: readonly Check[]): void => {
    if (checks.length === 0) return;
    groups.push({ title, checks });
    if (!wanted.json) io.stdout.write(textOf({ title, checks }));
  };
  const version = await context.version();
  await lookAtAll(wanted, context, version, done);
  const summary = summaryOf(groups);
  const ok = summary.fail === 0;
  if (wanted.json) {
    const checks = groups.flatMap(({ title, checks: all }) => all.map((check) => ({ group: title, ...check })));
    io.stdout.write(`${JSON.stringify({ ok, version, summary, checks }, undefined, 2)}\n`);
  } else {
    io.stdout.write(
      `\n${summary.pass} ok, ${summary.warn} to improve, ${summary.fail} failed, ${summary.skip} not looked at\n`,
    );
  }
  return ok ? 0 : 1;
}

async function lookAtAll(
  wanted: Wanted,
  context: Context,
  version: string,
  done: (title: string, checks: readonly Check[]) => void,
): Promise<void> {
  const { surroundings, options, log } = context;
  // What a launcher kept from this process reaches the wrapped servers alone.
  const { NODE_OPTIONS } = process.env;
  done('program', programChecks(process.version, version, { ...surroundings.env, NODE_OPTIONS }));
  const { config, checks } = await configChecks({ ...surroundings, file: options.config });
  done('config', checks);
  if (config === undefined) return;
  await lookAtSites(wanted, context, config, version, done);
  const servers = await startables(context, config, wanted.server);
  const started = await serverChecks(servers, { version, surroundings, log: quiet(log) });
  done('servers', [...started, ...(wanted.server === undefined ? describedAlone(config) : [])]);
  const dir = config.audit.dir ?? join(stateDir(surroundings), 'audit');
  const { platform } = surroundings;
  const place = {
    dir,
    platform,
    keyFile: signingKeyFile(surroundings),
    headsTo: config.audit.headsTo,
    now: Date.now(),
  };
  done('audit', await auditChecks(place));
  done('export', exportChecks(await exportLag(context, config, dir), Date.now()));
  const starts = servers.flatMap(({ start }) => (start instanceof ProxyError ? [] : [start]));
  const program = fileURLToPath(new URL('../main.js', import.meta.url));
  done('what this user can change', exposureChecks({ surroundings, program, node: process.execPath, starts }));
}

async function lookAtSites(
  wanted: Wanted,
  context: Context,
  config: Config,
  version: string,
  done: (title: string, checks: readonly Check[]) => void,
): Promise<void> {
  const { surroundings, signal } = context;
  const { zvm } = config;
  if (zvm === undefined) {
    const none = 'none is configured: calls that may change something are refused';
    done('appliances', [about('site').warn(none, `${CONNECT}.`)]);
    return;
  }
  const transcript = createTranscript(`zerto-rewind-proxy ${version}`);
  const observe = wanted.transcript === undefined ? undefined : transcript.observe;
  try {
    await lookAtEach(wanted.live, { zvm, stateDir: stateDir(surroundings), observe }, done, signal);
  } catch (error) {
    done('appliances', [about('site').fail(messageOf(error), 'Correct the site in the config.')]);
  } finally {
    if (wanted.transcript !== undefined)
      await writeFile(wanted.transcript, `${JSON.stringify(transcript.read(), undefined, 2)}\n`, { mode: 0o600 });
  }
  if (wanted.pin !== undefined || wanted.canary !== undefined)
    done('a real tag', await tryPin(wanted.pin ?? wanted.canary?.host ?? '', wanted.canary, context, config));
}

async function lookAtEach(
  live: boolean,
  options: SitesOptions,
  done: (title: string, checks: readonly Check[]) => void,
  signal: AbortSignal,
): Promise<void> {
  const { sites, close } = await openSites(options);
  try {
    for (const site of sites) {
      const checks = await siteChecks(site, signal);
      const deep = live && !checks.some(({ status }) => status === 'fail');
      done(`appliance ${site.name}`, deep ? [...checks, ...(await listChecks(site, signal))] : checks);
    }
  } finally {
    await close();
  }
}

function messageOf(error: unknown): string {
  return visible(error instanceof Error ? error.message : String(error));
}

/** Each server of the config that can be started, or why it cannot be. */
async function startables(context: Context, config: Config, only: string | undefined): Promise<readonly Startable[]> {
  const names = Object.values(config.mcpServers)
    .filter(({ name, start }) => (only === undefined ? start.kind !== 'settings' : name === only))
    .map(({ name }) => name);
  return Promise.all(
    names.map(async (name): Promise<Startable> => {
      try {
        const [start] = await startsOf(context, config, name);
        return { name, start: start.kind === 'absent' ? new ProxyError('CONFIG_INVALID', start.why) : start };
      } catch (error) {
        if (!(error instanceof ProxyError)) throw error;
        return { name, start: error };
      }
    }),
  );
}

/** Entries that start nothing: they say how the server of a client's own command line is to be treated. */
function describedAlone({ mcpServers }: Config): readonly Check[] {
  return Object.values(mcpServers)
    .filter(({ start }) => start.kind === 'settings')
    .map(({ name }) =>
      about('server.start', name).skip(
        `it has no command and no url: it describes the server of \`--as ${visible(name)} -- COMMAND\`, and cannot be started by name`,
      ),
    );
}

/** What a failing server makes the proxy log is told by its check. */
function quiet(log: Context['log']): Context['log'] {
  const nothing = () => undefined;
  return { ...log, info: nothing, warn: nothing };
}

function read(args: readonly string[]): Wanted | string {
  const given = readArguments(args, OPTIONS);
  if (typeof given === 'string') return given;
  const { values } = given;
  const canary = values.canary === undefined ? undefined : readCanary(values.canary);
  if (values.canary !== undefined && canary === undefined) return '--canary is HOST:PATH with an absolute path';
  const { pin, transcript, server } = values;
  return { json: values.json === true, live: values.live === true, pin, canary, transcript, server };
}

const WORDS: Readonly<Record<Status, string>> = { pass: 'ok', warn: 'warn', fail: 'FAIL', skip: '-' };

function textOf({ title, checks }: Group): string {
  const lines = checks.flatMap(({ id, status, subject, detail, fix }) => {
    const what = id.slice(id.indexOf('.') + 1).replaceAll('-', ' ');
    const named = subject === undefined || title.endsWith(subject) ? what : `${what} ${visible(subject)}`;
    return [`  ${WORDS[status].padEnd(4)}  ${named}: ${detail}`, ...(fix === undefined ? [] : [`          → ${fix}`])];
  });
  return `${visible(title)}\n${lines.join('\n')}\n`;
}
