import { randomBytes } from 'node:crypto';
import { readCode, sameCode } from './code.js';
import { namesIn, readPrivate, remove, writeOnce } from './private-files.js';
import { answerName, parseQuestion, questionName, type WaitingQuestion } from './question-file.js';

/** What a person may say: the question's choices in their order. */
export const SAID = ['yes', 'no', 'always'] as const;
export type Said = (typeof SAID)[number];

export interface ApprovalsOptions {
  readonly dir: string;
  readonly host: string;
  readonly now: number;
  /** Whether a process of this machine still runs. */
  readonly lives: (pid: number) => boolean;
}

/** The questions that wait for an answer, oldest first. Those of processes that are gone are cleared away. */
export function waitingQuestions({ dir, host, now, lives }: ApprovalsOptions): readonly WaitingQuestion[] {
  const names = namesIn(dir);
  const found = names.flatMap((name) => {
    const question = name.endsWith('.question') ? parseQuestion(readPrivate(dir, name)) : undefined;
    return question !== undefined && questionName(question.id) === name ? [question] : [];
  });
  const waiting = found.filter((question) => {
    const gone = question.host === host && !lives(question.pid);
    if (gone) for (const name of [questionName(question.id), answerName(question.id)]) remove(dir, name);
    return !gone && Date.parse(question.expiresAt) > now && !names.includes(answerName(question.id));
  });
  return waiting.sort((a, b) => (a.askedAt < b.askedAt ? -1 : 1));
}

export type Given =
  | { readonly kind: 'answered'; readonly question: WaitingQuestion; readonly choice: string }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'not_offered'; readonly question: WaitingQuestion };

/** Leaves a person's answer for the process that asked. `unknown`: no question waits under that code, or not any more. */
export function giveAnswer(
  options: ApprovalsOptions,
  { code, said, by }: { readonly code: string; readonly said: Said; readonly by: string },
): Given {
  const question = waitingQuestions(options).find((each) => sameCode(each.code, readCode(code)));
  if (question === undefined) return { kind: 'unknown' };
  const choice = question.choices[SAID.indexOf(said)];
  if (choice === undefined) return { kind: 'not_offered', question };
  const answer = JSON.stringify({ v: 1, code: question.code, choice, by });
  const written = writeOnce(options.dir, answerName(question.id), answer, randomBytes(8).toString('hex'));
  return written ? { kind: 'answered', question, choice } : { kind: 'unknown' };
}
