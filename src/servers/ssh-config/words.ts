/** One line of an ssh_config: the keyword in lower case and its arguments. `undefined`: nothing on it; `broken`: ssh(1) refuses the file. */
export type Line = { readonly keyword: string; readonly args: readonly string[] } | 'broken' | undefined;

/** Reads a line as OpenSSH does: a keyword, then blanks or one `=`, then words, which quotes may hold together; `#` before a word ends it. */
export function readLine(text: string): Line {
  const line = text.replace(/[ \t\r\n\f]+$/, '').replace(/^[ \t\r\f]+/, '');
  if (line === '' || line.startsWith('#')) return undefined;
  const [whole = '', quoted, plain] = /^(?:"([^"]*)"|([^ \t\r"=]+))/.exec(line) ?? [];
  const keyword = quoted ?? plain ?? '';
  // Releases differ on an `=` behind a quoted keyword; a NUL ends the line for ssh(1) alone.
  if (keyword === '' || text.includes('\0') || (quoted !== undefined && /^[ \t]*=/.test(line.slice(whole.length))))
    return 'broken';
  const args = splitWords(line.slice(whole.length).replace(/^[ \t]*=?[ \t]*/, ''));
  return args === undefined ? 'broken' : { keyword: keyword.toLowerCase(), args };
}

/** Words of an argument list; undefined where a quote is not closed. */
function splitWords(text: string): readonly string[] | undefined {
  const words: string[] = [];
  let at = 0;
  while (at < text.length) {
    if (/[ \t]/.test(text.charAt(at))) at += 1;
    else if (text.charAt(at) === '#') break;
    else {
      const word = readWord(text, at);
      if (word === undefined) return undefined;
      words.push(word.value);
      at = word.end;
    }
  }
  return words;
}

function readWord(text: string, start: number): { readonly value: string; readonly end: number } | undefined {
  let value = '';
  let quote = '';
  let at = start;
  while (at < text.length && !(quote === '' && /[ \t]/.test(text.charAt(at)))) {
    const char = text.charAt(at);
    const step = readChar(char, text.charAt(at + 1), quote);
    value += step.value;
    quote = step.quote;
    at += step.length;
  }
  return quote === '' ? { value, end: at } : undefined;
}

function readChar(char: string, next: string, quote: string): { value: string; quote: string; length: number } {
  if (char === '\\' && isEscaped(next, quote)) return { value: next, quote, length: 2 };
  if (quote === '' && /['"]/.test(char)) return { value: '', quote: char, length: 1 };
  return char === quote ? { value: '', quote: '', length: 1 } : { value: char, quote, length: 1 };
}

function isEscaped(next: string, quote: string): boolean {
  return next === '\\' || next === '"' || next === "'" || (quote === '' && next === ' ');
}
