import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, readFile, realpath, rename, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Config, ZvmSite, ZvmTls } from '../config/config.js';
import { parseJsonc } from '../config/jsonc.js';
import { parseConfigFile } from '../config/problems.js';
import { resolveConfig } from '../config/resolve.js';
import { type Secret, secret } from '../config/secret.js';
import { ProxyError } from '../domain/errors.js';
import { fingerprintHex } from '../domain/fingerprint.js';
import type { Vm } from '../domain/target.js';
import { quote, visible } from '../domain/text.js';
import { ZvmClient } from '../zerto/client.js';
import { ZvmInventory } from '../zerto/inventory.js';
import { presentedFingerprint } from '../zerto/tls.js';
import { type Context, configPlace } from './context.js';
import { coverageOf, textOf } from './coverage.js';
import { OPTIONS, readSetupArgs, type SetupArgs, USAGE } from './setup-args.js';
import { type NewSite, newConfigText, siteName, withSite, withTargets } from './setup-config.js';
import { createPrompter, type Prompter } from './setup-prompt.js';
import { type Proposal, proposeTargets } from './setup-targets.js';

export { OPTIONS, USAGE };

interface Setting {
  readonly args: SetupArgs;
  readonly context: Context;
  readonly prompter: Prompter | undefined;
}

/** `setup`: from a login to a config. Nothing is written before everything was answered and the login was taken. */
export async function setupCommand(args: readonly string[], context: Context): Promise<number> {
  const { io } = context;
  const read = readSetupArgs(args);
  if (typeof read === 'string') {
    io.stderr.write(`setup: ${read}\n${USAGE}`);
    return 2;
  }
  const { system, isFixed } = context.surroundings;
  if (isFixed === true && configPlace(context) !== system?.path)
    return stopped(context, `the system config ${quote(system?.path ?? '')} decides here; as root name it by --config`);
  const prompter = createPrompter(io);
  try {
    return await setUp({ args: read, context, prompter });
  } finally {
    prompter?.close();
  }
}

async function setUp(setting: Setting): Promise<number> {
  const { args, context, prompter } = setting;
  const { stdout } = context.io;
  const path = configPlace(context);
  const before = await textAt(path);
  if (before !== undefined) parseConfigFile(before, path);
  if (before !== undefined && !args.yes && !(await asked(setting, `Change ${quote(path)}, which is there already?`)))
    return stopped(context, 'it was left as it is');
  const url = urlOf(
    args.url ?? (await needed(prompter, '--url', (each) => each.ask('Address of the Zerto appliance'))),
  );
  const tls = await trustOf(setting, url);
  if (tls === undefined) return stopped(context, 'the certificate was not trusted');
  const username = args.user ?? (await needed(prompter, '--user', (each) => each.ask('User')));
  const password = await passwordOf(setting, path);
  const login = { grant: 'password', clientId: 'zerto-client', username, password: password.read } as const;
  const { local, vms } = await logIn(url, login, tls, context.signal);
  stdout.write(`Logged in as ${quote(username, 80)} at ${quote(local, 80)}.\n${vmsText(vms)}`);

  const text = before ?? newConfigText(fileURLToPath(new URL('../../../proxy.config.schema.json', import.meta.url)));
  const { zvm } = (parseJsonc(text).value ?? {}) as { readonly zvm?: unknown };
  const name = siteName(zvm, url, args.site ?? (local || 'zvm'));
  const auth = { grant: 'password', clientId: login.clientId, username, ...password.keys };
  const site: NewSite = { name, url, auth, ...(tls.kind === 'verify' ? {} : { tls: tlsKeys(tls) }) };
  const withLogin = withSite(text, zvm, site);
  const live = (source: string) => configOf(source, path, context, { name, url, auth: login, tls });
  const found = await coverageOf(context, live(withLogin), context.signal);
  const targets = await chosen(setting, proposeTargets(found.targets, vms));
  const final = withTargets(withLogin, targets);
  const config = live(final);
  await password.save();
  await write(path, final, before !== undefined, context);
  stdout.write(`\n${textOf(await coverageOf(context, config, context.signal))}${NEXT}`);
  return 0;
}

const NEXT =
  '\nNext: `zerto-rewind-proxy install` puts the servers of your MCP clients behind it, `zerto-rewind-proxy doctor --live` looks at all of it.\n';

function stopped({ io }: Context, why: string): number {
  io.stderr.write(`setup: ${why}; nothing was written.\n`);
  return 1;
}

