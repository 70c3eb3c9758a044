import type { Reached } from '../../domain/assessment.js';
import type { Compiled } from '../specs/compile.js';
import type { ElsewhereSpec } from '../specs/types.js';
import { type ReadFlags, readFlags } from './read-flags.js';
import type { Word } from './word.js';

// This machine by its names, and sockets of it.
const HERE = /^(?:|default|localhost(?:\.localdomain)?|127(?:\.[0-9]+){3}|\[?::1\]?|\.|\/[\s\S]*)$/i;
const URL = /^([a-z][a-z0-9+.-]*):\/\/(?:[^/@]*@)?([^/:?]*|\[[^\]]*\])(?:[:/?][\s\S]*)?$/i;
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
  const found = hosts(spec, rule, flags, words, operands).filter((host) => !HERE.test(host.host) || host.host === '');
  if (found.length > 0) return { reaches: SSH.has(spec.name) ? found.map(viaSsh(spec, flags)) : found };
  return rule.always === true ? {} : undefined;
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
  const [, scheme = '', host] = URL.exec(literal) ?? [];
  if (host !== undefined) return host === '' ? [] : [{ host, ...(/ssh/i.test(scheme) && { client: 'ssh' as const }) }];
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
    const host = URL.exec(word.literal)?.[2] ?? REMOTE.exec(word.literal)?.[1];
    return host === undefined ? [] : [{ host: host.replace(/^\[|\]$/g, '') }];
  });
}

/** Options whose value would be taken for the host, and those that make ssh(1) connect to another one than its configuration says for the name. */
const REDIRECTS: Readonly<Record<string, RegExp>> = {
  ssh: /^-[FSBDEILOQRWew]$/,
  rsync: /^$/,
};

function viaSsh({ name: program }: Compiled, flags: ReadFlags): (host: Reached) => Reached {
  const redirects = REDIRECTS[program] ?? /^-[FSD]$/;
  const isSure = !flags.used.some(
    ({ name, value }) => redirects.test(name) || (/^(?:-o|-e|--rsh)$/.test(name) && redirected(value)),
  );
  return ({ host }) =>
    isSure && host !== '' ? { host: host.replace(/^([^:]+):[^:]*$/, '$1'), client: 'ssh' } : { host: '' };
}

function redirected(value: Word | undefined): boolean {
  return value?.literal === undefined || /hostname|proxycommand|include|canonical|-F/i.test(value.literal);
}
