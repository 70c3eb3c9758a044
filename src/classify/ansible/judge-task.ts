import type { Finding } from '../../domain/assessment.js';
import { type Arguments, mergeArguments, readArguments } from './arguments.js';
import { elsewhere, isOnController, renderFindings } from './controller.js';
import { judgeRead } from './judge-module.js';
import { isTaskKeyword, keywordDoubt } from './keywords.js';
import { findModule } from './modules/index.js';
import type { JudgeCommand } from './ruling.js';
import { takesLine } from './runners.js';
import { hasTemplate } from './text.js';

/** What holds where a task stands. */
export interface Scope {
  readonly check: boolean;
  readonly depth: number;
  readonly judge: JudgeCommand;
}

const MAX_DEPTH = 20;
const LISTS: readonly string[] = ['block', 'rescue', 'always'];
const OLD: readonly string[] = ['action', 'local_action'];

/** The findings for a list of tasks, blocks opened. No list at all holds no task. */
export function judgeTasks(tasks: unknown, scope: Scope): readonly Finding[] {
  if (tasks === null || tasks === undefined) return [];
  if (!Array.isArray(tasks) || scope.depth > MAX_DEPTH) return [doubt('tasks', 'they cannot be read')];
  return tasks.flatMap((task: unknown) =>
    isRecord(task) ? judgeTask(task, scope) : [doubt('tasks', 'a task is no mapping')],
  );
}

/** Whether what stands under a `check_mode` only says what it would do; a doubt where it is no plain yes or no. */
export function checkMode(value: unknown, outer: boolean): boolean {
  return value === undefined || value === null ? outer : value === true;
}

/** A doubt for each of these keywords that may change what its tasks do. */
export function keywordFindings(
  entries: readonly (readonly [string, unknown])[],
  of: 'task' | 'play',
): readonly Finding[] {
  return entries.flatMap(([name, value]) => {
    const why = keywordDoubt(name, value, of);
    const subject = name.slice(0, 100);
    const own = why === undefined ? [] : [doubt(subject, why)];
    return isRunByLookup(name) ? elsewhere(own) : [...own, ...renderFindings(value, subject)];
  });
}

/** Conditions, and loops over what a plugin of the controller finds: `with_pipe` runs a program there. */
function isRunByLookup(name: string): boolean {
  return ['when', 'until', 'failed_when', 'changed_when'].includes(name) || name.startsWith('with_');
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function doubt(subject: string, why: string): Finding {
  return { effect: 'unknown', subject, why };
}

function judgeTask(task: Readonly<Record<string, unknown>>, outer: Scope): readonly Finding[] {
  const scope = { ...outer, depth: outer.depth + 1, check: checkMode(task['check_mode'], outer.check) };
  const entries = Object.entries(task);
  const blocks = entries.filter(([name]) => LISTS.includes(name));
  const modules = entries.filter(([name]) => !LISTS.includes(name) && name !== 'args' && !isTaskKeyword(name));
  const keywords = keywordFindings(
    entries.filter(([name]) => isTaskKeyword(name)),
    'task',
  );
  const inside = blocks.flatMap(([, tasks]) => judgeTasks(tasks, scope));
  const run = modules.flatMap(([name, value]) => judgeAction(name, value, task['args'], scope));
  const odd = blocks.length > 0 ? modules.length > 0 : modules.length !== 1;
  const findings = [...inside, ...run];
  return [
    ...keywords,
    ...(isOnController(task) ? elsewhere(findings) : findings),
    ...(odd ? [doubt('task', 'it is not clear which module the task calls')] : []),
  ];
}

function judgeAction(name: string, value: unknown, more: unknown, scope: Scope): readonly Finding[] {
  const {
    module: called,
    args,
    json,
  } = OLD.includes(name) ? oldForm(value) : { module: name, args: value, json: false };
  const module = findModule(called);
  const subject = called.slice(0, 100);
  if (module === undefined) return [doubt(subject, 'the module is not known')];
  const form = { free: takesLine(module.name), json };
  const read = mergeArguments(readArguments(args, form), readMore(more, form));
  const own = judgeRead(module, read, scope.check, hasTemplate(args) || hasTemplate(more), subject, scope.judge);
  return [...own, ...renderFindings([args, more], subject)];
}

function readMore(more: unknown, form: Parameters<typeof readArguments>[1]): Arguments {
  return typeof more === 'string'
    ? { kind: 'unclear', why: 'the arguments come from a variable' }
    : readArguments(more, form);
}

/** `action: copy src=a` and `action: { module: copy, src: a }`. */
function oldForm(value: unknown): { readonly module: string; readonly args: unknown; readonly json: boolean } {
  if (typeof value === 'string') {
    const [, module = '', args = ''] = /^\s*(\S+)\s*([\s\S]*)$/.exec(value) ?? [];
    return { module, args, json: false };
  }
  if (!isRecord(value) || typeof value['module'] !== 'string' || 'args' in value)
    return { module: '', args: null, json: false };
  const { module, ...args } = value;
  return { module: String(module), args, json: false };
}
