import { isDeepStrictEqual } from 'node:util';
import { applyEdits } from 'jsonc-parser';
import type { Edit, Entry } from './document.js';
import type { Place } from './places.js';
import { parseText, type Source } from './survey.js';

/** What a server's command line becomes. */
export interface Change {
  readonly entry: Entry;
  readonly edits: readonly Edit[];
  readonly words: readonly string[];
}

/** The file with the changes, and nothing else changed: the outcome is read again and compared. Undefined where that does not hold. */
export function edited(source: Source, changes: readonly Change[], places: readonly Place[]): Buffer | undefined {
  const edits = changes.flatMap((change) => change.edits);
  const text = applyEdits(source.text, [...edits]);
  const after = parseText(text, places);
  if (after.kind !== 'read') return undefined;
  const expected = changes.reduce((value, { entry, words }) => withWords(value, entry, words), source.document.value);
  return isDeepStrictEqual(withArgs(after.value, changes), withArgs(expected, changes))
    ? Buffer.from(source.bom ? `\uFEFF${text}` : text)
    : undefined;
}

function withWords(value: unknown, { path, launch }: Entry, words: readonly string[]): unknown {
  return at(value, path, (entry) => {
    if (launch.kind === 'line') return new Map(entry).set('command', [...words]);
    return new Map(entry).set('command', words[0]).set('args', words.slice(1));
  });
}

/** Without args and with none is the same to every client. */
function withArgs(value: unknown, changes: readonly Change[]): unknown {
  return changes.reduce(
    (whole, { entry }) =>
      at(whole, entry.path, (own) =>
        entry.launch.kind === 'line' || own.has('args') ? own : new Map(own).set('args', []),
      ),
    value,
  );
}

function at(
  value: unknown,
  [step, ...rest]: readonly string[],
  change: (entry: ReadonlyMap<unknown, unknown>) => ReadonlyMap<unknown, unknown>,
): unknown {
  if (!(value instanceof Map)) return value;
  if (step === undefined) return change(value);
  return new Map(value).set(step, at(value.get(step), rest, change));
}
