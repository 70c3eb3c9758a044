import type { Compiled } from '../../specs/compile.js';
import type { CheckName } from '../../specs/types.js';
import type { Context, Ruling } from '../context.js';
import type { Word } from '../word.js';
import { judgeAdHoc } from './judge-ad-hoc.js';
import { judgeFind } from './judge-find.js';
import { judgeShell } from './judge-shell.js';
import { judgeTest } from './judge-test.js';
import { judgeXargs } from './judge-xargs.js';

/** Judges the words of a program from `start` on; commands inside report for themselves. */
export type Check = (
  spec: Compiled,
  words: readonly Word[],
  start: number,
  subject: string,
  context: Context,
) => Ruling;

export const CHECKS: Readonly<Record<CheckName, Check>> = {
  'ad-hoc': judgeAdHoc,
  find: judgeFind,
  shell: judgeShell,
  test: judgeTest,
  xargs: judgeXargs,
};
