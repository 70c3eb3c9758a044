import type { Effect, Finding } from '../../domain/assessment.js';
import type { Shell } from '../../domain/call.js';

/** Judges a command text in the language it is written in; the classifier of that language. */
export type JudgeCommand = (language: Shell, source: string) => readonly Finding[];

/** What one module call amounts to. `findings`: those of the command that it runs. */
export interface Ruling {
  readonly effect: Effect;
  readonly why: string;
  readonly findings?: readonly Finding[] | undefined;
}

export function readOnly(why: string): Ruling {
  return { effect: 'read_only', why };
}

export function unknown(why: string): Ruling {
  return { effect: 'unknown', why };
}

export function mutating(why: string): Ruling {
  return { effect: 'mutating', why };
}
