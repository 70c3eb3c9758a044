import { readDotenv } from './dotenv.js';
import { packagePlaces } from './package-places.js';
import type { State } from './reader.js';
import { type Facts, nodeHome, resolvePath } from './start.js';
import { entries, own, port, text } from './values.js';

/** One server of the configuration. `jump` is another one's name. */
export interface ManagedServer {
  readonly host: string;
  readonly port: number;
  readonly jump?: string | undefined;
  readonly command?: string | undefined;
  readonly group?: string | undefined;
}

/** The configuration of npm `mcp-ssh-manager` at one moment; `problem`: why it cannot be told. */
export interface ManagerConfig {
  readonly servers: ReadonlyMap<string, ManagedServer>;
  /** One map for each place that the package may lie in. */
  readonly aliases: readonly ReadonlyMap<string, string>[];
  /** Stored groups; undefined where no file holds any. */
  readonly groups: ReadonlyMap<string, readonly string[]> | undefined;
  readonly problem?: string | undefined;
}

const PACKAGE = 'mcp-ssh-manager';

type Variables = ReadonlyMap<string, string>;

/** Reads it in the server's own order: TOML, then a `.env` file over it, then the environment over both; aliases and groups beside the package. */
export async function loadManager(facts: Facts): Promise<State<ManagerConfig>> {
  const reading = new Reading(facts);
  const environment: Variables = new Map(
    Object.entries(facts.start.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const places = await packagePlaces(facts, PACKAGE, 'src/index.js');
  const envText = await reading.first(envFiles(facts, environment, places));
  const fromFile = envText === undefined ? new Map<string, string>() : readDotenv(envText);
  if (fromFile === undefined) reading.problem = 'a line of its ".env" file can be read in more than one way';
  const file = fromFile ?? new Map<string, string>();
  const servers = new Map<string, ManagedServer>();
  const setting = (name: string) => environment.get(name) ?? file.get(name);
  const toml = setting('SSH_CONFIG_PATH') ?? resolvePath(facts, nodeHome(facts), '.codex', 'ssh-config.toml');
  const tomlText = toml === '' ? undefined : await reading.file(resolvePath(facts, toml));
  if (tomlText !== undefined) await addToml(servers, tomlText, reading);
  if (setting('PREFER_TOML_CONFIG') !== 'true' && envText !== undefined)
    addVariables(servers, new Map([...environment, ...file]));
  addVariables(servers, environment);
  const aliases = await reading.json(places, '.server-aliases.json');
  const groups = await reading.json(places, '.server-groups.json');
  if (places.length === 0) reading.problem ??= 'where it keeps its aliases is not known';
  return {
    texts: [...reading.texts, JSON.stringify([...servers])],
    value: {
      servers,
      aliases: aliases.map(
        (each) =>
          new Map(entries(each).flatMap(([name, value]) => (text(value) === undefined ? [] : [[name, String(value)]]))),
      ),
      groups: groups.length === 0 ? undefined : membersOf(groups),
      problem: reading.problem,
    },
  };
}

/** Reads files one by one, and takes down what stands in the way. */
class Reading {
  readonly texts: string[] = [];
  problem: string | undefined;
  readonly #facts: Facts;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  async file(path: string): Promise<string | undefined> {
    const file = await this.#facts.readText(path);
    if (file.kind === 'unreadable') this.problem ??= `a file of its configuration: ${file.why}`;
    this.texts.push(file.kind === 'text' ? file.text : file.kind);
    return file.kind === 'text' ? file.text : undefined;
  }

  async first(paths: readonly string[]): Promise<string | undefined> {
    for (const path of paths) {
      const found = await this.file(path);
      if (found !== undefined || this.problem !== undefined) return found;
    }
    return undefined;
  }

  async json(places: readonly string[], name: string): Promise<readonly unknown[]> {
    const all = await Promise.all(places.map((place) => this.file(resolvePath(this.#facts, place, name))));
    return all.flatMap((source) => {
      try {
        return source === undefined ? [] : [JSON.parse(source) as unknown];
      } catch {
        // The server goes on without such a file.
        return [];
      }
    });
  }
}

/** The first that exists is the one that is read. */
function envFiles(facts: Facts, environment: Variables, places: readonly string[]): readonly string[] {
  const given = environment.get('SSH_ENV_PATH');
  if (given !== undefined && given !== '') return [resolvePath(facts, given)];
  const home = nodeHome(facts);
  const own = environment.get('SSH_MANAGER_HOME') || resolvePath(facts, home, '.ssh-manager');
  return [own, facts.cwd, home, ...places].map((directory) => resolvePath(facts, directory, '.env'));
}

async function addToml(servers: Map<string, ManagedServer>, source: string, reading: Reading): Promise<void> {
  const { parse } = await import('smol-toml');
  try {
    for (const [name, server] of entries(own(parse(source), 'ssh_servers'))) {
      servers.set(name.toLowerCase(), {
        host: text(own(server, 'host')) ?? 'localhost',
        port: port(own(server, 'port')) ?? 22,
        jump: text(own(server, 'proxy_jump')),
        command: text(own(server, 'proxy_command')) ?? text(own(server, 'proxycommand')),
        group: text(own(server, 'group')),
      });
    }
  } catch {
    reading.problem ??= 'its TOML file cannot be read';
  }
}

function addVariables(servers: Map<string, ManagedServer>, variables: Variables): void {
  for (const [key, host] of variables) {
    const [, name] = /^SSH_SERVER_([A-Z0-9_]+)_HOST$/.exec(key) ?? [];
    if (name === undefined) continue;
    const of = (suffix: string) => variables.get(`SSH_SERVER_${name}_${suffix}`) || undefined;
    servers.set(name.toLowerCase(), {
      host: host === '' ? 'localhost' : host,
      port: port(of('PORT') ?? '22') ?? 22,
      jump: of('PROXYJUMP'),
      command: of('PROXYCOMMAND'),
      group: of('GROUP'),
    });
  }
}

function membersOf(files: readonly unknown[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>();
  for (const [name, group] of files.flatMap((file) => entries(file))) {
    const members = entries(own(group, 'servers')).flatMap(([, member]) => text(member) ?? []);
    groups.set(name, [...(groups.get(name) ?? []), ...members]);
  }
  return groups;
}
