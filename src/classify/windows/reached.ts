import type { Finding, Reached } from '../../domain/assessment.js';
import { readShareName } from '../../domain/share-name.js';
import { leads } from '../leading.js';

/** This machine by its names. */
const HERE = /^(?:\.|\?|localhost|127(?:\.\d+){3}|::1|\$env:computername|%computername%)$/i;
const VALUE = String.raw`(?:\s*:\s*|\s+)("[^"]*"|'[^']*'|[^\s;|&{}()"']+(?:\s*,\s*[^\s;|&{}()"',]+)*|[({$])`;
const PATTERNS: readonly RegExp[] = [
  new RegExp(String.raw`(?<![\w-])-(?:comp\w*|cn|cimsession|vmname)${VALUE}`, 'gi'),
  /(?<![\w-])(?:enter-pssession|etsn|new-pssession|nsn|invoke-command|icm)\s+(?!-)("[^"]*"|'[^']*'|[^\s;|&{}()"']+)/gi,
  /\/node:\s*("[^"]*"|'[^']*'|[^\s;|&]+)/gi,
  /\bwinrs(?:\.exe)?\b[^&|;\n]*?[-/]r(?:emote)?:(\S+)/gi,
  /\b(?:schtasks|taskkill|eventcreate|setx|openfiles|tasklist|systeminfo)(?:\.exe)?\b[^&|\n]*?\s\/s[: ]\s*(\S+)/gi,
  /\b(?:wevtutil|sc|reg|shutdown)(?:\.exe)?\b[^&|\n]*?\s\/(?:r|remote|m):\\*(\S+)/gi,
];
/** `\\host…`, `\\?\UNC\host…`, and with `/` where a share follows, and no scheme stands before: `//nologo` is an option. */
const SHARES =
  /(?:^|[\s"'=:,;(])((?:\\{2,}|\/\\|\\\/)[\w.?][^\s"'|;&(){},]*|(?<!(?<!:):)\/\/(?:[?.]\/UNC\/)?[\w.-]+\/[\w$][^\s"'|;&(){},]*)/gi;
const MOST = 20_000;
/** Where they go is not read. */
const UNCLEAR = /(?:^|[\s;&|(])(?:ssh|scp|sftp|plink|pscp|rsync|ansible[\w-]*)(?:\.exe)?\s|(?<![\w-])-session\s/i;

/** Names of variables that get a value. */
const SETTING = /(?:\$(?:\{?env:)|\benv:\\?|\bsetx?(?:\.exe)?\s+(?:\/a\s+)?"?|setenvironmentvariable\(\s*["'])(\w+)/gi;

/** The other machines that a command text for Windows names, whatever it does there; `''` where one is named that is not known before it runs. */
function reachedIn(source: string): readonly Reached[] {
  // Each pattern looks ahead from every place: what is longer than a person writes is not searched.
  if (source.length > MOST) return [{ host: '' }];
  const values = PATTERNS.flatMap((pattern) => [...source.matchAll(pattern)].map(([, value = '']) => value));
  const shares = [...source.matchAll(SHARES)].flatMap(([, text = '']) => machineOf(text));
  const hosts = [...values.flatMap(namesIn), ...shares].filter((host) => !HERE.test(host));
  const isLed = [...source.matchAll(SETTING)].some(([, name = '']) => leads(name.toUpperCase(), undefined));
  const all = UNCLEAR.test(source) || isLed ? [...hosts, ''] : hosts;
  return [...new Set(all)].map((host) => ({ host }));
}

function namesIn(value: string): readonly string[] {
  const plain = value.replace(/^["']|["']$/g, '');
  if (HERE.test(plain)) return [plain];
  return plain.split(',').map((name) => {
    const bare = name.trim().replace(/^["'\\]+|["']$/g, '');
    return /^[\w.:-]+$/.test(bare) ? bare : '';
  });
}

/** The machine of a share, `''` where it cannot be told; none for a device of the machine itself. */
function machineOf(text: string): readonly string[] {
  const name = readShareName(text);
  if (name.kind === 'share') return [/^[\w.:-]+$/.test(name.host) ? name.host : ''];
  return name.kind === 'unclear' ? [''] : [];
}

/** Each part that may change something may do so on any of them. */
export function reaching(findings: readonly Finding[], source: string): readonly Finding[] {
  const reaches = reachedIn(source);
  if (reaches.length === 0) return findings;
  return findings.map((finding) => (finding.effect === 'read_only' ? finding : { ...finding, reaches }));
}
