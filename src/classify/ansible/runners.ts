import type { Shell } from '../../domain/call.js';
import type { Arguments } from './arguments.js';
import { type JudgeCommand, mutating, type Ruling, readOnly, unknown } from './ruling.js';

type Read = Arguments & { readonly kind: 'read' };
type Judge = (args: Read, judge: JudgeCommand) => Ruling;

/** Modules whose content decides, by full name. What is not here and not in the table is not known. */
export const RUNNERS: ReadonlyMap<string, Judge> = new Map<string, Judge>([
  ['ansible.builtin.command', judgeCommandModule],
  ['ansible.builtin.shell', judgeShellModule],
  ['ansible.builtin.raw', judgeRaw],
  ['ansible.builtin.expect', judgeExpect],
  ['ansible.builtin.script', () => unknown('the script that it runs is not seen')],
  ['ansible.builtin.uri', judgeRequest],
  ['ansible.builtin.meta', judgeMeta],
  ['ansible.windows.win_command', judgeWindowsCommand],
  ['ansible.windows.win_shell', judgeWindowsShell],
  ['ansible.windows.win_powershell', judgePowerShell],
  ['ansible.windows.win_uri', judgeRequest],
]);

/** Names of the modules that take a command line in place of options. */
export function takesLine(name: string): boolean {
  return LINES.has(name);
}

const LINES: ReadonlySet<string> = new Set([
  'ansible.builtin.command',
  'ansible.builtin.shell',
  'ansible.builtin.raw',
  'ansible.builtin.script',
  'ansible.builtin.meta',
  'ansible.windows.win_command',
  'ansible.windows.win_shell',
]);

const UNSEEN = unknown('it is not known what it runs');
const UNSHELLED = 'without a shell the command is read in another way';
const ANOTHER = 'another program than a shell reads the command';
const BESIDE: ReadonlySet<string> = new Set(['chdir', 'creates', 'removes', 'strip_empty_ends', 'stdin_add_newline']);
const SHELLS: ReadonlySet<unknown> = new Set([
  undefined,
  'sh',
  'bash',
  '/bin/sh',
  '/bin/bash',
  '/usr/bin/bash',
  '/usr/bin/sh',
]);

function judgeShellModule(args: Read, judge: JudgeCommand): Ruling {
  const ruling = runLine('bash', args, ['executable'], judge);
  return SHELLS.has(args.options.get('executable')) ? ruling : doubted(ruling, ANOTHER);
}

