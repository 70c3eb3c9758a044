import type { ParsedScript } from 'unbash';
import { EFFECTS, type Effect, type Finding, type Reached } from '../../domain/assessment.js';
import type { FindProgram } from '../specs/index.js';
import { readsSecrets } from './sensitive.js';
import type { Word } from './word.js';

export interface Ruling {
  readonly effect: Effect;
  readonly why: string;
}

/** Judges a command of its own: a script text, or the words of a call. */
export interface Engine {
  script(source: string, context: Context): void;
  nested(script: ParsedScript, context: Context): void;
  call(words: readonly Word[], subject: string, context: Context): void;
}

/** One pass over one command text. Rules report through `findings`; the highest decides. */
export interface Context {
  readonly engine: Engine;
  readonly find: FindProgram;
  readonly findings: Finding[];
  /** The text that node positions point into. */
  readonly source: string;
  readonly depth: number;
  /** Standard input may hold data: a pipe, a file or a here-document. */
  readonly fed: boolean;
  /** Loop variables whose values are all literal words: the characters they start with. */
  readonly plain: Map<string, string>;
  /** What is judged acts on another machine or a control plane. */
  readonly elsewhere?: boolean;
  /** The shell that runs the whole text: `unsure`, where code that is not seen may have set what its commands go by. */
  readonly shell: { unsure: boolean };
  /** The machines that it acts on then. */
  readonly reaches?: readonly Reached[] | undefined;
}

const MAX_DEPTH = 8;

/** The context of a command inside a command; undefined where that goes too deep. */
export function deeper(context: Context, source: string): Context | undefined {
  if (context.depth >= MAX_DEPTH) return undefined;
  return { ...context, source, depth: context.depth + 1, plain: new Map() };
}

const MAX_PARTS = 1000;

/** Throws where a text has so many parts that judging them all would hold up other calls. */
export function report(context: Context, subject: string, ruling: Ruling, program?: string): void {
  if (context.findings.length >= MAX_PARTS) throw new Error(`more than ${MAX_PARTS} parts`);
  const part = { effect: ruling.effect, subject, why: ruling.why, ...(program !== undefined && { program }) };
  const placed = context.elsewhere === true ? { ...part, elsewhere: true, ...reached(context) } : part;
  context.findings.push(readsSecrets(subject) ? { ...placed, sensitive: true } : placed);
}

function reached({ reaches }: Context): { readonly reaches?: readonly Reached[] } {
  return reaches === undefined ? {} : { reaches };
}

export function unknown(why: string): Ruling {
  return { effect: 'unknown', why };
}

export function mutating(why: string): Ruling {
  return { effect: 'mutating', why };
}

export function readOnly(why: string): Ruling {
  return { effect: 'read_only', why };
}

/** The stricter of two rulings, the first where they are equal. */
export function stricter(first: Ruling | undefined, second: Ruling): Ruling {
  if (first === undefined) return second;
  return EFFECTS.indexOf(first.effect) >= EFFECTS.indexOf(second.effect) ? first : second;
}

export function named(name: string, ruling: Ruling): Ruling {
  return { effect: ruling.effect, why: `${name}: ${ruling.why}` };
}
