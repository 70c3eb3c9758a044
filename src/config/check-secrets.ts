import { ProxyError } from '../domain/errors.js';
import { visible } from '../domain/text.js';
import type { Problem } from './jsonc.js';
import type { Surroundings } from './paths.js';
import type { ConfigFile } from './schema.js';
import { secret } from './secret.js';

interface Place {
  readonly path: Problem['path'];
  readonly variable?: string | undefined;
  readonly file?: string | undefined;
}

/** Every secret whose variable is not set or whose file cannot be read, by the key that names the variable or the file. */
export async function missingSecrets(
  file: ConfigFile,
  env: Surroundings['env'],
  base: string,
): Promise<readonly Problem[]> {
  const found = await Promise.all(placesOf(file).map((place) => problemOf(place, env, base)));
  return found.filter((problem) => problem !== undefined);
}

/** The keys under which secrets stand in the file itself. */
export function literalKeys({ zvm, mcpServers, export: { otlp } }: ConfigFile): readonly string[] {
  const sites = zvm === undefined || zvm === 'simulator' ? [] : zvm.sites;
  const logins = sites.flatMap(({ auth, name }) => {
    const [key, value] = auth.grant === 'password' ? ['password', auth.password] : ['clientSecret', auth.clientSecret];
    return value === undefined ? [] : [`${key} of site ${name}`];
  });
  const headers = Object.entries(mcpServers).flatMap(([name, { headers: given = {} }]) =>
    secretHeaders(given).map((header) => `header ${header} of server ${name}`),
  );
  const collector = secretHeaders(otlp?.headers ?? {}).map((header) => `header ${header} of export.otlp`);
  return [...logins, ...headers, ...collector];
}

function secretHeaders(given: Readonly<Record<string, string>>): readonly string[] {
  return Object.keys(given).filter((header) => /^(authorization|cookie|.*(token|key|secret).*)$/i.test(header));
}

function placesOf({ zvm, mcpServers, export: { otlp } }: ConfigFile): readonly Place[] {
  const sites = zvm === undefined || zvm === 'simulator' ? [] : zvm.sites;
  const logins = sites.flatMap(({ auth }, index) => {
    const path = ['zvm', 'sites', index, 'auth'];
    return auth.grant === 'password'
      ? placesAt(path, 'password', auth.passwordEnv, auth.passwordFile)
      : placesAt(path, 'clientSecret', auth.clientSecretEnv, auth.clientSecretFile);
  });
  const headers = Object.entries(mcpServers).flatMap(([name, { headersEnv = {} }]) =>
    Object.entries(headersEnv).map(
      ([header, variable]): Place => ({ path: ['mcpServers', name, 'headersEnv', header], variable }),
    ),
  );
  const collector = [
    ...Object.entries(otlp?.headersEnv ?? {}).map(
      ([header, variable]): Place => ({ path: ['export', 'otlp', 'headersEnv', header], variable }),
    ),
    ...Object.entries(otlp?.headersFile ?? {}).map(
      ([header, file]): Place => ({ path: ['export', 'otlp', 'headersFile', header], file }),
    ),
  ];
  return [...logins, ...headers, ...collector];
}

function placesAt(
  path: Problem['path'],
  key: string,
  variable: string | undefined,
  file: string | undefined,
): readonly Place[] {
  if (variable !== undefined) return [{ path: [...path, `${key}Env`], variable }];
  return file === undefined ? [] : [{ path: [...path, `${key}File`], file }];
}

async function problemOf(
  { path, variable, file }: Place,
  env: Surroundings['env'],
  base: string,
): Promise<Problem | undefined> {
  try {
    await secret({ key: 'the secret', variable, file }, env, base)();
    return undefined;
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    if (variable === undefined) return { path, message: String(error.details['problem']) };
    return { path, message: `the environment variable ${visible(variable)} is not set where the proxy is started` };
  }
}
