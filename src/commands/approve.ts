import { hostname, userInfo } from 'node:os';
import { join } from 'node:path';
import { type ApprovalsOptions, giveAnswer, SAID, type Said, waitingQuestions } from '../approvals/answers.js';
import type { WaitingQuestion } from '../approvals/question-file.js';
import { stateDir } from '../config/paths.js';
import { isAlive } from '../domain/process.js';
import { quote, visible } from '../domain/text.js';
import type { Context } from './context.js';
import { readArguments } from './options.js';

/** How the command is called. */
export const USAGE = `usage: zerto-rewind-proxy approve [--json]                 lists what agents wait for
       zerto-rewind-proxy approve CODE [--deny|--always]  answers: yes, no, or always pin in this session

Codes are shown at a terminal only. Exit codes: 0 answered or listed, 1 nothing waits under that code, 2 wrong usage.
`;

/** Its options. */
export const OPTIONS = { json: { type: 'boolean' }, deny: { type: 'boolean' }, always: { type: 'boolean' } } as const;

/** `approve [CODE]`: lists the questions that wait on this machine for this user, or answers one. */
export async function approveCommand(args: readonly string[], context: Context): Promise<number> {
  const { io, surroundings } = context;
  const wanted = read(args);
  if (typeof wanted === 'string') {
    io.stderr.write(`approve: ${wanted}\n${USAGE}`);
    return 2;
  }
  const options: ApprovalsOptions = {
    dir: approvalsDir(surroundings),
    host: hostname(),
    now: Date.now(),
    lives: isAlive,
  };
  if (wanted.code === undefined) return list(waitingQuestions(options), wanted.json, context);
  const given = giveAnswer(options, { code: wanted.code, said: wanted.said, by: userName(surroundings.env) });
  switch (given.kind) {
    case 'answered':
      io.stdout.write(`${indented(given.question.message)}\nanswered: ${visible(given.choice)}\n`);
      return 0;
    case 'not_offered':
      io.stderr.write(`approve: this question does not offer --always: ${offers(given.question).join(', ')}\n`);
      return 1;
    case 'unknown':
      io.stderr.write(
        'approve: no question waits under this code: it was answered, has expired, or its process is gone. `approve` lists what waits.\n',
      );
      return 1;
  }
}

/** Where the questions of this user's proxies wait. */
export function approvalsDir(surroundings: Context['surroundings']): string {
  return join(stateDir(surroundings), 'approvals');
}

type Wanted = { readonly code: string | undefined; readonly said: Said; readonly json: boolean };

function read(args: readonly string[]): Wanted | string {
  const given = readArguments(args, OPTIONS, { words: true });
  if (typeof given === 'string') return given;
  const { values, words } = given;
  return wantedOf(words, values.json === true, values.deny === true, values.always === true);
}

function wantedOf(words: readonly string[], json: boolean, deny: boolean, always: boolean): Wanted | string {
  const [code, ...more] = words;
  if (more.length > 0) return 'one code at a time: give one';
  if (deny && always) return '--deny and --always exclude each other: give one';
  if (code === undefined) return ofList(json, deny || always);
  return ofAnswer(code, json, deny ? 'no' : always ? 'always' : 'yes');
}

function ofList(json: boolean, answers: boolean): Wanted | string {
  return answers ? 'a code is missing: `approve` lists what waits' : { code: undefined, said: 'yes', json };
}

function ofAnswer(code: string, json: boolean, said: Said): Wanted | string {
  return json ? '--json is for the list' : { code, said, json };
}

/** An agent runs commands, but seldom at a terminal: without one the list says what waits, and keeps the codes. */
function list(questions: readonly WaitingQuestion[], json: boolean, { io }: Context): number {
  const shown = io.stdin.isTTY === true;
  if (json) {
    const entries = questions.map(({ code, agent, askedAt, expiresAt, message, choices }) => ({
      ...(shown && { code }),
      agent,
      askedAt,
      expiresAt,
      message,
      choices,
    }));
    io.stdout.write(`${JSON.stringify(entries, undefined, 2)}\n`);
    return 0;
  }
  const count = questions.length === 1 ? '1 question waits' : `${questions.length} questions wait`;
  const parts = questions.map((question) => told(question, shown));
  const hidden = shown || questions.length === 0 ? '' : '\nThe codes are shown at a terminal only.\n';
  io.stdout.write(`${count}.\n${parts.map((part) => `\n${part}\n`).join('')}${hidden}`);
  return 0;
}

function told(question: WaitingQuestion, shown: boolean): string {
  const times = `asked ${visible(question.askedAt)}, until ${visible(question.expiresAt)}`;
  const ways = shown ? offers(question) : question.choices.map((choice) => visible(choice));
  return [times, indented(question.message), ...ways.map((way) => `  ${way}`)].join('\n');
}

function offers({ code, choices }: WaitingQuestion): readonly string[] {
  const option = { yes: '', no: ' --deny', always: ' --always' };
  return choices.flatMap((choice, index) => {
    const said = SAID[index];
    return said === undefined ? [] : [`approve ${`${code}${option[said]}`.padEnd(20)} ${visible(choice)}`];
  });
}

/** The lines of a question, each made visible: whoever can write the file cannot write to the terminal. */
function indented(message: string): string {
  return message
    .split('\n')
    .map((line) => `  ${plain(line)}`)
    .join('\n');
}

/** Names in a question are quoted already; escapes in them must not be escaped twice. */
function plain(line: string): string {
  return line.split('\\').map(visible).join('\\');
}

/** Who answers, for the record; under sudo the person, not root. A label, no proof. */
function userName(env: Readonly<Record<string, string | undefined>>): string {
  const name = env['SUDO_USER'] ?? fallbackName();
  return quote(name, 60).slice(1, -1);
}

function fallbackName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown user';
  }
}
