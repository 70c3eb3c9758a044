import { cannotTell } from './cannot-tell.js';
import { splitWords } from './split-words.js';

/** Options of ssh that say nothing of where a connection goes. */
const HARMLESS: ReadonlySet<string> = new Set(
  (
    'addkeystoagent batchmode ciphers clearallforwardings compression connectionattempts connecttimeout controlmaster controlpersist ' +
    'enablesshkeysign escapechar forwardagent forwardx11 gssapiauthentication gssapidelegatecredentials hashknownhosts ' +
    'hostbasedauthentication hostkeyalgorithms hostkeyalias identitiesonly identityagent identityfile ipqos ' +
    'kbdinteractiveauthentication kexalgorithms loglevel macs nohostauthenticationforlocalhost numberofpasswordprompts ' +
    'passwordauthentication preferredauthentications pubkeyacceptedalgorithms pubkeyacceptedkeytypes pubkeyauthentication ' +
    'rekeylimit requesttty sendenv serveralivecountmax serveraliveinterval stricthostkeychecking tcpkeepalive updatehostkeys user ' +
    'userknownhostsfile globalknownhostsfile visualhostkey challengeresponseauthentication certificatefile checkhostip'
  ).split(' '),
);

/** Where options of ssh make a connection go: through which hosts first, and to which ports. */
export interface Way {
  readonly via: readonly string[];
  readonly ports: readonly number[];
}

const NOWHERE: Way = { via: [], ports: [] };

const LETTERS: Readonly<Record<string, (value: string) => Way>> = {
  J: (value) => ({ via: jumps(value), ports: [] }),
  p: port,
  o: option,
};

/** What options of ssh say of the way of a connection. Options that may lead it elsewhere cannot be told. */
export function wayOf(options: string): Way {
  const words = splitWords(options).filter((word) => !/^-[46AaCqTvx]+$/.test(word));
  const ways: Way[] = [];
  while (words.length > 0) {
    const [, letter, stuck = ''] = /^-([ilmcopJ])(.*)$/.exec(words.shift() ?? '') ?? [];
    const value = stuck === '' ? words.shift() : stuck;
    if (letter === undefined || value === undefined) return unclear();
    ways.push(LETTERS[letter]?.(value) ?? NOWHERE);
  }
  return { via: ways.flatMap(({ via }) => via), ports: ways.flatMap(({ ports }) => ports) };
}

/** Behind one address each port may be another machine. */
function port(value: string): Way {
  return /^[0-9]{1,5}$/.test(value) ? { via: [], ports: [Number(value)] } : unclear();
}

function option(text: string): Way {
  const [, name = '', value = ''] = /^\s*([A-Za-z0-9]+)\s*[= ]\s*(.*)$/.exec(text) ?? [];
  const key = name.toLowerCase();
  if (key === 'proxyjump') return { via: jumps(value), ports: [] };
  if (key === 'proxycommand') return { via: proxied(value), ports: [] };
  if (key === 'port') return port(value);
  // A shared connection whose path has no host in it leads every host to the first.
  if (key === 'controlpath') return isOwnPath(value) ? NOWHERE : unclear();
  return HARMLESS.has(key) ? NOWHERE : unclear();
}

/** Whether the path of a shared connection differs from host to host. */
export function isOwnPath(path: string): boolean {
  return path === 'none' || /%%?[hCn]/.test(path);
}

function jumps(value: string): readonly string[] {
  if (value.toLowerCase() === 'none') return [];
  return value.split(',').map((jump) => (/^[\w.@:-]+$/.test(jump) ? jump : unclear()));
}

/** `ssh … -W %h:%p bastion`, with options that go nowhere else. */
function proxied(command: string): readonly string[] {
  if (command.toLowerCase() === 'none') return [];
  const [program = '', ...words] = splitWords(command);
  const rest = words.join(' ');
  if (!/^(?:\/usr\/bin\/)?ssh$/.test(program) || !/(?:^| )-W ?%h:%p(?: |$)/.test(rest) || /[;&|`$()<>]/.test(rest))
    return unclear();
  const without = splitWords(rest.replace(/(?:^| )-W ?%h:%p/, ''));
  const host = without.at(-1) ?? '';
  if (!/^(?:[\w.-]+@)?[A-Za-z0-9][\w.-]*$/.test(host)) return unclear();
  return [...wayOf(without.slice(0, -1).map(quoted).join(' ')).via, host];
}

function quoted(word: string): string {
  return `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

function unclear(): never {
  return cannotTell('the options of ssh for a host may lead its connection elsewhere');
}
