import { mutating, type Ruling, readOnly, unknown } from '../posix/context.js';
import { literalWord, unseenWords, type Word } from '../posix/word.js';
import { deeper, report, type WindowsContext } from '../windows/context.js';
import { judgeProgram, programName } from '../windows/judge-program.js';
import { splitWords } from './split-words.js';
import { type Segment, tokenize, UNSEEN } from './tokenize.js';

/** Judges one line of cmd: every command in it is reported. */
export function judgeLine(line: string, context: WindowsContext): void {
  const tokens = tokenize(line);
  if (tokens.kind === 'refused') {
    report(context, line, unknown(tokens.why));
    return;
  }
  for (const segment of tokens.segments) judgeSegment(segment, { ...context, fed: context.fed || segment.fed });
}

function judgeSegment(segment: Segment, context: WindowsContext): void {
  const subject = segment.text.trim().replaceAll(UNSEEN, '%…%');
  if (segment.writes) report(context, subject, mutating('a redirection that writes'));
  const text = segment.text.trim().replace(/^(?:@\s*)+/, '');
  const command = readName(text);
  if (command === undefined) {
    report(context, subject, unknown('a command name that is not followed'));
    return;
  }
  const name = programName(command.name);
  const nested = name === 'cmd' ? tailOf(command.rest) : undefined;
  if (nested !== undefined) report(context, subject, runNested(nested, context));
  else judgeProgram([literalWord(command.name), ...argumentsOf(command.rest)], subject, context, true);
}

interface Command {
  readonly name: string;
  readonly rest: string;
}

const GLUED = /^(echo)[.:,;\\/+[\]](?!exe|com|bat|cmd)|^(cd|chdir)(?=[.\\/])/i;

/** The name of a command and what follows it. A flag may stand right behind the name. */
function readName(text: string): Command | undefined {
  const glued = GLUED.exec(text);
  if (glued !== null) return { name: glued[1] ?? glued[2] ?? '', rest: text.slice(glued[0].length) };
  const quoted = /^"([^"\ue000/]+)"(?=\s|$)/.exec(text);
  if (quoted !== null) return { name: quoted[1] ?? '', rest: text.slice(quoted[0].length) };
  const bare = /^[^\s"/,;=\ue000]+(?=[\s/]|$)/.exec(text);
  return bare === null ? undefined : { name: bare[0], rest: text.slice(bare[0].length) };
}

function argumentsOf(rest: string): readonly Word[] {
  return splitWords(rest) ?? [unseenWords(rest.trim())];
}

/** The text behind /c of cmd itself, which takes off the first and the last quote. */
function tailOf(rest: string): string | undefined {
  const found = /^(?:\s*\/(?:[dqsau]|e:on|e:off|v:off|f:off)(?=\s|\/))*\s*\/c\s+(.*)$/i.exec(rest)?.[1]?.trim();
  if (found === undefined || found === '') return undefined;
  return found.startsWith('"') ? found.replace(/^"(.*)"([^"]*)$/, '$1$2') : found;
}

function runNested(text: string, context: WindowsContext): Ruling {
  const inner = deeper(context);
  if (inner === undefined) return unknown('cmd: commands are nested too deep');
  context.engine.cmd(text, inner);
  return readOnly('cmd: runs the command behind /c');
}
