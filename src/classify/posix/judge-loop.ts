import type { For } from 'unbash';
import { type Context, report, unknown } from './context.js';
import { expandWord } from './expand-word.js';
import { freeName } from './judge-assignment.js';
import { led } from './judge-setting.js';
import { NO_DASH, type Word } from './word.js';

const SIMPLE = /^[A-Za-z0-9_./:@%+][A-Za-z0-9_./:@%+=,-]*$/;

/** `for name in words`: where every word is a plain literal, `$name` in the body is one word that starts like one of them. */
export function judgeLoop(node: For, context: Context, body: () => void): void {
  const name = node.name.value;
  if (!freeName(name) && !/^[A-Z]$/.test(name)) {
    report(led(name, undefined, context), name, unknown('this loop variable may change later commands'));
  }
  const words = (node.wordlist ?? []).map((word) => expandWord(word, context));
  const start = words.length > 0 && onlyOnce(name, context.source) ? commonStart(words) : undefined;
  if (start === undefined) {
    context.plain.delete(name);
    body();
    return;
  }
  context.plain.set(name, start);
  body();
  context.plain.delete(name);
}

function commonStart(words: readonly Word[]): string | undefined {
  if (!words.every((word) => word.literal !== undefined && SIMPLE.test(word.literal))) return undefined;
  const first = words[0]?.prefix ?? '';
  let length = first.length;
  for (const { prefix } of words) while (!prefix.startsWith(first.slice(0, length))) length -= 1;
  return length === 0 ? NO_DASH : first.slice(0, length);
}

/** The name stands nowhere else than after `$` or `${`, so nothing in the text can assign to it. */
function onlyOnce(name: string, source: string): boolean {
  let bare = 0;
  for (let at = source.indexOf(name); at >= 0; at = source.indexOf(name, at + 1)) {
    const before = source.charAt(at - 1);
    if (before === '$' || (before === '{' && source.charAt(at - 2) === '$')) continue;
    if (/[A-Za-z0-9_]/.test(before) || /[A-Za-z0-9_]/.test(source.charAt(at + name.length))) continue;
    bare += 1;
  }
  return bare === 1;
}
