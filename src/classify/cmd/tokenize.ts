/** One command of a line: its text without redirections. `writes`: it sends output to a file. */
export interface Segment {
  readonly text: string;
  readonly fed: boolean;
  readonly writes: boolean;
}

export type Tokens =
  | { readonly kind: 'segments'; readonly segments: readonly Segment[] }
  | { readonly kind: 'refused'; readonly why: string };

/** Stands for the value of a variable that only the target knows. A text that holds it itself is only taken for less known. */
export const UNSEEN = '\ue000';

/** Variables that Windows sets itself and whose values hold no operator of cmd. */
const PLACES: Readonly<Record<string, string>> = {
  WINDIR: 'C:\\Windows',
  SYSTEMROOT: 'C:\\Windows',
  SYSTEMDRIVE: 'C:',
};
const KNOWN = new Set(
  `COMPUTERNAME USERNAME USERDOMAIN USERDNSDOMAIN USERPROFILE LOGONSERVER OS PROCESSOR_ARCHITECTURE NUMBER_OF_PROCESSORS PROCESSOR_IDENTIFIER
   TEMP TMP PROGRAMDATA ALLUSERSPROFILE PUBLIC APPDATA LOCALAPPDATA PROGRAMFILES ERRORLEVEL DATE TIME HOMEDRIVE HOMEPATH SESSIONNAME`.split(
    /\s+/,
  ),
);

class Refused extends Error {}

interface Cursor {
  readonly line: string;
  at: number;
  quoted: boolean;
  text: string;
  fed: boolean;
  writes: boolean;
  readonly segments: Segment[];
}

/** Splits one line as cmd does. What would be expanded, escaped or grouped is refused. */
export function tokenize(line: string): Tokens {
  const cursor: Cursor = { line, at: 0, quoted: false, text: '', fed: false, writes: false, segments: [] };
  try {
    while (cursor.at < line.length) step(cursor);
    if (cursor.quoted) throw new Refused('a quote without end');
    close(cursor, false);
    return { kind: 'segments', segments: cursor.segments };
  } catch (error) {
    if (error instanceof Refused) return { kind: 'refused', why: error.message };
    throw error;
  }
}

const OPERATORS = new Set(['&', '|', '<', '>']);
const REFUSED = new Set(['^', '(', ')']);

function step(cursor: Cursor): void {
  const character = cursor.line.charAt(cursor.at);
  if (character === '"') cursor.quoted = !cursor.quoted;
  if (character === '!') throw new Refused('! may be expanded');
  if (character === '%') {
    variable(cursor);
    return;
  }
  if (!cursor.quoted && REFUSED.has(character)) throw new Refused(`${character} is not followed`);
  if (!cursor.quoted && OPERATORS.has(character)) {
    operator(cursor, character);
    return;
  }
  cursor.text += character;
  cursor.at += 1;
}

function variable(cursor: Cursor): void {
  const found = /^%([A-Za-z_]+)%/.exec(cursor.line.slice(cursor.at));
  const name = found?.[1]?.toUpperCase() ?? '';
  const place = PLACES[name];
  // A single % that no letter or digit follows stands for itself, or for nothing in a batch file.
  if (found === null && cursor.quoted && isLone(cursor)) {
    cursor.text += '%';
    cursor.at += 1;
    return;
  }
  if (found === null || (place === undefined && !KNOWN.has(name)))
    throw new Refused('% is expanded to what only the target knows');
  cursor.text += place ?? UNSEEN;
  cursor.at += found[0].length;
}

function isLone({ line, at }: Cursor): boolean {
  return line.indexOf('%') === at && line.indexOf('%', at + 1) < 0 && /^[ {}]/.test(line.slice(at + 1));
}

function operator(cursor: Cursor, character: string): void {
  if (character === '<' || character === '>') {
    redirection(cursor);
    return;
  }
  const double = cursor.line.charAt(cursor.at + 1) === character;
  cursor.at += double ? 2 : 1;
  close(cursor, character === '|' && !double);
}

function close(cursor: Cursor, feeds: boolean): void {
  if (cursor.text.trim() === '') throw new Refused('a part without a command');
  cursor.segments.push({ text: cursor.text, fed: cursor.fed, writes: cursor.writes });
  cursor.text = '';
  cursor.fed = feeds;
  cursor.writes = false;
}

const TO_STREAM = /^>&[12](?=[\s&|<>]|$)/;
const TO_NOTHING = /^(?:>{1,2}|<)[ \t]*nul(?=[\s&|<>]|$)/i;
const TO_FILE = /^>{1,2}[ \t]*(?:"[^"]*"|[^\s&|<>"]+)/;

function redirection(cursor: Cursor): void {
  const rest = cursor.line.slice(cursor.at);
  const harmless = TO_STREAM.exec(rest) ?? TO_NOTHING.exec(rest);
  const file = harmless === null ? TO_FILE.exec(rest) : null;
  const match = harmless ?? file;
  if (match === null) throw new Refused('a redirection that is not followed');
  // A digit before it is the number of a stream.
  cursor.text = cursor.text.replace(/(^|\s)[0-9]$/, '$1');
  if (file !== null) cursor.writes = true;
  cursor.at += match[0].length;
  cursor.text += ' ';
}
