import type { Finding } from '../../domain/assessment.js';
import type { Ruling } from '../posix/context.js';
import type { FindProgram } from '../specs/index.js';
import { readsSecrets } from './sensitive.js';

/** Judges a command text inside another one. */
export interface WindowsEngine {
  powershell(source: string, context: WindowsContext): void;
  cmd(source: string, context: WindowsContext): void;
}

/** One pass over one command text. Rules report through `findings`; the highest decides. */
export interface WindowsContext {
  readonly engine: WindowsEngine;
  readonly find: FindProgram;
  readonly findings: Finding[];
  readonly depth: number;
  /** Standard input may hold data from a pipe. */
  readonly fed: boolean;
}

const MAX_DEPTH = 5;
const MAX_PARTS = 1000;

/** The context of a command inside a command; undefined where that goes too deep. */
export function deeper<T extends WindowsContext>(context: T): T | undefined {
  return context.depth >= MAX_DEPTH ? undefined : { ...context, depth: context.depth + 1, fed: false };
}

export function report(
  context: Pick<WindowsContext, 'findings'>,
  subject: string,
  ruling: Ruling,
  program?: string,
): void {
  if (context.findings.length >= MAX_PARTS) throw new Error(`more than ${MAX_PARTS} parts`);
  const part: Finding = { effect: ruling.effect, subject: subject.trim(), why: ruling.why, program };
  context.findings.push(readsSecrets(subject) ? { ...part, sensitive: true } : part);
}
