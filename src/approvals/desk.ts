import { randomBytes } from 'node:crypto';
import type { AskedElsewhere, Elsewhere, Logger, Question } from '../domain/ports.js';
import { codeFor, sameCode } from './code.js';
import { privateDirectory, readPrivate, remove, writeOnce } from './private-files.js';
import { answerName, parseAnswer, questionName, type WaitingQuestion } from './question-file.js';

export interface DeskOptions {
  /** Where questions wait and answers are left; made with the first question. */
  readonly dir: string;
  readonly minutes: number;
  /** Name of the machine, for `approve` to tell questions of processes that are gone. */
  readonly host: string;
  readonly pid: number;
  /** Wall clock, and one that is never set back; milliseconds. */
  readonly now: () => number;
  readonly steady: () => number;
  /** Tells the person that something waits, without saying what. */
  readonly notify: () => void;
  readonly log: Pick<Logger, 'info' | 'warn'>;
  /** How long a repeated call waits for the answer before it is told that there is none yet. */
  readonly waitMs?: number | undefined;
  readonly pollMs?: number | undefined;
}

/** Questions on the operator's side: the code stands only in a file (0600) that `approve` shows to a person. */
export interface Desk extends Elsewhere {
  /** The session is over: nobody comes back for its questions. */
  drop(session: string): void;
  close(): void;
}

interface Open {
  readonly file: WaitingQuestion;
  readonly session: string;
  readonly key: string;
  readonly since: number;
}
type Found = { readonly choice: string; readonly by: string; readonly afterMs: number };

/** More open questions than a person reads are not asked. */
const MOST = 50;

/** A desk without any side effect before its first question. */
export function createDesk(options: DeskOptions): Desk {
  const { dir, log, now, steady } = options;
  const secret = randomBytes(32);
  const open = new Map<string, Open>();

  const expired = ({ since, file }: Open): boolean =>
    steady() - since >= options.minutes * 60_000 || now() > Date.parse(file.expiresAt);

  const forget = (name: string): void => {
    const id = open.get(name)?.file.id;
    open.delete(name);
    if (id === undefined) return;
    for (const file of [questionName(id), answerName(id)]) remove(dir, file);
  };

  const known = (name: string): Open | undefined => {
    const entry = open.get(name);
    if (entry !== undefined && expired(entry)) forget(name);
    return open.get(name);
  };

  const answerTo = ({ file, key, since }: Open): Found | undefined => {
    const answer = parseAnswer(readPrivate(dir, answerName(file.id)));
    // Made anew from what is held here, so that no edit of the file makes an answer hold for another call.
    if (answer === undefined || !sameCode(answer.code, codeFor(secret, { ...file, key }))) return undefined;
    if (!file.choices.includes(answer.choice)) return undefined;
    return { choice: answer.choice, by: `out of band (${answer.by.slice(0, 80)})`, afterMs: steady() - since };
  };

  /** A yes serves one call. A no stands until the question expires, so that asking again does not wear a person down. */
  const take = (name: string, entry: Open): Found | undefined => {
    const found = answerTo(entry);
    if (found !== undefined && found.choice !== entry.file.choices[1]) forget(name);
    return found;
  };

  const put = (name: string, asked: AskedElsewhere): boolean => {
    for (const other of [...open.keys()]) known(other);
    if (open.size >= MOST) {
      log.warn({ open: open.size }, 'a person was not asked: too many questions wait already');
      return false;
    }
    const file = fileOf(asked, options, secret);
    try {
      privateDirectory(dir);
      writeOnce(dir, questionName(file.id), JSON.stringify(file), file.id);
    } catch (error) {
      log.warn({ dir, error }, 'a person could not be asked out of band: the directory of approvals cannot be used');
      return false;
    }
    open.set(name, { file, session: asked.session, key: asked.key, since: steady() });
    log.info({}, 'a person is asked out of band; to answer, run in a terminal: zerto-rewind-proxy approve');
    options.notify();
    return true;
  };

  const wait = async (name: string, entry: Open, signal: AbortSignal): Promise<Found | undefined> => {
    const until = steady() + (options.waitMs ?? 20_000);
    for (;;) {
      const found = take(name, entry);
      if (found !== undefined || signal.aborted || steady() >= until || known(name) !== entry) return found;
      await new Promise((resolve) => setTimeout(resolve, options.pollMs ?? 250));
    }
  };

  return {
    isOpen: (key, question) => known(nameOf(key, question)) !== undefined,
    ask: async (asked, signal) => {
      const name = nameOf(asked.key, asked.question);
      const entry = known(name);
      if (entry === undefined) return { kind: put(name, asked) ? 'waiting' : 'unavailable' };
      const found = await wait(name, entry, signal);
      return found === undefined ? { kind: 'waiting' } : { kind: 'answered', ...found };
    },
    drop: (session) => {
      for (const [name, entry] of [...open]) if (entry.session === session) forget(name);
    },
    close: () => {
      for (const name of [...open.keys()]) forget(name);
    },
  };
}

function nameOf(key: string, { message, about, choices }: Question): string {
  return JSON.stringify([key, about ?? message, choices]);
}

function fileOf(asked: AskedElsewhere, options: DeskOptions, secret: Uint8Array): WaitingQuestion {
  const { message, choices } = asked.question;
  const [yes, ...others] = choices;
  const bound = {
    id: randomBytes(8).toString('hex'),
    key: asked.key,
    message,
    choices,
    expiresAt: new Date(options.now() + options.minutes * 60_000).toISOString(),
  };
  return {
    v: 1,
    id: bound.id,
    code: codeFor(secret, bound),
    host: options.host,
    pid: options.pid,
    agent: asked.agent,
    askedAt: new Date(options.now()).toISOString(),
    expiresAt: bound.expiresAt,
    message,
    choices: [yes, ...others],
  };
}
