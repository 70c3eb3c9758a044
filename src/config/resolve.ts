import { isAbsolute, resolve } from 'node:path';
import type { Config, ServerEntry, ServerStart, ZvmAuth, ZvmConfig, ZvmSite, ZvmTls } from './config.js';
import type { Surroundings } from './paths.js';
import { exportConfig } from './resolve-export.js';
import type { ConfigFile } from './schema.js';
import { secret } from './secret.js';

type FileServer = ConfigFile['mcpServers'][string];
type FileSite = Exclude<NonNullable<ConfigFile['zvm']>, string>['sites'][number];

/** From what the file says to what the program uses: secrets become functions, relative paths start at the file. */
export function resolveConfig(
  file: ConfigFile,
  env: Surroundings['env'],
  base: string,
  path: string | undefined,
): Config {
  const { $schema: _schema, version: _version, zvm, mcpServers, ...rest } = file;
  const servers = Object.entries(mcpServers).map(([name, entry]): [string, ServerEntry] => [
    name,
    server(name, entry, env),
  ]);
  return {
    ...rest,
    file: path,
    zvm: zvm === undefined ? undefined : zvmConfig(zvm, env, base),
    mcpServers: Object.fromEntries(servers),
    ansible: { ...rest.ansible, inventorySnapshot: snapshot(rest.ansible.inventorySnapshot, base) },
    audit: {
      ...rest.audit,
      dir: absolute(rest.audit.dir, base),
      headsTo: absolute(rest.audit.headsTo, base),
    },
    export: exportConfig(rest.export, env, base),
    secretVariables: variables(file),
  };
}

function zvmConfig(zvm: NonNullable<ConfigFile['zvm']>, env: Surroundings['env'], base: string): ZvmConfig {
  if (zvm === 'simulator') return { kind: 'simulator' };
  const [first, ...others] = zvm.sites.map(
    (site): ZvmSite => ({ name: site.name, url: site.url, auth: auth(site, env, base), tls: tls(site.tls, base) }),
  );
  if (first === undefined) throw new Error('a schema with at least one site let none through');
  return { kind: 'sites', sites: [first, ...others] };
}

function auth({ name, auth: given }: FileSite, env: Surroundings['env'], base: string): ZvmAuth {
  if (given.grant === 'password') {
    const places = {
      key: `password of site ${name}`,
      value: given.password,
      variable: given.passwordEnv,
      file: given.passwordFile,
    };
    return {
      grant: 'password',
      clientId: given.clientId,
      username: given.username,
      password: secret(places, env, base),
    };
  }
  const places = {
    key: `clientSecret of site ${name}`,
    value: given.clientSecret,
    variable: given.clientSecretEnv,
    file: given.clientSecretFile,
  };
  return { grant: 'client_credentials', clientId: given.clientId, clientSecret: secret(places, env, base) };
}

function tls(given: FileSite['tls'], base: string): ZvmTls {
  if (given?.fingerprint256 !== undefined) {
    const bytes = given.fingerprint256.replaceAll(':', '').toUpperCase().match(/../g) ?? [];
    return { kind: 'fingerprint', fingerprint256: bytes.join(':') };
  }
  if (given?.caFile !== undefined) return { kind: 'caFile', caFile: resolve(base, given.caFile) };
  return { kind: given?.verify === false ? 'off' : 'verify' };
}

function server(name: string, entry: FileServer, env: Surroundings['env']): ServerEntry {
  return { name, start: start(name, entry, env), family: entry.family, shell: entry.shell, target: entry.target };
}

function start(name: string, entry: FileServer, env: Surroundings['env']): ServerStart {
  if (entry.command !== undefined)
    return { kind: 'command', command: entry.command, args: entry.args ?? [], env: entry.env ?? {}, cwd: entry.cwd };
  const literal = entry.headers ?? {};
  const secrets = Object.entries(entry.headersEnv ?? {}).map(([header, variable]) => ({
    header,
    fetch: secret({ key: `header ${header} of server ${name}`, variable }, env, ''),
  }));
  const headers = async () => ({
    ...literal,
    ...Object.fromEntries(
      await Promise.all(secrets.map(async ({ header, fetch }) => [header, await fetch()] as const)),
    ),
  });
  if (entry.url === undefined) return { kind: 'settings', headers };
  return { kind: 'url', url: entry.url, transport: entry.type === 'sse' ? 'sse' : 'http', headers };
}

function variables(file: ConfigFile): readonly string[] {
  const sites = file.zvm === undefined || file.zvm === 'simulator' ? [] : file.zvm.sites;
  const logins = sites.map(({ auth: given }) =>
    given.grant === 'password' ? given.passwordEnv : given.clientSecretEnv,
  );
  const headers = Object.values(file.mcpServers).flatMap((entry) => Object.values(entry.headersEnv ?? {}));
  const collector = Object.values(file.export.otlp?.headersEnv ?? {});
  return [...new Set([...logins, ...headers, ...collector].filter((name) => name !== undefined))];
}

function snapshot(
  given: ConfigFile['ansible']['inventorySnapshot'],
  base: string,
): Config['ansible']['inventorySnapshot'] {
  if (given === null) return null;
  return typeof given === 'string' ? { file: resolve(base, given) } : { ...given, file: resolve(base, given.file) };
}

function absolute(path: string | null, base: string): string | null {
  return path === null || isAbsolute(path) ? path : resolve(base, path);
}