/** Asks where a person is there; else the option is missing. */
async function needed<T>(
  prompter: Prompter | undefined,
  option: string,
  ask: (prompter: Prompter) => Promise<T>,
): Promise<T> {
  if (prompter !== undefined) return ask(prompter);
  throw new ProxyError(
    'CONFIG_INVALID',
    `Without a terminal ${option} is needed. Nothing was written. See setup --help.`,
  );
}

function asked({ prompter }: Setting, question: string): Promise<boolean> {
  return needed(prompter, '--yes', (each) => each.yes(question, false));
}

function urlOf(given: string): string {
  const text = /^[a-z]+:\/\//i.test(given) ? given : `https://${given}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isPlain =
    url !== undefined && url.username === '' && url.password === '' && url.search === '' && url.hash === '';
  if (!isPlain || url.protocol !== 'https:' || url.pathname !== '/')
    throw new ProxyError(
      'CONFIG_INVALID',
      'The address is https://HOST or https://HOST:PORT, and nothing more. Nothing was written.',
    );
  return url.origin;
}

/** How the appliance's certificate is trusted from now on; undefined where a person said no. */
async function trustOf(setting: Setting, url: string): Promise<ZvmTls | undefined> {
  const { args, context } = setting;
  if (args.caFile !== undefined) return { kind: 'caFile', caFile: resolve(args.caFile) };
  const { hostname, port } = new URL(url);
  const presented = await presentedFingerprint(hostname.replace(/^\[|\]$/g, ''), Number(port || 443), 10_000);
  if (presented === undefined)
    throw new ProxyError(
      'ZVM_UNREACHABLE',
      `${url} does not answer by TLS. Nothing was written. Check address, port and firewall.`,
    );
  context.io.stdout.write(`The certificate of ${url} has the SHA-256 fingerprint\n  ${presented}\n`);
  if (args.fingerprint !== undefined) return pinned(args.fingerprint, presented);
  if (await isTrusted(url, context.signal)) {
    context.io.stdout.write('An authority that this machine trusts has signed it.\n');
    return { kind: 'verify' };
  }
  const question =
    'No authority that this machine trusts has signed it. Does the appliance show the same fingerprint, so that it is to be pinned?';
  const yes = await needed(setting.prompter, '--fingerprint or --ca-file', (each) => each.yes(question, false));
  return yes ? { kind: 'fingerprint', fingerprint256: presented } : undefined;
}

function pinned(given: string, presented: string): ZvmTls {
  if (fingerprintHex(given) === fingerprintHex(presented)) return { kind: 'fingerprint', fingerprint256: presented };
  throw new ProxyError(
    'ZVM_UNREACHABLE',
    'The appliance shows another certificate than --fingerprint says. Nothing was written. Somebody may stand between.',
  );
}

/** A login with no account: a certificate that is not trusted is refused before anything is sent. */
async function isTrusted(url: string, signal: AbortSignal): Promise<boolean> {
  const login = { grant: 'password', clientId: 'zerto-client', username: 'x', password: async () => '' } as const;
  const client = new ZvmClient({ site: 'setup', url, login, tls: { kind: 'verify' } });
  try {
    return await client.reaches(signal);
  } finally {
    await client.close();
  }
}

interface Password {
  readonly read: () => Promise<string>;
  readonly keys: Readonly<Record<string, string>>;
  /** Writes it where the config will look for it. */
  readonly save: () => Promise<void>;
}

async function passwordOf({ args, context, prompter }: Setting, path: string): Promise<Password> {
  const { passwordEnv: variable, passwordFile } = args;
  const kept = async () => undefined;
  const { env } = context.surroundings;
  if (variable !== undefined) {
    const value = await given(secret({ key: 'the password', variable }, env, ''));
    return { read: async () => value, keys: { passwordEnv: variable }, save: kept };
  }
  const file = passwordFile === undefined ? undefined : resolve(passwordFile);
  if (file !== undefined) {
    const value = await given(secret({ key: 'the password', file }, env, ''));
    return { read: async () => value, keys: { passwordFile: file }, save: kept };
  }
  const typed = await needed(prompter, '--password-env or --password-file', (each) =>
    each.secret('Password (not shown)'),
  );
  const own = join(dirname(path), 'zvm.password');
  return {
    read: async () => typed,
    keys: { passwordFile: 'zvm.password' },
    save: async () => {
      await mkdir(dirname(own), { recursive: true, mode: 0o700 });
      await replace(own, `${typed}\n`);
    },
  };
}

