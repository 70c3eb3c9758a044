import type { Reached } from '../../domain/assessment.js';
import { readShareName } from '../../domain/share-name.js';
import type { Compiled } from '../specs/compile.js';
import type { ElsewhereSpec } from '../specs/types.js';
import { type ReadFlags, readFlags } from './read-flags.js';
import type { Word } from './word.js';

// This machine by its names, and sockets of it.
const HERE = /^(?:|default|localhost(?:\.localdomain)?|127(?:\.[0-9]+){3}|\[?::1\]?|\.|\/[\s\S]*)$/i;
const URL = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/@]*@)?([^/:?]*|\[[^\]]*\])(?::([0-9]+)(?=[/?]|$))?(?:[:/?][\s\S]*)?$/i;
/** `[user@]host:path`: a colon before the first slash. */
const REMOTE = /^(?:[^/:@]*@)?(\[[^\]]+\]|[^/:[\]]+):/;
const SSH: ReadonlySet<string> = new Set(['ssh', 'scp', 'sftp', 'rsync', 'ssh-copy-id']);
const SOURCES_GO: ReadonlySet<string> = new Set(['--remove-source-files', '--remove-sent-files']);

/** What the words of a call show of where it acts: on other machines (those that it names) or a control plane; undefined where it acts here alone. */
export function actsElsewhere(
  spec: Compiled,
  words: readonly Word[],
): { readonly reaches?: readonly Reached[] } | undefined {
  const rule = spec.spec.elsewhere;
  if (rule === undefined) return undefined;
  const stops = spec.subcommands !== undefined || spec.spec.style === 'posix';
  const flags = readFlags(spec, words, 1, stops);
  // A word that may be an option is among the operands that were read.
  const operands = stops ? [...flags.operands, ...words.slice(flags.end)] : flags.operands;
  if (spec.here?.test(operands.map((word) => word.literal ?? word.prefix).join(' ')) === true) return undefined;
  const named = hosts(spec, rule, flags, words, operands);
  const found = (SSH.has(spec.name) ? named.map(viaSsh(spec.name, flags)) : named).filter(isOther);
  if (found.length > 0) return { reaches: found };
  return rule.always === true ? {} : undefined;
}

function isOther({ host }: Reached): boolean {
  return host === '' || !HERE.test(host);
}

/** A host that only the target knows counts as another machine, whose name is not known. */
function hosts(
  spec: Compiled,
  rule: ElsewhereSpec,
  flags: ReadFlags,
  words: readonly Word[],
  operands: readonly Word[],
): readonly Reached[] {
  if (rule.always === true) return [];
  if (rule.copy === true) return copied(words, operands);
  const named = flags.used.flatMap((flag) =>
    spec.remote?.has(flag.name) === true && flag.value !== undefined ? [flag.value] : [],
  );
  const host = rule.operand === undefined ? undefined : operands[rule.operand];
  const urls = operands.filter((word) => URL.test(word.literal ?? ''));
  return [...named, ...urls, ...(host === undefined ? [] : [host])].flatMap(hostOf);
}

function hostOf({ literal }: Word): readonly Reached[] {
  if (literal === undefined) return [{ host: '' }];
  const [, scheme = '', host, port] = URL.exec(literal) ?? [];
  if (host !== undefined) return host === '' ? [] : [/ssh|scp|sftp/i.test(scheme) ? bySsh(host, port) : { host }];
  const share = readShareName(literal);
  if (share.kind !== 'none') return [{ host: share.kind === 'share' ? share.host : '' }];
  const plain = literal.slice(literal.lastIndexOf('@') + 1);
  return plain === '' ? [] : [{ host: plain }];
}

/** Copying writes to its last operand, and to the others only where it takes them away. */
function copied(words: readonly Word[], operands: readonly Word[]): readonly Reached[] {
  const sourcesGo = words.some(({ literal, prefix }) =>
    literal === undefined ? /^(?:-|$)/.test(prefix) : SOURCES_GO.has(literal),
  );
  const changed = sourcesGo ? operands : operands.slice(-1);
  return changed.flatMap((word) => {
    if (word.literal === undefined) return /^[./]/.test(word.prefix) ? [] : [{ host: '' }];
    const [, scheme, url, port] = URL.exec(word.literal) ?? [];
    const host = url ?? REMOTE.exec(word.literal)?.[1];
    if (host === undefined) return [];
    // The daemon of rsync has its own way in, of which ssh(1) knows nothing.
    const isDaemon = scheme?.toLowerCase() === 'rsync' || word.literal.includes('::');
    return [isDaemon ? { host: host.replace(/^\[|\]$/g, '') } : bySsh(host, port)];
  });
}

