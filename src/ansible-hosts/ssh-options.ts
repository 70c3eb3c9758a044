import { cannotTell } from './cannot-tell.js';
import { splitWords } from './split-words.js';

/** Options of ssh that say nothing of where a connection goes. */
const HARMLESS: ReadonlySet<string> = new Set(
  (
    'addkeystoagent batchmode ciphers clearallforwardings compression connectionattempts connecttimeout controlmaster controlpersist ' +
    'enablesshkeysign escapechar forwardagent forwardx11 gssapiauthentication gssapidelegatecredentials hashknownhosts ' +
    'hostbasedauthentication hostkeyalgorithms hostkeyalias identitiesonly identityagent identityfile ipqos ' +
    'kbdinteractiveauthentication kexalgorithms loglevel macs nohostauthenticationforlocalhost numberofpasswordprompts ' +
    'passwordauthentication port preferredauthentications pubkeyacceptedalgorithms pubkeyacceptedkeytypes pubkeyauthentication ' +
    'rekeylimit requesttty sendenv serveralivecountmax serveraliveinterval stricthostkeychecking tcpkeepalive updatehostkeys user ' +
    'userknownhostsfile globalknownhostsfile visualhostkey challengeresponseauthentication certificatefile checkhostip'
  ).split(' '),
);

/** The hosts that options of ssh make a connection pass first. Options that may lead it elsewhere cannot be told. */
export function passedHosts(options: string): readonly string[] {
  const words = splitWords(options).filter((word) => !/^-[46AaCqTvx]+$/.test(word));
  const via: string[] = [];
  while (words.length > 0) {
    const [, letter, stuck = ''] = /^-([ilmcopJ])(.*)$/.exec(words.shift() ?? '') ?? [];
    const value = stuck === '' ? words.shift() : stuck;
    if (letter === undefined || value === undefined) return unclear();
    if (letter === 'J') via.push(...jumps(value));
    if (letter === 'o') via.push(...option(value));
  }
  return via;
}

function option(text: string): readonly string[] {
  const [, name = '', value = ''] = /^\s*([A-Za-z0-9]+)\s*[= ]\s*(.*)$/.exec(text) ?? [];
  const key = name.toLowerCase();
  if (key === 'proxyjump') return jumps(value);
  if (key === 'proxycommand') return proxied(value);
  // A shared connection whose path has no host in it leads every host to the first.
  if (key === 'controlpath') return isOwnPath(value) ? [] : unclear();
  return HARMLESS.has(key) ? [] : unclear();
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
  return [...passedHosts(without.slice(0, -1).map(quoted).join(' ')), host];
}

function quoted(word: string): string {
  return `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}

function unclear(): never {
  return cannotTell('the options of ssh for a host may lead its connection elsewhere');
}
