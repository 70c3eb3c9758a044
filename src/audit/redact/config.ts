import { matchesWildcards } from '../../domain/wildcard.js';
import type { Mark } from './marks.js';

/** What an operator adds: names of arguments and words, with `*` and `?`. Never regular expressions, whose cost nobody can tell. */
export interface RedactRules {
  readonly arguments: readonly string[];
  readonly words: readonly string[];
}

/** An operator's rules, ready for use. */
export interface OperatorRedaction {
  /** Whether an argument or member of this name holds a secret. */
  readonly isSecret: (name: string) => boolean;
  /** The text with each word marked that one of the patterns stands for. */
  readonly words: (text: string, mark: Mark) => string;
}

export const NO_RULES: OperatorRedaction = { isSecret: () => false, words: (text) => text };

const WORD = /[^\s'"`;|&<>()=,{}[\]]+/g;

interface Pattern {
  readonly pattern: string;
  /** The longest part without a wildcard: what does not hold it needs no comparison. */
  readonly part: string;
}

/** Names are compared without regard to letter case, words as they are. Linear in the text for each pattern. */
export function operatorRedaction(rules: RedactRules): OperatorRedaction {
  const names = rules.arguments.map((name) => name.toLowerCase());
  const words = rules.words.map((pattern): Pattern => ({ pattern, part: longestPart(pattern) }));
  const found = (word: string): boolean =>
    words.some(({ pattern, part }) => word.includes(part) && matchesWildcards(word, pattern));
  return {
    isSecret: (name) => names.some((pattern) => matchesWildcards(name.toLowerCase(), pattern)),
    words: (text, mark) =>
      words.some(({ part }) => text.includes(part))
        ? text.replace(WORD, (word) => (found(word) ? mark(word) : word))
        : text,
  };
}

function longestPart(pattern: string): string {
  return pattern.split(/[*?]+/).reduce((longest, part) => (part.length > longest.length ? part : longest), '');
}
