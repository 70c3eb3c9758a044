import type { Ruling } from '../posix/context.js';
import type { Word } from '../posix/word.js';
import { checkCmd } from './check-cmd.js';
import { checkPowerShell, checkPwsh } from './check-powershell.js';
import { checkWmic } from './check-wmic.js';
import type { WindowsContext } from './context.js';
import type { CheckName } from './types.js';

/** Judges the words behind a program's name; commands inside report for themselves. */
export type Check = (words: readonly Word[], context: WindowsContext) => Ruling;

export const CHECKS: Readonly<Record<CheckName, Check>> = {
  cmd: checkCmd,
  powershell: checkPowerShell,
  pwsh: checkPwsh,
  wmic: checkWmic,
};