/** A secret that has to be there now. */
function given(read: Secret): Promise<string> {
  return read().catch((error: unknown) => {
    const problem = error instanceof ProxyError ? error.details['problem'] : undefined;
    if (problem === undefined) throw error;
    throw new ProxyError('CONFIG_INVALID', `${visible(String(problem))}. Nothing was written.`, { cause: error });
  });
}

async function logIn(url: string, login: ZvmSite['auth'], tls: ZvmTls, signal: AbortSignal) {
  const trust = tls.kind === 'caFile' ? ({ kind: 'ca', pem: await readFile(tls.caFile, 'utf8') } as const) : tls;
  const client = new ZvmClient({ site: new URL(url).host, url, login, tls: trust });
  try {
    const { siteName: local } = await client.localSite(signal);
    return { local, vms: await new ZvmInventory([client]).vms(signal) };
  } catch (cause) {
    if (!(cause instanceof ProxyError)) throw cause;
    throw new ProxyError(cause.code, `${cause.message} Nothing was written.`, { details: cause.details, cause });
  } finally {
    await client.close();
  }
}

const SHOWN = 50;

function vmsText(vms: readonly Vm[]): string {
  const guarded = vms.filter(({ vpgs }) => vpgs.length > 0);
  const lines = guarded
    .slice(0, SHOWN)
    .map(({ name, vpgs }) => `  ${quote(name, 80)} in ${vpgs.map((vpg) => quote(vpg.name, 80)).join(', ')}`);
  const more = guarded.length > SHOWN ? [`  and ${guarded.length - SHOWN} more`] : [];
  return [`${guarded.length} protected VMs, ${vms.length - guarded.length} unprotected:`, ...lines, ...more, ''].join(
    '\n',
  );
}

function tlsKeys(tls: ZvmTls): Readonly<Record<string, string>> {
  if (tls.kind === 'fingerprint') return { fingerprint256: tls.fingerprint256 };
  return tls.kind === 'caFile' ? { caFile: tls.caFile } : {};
}

/** The config as it will be, with the login that was just used in place of the secret that is not written yet. */
function configOf(text: string, path: string, { surroundings }: Context, site: ZvmSite): Config {
  const config = resolveConfig(parseConfigFile(text, path), surroundings.env, dirname(path), path);
  if (config.zvm?.kind !== 'sites') return config;
  const [first, ...others] = config.zvm.sites.map((each) => (each.name === site.name ? site : each));
  return first === undefined ? config : { ...config, zvm: { kind: 'sites', sites: [first, ...others] } };
}

async function chosen(setting: Setting, proposals: readonly Proposal[]): Promise<Readonly<Record<string, string>>> {
  const { args, context, prompter } = setting;
  const taken: [string, string][] = [];
  for (const { host, vm, why, sure } of proposals) {
    const text = `${quote(host, 80)} → VM ${quote(vm, 80)} (${why})`;
    const take = args.yes || prompter === undefined ? sure : await prompter.yes(`targets: ${text}?`, sure);
    context.io.stdout.write(take ? `targets: ${text}\n` : `not taken: ${text}\n`);
    if (take) taken.push([host, vm]);
  }
  return Object.fromEntries(taken);
}

async function textAt(path: string): Promise<string | undefined> {
  return readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw new ProxyError(
      'CONFIG_INVALID',
      `The config file ${visible(path)} cannot be read (${error.code}). Nothing was written.`,
    );
  });
}

async function write(path: string, text: string, isThere: boolean, { io }: Context): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  if (isThere) {
    const stamp = new Date().toISOString().replace(/[-:]|\.\d+/g, '');
    const backup = `${path}.${stamp}.bak`;
    await copyFile(path, backup);
    io.stdout.write(`What stood there is kept in ${quote(backup, 500)}.\n`);
  }
  await replace(path, text);
  io.stdout.write(`Wrote ${quote(path, 500)} (0600).\n`);
}

/** Whole or not at all, and where a link led there, where it leads. */
async function replace(path: string, text: string): Promise<void> {
  const real = await realpath(path).catch(() => path);
  const temporary = `${real}.${randomBytes(6).toString('hex')}`;
  await writeFile(temporary, text, { flag: 'wx', mode: 0o600, flush: true });
  await rename(temporary, real);
}
