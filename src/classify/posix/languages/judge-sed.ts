import { strictest } from '../../../domain/assessment.js';
import { mutating, type Ruling, readOnly, unknown } from '../context.js';

/** A ruling that ends the reading; `rejected`: every sed refuses the whole script there and does nothing. */
interface Problem extends Ruling {
  readonly rejected?: boolean;
}

/** The script, and how far it was read. `brackets` is passed over as one where it protects a delimiter. */
interface Reader {
  readonly text: string;
  readonly brackets: RegExp | undefined;
  at: number;
  problem: Problem | undefined;
}

const BRACKETS = [/\[\^?\]?(?:\[:[a-z]+:\]|\[[.=][^\]]*[.=]\]|[^\]])*\]/y, /\[\^?\]?[^\]]*\]/y, undefined];

/** sed: addresses and commands that print, edit the pattern space or branch. `w` writes, `e` runs a command, what is not known is refused. */
export function judgeSed(script: string): Ruling {
  const fine = readOnly('edits a stream');
  // Seds disagree on a delimiter inside brackets: each reading must be fine, or no script at all.
  const readings = (script.includes('[') ? BRACKETS : [undefined]).map((brackets) => read(script, brackets));
  const rulings: Ruling[] = readings.filter((problem) => problem?.rejected !== true).map((problem) => problem ?? fine);
  const effect = strictest(rulings.map((ruling) => ruling.effect));
  return rulings.find((ruling) => ruling.effect === effect) ?? unknown('sed does not accept the script');
}

function read(script: string, brackets: RegExp | undefined): Problem | undefined {
  const reader: Reader = { text: script, brackets, at: 0, problem: undefined };
  while (reader.at < script.length && reader.problem === undefined) readCommand(reader);
  return reader.problem;
}

function readCommand(reader: Reader): void {
  skip(reader, /[\s;]/);
  readAddresses(reader);
  skip(reader, /[\s!]/);
  const command = reader.text.charAt(reader.at);
  reader.at += 1;
  const rest = ARGUMENTS.get(command);
  if (rest !== undefined) rest(reader);
  else if (command === 'w' || command === 'W') reader.problem = mutating(`the sed command ${command} writes a file`);
  else reader.problem = unknown(`the sed command ${command} is not known to only read`);
}

/** A plain label; seds disagree on where others end. */
function readLabel(reader: Reader): void {
  skip(reader, /[ \t]/);
  skip(reader, /[A-Za-z0-9_.-]/);
  if (!/^$|[\s;}]/.test(reader.text.charAt(reader.at))) reader.problem = unknown('a sed label that is not plain');
}

function skip(reader: Reader, what: RegExp): void {
  while (reader.at < reader.text.length && what.test(reader.text.charAt(reader.at))) reader.at += 1;
}

function readAddresses(reader: Reader): void {
  readAddress(reader);
  skip(reader, /[ \t]/);
  if (reader.text.charAt(reader.at) !== ',') return;
  reader.at += 1;
  skip(reader, /[ \t~+]/);
  readAddress(reader);
}

function readAddress(reader: Reader): void {
  const first = reader.text.charAt(reader.at);
  if (/[0-9$]/.test(first)) {
    skip(reader, /[0-9$~]/);
    return;
  }
  if (first === '\\') reader.at += 1;
  else if (first !== '/') return;
  readDelimited(reader, 1);
  skip(reader, /[IM]/);
}

/** Reads `/…/` or `/…/…/`: the delimiter is the next character. */
function readDelimited(reader: Reader, parts: number): void {
  const delimiter = reader.text.charAt(reader.at);
  if (delimiter === '' || delimiter === '\n' || delimiter === '\\') {
    reader.problem = unknown('a sed delimiter is missing');
    return;
  }
  reader.at += 1;
  for (let part = 0; part < parts; part += 1) readPart(reader, delimiter, part === 0);
}

function readPart(reader: Reader, delimiter: string, pattern: boolean): void {
  for (; reader.at < reader.text.length; reader.at += 1) {
    const character = reader.text.charAt(reader.at);
    if (character === delimiter) {
      reader.at += 1;
      return;
    }
    if (character === '\\') reader.at += 1;
    else if (character === '[' && pattern) reader.at += bracketLength(reader);
  }
  reader.problem = { ...unknown('a sed pattern has no end'), rejected: true };
}

/** How many characters follow the [ up to its ], in this reading. */
function bracketLength(reader: Reader): number {
  if (reader.brackets === undefined) return 0;
  reader.brackets.lastIndex = reader.at;
  return Math.max(0, (reader.brackets.exec(reader.text)?.[0].length ?? 1) - 1);
}

function readSubstitution(reader: Reader): void {
  readDelimited(reader, 2);
  if (reader.problem !== undefined) return;
  skip(reader, /[gpIiMm0-9]/);
  const flag = reader.text.charAt(reader.at);
  if (flag === 'w') {
    const file = /^w[ \t]*\/dev\/std(?:out|err)[ \t]*(?:\n|$)/.exec(reader.text.slice(reader.at));
    if (file === null) reader.problem = mutating('the flag w of s writes a file');
    else reader.at += file[0].length;
  } else if (flag === 'e') reader.problem = unknown('the flag e of s runs a command');
  else if (!/^$|[\s;}#]/.test(flag)) {
    reader.problem = { ...unknown(`the flag ${flag} of s is not known`), rejected: true };
  }
}

/** Text of a, i and c: up to the end of the line, or further where the line ends with a backslash. */
function readText(reader: Reader): void {
  for (; reader.at < reader.text.length; reader.at += 1) {
    const character = reader.text.charAt(reader.at);
    if (character === '\\') reader.at += 1;
    else if (character === '\n') return;
  }
}

/** What follows each command that only prints, edits the pattern space or branches. */
const ARGUMENTS = new Map<string, (reader: Reader) => void>([
  ...['', ...'=dDgGhHnNpPxzF{}'].map((command) => [command, () => undefined] as const),
  ...[...'qQl'].map((command) => [command, (reader: Reader) => skip(reader, /[ \t0-9]/)] as const),
  ...[...'#rR'].map((command) => [command, (reader: Reader) => skip(reader, /[^\n]/)] as const),
  ...[...'btT:'].map((command) => [command, readLabel] as const),
  ...[...'aic'].map((command) => [command, readText] as const),
  ['s', readSubstitution],
  ['y', (reader) => readDelimited(reader, 2)],
]);
