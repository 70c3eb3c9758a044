import { dirname, isAbsolute } from 'node:path';
import type { Config, SystemRules } from '../config/config.js';
import { configFile, type LoadOptions, literalSecrets, loadConfig } from '../config/load.js';
import { ProxyError } from '../domain/errors.js';
import { quote, visible } from '../domain/text.js';
import { about, type Check } from './check.js';
import { exists, othersCanRead, writersOf } from './owners.js';

/** The config, where it can be read, and what is to be said of its file. */
export interface ConfigChecks {
  readonly config: Config | undefined;
  readonly checks: readonly Check[];
}

/** Reads the config as the proxy would, then its secrets, then who may change it. Never rejects for what a file holds. */
export async function configChecks(options: LoadOptions): Promise<ConfigChecks> {
  const check = about('config.file');
  let path: string;
  let config: Config;
  try {
    path = configFile(options).path;
    config = await loadConfig({ ...options, secrets: 'later' });
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    const fix =
      error.details['problems'] === undefined
        ? 'Check the path and its permissions.'
        : 'Correct the file at the place named.';
    return { config: undefined, checks: [check.fail(whatIsWrong(error), fix)] };
  }
  if (config.locked !== undefined) {
    const fix = 'Correct the file as the administrator. Until then whatever may change something is refused.';
    return { config: undefined, checks: [about('config.system').fail(oneLine(config.locked), fix)] };
  }
  path = config.file ?? path;
  if (config.file === undefined) {
    const fix = 'Write one, or run `zerto-rewind-proxy setup`; name another by --config FILE.';
    return { config, checks: [check.warn(`there is none at ${quote(path)}: nothing can be pinned`, fix)] };
  }
  const checks = [
    check.pass(quote(path)),
    await secretsCheck(options),
    ...(await literalChecks(options, path)),
    writersCheck(path, options.platform),
    ...systemChecks(config),
    ...modeChecks(config),
  ];
  return { config, checks };
}

/** What of the user's own file does not hold, and what of the system's a user can lead elsewhere. */
function systemChecks(config: Config): readonly Check[] {
  return config.system === undefined ? [] : [ignoredCheck(config.system), ...bareCommands(config).map(bareCheck)];
}

/** Servers that a system config names by a word that PATH leads somewhere. */
export function bareCommands({
  system,
  mcpServers,
}: Config): readonly { readonly name: string; readonly command: string }[] {
  if (system === undefined) return [];
  return Object.values(mcpServers).flatMap(({ name, start }) =>
    start.kind === 'command' && !isAbsolute(start.command) ? [{ name, command: start.command }] : [],
  );
}

function bareCheck({ name, command }: { readonly name: string; readonly command: string }): Check {
  const detail = `${quote(command)} is no full path: the user's PATH says which program answers under this name`;
  return about('config.system-command', name).warn(
    detail,
    'Give the full path of a program, and of a package, that root installed.',
  );
}

function ignoredCheck(system: SystemRules): Check {
  const check = about('config.system');
  const keys = system.ignored.map((key) => visible(key)).join(', ');
  if (keys === '') return check.pass('it decides for this machine; no key of a user is ignored');
  const fix = 'Take these keys out of that file, or have the administrator name them in "allowOverride".';
  return check.warn(
    `it decides for this machine; of ${quote(system.userFile ?? '')} these keys do not hold: ${keys}`,
    fix,
  );
}

async function secretsCheck(options: LoadOptions): Promise<Check> {
  const check = about('config.secrets');
  try {
    await loadConfig({ ...options, secrets: 'now' });
    return check.pass('every secret is where the config says');
  } catch (error) {
    if (!(error instanceof ProxyError)) throw error;
    const fix = 'Set the variable where the client starts the proxy (not only in this shell), or write the file.';
    return check.fail(whatIsWrong(error), fix);
  }
}

async function literalChecks(options: LoadOptions, path: string): Promise<readonly Check[]> {
  const keys = await literalSecrets(options);
  if (keys.length === 0) return [];
  const check = about('config.literal-secrets');
  const detail = `secrets stand in the file itself: ${keys.map((key) => visible(key)).join(', ')}`;
  const fix = 'Move each to a variable or a file of its own: xEnv or xFile in place of x.';
  return [
    othersCanRead(path, options.platform)
      ? check.fail(`${detail}; others can read the file`, `${fix} Until then: chmod 600 ${visible(path)}`)
      : check.warn(detail, fix),
  ];
}

/** Whoever writes the config decides what is guarded. */
function writersCheck(path: string, platform: NodeJS.Platform): Check {
  const check = about('config.writers');
  const writers = writersOf(path, platform);
  switch (writers.kind) {
    case 'nobody':
      return check.pass('only root can change it');
    case 'user':
      return check.warn('this user can change it, and so can an agent under this account', GATEWAY);
    case 'others':
      return check.fail(
        `other users can change it: ${visible(writers.how)}`,
        `chmod go-w ${visible(path)} ${visible(dirname(path))}`,
      );
    case 'unknown':
      return check.skip(visible(writers.why));
  }
}

/** What stands above what an agent under the same account can reach. */
export const GATEWAY = 'Let root own it, or serve from a gateway under another account (docs/gateway.md).';

function modeChecks({ mode, audit }: Config): readonly Check[] {
  const checks: Check[] = [];
  if (mode === 'observe') {
    const detail = 'mode observe: calls are judged and recorded, nothing is pinned and nothing refused';
    checks.push(about('config.mode').warn(detail, 'Take "mode" out of the config when you have seen enough.'));
  }
  if (audit.dir !== null && !exists(audit.dir)) {
    checks.push(about('config.audit-dir').skip(`${quote(audit.dir)} is made with the first record`));
  }
  return checks;
}

/** The lines of a message in one. */
export function oneLine(message: string): string {
  return message.replace(/:\s*\n\s*/g, ': ').replace(/\s*\n\s*/g, '; ');
}

/** Without what only whoever starts the proxy has to be told. */
function whatIsWrong({ message }: ProxyError): string {
  return oneLine(message.replace(/\s*Nothing was started\..*$/s, ''));
}
