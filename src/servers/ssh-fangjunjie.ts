import { parseArgs } from 'node:util';
import type { Machine } from '../domain/target.js';
import { type Connections, connection, connectionNames, connectionOf, NOT_STARTED, readJson } from './connections.js';
import { configured, type Said, type State } from './reader.js';
import { placesOf, sshMeaning } from './ssh-config/index.js';
import { type Facts, isOneOf, nodeHome, ownArguments, resolvePath } from './start.js';
import { entries, own, port, text } from './values.js';

const PUBLISHED = { calls: 'ssh-mcp-server', package: '@fangjunjie/ssh-mcp-server' };
const string = { type: 'string' } as const;
const flag = { type: 'boolean' } as const;
/** Its options; others end it with a message. */
const OPTIONS = {
  'config-file': string,
  'ssh-config-file': string,
  ssh: { type: 'string', multiple: true },
  host: { type: 'string', short: 'h' },
  port: { type: 'string', short: 'p' },
  username: { type: 'string', short: 'u' },
  password: { type: 'string', short: 'w' },
  privateKey: { type: 'string', short: 'k' },
  passphrase: { type: 'string', short: 'P' },
  agent: { type: 'string', short: 'a' },
  whitelist: { type: 'string', short: 'W' },
  blacklist: { type: 'string', short: 'B' },
  proxy: string,
  socksProxy: { type: 'string', short: 's' },
  'allowed-local-paths': string,
  'allowed-remote-paths': string,
  'transport-mode': string,
  'shell-ready-timeout': string,
  'command-template': string,
  pty: flag,
  'try-keyboard': flag,
  'pre-connect': flag,
} as const;

/** npm `@fangjunjie/ssh-mcp-server`: connections of a JSON file or of its command line, read at its start; the first is that of a call that names none. */
export const SSH_FANGJUNJIE = configured<Connections>({
  claims: (server, start, by) => isOneOf(server, start, PUBLISHED, by === 'ssh-fangjunjie'),
  load,
  mean: (host, states) => connectionOf(host, states),
  list: connectionNames,
});

async function load(facts: Facts): Promise<State<Connections>> {
  const read = given(facts);
  if (read === undefined) return { texts: ['arguments'], value: NOT_STARTED };
  const { values, positionals } = read;
  const fromConfig = await fromFile(values['config-file'] ?? '', facts);
  if (fromConfig !== undefined) return fromConfig;
  const named = (values.ssh ?? []).map(fromArgument);
  if (named.includes(undefined)) return { texts: ['ssh'], value: NOT_STARTED };
  const machines = named.filter((machine) => machine !== undefined);
  if (machines.length > 0) return { texts: [], value: known(machines) };
  return oneHost(values.host || positionals[0] || '', values, values.port || positionals[1], facts);
}

function given(facts: Facts) {
  try {
    return parseArgs({
      args: [...ownArguments(facts.start, PUBLISHED.package)],
      options: OPTIONS,
      allowPositionals: true,
    });
  } catch {
    return undefined;
  }
}

/** Undefined where no file is named, or none of its connections. */
async function fromFile(path: string, facts: Facts): Promise<State<Connections> | undefined> {
  if (path === '') return undefined;
  const { texts, value } = await readJson(resolvePath(facts, path), facts);
  if (value?.kind !== 'json') return { texts, value: value ?? NOT_STARTED };
  const isList = Array.isArray(value.json);
  const machines = entries(value.json).map(([key, each]) =>
    connection(isList ? (text(own(each, 'name')) ?? '') : key, each),
  );
  return machines.length === 0 ? undefined : { texts, value: known(machines) };
}

/** JSON, or `name=…,host=…,port=…`. */
function fromArgument(argument: string): Machine | undefined {
  const value = argument.trim().startsWith('{') ? json(argument) : pairs(argument);
  const name = text(own(value, 'name'));
  const isWhole = text(own(value, 'host')) !== undefined && port(own(value, 'port')) !== undefined;
  return name !== undefined && isWhole ? connection(name, value) : undefined;
}

function json(source: string): unknown {
  try {
    return JSON.parse(source);
  } catch {
    return undefined;
  }
}

function pairs(source: string): unknown {
  return Object.fromEntries(
    source.split(',').flatMap((part) => {
      const [, name = '', value = ''] = /^([^=]+)=(.*)$/s.exec(part) ?? [];
      return name.trim() === '' || value.trim() === '' ? [] : [[name.trim(), value.trim()]];
    }),
  );
}

/** One host on the command line may be a name of an ssh config, of which the server reads simple lines alone, in its own way. */
async function oneHost(
  host: string,
  values: {
    readonly 'ssh-config-file'?: string | undefined;
    readonly proxy?: string | undefined;
    readonly socksProxy?: string | undefined;
  },
  portText: string | undefined,
  facts: Facts,
): Promise<State<Connections>> {
  if (host === '') return { texts: [], value: NOT_STARTED };
  const file = values['ssh-config-file'];
  const path =
    file === undefined || file === ''
      ? resolvePath(facts, nodeHome(facts), '.ssh', 'config')
      : resolvePath(facts, file);
  const read = await facts.readText(path);
  const source = read.kind === 'text' ? read.text : '';
  const found = source === '' ? undefined : await simply(source, host, path, facts);
  if (found?.kind === 'stop') return { texts: [source], value: { kind: 'unusable', said: found } };
  const machine = connection('default', {
    ...values,
    host: found?.address ?? host,
    port: portText || found?.port || 22,
  });
  return { texts: [source], value: known([machine]) };
}

/** Only what it and ssh(1) read alike; jump hosts it does not know at all. */
async function simply(
  source: string,
  host: string,
  path: string,
  facts: Facts,
): Promise<
  (Said & { kind: 'stop' }) | { readonly kind: 'host'; readonly address: string; readonly port?: number | undefined }
> {
  const isSimple = !/^\s*(?:match|include)\b|["'=%\\#]|^\s*host(?:\t|(?:name)?\s*$)/im.test(
    source.replace(/^\s*#.*$/gm, ''),
  );
  const meaning = isSimple
    ? await sshMeaning(host, placesOf(facts.platform, facts.home, {}, facts.readText), { file: path })
    : undefined;
  const machine = meaning?.kind === 'machines' ? meaning.machines[0] : undefined;
  return machine === undefined
    ? { kind: 'stop', why: 'the server reads an ssh config in its own way, which is not followed', found: [] }
    : { kind: 'host', address: machine.address ?? host, port: machine.port };
}

/** The first by the order of an object's members, where names that are numbers come first. */
function known(machines: readonly Machine[]): Connections {
  const byName = new Map(machines.map((machine) => [machine.name, machine]));
  return { kind: 'known', machines: byName, byDefault: Object.keys(Object.fromEntries(byName))[0] };
}