/** A port of its own stays with the host: behind one address each may be another machine. */
function bySsh(host: string, port: string | undefined): Reached {
  const bare = host.replace(/^\[|\]$/g, '');
  const named = bare.includes(':') ? `[${bare}]` : bare;
  return { host: port === undefined ? bare : `ssh://${named}:${port}`, client: 'ssh' };
}

/** Options whose value would be taken for the host, and those that make ssh(1) connect to another one than its configuration says for the name. */
const REDIRECTS: Readonly<Record<string, RegExp>> = {
  ssh: /^-[FSBDEILOQRWew]$/,
  rsync: /^$/,
};

/** What programs of the family make of a host: the name that ssh(1) gets, or none where it may be led to another one. */
function viaSsh(program: string, { used }: ReadFlags): (host: Reached) => Reached {
  const redirects = REDIRECTS[program] ?? /^-[FSD]$/;
  const ports: string[] = [];
  const isSure = used.every(({ name, value }) => {
    if (redirects.test(name)) return false;
    const more = portsOf(program, name, value?.literal);
    ports.push(...(more ?? []));
    return more !== undefined;
  });
  return ({ host, client }) => {
    if (program === 'rsync' && client === undefined) return { host };
    const plain = host.startsWith('ssh://') ? host : host.replace(/^([^:]+):[^:]*$/, '$1');
    const port = /^ssh:.*:([0-9]+)$/.exec(plain)?.[1];
    const [first, other] = new Set([...ports, ...(port === undefined ? [] : [port])]);
    if (!isSure || plain === '' || other !== undefined) return { host: '' };
    return port === undefined ? bySsh(plain, first) : { host: plain, client: 'ssh' };
  };
}

/** The ports that an option names; undefined where it may make the connection go to another host. */
function portsOf(program: string, name: string, value: string | undefined): readonly string[] | undefined {
  if (program === 'rsync') return name === '-e' || name === '--rsh' ? portsOfShell(value) : [];
  if (name === '-o') return portsOfOption(value);
  if (name !== (program === 'scp' || program === 'sftp' ? '-P' : '-p')) return [];
  return value !== undefined && /^[0-9]{1,5}$/.test(value) ? [value] : undefined;
}

/** Those that say nothing of where a connection goes, apart from hosts that it passes first. */
const HARMLESS =
  /^(?:addkeystoagent|addressfamily|batchmode|certificatefile|checkhostip|ciphers|clearallforwardings|compression|connect(?:ionattempts|timeout)|controlmaster|controlpersist|escapechar|exitonforwardfailure|fingerprinthash|forwardagent|forwardx11|globalknownhostsfile|gssapi\w+|hashknownhosts|hostkeyalgorithms|hostkeyalias|identit(?:iesonly|yagent|yfile)|ipqos|\w+authentication|kexalgorithms|loglevel|macs|nohostauthenticationforlocalhost|numberofpasswordprompts|preferredauthentications|proxyjump|pubkeyaccepted\w+|rekeylimit|requesttty|sendenv|serveralive\w+|setenv|stricthostkeychecking|tcpkeepalive|updatehostkeys|user|userknownhostsfile|verifyhostkeydns|visualhostkey)$/;

function portsOfOption(option: string | undefined): readonly string[] | undefined {
  const [, name, value = ''] = /^([A-Za-z0-9]+)\s*[= ]\s*(.*)$/.exec(option ?? '') ?? [];
  if (name?.toLowerCase() === 'port') return /^[0-9]{1,5}$/.test(value) ? [value] : undefined;
  return name !== undefined && HARMLESS.test(name.toLowerCase()) ? [] : undefined;
}

const SHELL = /^\s*(?:\/usr\/bin\/)?ssh(?:\s+(?:-[46AaCkNnqTtvXxY]+|-[ilop]\s*[^\s"'\\-][^\s"'\\]*))*\s*$/;

/** The remote shell of rsync: ssh(1) by its own name, with options that are known. */
function portsOfShell(text: string | undefined): readonly string[] | undefined {
  if (text === undefined || !SHELL.test(text)) return undefined;
  const ports = [...text.matchAll(/(?<=\s)(-[ilop])\s*(\S+)/g)].map(([, name = '', value]) =>
    portsOf('ssh', name, value),
  );
  return ports.includes(undefined) ? undefined : ports.flatMap((each) => each ?? []);
}
