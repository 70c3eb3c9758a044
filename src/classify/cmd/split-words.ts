import { literalWord, unseenWords, type Word } from '../posix/word.js';
import { UNSEEN } from './tokenize.js';

interface Reader {
  readonly text: string;
  at: number;
  quoted: boolean;
  word: string;
  open: boolean;
  /** A variable stands outside quotes in the word. */
  loose: boolean;
}

/** The words of a program's arguments by the rules of its C runtime; undefined where its versions differ. */
export function splitWords(text: string): readonly Word[] | undefined {
  const reader: Reader = { text, at: 0, quoted: false, word: '', open: false, loose: false };
  const words: Word[] = [];
  while (reader.at < text.length) {
    const character = text.charAt(reader.at);
    if (!reader.quoted && (character === ' ' || character === '\t')) {
      if (reader.open) words.push(finish(reader));
      reader.at += 1;
    } else if (!take(reader, character)) {
      return undefined;
    }
  }
  if (reader.quoted) return undefined;
  if (reader.open) words.push(finish(reader));
  return words;
}

/** False where two quotes meet: some runtimes read them as one, some as an end and a start. */
function take(reader: Reader, character: string): boolean {
  reader.open = true;
  if (character === '\\') return takeBackslashes(reader);
  reader.at += 1;
  if (character !== '"') {
    reader.word += character;
    if (character === UNSEEN && !reader.quoted) reader.loose = true;
    return true;
  }
  reader.quoted = !reader.quoted;
  const before = reader.text.charAt(reader.at - 2);
  return !(
    reader.text.charAt(reader.at) === '"' &&
    before !== ' ' &&
    before !== '' &&
    before !== ':' &&
    before !== '='
  );
}

function takeBackslashes(reader: Reader): boolean {
  const run = /^\\+/.exec(reader.text.slice(reader.at))?.[0] ?? '\\';
  reader.at += run.length;
  if (reader.text.charAt(reader.at) !== '"') {
    reader.word += run;
    return true;
  }
  reader.word += '\\'.repeat(Math.floor(run.length / 2));
  if (run.length % 2 === 1) {
    reader.word += '"';
    reader.at += 1;
  }
  return true;
}

function finish(reader: Reader): Word {
  const { word, loose } = reader;
  reader.word = '';
  reader.open = false;
  reader.loose = false;
  const unseen = word.indexOf(UNSEEN);
  if (unseen < 0) return literalWord(word);
  const text = word.replaceAll(UNSEEN, '%…%');
  return loose
    ? unseenWords(text)
    : { text, literal: undefined, prefix: word.slice(0, unseen), splits: false, many: false };
}
