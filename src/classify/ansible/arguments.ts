/** A module's arguments. `free` is the command line of a module that takes one. */
export type Arguments =
  | { readonly kind: 'read'; readonly options: ReadonlyMap<string, unknown>; readonly free?: string | undefined }
  | { readonly kind: 'unclear'; readonly why: string };

/** How a text of arguments is meant: `free` for modules that take a command line; `json` on ansible's own command line. */
export interface ArgumentForm {
  readonly free: boolean;
  readonly json: boolean;
}

const FREE_OPTIONS: ReadonlySet<string> = new Set(
  'creates removes chdir executable stdin stdin_add_newline strip_empty_ends'.split(' '),
);
/** Options of a command line in some versions, words of it in others. */
const BY_VERSION: ReadonlySet<string> = new Set(['warn', 'expand_argument_vars']);
const FREE_KEY = '_raw_params';

/** Reads what stands behind a module's name: `a=b c="d e"`, a command line, or an object. What ansible could read otherwise is `unclear`. */
export function readArguments(value: unknown, form: ArgumentForm): Arguments {
  if (value === undefined || value === null) return { kind: 'read', options: new Map() };
  if (typeof value === 'string') return readText(value, form);
  if (typeof value !== 'object' || Array.isArray(value))
    return unclear('the arguments are neither a text nor an object');
  return readObject(value, form);
}

/** Both: the object's own, then the text's or object's of `more`; an argument in both is `unclear`. */
export function mergeArguments(first: Arguments, more: Arguments): Arguments {
  if (first.kind === 'unclear') return first;
  if (more.kind === 'unclear') return more;
  const twice = [...more.options.keys()].some((name) => first.options.has(name));
  if (twice || (first.free !== undefined && more.free !== undefined)) return unclear('an argument is given twice');
  return { kind: 'read', options: new Map([...first.options, ...more.options]), free: first.free ?? more.free };
}

function readObject(value: object, { free }: ArgumentForm): Arguments {
  const options = new Map<string, unknown>(Object.entries(value));
  const line = options.get(FREE_KEY);
  if (free) options.delete(FREE_KEY);
  if ([...options.keys()].some((name) => !/^[A-Za-z][\w-]*$/.test(name)))
    return unclear('an argument has a name that is none');
  if (!free || line === undefined) return { kind: 'read', options };
  return typeof line === 'string' ? { kind: 'read', options, free: line } : unclear('the command line is no text');
}

function readText(text: string, form: ArgumentForm): Arguments {
  if (form.json && text.startsWith('{') && text.endsWith('}')) {
    const parsed = parseObject(text);
    return parsed === undefined ? unclear('the arguments are no JSON') : readObject(parsed, { ...form, json: false });
  }
  if (text.trim() === '') return { kind: 'read', options: new Map() };
  // A lone `\` is taken away; escapes are filled in, `\x3d` too, before a word is looked at for its `=`.
  const escaped = text.includes('=') ? /\\(?:[xuUN\\'"abfnrtv=]|\s|$)/ : /\\[xuUN]|(?:^|\s)\\(?:\s|$)/;
  if (escaped.test(text)) return unclear('what a backslash stands for depends on the version');
  const words = split(text);
  if (words === undefined) return unclear('a quote is left open');
  return form.free ? readFree(text, words) : readPairs(words);
}

function readPairs(words: readonly string[]): Arguments {
  const options = new Map<string, unknown>();
  for (const word of words) {
    const [name, value] = pair(word);
    if (value === undefined || !/^[A-Za-z][\w-]*$/.test(name)) return unclear('it has words that are no option');
    if (options.has(name)) return unclear('an argument is given twice');
    options.set(name, value);
  }
  return { kind: 'read', options };
}

function readFree(text: string, words: readonly string[]): Arguments {
  const pairs = words.map((word) => ({ word, pair: pair(word) }));
  const version = pairs.find(({ pair: [name, value] }) => value !== undefined && BY_VERSION.has(name));
  if (version !== undefined) return unclear(`what ${version.pair[0]} stands for depends on the version`);
  const isOption = ({ pair: [name, value] }: (typeof pairs)[number]): boolean =>
    value !== undefined && FREE_OPTIONS.has(name);
  const options = pairs.filter(isOption).map((option) => option.pair);
  if (options.length === 0) {
    // A space at the start of a line gets lost, and with it what ends a here-document.
    const moved = text.includes('<<') && /\n[ \t]/.test(text);
    return moved ? unclear('where a here-document ends is not sure') : { kind: 'read', options: new Map(), free: text };
  }
  const found = new Map<string, unknown>(options);
  if (found.size < options.length) return unclear('an argument is given twice');
  // A tab is a space to a shell, but not where the words were told apart; a line end starts the next command.
  if (/[\t\n\r]/.test(text)) return unclear('options stand among several lines');
  const line = pairs.filter((each) => !isOption(each)).map(({ word }) => word);
  return { kind: 'read', options: found, free: line.length === 0 ? undefined : line.join(' ') };
}

/** The words of a text, quotes kept; undefined where a quote stays open. */
function split(text: string): readonly string[] | undefined {
  const words: string[] = [];
  let quote: string | undefined;
  let word = '';
  let before = '';
  for (const character of text) {
    quote = quoteAfter(character, before, quote);
    before = character;
    if (quote !== undefined || (character !== ' ' && character !== '\n')) word += character;
    else {
      words.push(word);
      word = '';
    }
  }
  return quote === undefined ? [...words, word].filter((each) => each !== '') : undefined;
}

function quoteAfter(character: string, before: string, quote: string | undefined): string | undefined {
  if ((character !== '"' && character !== "'") || before === '\\') return quote;
  if (quote === undefined) return character;
  return quote === character ? undefined : quote;
}

function pair(word: string): readonly [name: string, value: string | undefined] {
  const equals = word.indexOf('=', 1);
  if (equals < 0) return [word, undefined];
  return [word.slice(0, equals), unquote(word.slice(equals + 1).trim())];
}

function unquote(value: string): string {
  const first = value[0];
  const quoted = value.length > 1 && (first === '"' || first === "'") && value.endsWith(first);
  return quoted ? value.slice(1, -1) : value;
}

function parseObject(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && Object.keys(value).length > 0 ? value : undefined;
  } catch {
    return undefined;
  }
}

function unclear(why: string): Arguments {
  return { kind: 'unclear', why };
}