/** No shell reads it: words are told apart, and variables filled in everywhere, also in single quotes. */
function judgeCommandModule(args: Read, judge: JudgeCommand): Ruling {
  const argv = args.options.get('argv');
  const ruling = argv === undefined ? runLine('bash', args, [], judge) : runWords(args, argv, judge);
  const line = argv === undefined ? textOf(args) : JSON.stringify(argv);
  const bare = argv === undefined ? withoutQuotes(line) : '';
  return /[$\n\r]/.test(line) || /[#<>|&;()]/.test(bare) ? doubted(ruling, UNSHELLED) : ruling;
}

/** The language is that of whatever the connection leads to: only what reads alike in all of them is judged. */
function judgeRaw(args: Read, judge: JudgeCommand): Ruling {
  const ruling = runLine('bash', args, ['executable'], judge);
  const plain = /^[\w ./:,=+@-]*$/.test(textOf(args)) && SHELLS.has(args.options.get('executable'));
  return plain ? ruling : doubted(ruling, 'the shell that reads the command is not known');
}

function judgeExpect({ options }: Read, judge: JudgeCommand): Ruling {
  const command = options.get('command');
  const ruling = typeof command === 'string' ? run('bash', command, judge) : UNSEEN;
  return doubted(ruling, 'what the command does with its answers is not known');
}

function judgeWindowsCommand(args: Read, judge: JudgeCommand): Ruling {
  const ruling = runLine('cmd', args, [], judge);
  return /^[\w ./:,=+@\\-]*$/.test(textOf(args)) ? ruling : doubted(ruling, UNSHELLED);
}

function judgeWindowsShell(args: Read, judge: JudgeCommand): Ruling {
  const shell = args.options.get('executable');
  const language = shell === 'cmd' || shell === 'cmd.exe' ? 'cmd' : 'powershell';
  const ruling = runLine(language, args, ['executable', 'no_profile', 'output_encoding_override'], judge);
  const known = language === 'cmd' || shell === undefined || shell === 'powershell' || shell === 'pwsh';
  return known ? ruling : doubted(ruling, ANOTHER);
}

function judgePowerShell({ options }: Read, judge: JudgeCommand): Ruling {
  const script = options.get('script');
  if (typeof script !== 'string') return UNSEEN;
  const stray = [...options.keys()].some((name) => !['script', 'chdir', 'creates', 'removes', 'depth'].includes(name));
  const ruling = run('powershell', script, judge);
  return stray ? doubted(ruling, 'what its other options make of the script is not known') : ruling;
}

const REQUEST: ReadonlySet<string> = new Set(
  `url method return_content body_format timeout status_code validate_certs follow_redirects force_basic_auth url_username url_password
  user password http_agent force use_proxy ca_path client_cert client_key use_gssapi headers decompress ciphers use_netrc`.split(
    /\s+/,
  ),
);
const READING: ReadonlySet<unknown> = new Set([undefined, 'GET', 'HEAD', 'OPTIONS']);

function judgeRequest({ options }: Read): Ruling {
  const method = options.get('method');
  if (typeof options.get('url') !== 'string') return unknown('it is not known what it asks for');
  if (options.has('dest')) return mutating('it writes the answer to a file');
  if (!READING.has(method))
    return typeof method === 'string' && /^(?:POST|PUT|PATCH|DELETE)$/i.test(method)
      ? mutating('the request asks for a change')
      : unknown('what the request asks for is not known');
  const stray = [...options.keys()].find((name) => !REQUEST.has(name));
  if (stray !== undefined) return unknown(`what the option ${stray} makes of the request is not known`);
  return isPlainHeaders(options.get('headers'))
    ? readOnly('the request only asks')
    : unknown('a header may ask for another method');
}

function isPlainHeaders(headers: unknown): boolean {
  if (headers === undefined || headers === null) return true;
  if (typeof headers !== 'object' || Array.isArray(headers)) return false;
  return Object.keys(headers).every((name) => !/override|method/i.test(name));
}

const HARMLESS_META: ReadonlySet<unknown> = new Set(
  'noop flush_handlers end_play end_host end_batch clear_host_errors clear_facts reset_connection'.split(' '),
);

/** Handlers are judged with the other tasks; what is read anew may be other hosts. */
function judgeMeta({ free, options }: Read): Ruling {
  return options.size === 0 && HARMLESS_META.has(free?.trim())
    ? readOnly('it only steers the run')
    : unknown('it changes which hosts or tasks come next');
}

function textOf({ free, options }: Read): string {
  const line = free ?? options.get('cmd');
  return typeof line === 'string' ? line : '';
}

function runLine(language: Shell, args: Read, also: readonly string[], judge: JudgeCommand): Ruling {
  const line = textOf(args);
  if (line.trim() === '' || (args.free !== undefined && args.options.has('cmd'))) return UNSEEN;
  const stray = [...args.options.keys()].find((name) => name !== 'cmd' && !BESIDE.has(name) && !also.includes(name));
  const ruling = run(language, line, judge);
  return stray === undefined ? ruling : doubted(ruling, `what the option ${stray} makes of the command is not known`);
}

function runWords({ free, options }: Read, argv: unknown, judge: JudgeCommand): Ruling {
  const words = Array.isArray(argv)
    ? argv.map((word: unknown) => (Number.isSafeInteger(word) ? String(word) : word))
    : [];
  const stray = [...options.keys()].some((name) => name !== 'argv' && !BESIDE.has(name));
  if (stray || free !== undefined || words.length === 0) return UNSEEN;
  return words.every((word) => typeof word === 'string') ? run('bash', words.map(quoted).join(' '), judge) : UNSEEN;
}

function quoted(word: string): string {
  return /^[\w./:=+@,-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

function withoutQuotes(line: string): string {
  return line.replace(/\\.|'[^']*'|"(?:[^"\\]|\\.)*"/g, '');
}

function run(language: Shell, line: string, judge: JudgeCommand): Ruling {
  return { ...readOnly('runs the command'), findings: judge(language, line) };
}

function doubted(ruling: Ruling, why: string): Ruling {
  return { ...ruling, effect: ruling.effect === 'mutating' ? 'mutating' : 'unknown', why };
}
