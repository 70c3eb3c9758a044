import { cannotTell } from './cannot-tell.js';

/** Whether a text is one of those that a pattern of Python's `fnmatch` stands for, case and all. */
export function globMatcher(pattern: string): (text: string) => boolean {
  const parts = partsOf(pattern);
  return (text) => {
    let states = new Set(closure(parts, [0]));
    for (const character of text) {
      const next = [...states].flatMap((state) => {
        const part = parts[state];
        if (part === undefined) return [];
        if (part === '*') return [state];
        return part(character) ? [state + 1] : [];
      });
      states = new Set(closure(parts, next));
    }
    return states.has(parts.length);
  };
}

type Part = '*' | ((character: string) => boolean);

function closure(parts: readonly Part[], states: readonly number[]): readonly number[] {
  const all = [...states];
  for (const state of all) if (parts[state] === '*') all.push(state + 1);
  return all;
}

function partsOf(pattern: string): readonly Part[] {
  const parts: Part[] = [];
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern.charAt(at);
    const end = character === '[' ? endOfClass(pattern, at + 1) : -1;
    if (end >= 0) {
      parts.push(characterClass(pattern.slice(at + 1, end)));
      at = end;
    } else if (character !== '*' || parts.at(-1) !== '*') parts.push(partOf(character));
  }
  return parts;
}

function partOf(character: string): Part {
  if (character === '*') return '*';
  return character === '?' ? () => true : (each) => each === character;
}

/** A `]` right at the start is part of the class. */
function endOfClass(pattern: string, start: number): number {
  const from = pattern.charAt(start) === '!' ? start + 1 : start;
  return pattern.indexOf(']', from + 1);
}

function characterClass(text: string): (character: string) => boolean {
  const negated = text.startsWith('!');
  const members = negated ? text.slice(1) : text;
  // Ranges of letters and digits alone: of others Python's own reading has changed.
  if (!/^(?:[A-Za-z0-9]-[A-Za-z0-9]|[A-Za-z0-9_.:])+$/.test(members))
    cannotTell('a set of characters in the pattern cannot be read for sure');
  const ranges = [...members.matchAll(/(.)-(.)|(.)/g)].map(([, from, to, single]) => ({
    from: from ?? single ?? '',
    to: to ?? single ?? '',
  }));
  if (ranges.some(({ from, to }) => from > to))
    cannotTell('a set of characters in the pattern cannot be read for sure');
  return (character) => ranges.some(({ from, to }) => from <= character && character <= to) !== negated;
}
