import { cannotTell } from './cannot-tell.js';

const WHITE = /[ \t\r\n]/;

/** The words of a line as Python's `shlex.split(line, comments=True)` gives them. */
export function splitWords(line: string): readonly string[] {
  const words: string[] = [];
  let at = 0;
  while (at < line.length) {
    const character = line.charAt(at);
    if (WHITE.test(character)) at += 1;
    else if (character === '#') break;
    else {
      const { word, end } = readWord(line, at);
      words.push(word);
      at = end;
    }
  }
  return words;
}

function readWord(line: string, start: number): { readonly word: string; readonly end: number } {
  let word = '';
  let at = start;
  // A comment may begin in the midst of a word.
  while (at < line.length && !/[ \t\r\n#]/.test(line.charAt(at))) {
    const { text, end } = readPart(line, at);
    word += text;
    at = end;
  }
  return { word, end: at };
}

function readPart(line: string, at: number): { readonly text: string; readonly end: number } {
  const character = line.charAt(at);
  if (character === '"' || character === "'") return readQuoted(line, at + 1, character);
  if (character !== '\\') return { text: character, end: at + 1 };
  return at + 1 < line.length ? { text: line.charAt(at + 1), end: at + 2 } : cannotTell(UNREADABLE);
}

/** Inside double quotes a backslash protects a quote or itself, and stands for itself before anything else. */
function readQuoted(line: string, start: number, quote: string): { readonly text: string; readonly end: number } {
  let text = '';
  for (let at = start; at < line.length; at += 1) {
    const character = line.charAt(at);
    if (character === quote) return { text, end: at + 1 };
    if (character === '\\' && quote === '"' && /["\\]/.test(line.charAt(at + 1))) {
      at += 1;
      text += line.charAt(at);
    } else text += character;
  }
  return cannotTell(UNREADABLE);
}

const UNREADABLE = 'a line of the inventory has a quote or a backslash without its end';
