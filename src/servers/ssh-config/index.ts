import { isIP } from 'node:net';
import type { Meaning } from '../../domain/target.js';
import { type Evaluated, evaluate, expandHost, type Option, type Source } from './evaluate.js';
import type { Places } from './places.js';

export { type Places, placesOf } from './places.js';

/** What a command line of ssh(1) adds: `-o` options and the like come first, `-F` takes the place of all files. */
export interface SshOptions {
  readonly options?: readonly string[];
  readonly file?: string | undefined;
}

/** A host as ssh(1) is given it: `[user@]host` or `ssh://[user@]host[:port]`. */
export function typedHost(value: string): { readonly host: string; readonly port?: number } | undefined {
  const url = /^ssh:\/\/(?:[^@/]*@)?(\[[^\]]+\]|[^:/[\]]+)(?::(\d{1,5}))?\/?$/i.exec(value);
  if (url !== null) {
    const host = (url[1] ?? '').replace(/^\[|\]$/g, '');
    return url[2] === undefined ? { host } : { host, port: Number(url[2]) };
  }
  const host = value.slice(value.lastIndexOf('@') + 1);
  // What starts with a dash is an option, what holds blanks or a scheme is no host that ssh(1) takes.
  return host === '' || /^-|[\s\0/]/.test(host) ? undefined : { host };
}

/** Where ssh(1) connects to for a host, by its configuration files as they are now. */
export async function sshMeaning(
  value: string,
  places: Places,
  { options = [], file }: SshOptions = {},
): Promise<Meaning> {
  const typed = typedHost(value);
  if (typed === undefined) return { kind: 'as_written' };
  // Patterns of ssh(1) go by bytes.
  if (/[^ -~]/.test(typed.host)) return stopped('the name of the host is not in ASCII');
  const userDir = places.path.join(places.home, '.ssh');
  const files: readonly Source[] =
    file !== undefined
      ? file.toLowerCase() === 'none'
        ? []
        : [{ kind: 'file', path: file, base: userDir }]
      : [
          { kind: 'file', path: places.path.join(userDir, 'config'), base: userDir },
          { kind: 'file', path: places.path.join(places.systemDir, 'ssh_config'), base: places.systemDir },
        ];
  const given: readonly Source[] = options.map((text) => ({ kind: 'option', text }));
  return meaningOf(typed, await evaluate(typed.host, [...given, ...files], places));
}

function meaningOf({ host, port }: { host: string; port?: number }, { options, stop }: Evaluated): Meaning {
  const of = (name: string): readonly Option[] => options.get(name) ?? [];
  const unsure = ['canonicalizehostname', 'hostname', 'proxy', 'port', 'controlpath']
    .flatMap(of)
    .find(({ maybe }) => maybe !== undefined);
  if (stop !== undefined) return stopped(stop);
  if (unsure !== undefined)
    return stopped(`${unsure.maybe} of the ssh configuration decides ${unsure.keyword}, which cannot be known before`);
  if (!isPlain(of('canonicalizehostname'), /^(?:no|none|false)$/i))
    return stopped('"CanonicalizeHostname" of the ssh configuration asks name servers which host it is');
  if (!isPlain(of('controlpath'), OWN_PATH))
    return stopped('"ControlPath" of the ssh configuration shares one connection between hosts');
  const name = nameOf(of('hostname'), host);
  const via = viaOf(of('proxy'));
  if (name === undefined) return stopped('"HostName" of the ssh configuration cannot be read');
  if (typeof via === 'string') return stopped(via);
  const at = port ?? portOf(of('port'));
  return {
    kind: 'machines',
    machines: [
      {
        name: host,
        ...(name.toLowerCase() !== host.toLowerCase() && { address: name }),
        ...(at !== undefined && { port: at }),
        ...(via.length > 0 && { via }),
      },
    ],
  };
}

/** A path of a shared connection that no other host and port has: `%%` stands for itself. */
const OWN_PATH = /^none$|^(?:[^%]|%[^Cn])*%[Cn]|^(?=(?:[^%]|%[^h])*%h)(?=(?:[^%]|%[^p])*%p)/;

function stopped(why: string): Meaning {
  return { kind: 'stop', why, found: [] };
}

function isPlain([first]: readonly Option[], accepted: RegExp): boolean {
  return first === undefined || (first.args.length === 1 && accepted.test(first.args[0] ?? ''));
}

function nameOf([first]: readonly Option[], host: string): string | undefined {
  if (first === undefined) return host;
  const [name = '', more] = first.args;
  const expanded = more === undefined && name !== '' ? expandHost(name, host) : undefined;
  return expanded === '' ? undefined : expanded;
}

function portOf([first]: readonly Option[]): number | undefined {
  const text = first?.args[0] ?? '';
  return /^\d{1,5}$/.test(text) ? Number(text) : undefined;
}

/** Programs that hand the connection on to the very host and port that they are given. */
const RELAYS =
  /^(?:exec\s+)?(?:\S*\/)?(?:(?:ssh(?:\.exe)?\s+(?:-[46AaCkNnqTvx]+\s+|-[EFIilpo]\s*\S+\s+)*(?:-W\s*\[?%h\]?:%p\s+(\S+)|(\S+)\s+-W\s*\[?%h\]?:%p))|(?:nc|ncat|netcat)(?:\.exe)?\s+(?:(?:-[46nvw]|-[Xx]\s*\S+|--proxy(?:-type)?[= ]\S+)\s+)*%h\s+%p)$/;

/** The hosts that a connection passes first, or why it cannot be told where it ends. */
function viaOf(lines: readonly Option[]): readonly string[] | string {
  const first = lines.at(-1);
  const text = first?.args.join(' ') ?? 'none';
  if (text.toLowerCase() === 'none') return [];
  if (first?.keyword === 'proxyjump') return text.split(',').map(jumpHost);
  return throughOf(text) ?? '"ProxyCommand" of the ssh configuration is a program that may connect to any host';
}

/** The hosts that a proxy command passes; undefined where it may connect to another host than the one that it is given. */
export function throughOf(command: string): readonly string[] | undefined {
  const relay = RELAYS.exec(command);
  if (relay === null) return undefined;
  const through = relay[1] ?? relay[2];
  return through === undefined ? ['a proxy'] : [jumpHost(through)];
}

function jumpHost(text: string): string {
  const host = text.trim().replace(/^ssh:\/\//i, '');
  const bare = host.slice(host.lastIndexOf('@') + 1);
  return isIP(bare) === 6 ? bare : bare.replace(/:\d{1,5}$/, '');
}
