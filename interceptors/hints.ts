import type { Operation, ToolDescription } from '../src/domain/call.js';
import { names, words } from './words.js';

const CHANGES =
  names(`write upload put delete remove rm rmdir unlink move rename copy edit patch kill terminate restart reboot shutdown poweroff
  install uninstall deploy import restore create mkdir append truncate chmod chown mount unmount format enable disable start stop`);
const KEEPS = names(
  'alias schedule cron hook hooks save register store add set define history filter config profile jump',
);

/** A tool that says it is destructive, or whose name says that it changes something, is taken at its word. No hint lowers an effect. */
export function raisedByHint(tool: string, description: ToolDescription | undefined): readonly Operation[] {
  if (description?.annotations?.destructiveHint === true) {
    return [{ kind: 'fixed', effect: 'mutating', subject: tool, why: 'the server calls the tool destructive' }];
  }
  return words(tool).some((word) => CHANGES.has(word))
    ? [{ kind: 'fixed', effect: 'mutating', subject: tool, why: 'the tool is named after a change' }]
    : [];
}

/** A tool that carries a command, but by its name does more with it than run it. */
export function doesMoreThanRun(tool: string): boolean {
  return words(tool).some((word) => KEEPS.has(word) || (CHANGES.has(word) && word !== 'start' && word !== 'stop'));
}
