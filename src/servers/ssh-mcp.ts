import type { Machine } from '../domain/target.js';
import { agreed, configured, refused, type Said, type State, unknownName } from './reader.js';
import { type Facts, isPublished, nodeHome, ownArguments, resolvePath } from './start.js';
import { entries, isRecord, own, port, text } from './values.js';

const PUBLISHED = { calls: 'SSH MCP Server', package: 'ssh-mcp' };

interface Profile {
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly via?: string | undefined;
}

type Config =
  | { readonly kind: 'profiles'; readonly byDefault?: string | undefined; readonly profiles: readonly Profile[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'unusable'; readonly said: Said };

/** npm `ssh-mcp`: profiles of its config.toml, read once at its start; a call that names none gets the default, or the only one. */
export const SSH_MCP = configured<Config>({
  claims: (server, start) => isPublished(server, start, PUBLISHED),
  load,
  mean: ({ value }, states) => agreed(states.map((state) => meaningOf(state, value))),
  list: (config) => (config.kind === 'profiles' ? config.profiles.map(({ name }) => name) : []),
});

async function load(facts: Facts): Promise<State<Config>> {
  const given = options(ownArguments(facts.start, PUBLISHED.package));
  const asked = given.get('config');
  if (asked === null || asked === '') return state('', unusable(refused('"--config" of the server names no file')));
  const path = resolvePath(facts, asked ?? defaultPath(facts));
  const file = await facts.readText(path);
  if (file.kind === 'text') return state(file.text, await fromToml(file.text));
  if (file.kind === 'unreadable')
    return state(file.why, unusable({ kind: 'stop', why: `the configuration of the server: ${file.why}`, found: [] }));
  const host = given.get('host') ?? '';
  if (asked !== undefined || host === '') return state('', { kind: 'none' });
  return state('', {
    kind: 'profiles',
    profiles: [{ name: 'default', host, port: Number.parseInt(given.get('port') ?? '', 10) || 22 }],
  });
}

/** `--name=value`; the last one counts, and one without `=` has no value. */
function options(args: readonly string[]): ReadonlyMap<string, string | null> {
  const named = args.filter((word) => word.startsWith('--'));
  return new Map(
    named.map((word) => {
      const equals = word.indexOf('=');
      return equals < 0 ? [word.slice(2), null] : [word.slice(2, equals), word.slice(equals + 1)];
    }),
  );
}

function defaultPath(facts: Facts): string {
  const { platform, start } = facts;
  const home = nodeHome(facts);
  const at = (...parts: readonly string[]) => resolvePath(facts, ...parts, 'ssh-mcp', 'config.toml');
  if (platform === 'darwin') return at(home, 'Library', 'Application Support');
  if (platform === 'win32') return at(start.env['APPDATA'] || resolvePath(facts, home, 'AppData', 'Roaming'));
  return at(start.env['XDG_CONFIG_HOME'] || resolvePath(facts, home, '.config'));
}

/** The parser is loaded where there is such a file: most proxies start without one. */
async function fromToml(source: string): Promise<Config> {
  const { parse } = await import('smol-toml');
  try {
    const config: unknown = parse(source);
    const profiles = entries(own(config, 'profiles')).map(([, profile]) => profileOf(profile));
    if (profiles.length === 0 || profiles.includes(undefined)) throw new TypeError('no profiles');
    const byDefault = text(own(own(config, 'defaults'), 'defaultProfile'));
    return { kind: 'profiles', byDefault, profiles: profiles.filter((profile) => profile !== undefined) };
  } catch {
    return unusable(refused('the configuration of the server is not one that it starts with'));
  }
}

function profileOf(value: unknown): Profile | undefined {
  const name = text(own(value, 'name'));
  const host = text(own(value, 'host'));
  if (!isRecord(value) || name === undefined || host === undefined) return undefined;
  return { name, host, port: port(own(value, 'port')) ?? 22, via: text(own(value, 'via')) };
}

function meaningOf(config: Config, asked: string): Said {
  if (config.kind === 'unusable') return config.said;
  if (config.kind === 'none') return { kind: 'as_written' };
  const { profiles } = config;
  const name = asked || config.byDefault;
  const found = name
    ? profiles.find((profile) => profile.name === name)
    : profiles.length === 1
      ? profiles[0]
      : undefined;
  const names = profiles.map((profile) => profile.name);
  if (found !== undefined) return { kind: 'machines', machines: [machineOf(found, profiles)] };
  return name
    ? unknownName('profile', names)
    : refused('the call names no profile, and the configuration of the server has no default', names.slice(0, 10));
}

function machineOf({ name, host, port: at, via }: Profile, profiles: readonly Profile[]): Machine {
  const way: string[] = [];
  let next = via;
  while (next !== undefined && way.length < profiles.length) {
    const hop = profiles.find((profile) => profile.name === next);
    way.unshift(hop?.host ?? next);
    next = hop?.via;
  }
  return { name, address: host, port: at, ...(way.length > 0 && { via: way }) };
}

function unusable(said: Said): Config {
  return { kind: 'unusable', said };
}

function state(source: string, value: Config): State<Config> {
  return { texts: [source, value.kind], value };
}
