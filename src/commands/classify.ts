import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { listTools } from '../../interceptors/index.js';
import { redactAbout } from '../audit/redact/redact.js';
import { catalogs } from '../classify/catalog.js';
import { classify, classifyCommand, preparePowerShell } from '../classify/index.js';
import { SHELLS, type Shell } from '../domain/call.js';
import type { Classify } from '../domain/ports.js';
import { quote, visible } from '../domain/text.js';
import { advice } from './classify-advice.js';
import { classifyTools } from './classify-tools.js';
import { readArguments as readOptions } from './options.js';

export interface CommandIo {
  readonly stdin: NodeJS.ReadableStream;
  readonly stdout: NodeJS.WritableStream;
  readonly stderr: NodeJS.WritableStream;
}

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy classify [--shell bash|powershell|cmd] COMMAND
       classify --jsonl      reads {"id"?,"shell","command"} lines on stdin
       classify --tools FILE reads a tools/list result: the roles of arguments, and the effect of each tool
       classify --catalog    prints what is known to read and what is known to change
`;

/** Its options. */
export const OPTIONS = {
  shell: { type: 'string', value: SHELLS },
  jsonl: { type: 'boolean', default: false },
  tools: { type: 'string', value: 'file' },
  catalog: { type: 'boolean', default: false },
} as const;

type Request =
  | { readonly kind: 'command'; readonly shell: Shell; readonly command: string }
  | { readonly kind: 'jsonl' | 'catalog' }
  | { readonly kind: 'tools'; readonly file: string }
  | { readonly kind: 'usage'; readonly problem: string };

/** `classify …`: judges commands without running them, by `judge`. Resolves to the exit code: 0, or 2 for a wrong call. */
export async function classifyCommandLine(args: string[], io: CommandIo, judge: Classify = classify): Promise<number> {
  const request = readArguments(args);
  switch (request.kind) {
    case 'usage':
      io.stderr.write(`classify: ${request.problem}\n${USAGE}`);
      return 2;
    case 'catalog':
      io.stdout.write(`${JSON.stringify(catalogs(listTools), null, 2)}\n`);
      return 0;
    case 'tools':
      await classifyTools(request.file, io.stdout);
      return 0;
    case 'jsonl':
      await preparePowerShell();
      await answerLines(io, judge);
      return 0;
    default:
      if (request.shell !== 'bash') await preparePowerShell();
      io.stdout.write(show(request, judge));
      return 0;
  }
}

function readArguments(args: readonly string[]): Request {
  const given = readOptions(args, OPTIONS, { words: true });
  if (typeof given === 'string') return usage(`${given}; a COMMAND is one argument: put it in quotes`);
  const { shell, jsonl, tools, catalog } = given.values;
  const others = [jsonl && '--jsonl', catalog && '--catalog', tools !== undefined && '--tools'];
  const [alone, more] = others.filter((each) => each !== false);
  if (alone === undefined) return readCommand(shell ?? 'bash', given.words);
  if (more !== undefined || shell !== undefined || given.words.length > 0)
    return usage(`${alone} stands alone: leave out the rest`);
  return tools === undefined ? { kind: jsonl ? 'jsonl' : 'catalog' } : { kind: 'tools', file: tools };
}

function readCommand(shell: string, [command, ...more]: readonly string[]): Request {
  const known = SHELLS.find((name) => name === shell);
  if (known === undefined) return usage(`--shell is one of ${SHELLS.join(', ')}, not ${quote(shell, 40)}`);
  if (command === undefined) return usage('there is no COMMAND');
  if (more.length > 0) return usage('COMMAND is one argument: put it in quotes');
  return { kind: 'command', shell: known, command };
}

function usage(problem: string): Request {
  return { kind: 'usage', problem };
}

/** Which part, which rule, and what would make the part read_only. */
function show({ shell, command }: { readonly shell: Shell; readonly command: string }, judge: Classify): string {
  const { effect, findings } = classifyCommand(shell, command, judge);
  const say = redactAbout({ arguments: { command } });
  const parts = findings.map((part) => {
    const remedy = advice(part, shell, judge);
    const said = `  ${part.effect.padEnd(9)}  ${quote(say(part.subject))}  ${visible(say(part.why))}\n`;
    return remedy === undefined ? said : `${said}             → ${say(remedy)}\n`;
  });
  return `${effect}\n${parts.join('')}`;
}

async function answerLines(io: CommandIo, judge: Classify): Promise<void> {
  for await (const line of createInterface({ input: io.stdin, crlfDelay: Number.POSITIVE_INFINITY })) {
    if (line.trim() === '') continue;
    if (!io.stdout.write(`${JSON.stringify(answer(line, judge))}\n`)) await once(io.stdout, 'drain');
  }
}

function answer(line: string, judge: Classify): Readonly<Record<string, unknown>> {
  const request = readLine(line);
  const id = request.id === undefined ? {} : { id: request.id };
  if (request.problem !== undefined) {
    return {
      ...id,
      effect: 'unknown',
      findings: [
        { subject: redactAbout({ arguments: { line } })(line.slice(0, 200)), effect: 'unknown', why: request.problem },
      ],
    };
  }
  const { effect, findings } = classifyCommand(request.shell, request.command, judge);
  const say = redactAbout({ arguments: { command: request.command } });
  return {
    ...id,
    effect,
    findings: findings.map((part) => ({ subject: say(part.subject), effect: part.effect, why: say(part.why) })),
  };
}

type Line =
  | { readonly id?: unknown; readonly problem: string }
  | { readonly id?: unknown; readonly problem?: undefined; readonly shell: Shell; readonly command: string };

function readLine(line: string): Line {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return { problem: 'the line is not JSON' };
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return { problem: 'the line is no JSON object' };
  const { id, shell, command } = value as Readonly<Record<'id' | 'shell' | 'command', unknown>>;
  const known = SHELLS.find((name) => name === shell);
  if (known === undefined) return { id, problem: `"shell" must be one of ${SHELLS.join(', ')}` };
  if (typeof command !== 'string') return { id, problem: '"command" must be a string' };
  return { id, shell: known, command };
}
