/**
 * What is known of a word before the shell has expanded it.
 * `prefix` surely comes first; `splits`: it may become no word or several, each starting with anything; `many`: several, each starting with `prefix`.
 */
export interface Word {
  readonly text: string;
  readonly literal: string | undefined;
  readonly prefix: string;
  readonly splits: boolean;
  readonly many: boolean;
}

export function literalWord(value: string): Word {
  return { text: value, literal: value, prefix: value, splits: false, many: false };
}

/** A single word that only the target knows, after `prefix`. */
export function dynamicWord(text: string, prefix: string): Word {
  return { text, literal: undefined, prefix, splits: false, many: false };
}

/** Any number of words that only the target knows. */
export function unseenWords(text: string): Word {
  return { text, literal: undefined, prefix: '', splits: true, many: true };
}

/** As a prefix: the first character is not known, but no word of these starts like an option. NUL stands in no command text. */
export const NO_DASH = '\0';
