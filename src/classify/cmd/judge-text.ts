import { unknown } from '../posix/context.js';
import { report, type WindowsContext } from '../windows/context.js';
import { unreadableOnWindows } from '../windows/look-alikes.js';
import { judgeLine } from './judge-line.js';

/** Judges a text of cmd line by line. */
export function judgeCmd(source: string, context: WindowsContext): void {
  const text = source.replaceAll('\r\n', '\n');
  const problem = unreadableOnWindows(text);
  if (problem !== undefined) {
    report(context, source, unknown(`the text ${problem}`));
    return;
  }
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length === 0) report(context, source, unknown('there is no command in it'));
  for (const line of lines) judgeLine(line, context);
}
